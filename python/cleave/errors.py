"""Errors that the user can correct: a wrong directory, field, option or file."""
import difflib


class ResultsError(ValueError):
    """The message names the file or the name that is wrong and says what to do."""


def choose(name, known, what):
    """The name if it is one of `known`; else an error with the nearest ones."""
    known = list(known)
    if name in known:
        return name
    near = difflib.get_close_matches(name, known, n=1)
    guess = f"; did you mean '{near[0]}'?" if near else "."
    raise ResultsError(f"no {what} '{name}'{guess} There are: {', '.join(known) or 'none'}")
