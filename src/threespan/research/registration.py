"""Makes the environments known to Gymnasium, by name only: nothing is loaded before one of them is made."""

import gymnasium

NAMESPACE = "threespan"
_MODULE = "threespan.research.gymnasium"


def register_all() -> None:
    """Register what is not registered yet."""
    _register("HashiSolo-v0", "SoloEnv", vector="VectorMatches", code="hashi", players=1)
    _register("HashiDaily-v0", "DailyEnv")
    _register("Hashi-v0", "AgainstBots", vector="VectorMatches", code="hashi", players=2)
    _register("Stege-v0", "AgainstBots", vector="VectorMatches", code="stege", players=2)
    _register("Elfer-v0", "AgainstBots", vector="VectorMatches", code="elfer", players=2)


def _register(name: str, entry: str, vector: str | None = None, **options: object) -> None:
    full_name = f"{NAMESPACE}/{name}"
    if full_name not in gymnasium.registry:
        gymnasium.register(
            full_name,
            entry_point=f"{_MODULE}:{entry}",
            vector_entry_point=f"{_MODULE}:{vector}" if vector else None,
            kwargs=options,
            disable_env_checker=True,
        )
