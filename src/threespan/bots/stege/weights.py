"""The weights of `value.py`, in the order of its features.

Made by two runs of `python -m training.stege.weights`, `--generations 8 --variants 16 --matches 120 --seed 1` and
from there `--generations 10 --variants 24 --matches 300 --seed 3`, with two more features that proved to be worth
nothing and were left out afterwards; so the same commands will find similar weights, not these. A Python file, because
kernels that were compiled with other weights must not be used again.
"""

from threespan.core.memory import constant, float64

WEIGHTS = constant([-0.5263, -0.1803, -0.4173, -2.4295, -0.1414, -0.3916, -0.0297, 0.0639, 0.2105], float64)
