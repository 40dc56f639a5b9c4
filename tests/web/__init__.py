"""Tests of the page in a real browser; a package, so that the browser is closed before other tests run."""
