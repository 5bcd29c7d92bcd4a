"""The calculator's address: it carries the inputs, and nothing but the inputs."""

import pytest

from crossover.show.calculator.inputs import INPUTS

from .test_calculator import numbers

pytestmark = pytest.mark.xdist_group("browser, pages")
DEFAULT = {name: str(each.default) for name, each in INPUTS.items()}


def shown(page):
    """What the form holds, by the names of the inputs."""
    return {name: page.locator(f"#calculator-{name}").input_value() for name in INPUTS}


@pytest.mark.parametrize("address, said", [
    ("?gamma=-3", "γ, drafted per round = -3: expected a whole number from 0 to 16; 4 is used."),
    ("?alpha=2", "α, acceptance rate = 2: expected a number from 0 to 1; 0.75 is used."),
    ("?alpha=NaN", "α, acceptance rate = NaN: expected a number from 0 to 1; 0.75 is used."),
    ("?batch=Infinity", "B, batch = Infinity: expected a whole number"),
    ("?batch=", "B, batch = : expected a whole number from 1 to 4096; 128 is used."),
    ("?gamma=2.5", "γ, drafted per round = 2.5: expected a whole number"),
    ("?batch=0x20", "B, batch = 0x20: expected a whole number"),
    ("?chip=Abacus", "Chip = Abacus: expected one of the list; A100-80GB-SXM is used."),
    ("?chip=constructor", "Chip = constructor: expected one of the list"),
    ("?chip=__proto__&__proto__=1", "__proto__: no input has this name; it is left out."),
    ("?target=<img src=x onerror=hacked=1>", "Target model = <img src=x onerror=hacked=1>: exp"),
    ("?<b>x</b>=1", "<b>x</b>: no input has this name"),
    ("?alpha=datum.x", "α, acceptance rate = datum.x: expected a number"),
    ("?gamma=2&gamma=3", "γ, drafted per round = 2: given more than once; 4 is used."),
    ("?chip=B200&target_precision=int8", "Target precision = int8: B200 has no such rate"),
    ("?batch=" + "9" * 10_000, "The address has 10007 characters after the ?; at most 2000 are"),
    ("?batch=%" , "B, batch = %: expected a whole number"),
], ids=lambda text: text[:30])  # fmt: skip
def test_a_bad_address_is_refused_in_words(open_calculator, address, said):
    """The input is named, its default stays, and nothing of it becomes markup or runs."""
    page, box = open_calculator(address)
    refused = box.locator(".calculator-refusals")
    assert said in refused.inner_text()
    assert refused.locator(":not(p)").count() == 0 and page.evaluate("window.hacked") is None
    wanted = DEFAULT | ({"chip": "B200"} if "B200" in address else {})
    assert shown(page) == wanted
    assert all(text not in ("NaN", "undefined", "null") for text in numbers(box).values())
    assert len(refused.inner_text()) < 300


def test_an_address_sets_the_form(open_calculator):
    page, box = open_calculator("?chip=H100-SXM&count=4&alpha=0.8&batch=48&draft=Llama-3-8B")
    wanted = {"chip": "H100-SXM", "count": "4", "alpha": "0.8", "batch": "48",
              "draft": "Llama-3-8B"}  # fmt: skip
    assert shown(page) == DEFAULT | wanted
    assert box.locator(".calculator-refusals").inner_text() == ""
    assert not page.locator("#calculator-draft_params").is_visible()


def test_the_address_follows_and_survives_a_reload(open_calculator):
    page, _ = open_calculator()
    assert "?" not in page.url
    page.locator("#calculator-draft").select_option("custom")
    page.locator("#calculator-draft_params").fill("1.5")
    page.locator("#calculator-alpha").fill("0.6")
    page.wait_for_url("**/*alpha=0.6*")
    assert "draft_params=1.5" in page.url and "target_params" not in page.url
    before = shown(page)
    page.reload()
    page.wait_for_function("document.querySelector('.calculator').calculator")
    assert shown(page) == before and before["draft_params"] == "1.5"


def test_back_and_forward_without_a_flood(open_calculator):
    """A slider moved thirty steps is one entry of the history; back undoes it whole."""
    page, _ = open_calculator("?batch=64", new=True)
    entries = page.evaluate("history.length")
    batch, gamma = page.locator("#calculator-batch"), page.locator("#calculator-gamma")
    page.locator("input[aria-labelledby=calculator-batch-label]").focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    page.locator("input[aria-labelledby=calculator-gamma-label]").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/*gamma=1*")
    assert page.evaluate("history.length") == entries + 2
    page.go_back()
    page.wait_for_function("document.querySelector('#calculator-gamma').value === '4'")
    assert batch.input_value() == "94"
    page.go_back()
    page.wait_for_function("document.querySelector('#calculator-batch').value === '64'")
    page.go_forward()
    page.go_forward()
    page.wait_for_function("document.querySelector('#calculator-gamma').value === '1'")
    assert (batch.input_value(), gamma.input_value()) == ("94", "1")


def test_a_link_to_a_heading_keeps_the_inputs(open_calculator):
    page, _ = open_calculator("?batch=64")
    page.locator("#calculator-gamma").fill("7")
    page.evaluate("location.hash = '#how-far-to-trust-it'")
    page.wait_for_url("**/*gamma=7*#how-far-to-trust-it")
    assert page.locator("#calculator-gamma").input_value() == "7"


def test_back_to_the_defaults(open_calculator):
    page, box = open_calculator("?gamma=9&alpha=2")
    box.get_by_role("button", name="Back to the defaults").click()
    page.wait_for_function("document.querySelector('#calculator-gamma').value === '4'")
    assert "?" not in page.url and box.locator(".calculator-refusals").inner_text() == ""
    page.go_back()
    page.wait_for_function("document.querySelector('#calculator-gamma').value === '9'")
