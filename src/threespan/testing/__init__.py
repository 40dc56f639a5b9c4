"""The conformance suite that every game must pass: `python -m threespan.testing CODE`.

`suite.py` has all checks, for projects that want to run them together with their own tests.
"""
