"""`audit`: faults of an assignment, looked for before it is released.

For each question that is computed: how often would one student's answer be accepted
for another; does any named mistake pass in any variant. For the notebooks: does
anything stand in them that only the instructor should know.
"""

import random
import tempfile
from functools import cache
from itertools import permutations
from math import isfinite
from pathlib import Path

from tqdm import tqdm

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
PAIRS = 20_000      # enough to tell 2 % to within 0.2 % (two standard errors)
FUNCTION_PAIRS = 2_000  # to within 0.6 %: a reference may take milliseconds
TRIES = 2           # draws of the hidden inputs for each variant
WHOLE = 20          # variants of a function whose cases are all worked out


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
    for question in tqdm(questions, unit="question", disable=None):
        chance = shared(question)
        words = "" if chance is None else f"two students share an answer: {chance:.2%}"
        tqdm.write(f"{question.id:<36} {words}")
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
    return found + (_whole_cases(question) if isinstance(question, Function) else [])


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
        expected = cache(lambda place, cases=cases: question.answer(*cases[place], **values))
        if not cases or not is_plain(expected(0)):
            return [f"the reference gives {expected(0) if cases else []!r}"]
        # case by case: the first one mostly tells a mistake from the answer
        found += [f"the mistake {mistake.name!r} is accepted" for mistake in question.wrong
                  if all(agrees(mistake.formula(*args, **values), expected(place), question.rtol)
                         for place, args in enumerate(cases))]
    return sorted(set(found))


def _whole_cases(question):
    """Return faults of the reference on all hidden cases of some variants, evenly spread."""
    found = variants(question)
    for values in found[::max(1, len(found) // WHOLE)]:
        for args in draw.inputs_of(question, values, random.Random(0)):
            result = question.answer(*args, **values)
            if not is_plain(result):
                return [f"{question.id} at {values}: {args} gives {result!r}"]
    return []


def is_plain(result):
    """Return whether a reference's result is finite numbers, bools, words or lists of them."""
    if isinstance(result, (list, tuple)):
        return all(map(is_plain, result))
    return type(result) in (bool, str) or is_number(result)


def shared(question, seed=0):
    """Return the chance that one student's answer is accepted for another, or None.

    Both draw a variant, each as likely. With the same one they share the answer; of the
    others every pair is tried if there are at most 20 000 (2000 of a function), else as
    many pairs drawn at random. None for kinds where sharing means nothing: a letter is
    one of a few, and words are for a human.
    """
    if not isinstance(question, (Number, Numbers, Function)):
        return None
    found = variants(question)
    count, rng = len(found), random.Random(seed)
    if count == 1:
        return 1.0
    most = FUNCTION_PAIRS if isinstance(question, Function) else PAIRS
    if count * (count - 1) <= most:
        pairs = list(permutations(range(count), 2))
    else:
        pairs = [rng.sample(range(count), 2) for _ in range(most)]
    accepted = (_same_function if isinstance(question, Function) else _same_numbers)(
        question, found, rng)
    return 1 / count + (1 - 1 / count) * sum(accepted(*pair) for pair in pairs) / len(pairs)


def _same_numbers(question, found, _rng):
    answers = [question.answer(**values) for values in found]
    if isinstance(question, Number):
        answers = [{"": answer} for answer in answers]

    def accepted(one, other):
        return all(agrees(float(answers[one][name]), float(expected), question.rtol)
                   for name, expected in answers[other].items())
    return accepted


def _same_function(question, found, rng):
    @cache
    def cases(variant):
        return draw.inputs_of(question, found[variant], rng)

    def accepted(one, other):
        return all(agrees(question.answer(*args, **found[one]),
                          question.answer(*args, **found[other]), question.rtol)
                   for args in cases(other))
    return accepted
