"""The values a student draws: a hash of salt, assignment, student, question, parameter.

The same on every machine and every Python; whoever does not know the salt cannot
foretell another student's values or hidden inputs.
"""

import json
import random
import unicodedata
from hashlib import sha256

LONGEST = 200  # characters of an id
GENERIC = "generic"  # the id whose values everybody has after `release --generic`


def normalise(student):
    """Return the form of an id that is hashed and compared: NFKC, trimmed, case folded.

    Raises
    ------
    ValueError
        Nothing is left, or the id is longer than LONGEST or holds a control character.
    """
    if len(str(student)) > LONGEST:
        raise ValueError(f"student = '{str(student)[:30]}…': expected an id of at most "
                         f"{LONGEST} characters")
    # folding can undo the composed form, so that is made again
    plain = unicodedata.normalize("NFKC", str(student)).strip().casefold()
    plain = unicodedata.normalize("NFKC", plain)
    if not plain:
        raise ValueError(f"student = {student!r}: expected an id, not blanks")
    if any(unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") for sign in plain):
        raise ValueError(f"student = {student!r}: expected an id without invisible characters")
    return plain


def _number(salt, assignment, student, question, what):
    words = [salt, assignment, normalise(student), question.id, what]
    return int.from_bytes(sha256("\x1f".join(words).encode()).digest(), "big")


def values(question, salt, assignment, student):
    """Return the student's value of each parameter of `question`, by name.

    Parameters
    ----------
    question : Question
    salt, assignment, student : str
        The secret of the course, the assignment's id, the student's id in any form.
    """
    return {name: allowed[_number(salt, assignment, student, question, name) % len(allowed)]
            for name, allowed in sorted(question.parameters.items())}


def inputs(question, salt, assignment, student):
    """Return the hidden argument tuples on which the student's function is tried."""
    seed = _number(salt, assignment, student, question, "\x1einputs")
    drawn = values(question, salt, assignment, student)
    return inputs_of(question, drawn, random.Random(seed))


def inputs_of(question, values, rng):
    """Return the argument tuples that `rng` draws, as JSON carries them: inside only lists."""
    cases = question.inputs(rng, **values)
    return [tuple(json.loads(json.dumps(args))) for args in cases]
