"""Timeline: a box for each stay, over the slots and the rounds that the trace tells of."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from crossover.engine import Engine, load_model
from crossover.engine.trace import Round
from crossover.show.batching import rates, stays, timeline
from crossover.show.figures import BLUE


def decode(**what):
    names = ("admitted", "preempted", "finished")
    return Round("decode", 0, (), 0, *(what.get(name, ()) for name in names), (0,), 0, 0.0)


def prefill(*admitted):
    return Round("prefill", 0, (), 0, admitted, (), (), (0,), 0, 0.0)


def test_newcomer_takes_the_lowest_free_slot_and_a_preempted_one_has_two_stays():
    trace = [
        prefill(0, 1, 2),
        decode(finished=(1,)),
        prefill(3),
        decode(preempted=(3,), finished=(0,)),
        prefill(3),
        decode(finished=(2, 3)),
    ]
    assert stays(trace) == [(0, 0, 0, 2), (1, 1, 0, 1), (2, 2, 0, 3), (3, 0, 2, 3)]
    # preempted before its round began: a stay without a round is none
    trace[3] = decode(finished=(0,))
    trace[4:5] = [decode(), decode(preempted=(3,)), prefill(3)]
    assert stays(trace) == [
        (0, 0, 0, 2), (1, 1, 0, 1), (2, 2, 0, 5), (3, 0, 4, 5), (3, 1, 1, 3),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def generations():
    model = load_model("draft")
    prompts = [[1] * (model.window - left) for left in (30, 12, 25, 4, 21, 2, 28)]
    return {
        batching: Engine(model, max_batch=3, batching=batching).generate(
            prompts, 40, stop_at_end=False
        )
        for batching in ("static", "continuous")
    }


def test_every_token_stands_in_one_stay_and_no_slot_holds_two(generations):
    for generation in generations.values():
        taken = set()
        for request, slot, start, stop in stays(generation.trace):
            assert stop - start == len(generation[request].tokens)
            cells = {(slot, at) for at in range(start, stop)}
            assert slot < 3 and not cells & taken
            taken |= cells


def test_boxes_are_the_stays(generations):
    panels = timeline({name: g.trace for name, g in generations.items()}, 3)
    for ax, generation in zip(panels, generations.values(), strict=True):
        boxes = [p for p in ax.patches if p.get_facecolor() == to_rgba(BLUE)]
        drawn = sorted((b.get_x(), b.get_y() + 0.4, b.get_width()) for b in boxes)
        told = sorted((a, slot, b - a) for _, slot, a, b in stays(generation.trace))
        assert np.allclose(drawn, told)
    assert "static" in panels[0].get_title(loc="left")


def test_rates_start_on_the_line_of_free_rows():
    ax = rates(np.array([1, 4]), np.array([0.5, 1.0]))
    free, measured = (line.get_ydata() for line in ax.lines)
    assert list(free) == [2, 8] and list(measured) == [2, 4]
