"""PettingZoo environments: `hashi_v0`, `stege_v0` and `elfer_v0`, each with `env`, `raw_env` and `parallel_env`."""
