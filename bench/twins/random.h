/* SplitMix64 as in threespan/core/chance.py: the same seeds give the same games. */
#pragma once
#include <stdint.h>

static inline uint64_t mix(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

static inline int64_t below(uint64_t *rng, int64_t bound) {
    *rng += 0x9E3779B97F4A7C15u;
    return (int64_t)(((mix(*rng) >> 32) * (uint64_t)bound) >> 32);
}

static inline uint64_t stream(uint64_t seed, int64_t index) {
    return mix(seed + mix((uint64_t)index + 0x9E3779B97F4A7C15u));
}
