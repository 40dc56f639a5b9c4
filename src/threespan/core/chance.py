"""Sources of randomness: the match seed for matches, a fast generator for simulations.

Both are documented in `docs/record.md`; the same seed gives the same match on every machine, forever.
"""

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any

from threespan.core.arguments import whole_number
from threespan.core.kernel import kernel
from threespan.core.memory import int64, new_record, record_type, uint64

# Prefixes that keep hashes for different purposes apart.
_SEED_DOMAIN = b"threespan match seed 1"
_DRAW_DOMAIN = b"threespan draw 1"
_COMMIT_DOMAIN = b"threespan commitment 1"
SECRET_BYTES = 32


@dataclass(frozen=True)
class MatchSeed:
    """The secret that determines all randomness in a match, the salt of its commitment, and the players' shares."""

    secret: bytes
    salt: bytes
    shares: tuple[bytes, ...] = field(default=())

    @classmethod
    def fresh(cls) -> "MatchSeed":
        """A new random seed that nobody can guess."""
        return cls(secrets.token_bytes(SECRET_BYTES), secrets.token_bytes(SECRET_BYTES))

    @classmethod
    def of(cls, text: str) -> "MatchSeed":
        """The seed derived from a text such as "42", for reproducible experiments."""
        return cls(hashlib.sha256(text.encode()).digest(), bytes(SECRET_BYTES))

    @property
    def commitment(self) -> str:
        """A hash that is published before the match: it fixes the secret without revealing it."""
        return commitment(self.secret, self.salt)

    def ticket(self, index: int, tickets: int) -> int:
        """The `index`-th draw of the match: one of `tickets` equally likely outcomes."""
        digest = hashlib.sha256(_DRAW_DOMAIN + self._key + index.to_bytes(8, "big")).digest()
        # 128 bits against a few dozen tickets: the bias of the remainder is below 2**-120.
        return int.from_bytes(digest[:16], "big") % int(tickets)

    @property
    def _key(self) -> bytes:
        digest = hashlib.sha256(_SEED_DOMAIN + _sized(self.secret))
        for share in self.shares:
            digest.update(_sized(share))
        return digest.digest()


def commitment(secret: bytes, salt: bytes) -> str:
    """SHA-256 over the salted secret, in hexadecimal."""
    return hashlib.sha256(_COMMIT_DOMAIN + _sized(salt) + _sized(secret)).hexdigest()


def _sized(part: bytes) -> bytes:
    """A part prefixed with its length, so that different lists of parts never concatenate to the same bytes."""
    return len(part).to_bytes(4, "big") + part


# Simulations: SplitMix64 (Steele, Lea, Flood 2014), one 64-bit word of state. It is the field `word` of a record:
# passing a record to a kernel is free, while an array costs an atomic reference count in every call.

RNG_DTYPE = record_type(("word", uint64))

_WORD = 2**64 - 1
_GOLDEN = uint64(0x9E3779B97F4A7C15)
_MIX_1 = uint64(0xBF58476D1CE4E5B9)
_MIX_2 = uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = uint64(27), uint64(30), uint64(31), uint64(32)


def new_rng(seed: int) -> Any:
    """A random generator for kernels."""
    return new_generators(seed)[0]


def new_generators(seed: int) -> Any:
    """An array with one random generator."""
    generators = new_record(RNG_DTYPE)
    generators[0].word = seed_word(seed)
    return generators


def seed_word(seed: int) -> int:
    """A seed of any size as the initial word of a generator."""
    return whole_number("seed", seed) & _WORD


def first_below(seed: int, bound: int) -> int:
    """The first number that `below` returns for a new generator, for code outside kernels."""
    word = seed_word(seed) + int(_GOLDEN) & _WORD
    word = (word ^ word >> 30) * int(_MIX_1) & _WORD
    word = (word ^ word >> 27) * int(_MIX_2) & _WORD
    return ((word ^ word >> 31) >> 32) * bound >> 32


@kernel
def mix(word: Any) -> Any:
    """Scramble a 64-bit word."""
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@kernel
def below(rng: Any, bound: int) -> int:
    """A random whole number from 0 to bound - 1; `bound` is below 2**31."""
    rng.word = rng.word + _GOLDEN
    return int64(((mix(rng.word) >> _S32) * uint64(bound)) >> _S32)  # type: ignore[return-value]


@kernel
def stream(seed: Any, index: int) -> Any:
    """The initial word of the `index`-th independent generator derived from `seed`."""
    return mix(uint64(seed) + mix(uint64(index) + _GOLDEN))
