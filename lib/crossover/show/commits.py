"""Ragged commits: step recorded runs of the engine through their rounds.

>>> from crossover.show.commits import RaggedCommits                          # doctest: +SKIP
>>> RaggedCommits()                                                           # doctest: +SKIP

One object, one bundle: a widget in JupyterLab, a view without a kernel on the site, and a
picture with its sentence everywhere else. ``commits.js`` brings both to life and works
nothing out: every state it shows is in the data, put there by `round_states`.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache, cached_property
from html import escape
from pathlib import Path

import anywidget
import traitlets
import vl_convert

from crossover.engine.pair import PAIR
from crossover.engine.tokenizer import Tokenizer
from crossover.evidence.traces import RUNS, load

from .round_states import ROWS, STATES, shown_rounds
from .round_words import NAMES, verdict
from .still_round import WIDTH, picture
from .views import KEEP_KEYS, Views, inert, small_png

HERE = Path(__file__).parent
ROLLBACK = {
    "rollback": "in both caches",
    "target": "not in the target's",
    "draft": "not in the draft's",
}
CAPTION = (
    "A recorded run of the course's engine, round by round. A number in a box is the draft "
    "that the entry was computed from; × is the last token before the round. Without "
    "rollback in one cache, rejected entries stay and are read: in the target's they change "
    "the text, in the draft's only the acceptance. How far a distribution is off is the "
    "share of probability that lies on the wrong tokens."
)
COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
RENDER = """
export default { render({ model, el }) {
  %s
  el.innerHTML = model.get("html");
  crossoverCommits(el.querySelector("figure"), (state) => {
    for (const [name, value] of Object.entries(state)) model.set(name, value);
    model.save_changes();
  });
} };
"""


class RaggedCommits(Views):
    """The explorable of recorded rounds.

    Parameters
    ----------
    recordings : list of Recording, optional
        By default those that come with the library.

    Raises
    ------
    ValueError
        Without a recording, or where the recorded file is missing or damaged.
    """

    name = "ragged_commits"
    caption = CAPTION

    def __init__(self, recordings=None):
        self.recordings = load() if recordings is None else list(recordings)
        if not self.recordings:
            raise ValueError("recordings = []: expected at least one Recording")
        tokenizer = Tokenizer.load(PAIR / "tokenizer.json")
        self.shown = {
            (each.name, run): shown_rounds(each, run, tokenizer.decode)
            for each in self.recordings
            for run in RUNS
        }

    @cached_property
    def start(self):
        """The first round of the first recording whose accepted lengths differ most."""
        rounds = self.recordings[0].runs["rollback"].rounds
        return max(range(len(rounds)), key=lambda i: len({s.accepted for s in rounds[i].steps}))

    @property
    def first(self):
        """The `Shown` round that the picture draws and the page opens with."""
        return self.shown[self.recordings[0].name, "rollback"][self.start]

    @cached_property
    def data(self) -> dict:
        """What the page holds: every state of every cell of every round."""
        return {
            "start": self.start,
            "names": NAMES,
            "rows": ROWS,
            "states": STATES,
            "rollback": ROLLBACK,
            "traces": [
                {
                    "name": each.name,
                    "label": each.label,
                    "facts": f"{each.blocks} blocks of {each.block_size} entries in each cache",
                    "runs": {
                        run: {
                            "verdict": verdict(each, run),
                            "rounds": [_packed(r) for r in self.shown[each.name, run]],
                        }
                        for run in RUNS
                    },
                }
                for each in self.recordings
            ],
        }

    @cached_property
    def alternative(self) -> str:
        """The picture in a sentence, its small numbers in words."""
        steps = self.recordings[0].runs["rollback"].rounds[self.start].steps
        parts = (
            f"{NAMES[step.request]} accepts {_count(step.accepted)} of "
            f"{_count(len(step.proposed))} drafts" for step in steps
        )  # fmt: skip
        return (
            f"One round of a recorded run: {', '.join(parts)}. For each sequence boxes show the "
            "drafts, the text, and what the target's and the draft's cache keep and drop."
        )

    @cached_property
    def svg(self) -> str:
        """The picture."""
        return picture(self.first, NAMES[: len(self.first.cards)])

    @cached_property
    def png(self) -> bytes:
        """The picture for viewers that draw no HTML, twice as fine as it is shown."""
        return small_png(vl_convert.svg_to_png(self.svg, scale=2))

    @cached_property
    def html(self) -> str:
        """A figure with the picture, its sentence and the rounds as inert JSON."""
        data = inert(self.data, ensure_ascii=False)
        source = "data:image/svg+xml;base64," + b64encode(self.svg.encode()).decode()
        sentence = escape(self.alternative)
        return (
            f'<figure class="recorded-explorable" id="{self.name}">\n'
            f'<img src="{source}" alt="{sentence}" width="{WIDTH}">\n'
            f'<p class="commits-sentence" aria-hidden="true">{sentence}</p>\n'
            f"<figcaption>{escape(self.caption)}</figcaption>\n"
            f'<script type="application/json">{data}</script>\n</figure>'
        )

    @cached_property
    def widget(self):
        """The view as a Jupyter widget; ``trace``, ``run`` and ``round`` follow its controls."""
        return _widget_class()(html=self.html)


def _count(number):
    """A small number in words."""
    return COUNTS[number] if number < len(COUNTS) else str(number)


def _packed(shown):
    """A `Shown` as lists, without the empty fields at the end of a card."""
    cards = []
    for card in shown.cards:
        fields = list(vars(card).values())
        while not fields[-1]:
            fields.pop()
        cards.append(fields)
    return [shown.words, cards]


@cache
def _widget_class():
    """The site's own script and style, as a widget of JupyterLab."""

    class Widget(anywidget.AnyWidget):
        _esm = (HERE / "commits.js").read_text(encoding="utf-8") + RENDER % KEEP_KEYS
        _css = (HERE / "commits.css").read_text(encoding="utf-8")
        html = traitlets.Unicode().tag(sync=True)
        trace = traitlets.Unicode().tag(sync=True)
        run = traitlets.Unicode().tag(sync=True)
        round = traitlets.Int().tag(sync=True)

    return Widget
