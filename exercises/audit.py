"""`audit`: faults of an assignment, looked for before it is released.

For each question that is computed: how often would one student's answer be accepted
for another; does any named mistake pass in any variant. For the notebooks: does
anything stand in them that only the instructor should know.
"""

import random
import tempfile
from math import isfinite
from pathlib import Path

from . import assignment as assignments
from . import draw, leaks, release, roster
from .compare import agrees, is_number
from .questions import Choice, Function, Number, Numbers, Text

EXAMPLES = """examples:
  python -m exercises audit exercises/assignments/hw1.yml
  python -m exercises audit exercises/assignments/hw1.yml --released released
  python -m exercises audit --bank

Exit code 0: no fault; 3: the faults are listed.
"""
MOST_SHARED = 0.02  # the chance that two students accept each other's answer
MOST_VARIANTS = 20_000
PAIRS = 40_000      # enough to tell 2 % to within 0.2 % (two standard errors)
FUNCTION_PAIRS = 4_000
TRIES = 3           # draws of the hidden inputs for each variant


def arguments(parser):
    parser.add_argument("assignment", type=Path, nargs="?", help="the assignment's YAML file")
    parser.add_argument("--bank", action="store_true", help="every question of the bank")
    parser.add_argument("--released", type=Path, metavar="DIR",
                        help="look through this folder; by default a release to three "
                             "made-up students is")
    parser.add_argument("--salt", type=Path, metavar="FILE", help="the secret of the course")


def run(options):
    if bool(options.assignment) == options.bank:
        raise ValueError("give an assignment or --bank, one of the two")
    faults = []
    if options.bank:
        questions = list(assignments.bank.load().values())
    else:
        assignment = assignments.read(options.assignment)
        questions = [item.question for item in assignment.items]
    for question in questions:
        chance = shared(question)
        words = "" if chance is None else f"two students share an answer: {chance:.2%}"
        print(f"{question.id:<36} {words}")
        faults += question_faults(question, chance)
    if not options.bank:
        faults += _released_faults(assignment, options)
    for fault in faults:
        print(f"fault: {fault}")
    print(f"{len(questions)} questions, {len(faults)} faults")
    return 3 if faults else 0


def _released_faults(assignment, options):
    if options.released:
        salt = assignments.salt(assignment, options.salt)
        return leaks.folder_faults(options.released, assignment, salt)
    salt = "a salt that is made up for the audit"
    students = [roster.Student(name, "", 0) for name in ("amal", "bo", "chandra")]
    with tempfile.TemporaryDirectory() as folder:
        release.write(assignment, salt, students, Path(folder))
        return leaks.folder_faults(Path(folder), assignment, salt)


def question_faults(question, chance):
    """Return what is wrong with a question, a line each."""
    if isinstance(question, Text):
        return []
    found = []
    if chance is not None and chance > MOST_SHARED:
        found.append(f"{question.id}: two students share an answer with chance {chance:.1%}; "
                     f"at most {MOST_SHARED:.0%}: more values, or a tighter rtol")
    faults = {Number: _number, Numbers: _numbers, Choice: _choice, Function: _function}
    for values in variants(question):
        found += [f"{question.id} at {values}: {fault}"
                  for fault in faults[type(question)](question, values)]
        if len(found) > 5:
            return [*found[:5], f"{question.id}: and more"]
    return found


def variants(question):
    """Return every variant's values; ValueError if they are too many to look at."""
    found = list(question.variants())
    if len(found) > MOST_VARIANTS:
        raise ValueError(f"question {question.id}: parameters give {len(found)} variants; "
                         f"at most {MOST_VARIANTS}, so that each is looked at")
    return found


def _number(question, values):
    answer = question.answer(**values)
    if not is_number(float(answer)):
        return [f"the answer is {answer!r}"]
    found = []
    if not question.low <= answer <= question.high:
        found.append(f"the answer {answer:.6g} is outside {question.low:g} to {question.high:g}")
    return found + [f"the mistake {mistake.name!r} is accepted" for mistake in question.wrong
                    if agrees(float(mistake.formula(**values)), answer, question.rtol)]


def _numbers(question, values):
    answer = question.answer(**values)
    if set(answer) != set(question.units) or not all(map(isfinite, answer.values())):
        return [f"the answer is {answer!r}"]
    found = []
    for mistake in question.wrong:
        gives = mistake.formula(**values)
        if not gives or set(gives) - set(answer):
            found.append(f"the mistake {mistake.name!r} gives {sorted(gives)}")
        elif all(agrees(float(value), answer[name], question.rtol)
                 for name, value in gives.items()):
            found.append(f"the mistake {mistake.name!r} is accepted")
    return found


def _choice(question, values):
    answer = question.answer(**values)
    return [] if answer in question.options else [f"the answer is {answer!r}"]


def _function(question, values):
    found = []
    for number in range(TRIES):
        cases = draw.inputs_of(question, values, random.Random(number))
        expected = [question.answer(*args, **values) for args in cases]
        if not cases or not all(map(is_plain, expected)):
            return [f"the reference gives {expected!r}"]
        found += [f"the mistake {mistake.name!r} is accepted" for mistake in question.wrong
                  if all(agrees(mistake.formula(*args, **values), result, question.rtol)
                         for args, result in zip(cases, expected, strict=True))]
    return sorted(set(found))


def is_plain(result):
    """Return whether a reference's result is finite numbers, bools, words or lists of them."""
    if isinstance(result, (list, tuple)):
        return all(map(is_plain, result))
    return type(result) in (bool, str) or is_number(result)


def shared(question, seed=0):
    """Return the chance that one student's answer is accepted for another, or None.

    Both draw a variant; None for kinds where sharing a letter or words means nothing.
    Every pair of variants is counted if there are at most 40 000 (4000 of a function),
    else as many pairs drawn at random.
    """
    if not isinstance(question, (Number, Numbers, Function)):
        return None
    found = variants(question)
    rng = random.Random(seed)
    most = FUNCTION_PAIRS if isinstance(question, Function) else PAIRS
    if len(found) ** 2 <= most:
        pairs = [(one, other) for one in range(len(found)) for other in range(len(found))]
    else:
        pairs = [(rng.randrange(len(found)), rng.randrange(len(found))) for _ in range(most)]
    if isinstance(question, Function):
        accepted = _function_accepted(question, found, rng)
    else:
        answers = [question.answer(**values) for values in found]
        if isinstance(question, Number):
            answers = [{"": answer} for answer in answers]

        def accepted(one, other):
            return all(agrees(float(answers[one][name]), float(expected), question.rtol)
                       for name, expected in answers[other].items())
    return sum(accepted(one, other) for one, other in pairs) / len(pairs)


def _function_accepted(question, found, rng):
    cases = [draw.inputs_of(question, values, rng) for values in found]
    expected = [[question.answer(*args, **values) for args in drawn]
                for drawn, values in zip(cases, found, strict=True)]

    def accepted(one, other):
        return all(agrees(question.answer(*args, **found[one]), result, question.rtol)
                   for args, result in zip(cases[other], expected[other], strict=True))
    return accepted
