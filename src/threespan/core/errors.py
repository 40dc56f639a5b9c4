"""The family of errors that a user can put right."""


class UserError(ValueError):
    """Something is wrong that the user can mend; the message is one line that says what and where."""
