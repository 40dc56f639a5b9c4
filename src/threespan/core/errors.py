"""The base class of errors that a user can fix, and how errors quote what is wrong."""


class UserError(ValueError):
    """A mistake that the user can correct; the message is one line that says what is wrong and where."""

    def text(self, language: str) -> str:  # noqa: ARG002 - errors for developers are in English only
        """The message in a player's language."""
        return str(self)


EXIT_CODE = 2  # of a process that reports a UserError in one line


def shortened(text: str) -> str:
    """A text from outside, cut to a length that is safe to quote in a message."""
    return text if len(text) <= _MAX_TEXT_LENGTH else f"{text[:_MAX_TEXT_LENGTH]}…"


_MAX_TEXT_LENGTH = 64


def printable(text: str, max_length: int) -> str:
    """A text from outside as one line that is safe to print: cut, and with control characters escaped."""
    cut = text if len(text) <= max_length else f"{text[:max_length]}…"
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in cut)
