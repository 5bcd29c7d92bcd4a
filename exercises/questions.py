"""The kinds of question. A file of the bank defines one: ``question = Number(...)``.

`text` is Markdown with ``$...$`` formulas; ``{{name}}`` stands for the value that a
student drew for the parameter `name`. Whatever a question computes (`answer`, wrong
formulas, `worked`) takes those values as keywords.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

LEVELS = ("recall", "apply", "analyse")
PLACE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@dataclass(frozen=True)
class Wrong:
    """A mistake that students make, so that feedback can name it.

    Parameters
    ----------
    name : str
        The mistake in a few words, as the instructor sees it.
    formula : callable
        ``formula(**values)``: what this mistake gives, in the shape of the question's
        answer. For a `Function`, ``formula(*args, **values)``.
    feedback : str
        One or two sentences to the student. They do not tell the answer.
    """

    name: str
    formula: Callable
    feedback: str


@dataclass(frozen=True, kw_only=True)
class Question:
    """What every kind has. The kinds below add an answer.

    Parameters
    ----------
    id : str
        Lower-case words joined by hyphens; the file is ``bank/<id with _>.py``.
    topic : str
    chapter : str
        Two digits, as in the chapter's file name: "06".
    level : str
        "recall", "apply" or "analyse".
    minutes, points : number
        Above 0.
    text : str
        Markdown with ``{{name}}`` places.
    parameters : mapping of str to sequence
        The sane values of each parameter, numbers or names; one is drawn per student.
    worked : callable, optional
        ``worked(**values)``: the worked answer in Markdown, which `key` prints.

    Raises
    ------
    ValueError
        A field is out of range, a place in the text has no parameter, or a parameter
        has no place; the message names the question and the field.
    """

    id: str
    topic: str
    chapter: str
    level: str
    minutes: float
    points: float
    text: str
    parameters: Mapping[str, Sequence] = field(default_factory=dict)
    worked: Callable | None = None

    def __post_init__(self):
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", self.id):
            raise ValueError(f"id = {self.id!r}: expected lower-case words joined by hyphens")
        self._need(bool(self.topic), "topic", "some words")
        self._need(bool(re.fullmatch(r"\d\d", self.chapter)), "chapter", 'two digits, as "06"')
        self._need(self.level in LEVELS, "level", " or ".join(LEVELS))
        self._need(self.minutes > 0, "minutes", "a number above 0")
        self._need(self.points > 0, "points", "a number above 0")
        for name, allowed in self.parameters.items():
            self._need(len(allowed) > 0 and len(set(allowed)) == len(allowed),
                       f"parameters[{name!r}]", "values, each once")
        places = {name for part in self.parts() for name in PLACE.findall(part)}
        self._need(places == set(self.parameters), "text",
                   f"a place {{{{name}}}} for each parameter and no other; it has "
                   f"{sorted(places)}, the parameters are {sorted(self.parameters)}")

    def _need(self, holds, name, expected):
        if not holds:
            value = getattr(self, name, "")
            raise ValueError(f"question {self.id}: {name} = {value!r}: expected {expected}")

    def parts(self):
        """Return every text a student reads; places may stand in any of them."""
        return [self.text]

    def fill(self, text, values):
        """Return `text` with the student's values in their places."""
        return PLACE.sub(lambda place: shown(values[place[1]]), text)

    def variants(self):
        """Yield the values of every variant, as dicts."""
        names = sorted(self.parameters)
        for drawn in product(*(self.parameters[name] for name in names)):
            yield dict(zip(names, drawn, strict=True))


def shown(value):
    """Return a parameter's value as the text shows it: 70 for 70.0, 0.75, 2.039e+12."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _need_rtol_and_wrong(question):
    question._need(0 < question.rtol < 0.1, "rtol", "between 0 and 0.1")
    names = [mistake.name for mistake in question.wrong]
    question._need(len(names) >= 2 and len(set(names)) == len(names), "wrong",
                   "at least 2 named mistakes, each name once")


@dataclass(frozen=True, kw_only=True)
class Number(Question):
    """One number in a given unit: ``q1 = 30.6``.

    Parameters
    ----------
    answer : callable
        ``answer(**values)``, a float.
    unit : str
        "FLOP/B", "sequences", "1" for a ratio.
    rtol : float
        Relative tolerance, both for the answer and for a named mistake.
    low, high : float
        The range that `check` tells students is sane, wide enough to give nothing away.
    wrong : sequence of Wrong
        At least two.
    """

    answer: Callable
    unit: str
    low: float
    high: float
    rtol: float = 0.005
    wrong: Sequence[Wrong]

    def __post_init__(self):
        super().__post_init__()
        self._need(self.low < self.high and math.isfinite(self.high - self.low), "low",
                   f"finite and below high = {self.high}")
        _need_rtol_and_wrong(self)


@dataclass(frozen=True, kw_only=True)
class Numbers(Question):
    """Several numbers under names: ``q3 = {"b_star": 30.6, "break_even": 81.1}``.

    Parameters
    ----------
    answer : callable
        ``answer(**values)``, a dict of name to float, with the names of `units`.
    units : mapping of str to str
    rtol : float
    wrong : sequence of Wrong
        At least two; a formula may give only the names that its mistake touches.
    """

    answer: Callable
    units: Mapping[str, str]
    rtol: float = 0.005
    wrong: Sequence[Wrong]

    def __post_init__(self):
        super().__post_init__()
        self._need(len(self.units) >= 2, "units", "at least two names")
        _need_rtol_and_wrong(self)


@dataclass(frozen=True, kw_only=True)
class Choice(Question):
    """One letter: ``q2 = "b"``.

    Parameters
    ----------
    options : mapping of str to str
        Letter to text; places may stand in the texts.
    answer : callable
        ``answer(**values)``, a letter.
    wrong : mapping of str to str
        Letter to the feedback it deserves when it is not the answer; at least two.
    """

    options: Mapping[str, str]
    answer: Callable
    wrong: Mapping[str, str]

    def __post_init__(self):
        super().__post_init__()
        self._need(all(re.fullmatch("[a-z]", letter) for letter in self.options), "options",
                   "letters from a to z")
        self._need(len(self.wrong) >= 2 and set(self.wrong) <= set(self.options), "wrong",
                   f"feedback for at least two of {', '.join(self.options)}")

    def parts(self):
        return [self.text, *self.options.values()]


@dataclass(frozen=True, kw_only=True)
class Function(Question):
    """A function the student writes: ``def name(signature)``, tried on hidden inputs.

    Parameters
    ----------
    name : str
    signature : str
        The arguments as in a def: "batch, gamma".
    answer : callable
        The reference, ``answer(*args, **values)``: a number, a bool or a list of them.
    inputs : callable
        ``inputs(rng, **values)``: a list of argument tuples, drawn with `rng`, a
        `random.Random` of the student's own. Numbers, bools, strings and lists of them.
    examples : sequence of tuple
        Public arguments, on which `check` looks at type and shape.
    rtol : float
    wrong : sequence of Wrong
        At least two. One of them calls the library's function.

    Notes
    -----
    Parameters must change what the function returns (a constant it has to hold), or
    one student's code would serve another: `audit` measures it.
    """

    name: str
    signature: str
    answer: Callable
    inputs: Callable
    examples: Sequence[tuple]
    rtol: float = 1e-6
    wrong: Sequence[Wrong]

    def __post_init__(self):
        super().__post_init__()
        self._need(self.name.isidentifier(), "name", "a Python name")
        self._need(len(self.examples) > 0, "examples", "at least one argument tuple")
        _need_rtol_and_wrong(self)


@dataclass(frozen=True, kw_only=True)
class Text(Question):
    """Words, marked by hand: ``q5 = "..."``.

    Parameters
    ----------
    rubric : str
        Markdown for the instructor: what earns which points.
    """

    rubric: str

    def __post_init__(self):
        super().__post_init__()
        self._need(bool(self.rubric.strip()), "rubric", "what earns which points")
