"""Values follow from salt, assignment, student, question and parameter, and nothing else."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises import draw

from .conftest import KINDS, SALT

ROOT = Path(__file__).resolve().parents[2]


def drawn(question, salt=SALT, assignment="hw1", student="amal"):
    return draw.values(question, salt, assignment, student)


def test_the_draw_is_pinned():
    """Every released notebook hangs on these: a change would grade a class wrongly."""
    assert drawn(KINDS["number"]()) == {"size": 153}
    assert drawn(KINDS["numbers"]()) == {"a": 10, "b": 39}
    assert draw.inputs(KINDS["function"](), SALT, "hw1", "amal") == [(7652,), (8611,), (9910,)]


def test_the_hash_is_as_documented():
    from hashlib import sha256
    words = "\x1f".join([SALT, "hw1", "amal", "twice", "size"])
    number = int.from_bytes(sha256(words.encode()).digest(), "big")
    assert drawn(KINDS["number"]()) == {"size": range(101, 201)[number % 100]}


def test_another_process_draws_the_same():
    """No hash seed, no order of a set has a part in it."""
    code = ("from exercises import bank, draw; import sys\n"
            "for q in bank.load().values(): print(draw.values(q, 'x' * 16, 'hw1', 'amal'))")
    said = {subprocess.run([sys.executable, "-c", code], cwd=ROOT, text=True, check=True,
                           env={"PYTHONHASHSEED": seed, "PATH": ""}, capture_output=True).stdout
            for seed in ("1", "2")}
    assert len(said) == 1 and "{" in said.pop()


@pytest.mark.parametrize("change", [{"salt": "another salt, as long"}, {"assignment": "hw2"},
                                    {"student": "bo"}])
def test_each_ingredient_matters(change):
    question = KINDS["numbers"]()
    assert drawn(question) != drawn(question, **change)


def test_parameters_are_drawn_apart():
    """One more parameter leaves the others as they were."""
    wider = KINDS["numbers"](parameters={"a": list(range(10, 20)), "b": list(range(31, 41)),
                                         "c": [1, 2]}, text="{{a}} {{b}} {{c}}")
    assert drawn(KINDS["numbers"]()).items() <= drawn(wider).items()


def test_every_value_is_as_likely():
    question = KINDS["numbers"]()
    counts = Counter(drawn(question, student=f"s{n}")["a"] for n in range(5000))
    assert len(counts) == 10
    square = sum((count - 500) ** 2 / 500 for count in counts.values())
    assert square < 27.9  # chi-square, 9 degrees of freedom, 0.1 %


@pytest.mark.parametrize("form", ["Amal", " amal\t", "ＡＭＡＬ", "AMAL"])
def test_forms_of_one_id_draw_alike(form):
    assert drawn(KINDS["numbers"](), student=form) == drawn(KINDS["numbers"]())


@given(st.text(st.characters(exclude_categories=["C"]), min_size=1))
def test_a_normalised_id_stays_as_it_is(student):
    try:
        once = draw.normalise(student)
    except ValueError:
        return
    assert draw.normalise(once) == once == draw.normalise(f" {student} ")


@pytest.mark.parametrize("student", ["", "  ", "a\x1fb", "a\u200bb", "a\nb"])
def test_an_id_that_nobody_can_see_is_refused(student):
    with pytest.raises(ValueError, match="student = "):
        draw.normalise(student)


def test_hidden_inputs_are_the_students_own():
    question = KINDS["function"]()
    of = [tuple(draw.inputs(question, SALT, "hw1", student)) for student in ("amal", "bo", "AMAL")]
    assert of[0] == of[2] != of[1]


def test_inputs_are_what_json_carries():
    question = KINDS["function"](inputs=lambda rng, factor: [((1, (2, 3)), "x")])
    assert draw.inputs(question, SALT, "hw1", "amal") == [([1, [2, 3]], "x")]
