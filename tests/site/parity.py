"""A live chart's own numbers, at random settings of all its controls, against Python.

`disagreements` sets every control of a figure to many random values, lets Vega compute,
reads rows and derived values from the chart's data, and compares them with what a
function of the library gives for the same setting.
"""

import json

import numpy as np

FEW, MANY, RTOL = 60, 500, 1e-9  # settings: each control's ends among them

# Columns of the fullest dataset whose rows have all the fields; rows that a fold repeats, once.
# As text, which travels ten times as fast; JSON has no infinity.
EVALUATE = """async (figure, [settings, fields, signals]) => {
    const view = figure.view, answers = [];
    for (const setting of settings) {
        for (const [name, value] of Object.entries(setting)) view.signal(name, value);
        await view.runAsync();
        const found = {values: signals.map((name) => view.signal(name)), columns: []};
        if (fields.length) {
            const names = Object.keys(view.getState({data: () => true, signals: () => false}).data);
            const has = (row) => row && fields.every((field) => field in row);
            const rows = names.map((name) => view.data(name)).filter((rows) => has(rows[0]))
                .reduce((most, rows) => rows.length > most.length ? rows : most, []);
            if (!rows.length) throw new Error(`no dataset with ${fields} among ${names}`);
            const once = new Map(rows.map((row) => {
                const numbers = fields.map((field) => row[field]);
                return [numbers.join(), numbers];
            }));
            found.columns = fields.map((_, n) => [...once.values()].map((row) => row[n]));
        }
        answers.push(found);
    }
    const written = (_, x) => typeof x == "number" && !Number.isFinite(x) ? `${x}` : x;
    return JSON.stringify(answers, written);
}"""


def controls(figure):
    """Each control of a figure by name, as Vega-Lite's parameter binds it."""
    spec = json.loads(figure.locator("script").text_content())
    return {param["name"]: param["bind"] for param in spec["params"] if "bind" in param}


def draw(binds, count, seed=11):
    """`count` settings at random, after the corners: each control at its ends, others as drawn."""
    random = np.random.default_rng(seed)

    def any_of(bind):
        if "options" in bind:
            return bind["options"][random.integers(len(bind["options"]))]
        steps = round((bind["max"] - bind["min"]) / bind["step"])
        value = bind["min"] + int(random.integers(steps + 1)) * bind["step"]
        return round(value, 9) if isinstance(bind["step"], float) else value

    corners = [
        {name: any_of(bind) for name, bind in binds.items()} | {name: end}
        for name, bind in binds.items()
        for end in bind.get("options", [bind.get("min"), bind.get("max")])
    ]
    rest = count - len(corners)
    return corners + [{name: any_of(bind) for name, bind in binds.items()} for _ in range(rest)]


def disagreements(figure, recompute, settings, at_once=50):
    """Where a figure's numbers differ from Python's, in words; empty if nowhere.

    Parameters
    ----------
    figure : playwright Locator
    recompute : callable
        ``recompute(**setting)`` gives ``(values, columns)``: a mapping of derived value to
        number, and one of field to array. None or NaN stands for a mark that is not drawn.
    settings : list of dict
    """
    values, columns = recompute(**settings[0])
    names = list(columns), list(values)
    found = []
    for start in range(0, len(settings), at_once):
        some = settings[start : start + at_once]
        answers = json.loads(figure.evaluate(EVALUATE, [some, *names]))
        for setting, answer in zip(some, answers, strict=True):
            values, columns = recompute(**setting)
            pairs = zip([*columns.items(), *values.items()],
                        [*answer["columns"], *answer["values"]], strict=True)  # fmt: skip
            for (name, expected), shown in pairs:
                shown, expected = (np.asarray(x, dtype=float) for x in (shown, expected))
                if shown.shape != expected.shape:
                    found.append(f"{setting}: {name} has shape {shown.shape}, {expected.shape}")
                elif not np.allclose(shown, expected, rtol=RTOL, atol=0, equal_nan=True):
                    wrong = int(np.argmin(np.isclose(shown, expected, RTOL, 0, equal_nan=True)))
                    found.append(f"{setting}: {name}[{wrong}] is {shown.flat[wrong]!r} in the "
                                 f"page, {expected.flat[wrong]!r} in Python")  # fmt: skip
    return found
