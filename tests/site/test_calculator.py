"""The calculator's page: its numbers, its form, what can be taken away, for every reader."""

from itertools import pairwise

import pytest

from crossover.show.calculator import Calculator
from crossover.show.calculator.inputs import INPUTS

from ..calculator import run, settings
from .conftest import heard_while
from .test_pages import barriers

pytestmark = pytest.mark.xdist_group("browser, pages")
COUNT, RTOL = 500, 1e-9
# Every input but one counts here: no model uses the rate at fp16.
ALL_CUSTOM = (
    "?chip=custom&chip_fp8=700&target=custom&draft=custom&target_precision=int8&draft_precision=fp8"
    "&draft_kv_heads=2&context=1000&batch=300&count=2&compute_efficiency=0.5"
    "&bandwidth_efficiency=0.7&gamma=3"
)
# Give the page an address; hand back its view's numbers and the lines it offers.
EVALUATE = """async (box, addresses) => {
    const answers = [];
    for (const address of addresses) {
        await box.calculator.read(address);
        const numbers = Object.entries(box.calculator.view.data("results")[0])
            .filter(([, value]) => typeof value === "number").map(([k, v]) => [k, String(v)]);
        answers.push([Object.fromEntries(numbers), box.querySelector("pre").textContent,
                      box.querySelector(".calculator-refusals").textContent]);
    }
    return answers;
}"""


def query(values):
    return "?" + "&".join(f"{name}={value}" for name, value in values.items())


def numbers(box):
    """The results as the page's view holds them."""
    return box.evaluate(EVALUATE.replace("await box.calculator.read(address);", ""), [""])[0][0]


def disagreements(shown, lines):
    """Where the numbers of the page differ from those its lines give when run."""
    envelope, measured = run(lines)
    wanted = envelope | {f"measured_{name}": value for name, value in measured.items()}
    assert set(shown) == set(wanted)
    return [
        f"{name}: {shown[name]} in the page, {value} in Python"
        for name, value in wanted.items()
        if float(shown[name].replace("Infinity", "inf")) != pytest.approx(value, rel=RTOL, abs=0)
    ]


@pytest.mark.long
def test_the_page_and_its_lines_give_the_librarys_numbers(open_calculator):
    """At many addresses: the page's data against the lines it offers, executed here."""
    _, box = open_calculator()
    drawn, with_passes, roots = settings(COUNT), 0, set()
    assert len(drawn) >= COUNT
    for start in range(0, len(drawn), 50):
        some = drawn[start : start + 50]
        answers = box.evaluate(EVALUATE, [query(values) for values in some])
        for values, (shown, lines, refused) in zip(some, answers, strict=True):
            assert refused == "", values
            wrong = disagreements(shown, lines)
            assert not wrong, f"{values}: {wrong}"
            with_passes += "measured_speedup" in shown
            roots.add(shown["break_even"])
    assert with_passes > COUNT / 4 and len(roots) > COUNT / 8


def test_the_lines_carry_the_inputs(open_calculator):
    """The lines of some addresses against Calculator, which never saw the page."""
    _, box = open_calculator()
    some = settings(COUNT)[::25]
    for values, (shown, lines, _) in zip(
        some, box.evaluate(EVALUATE, [query(v) for v in some]), strict=True
    ):
        here = Calculator(**values)
        assert run(lines)[0] == pytest.approx(here.envelope, rel=RTOL), values
        assert float(shown["speedup"]) == pytest.approx(here.envelope["speedup"], rel=RTOL)


def test_a_difference_is_found(open_calculator):
    _, box = open_calculator()
    shown, lines, _ = box.evaluate(EVALUATE, ["?gamma=2"])[0]
    assert disagreements(shown, lines) == []
    shown["speculative"] = str(float(shown["speculative"]) * (1 + 1e-8))
    (wrong,) = disagreements(shown, lines)
    assert wrong.startswith("speculative: ")


def test_the_table_shows_the_numbers(open_calculator):
    """Every cell as Python writes it, with measured passes and without."""
    for values in ({}, {"chip": "L4", "batch": 8, "gamma": 0}, {"count": 8, "context": 5000}):
        _, box = open_calculator(query(values))
        here = Calculator(**values)
        for row, first, second in here.rows():
            assert box.locator(f"[data-result={row.name}]").inner_text() == first
            assert box.locator(f"[data-measured={row.name}]").inner_text() == second
        assert box.locator(".calculator-words").inner_text() == here.sentence
        assert not box.locator(".calculator-still").is_visible()


def test_every_control_does_something(open_calculator):
    """By keyboard alone, each control that is shown changes a number."""
    page, box = open_calculator(ALL_CUSTOM)
    controls = box.locator("form :is(input, select):visible").evaluate_all(
        "(found) => found.map((e) => e.id ? `#${e.id}`"
        " : `[aria-labelledby=${e.getAttribute('aria-labelledby')}]`)"
    )
    assert len(controls) == len(INPUTS) - 1 + 3  # gamma, alpha and batch have sliders too
    for control in controls:
        before = numbers(box)
        box.locator(control).focus()
        page.keyboard.press("ArrowUp")
        page.wait_for_function(
            "([box, old]) => Object.entries(old).some(([name, value]) =>"
            " String(box.calculator.view.data('results')[0][name]) !== value)",
            arg=[box.element_handle(), before],
        )
        box.evaluate("(box, address) => box.calculator.read(address)", ALL_CUSTOM)


@pytest.mark.parametrize("width", [390, 1024])
def test_controls_have_labels_and_size(open_calculator, width):
    page, box = open_calculator(ALL_CUSTOM, width=width)
    for control in box.locator(":is(input, select, button, summary):visible").all():
        box_of = control.bounding_box()
        assert box_of["height"] >= 24 and box_of["width"] >= 24
        assert box_of["x"] >= 0 and box_of["x"] + box_of["width"] <= width
    for name, each in INPUTS.items():
        label = box.locator(f"label[for=calculator-{name}]")
        assert label.is_visible() != (name == "chip_fp16") and each.unit in label.text_content()
        assert box.locator(f"#calculator-{name}").input_value() != ""
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_no_barriers_with_everything_shown(open_calculator):
    page, _ = open_calculator(ALL_CUSTOM.replace("gamma=3", "gamma=-3"))
    page.locator("#calculator-batch").fill("0")
    page.locator("summary").click()
    lines = barriers(page)
    assert not lines, "\n".join(lines)


def test_a_wrong_number_is_refused_where_it_stands(open_calculator):
    page, box = open_calculator()
    field, before = page.locator("#calculator-gamma"), numbers(box)
    field.fill("99")
    fault = page.locator("#calculator-gamma-fault")
    assert fault.inner_text() == "expected a whole number from 0 to 16; 4 is used"
    assert field.get_attribute("aria-invalid") == "true" and numbers(box) == before
    field.fill("5")
    assert fault.inner_text() == "" and field.get_attribute("aria-invalid") == "false"


def test_a_rate_the_chip_lacks(open_calculator):
    """Its precision cannot be chosen, and gives way in words when the chip changes."""
    page, box = open_calculator("?chip=H100-SXM&draft_precision=int8")
    page.locator("#calculator-chip").select_option("B200")
    said = box.locator(".calculator-refusals").inner_text()
    assert said == "Draft precision = int8: B200 has no such rate in the table; fp16 is used."
    assert page.locator("#calculator-draft_precision").input_value() == "fp16"
    off = page.locator("#calculator-draft_precision option[value=int8]")
    assert off.evaluate("(option) => option.disabled")


@pytest.mark.long
def test_words_are_heard_at_most_once_a_second(open_calculator):
    page, box = open_calculator(new=True)
    heard = box.locator(".heard-only")
    assert heard.get_attribute("role") == "status"
    page.locator("input[type=range]").last.focus()
    heard = heard_while(page, heard, lambda: page.keyboard.press("ArrowLeft"), times=9, pause=350)
    assert 3 <= len(heard) <= 5
    assert all(b[0] - a[0] >= 1000 for a, b in pairwise(heard))
    assert heard[-1][1] == box.locator(".calculator-words").inner_text()


def test_copies_lines_and_address(open_calculator):
    page, box = open_calculator("?batch=40", permissions=["clipboard-read", "clipboard-write"])
    box.get_by_role("button", name="Copy as Python").click()
    page.get_by_text("lines copied").wait_for()
    lines = page.evaluate("navigator.clipboard.readText()")
    assert disagreements(numbers(box), lines) == [] and "= 40, 4, 0.75, 0\n" in lines
    box.get_by_role("button", name="Copy the address").click()
    page.get_by_text("address copied").wait_for()
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    assert page.locator("#calculator-batch").input_value() == "40"


def test_table_sentence_and_lines_without_scripts(open_page):
    page = open_page("calculator.html", java_script_enabled=False)
    box, here = page.locator(".calculator"), Calculator()
    assert box.locator(".calculator-words").inner_text() == here.sentence
    for row, first, second in here.rows():
        assert box.locator(f"[data-result={row.name}]").inner_text() == first
        assert box.locator(f"[data-measured={row.name}]").inner_text() == second
    assert box.locator("input, select, button").count() == 0, "a control that does nothing"
    assert box.locator("pre").text_content() == here.python
    assert box.locator(".calculator-still").is_visible()


def test_print_shows_the_table_without_the_form(open_calculator):
    page, box = open_calculator()
    page.emulate_media(media="print")
    assert box.locator("table").is_visible() and not box.locator("form").is_visible()
    assert not box.locator("button").first.is_visible()
