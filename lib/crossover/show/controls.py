"""What a live chart computes from: controls the reader moves, tables, values, a swept axis.

Everything here is an Altair parameter or a chart, to be used in the formulas of
``theory`` and handed to `explorables.Explorable`.
"""

from __future__ import annotations

import altair as alt

from crossover.theory import is_traced, vega_expression

# What Vega itself calls the sizes of a view, and more: a control of that name would set them.
RESERVED = {"width", "height", "padding", "autosize", "background", "style", "parent", "cursor"}


def slider(name: str, label: str, low: float, high: float, step: float, value: float):
    """A named number that the reader drags.

    Parameters
    ----------
    name : str
        What formulas, ``Explorable.params`` and the tests call it.
    label : str
        What the reader sees beside it, with its unit or symbol.
    low, high, step, value : float
        Its range, its step and where it starts.

    Returns
    -------
    altair.Parameter
        Usable in any formula of ``crossover.theory``.

    Raises
    ------
    ValueError
        If ``value`` is outside the range, ``step`` is not above 0, or Vega has a use of
        its own for ``name``.
    """
    _check_name(name)
    if not low <= value <= high:
        raise ValueError(f"slider {name}: value={value} is outside [{low}, {high}]")
    if not 0 < step <= high - low:
        raise ValueError(f"slider {name}: step={step} is outside (0, {high - low}]")
    bind = alt.binding_range(min=low, max=high, step=step, name=label)
    return alt.param(name=name, value=value, bind=bind)


def select(name: str, label: str, options, value: str):
    """A named choice among a few texts.

    Parameters
    ----------
    name, label : str
        As for `slider`.
    options : iterable of str
        What the reader chooses from; two or more, each once.
    value : str
        The one chosen at first.

    Returns
    -------
    altair.Parameter
        The chosen text; a key into a `table`, or to be compared in `where`.

    Raises
    ------
    ValueError
        If ``value`` is no option, an option stands there twice or alone, or Vega has a
        use of its own for ``name``.
    """
    _check_name(name)
    options = list(options)
    if value not in options:
        raise ValueError(f"select {name}: value={value!r} is not one of {options}")
    if len(set(options)) < len(options) or len(options) < 2:
        raise ValueError(f"select {name}: options={options}: expected two or more, each once")
    bind = alt.binding_select(options=options, name=label)
    return alt.param(name=name, value=value, bind=bind)


def _check_name(name):
    if not name.isidentifier() or name in RESERVED:
        raise ValueError(
            f"name={name!r}: expected an identifier other than {', '.join(sorted(RESERVED))}"
        )


def table(name: str, rows) -> alt.Parameter:
    """Rows of figures that the page holds once.

    Parameters
    ----------
    name : str
    rows : mapping
        Key to a mapping of field to number or list; what JSON can hold.

    Returns
    -------
    altair.Parameter
        ``chips[chip]["bandwidth"]`` is a traced value where ``chip`` is a `select`.
        To be handed to Explorable before what is derived from it.
    """
    return alt.param(name=name, value={key: dict(row) for key, row in rows.items()})


def derived(name: str, traced) -> alt.Parameter:
    """A named value that Vega computes once from the controls.

    Parameters
    ----------
    name : str
    traced : altair expression
        A result of ``crossover.theory``.

    Returns
    -------
    altair.Parameter
        To be used in further formulas, and handed to Explorable after those it uses.
    """
    return alt.param(name=name, expr=vega_expression(traced))


def listed(name: str, traced) -> alt.Parameter:
    """A named list of values, computed once from the controls.

    Parameters
    ----------
    name : str
    traced : iterable of altair expression, or number

    Returns
    -------
    altair.Parameter
        ``values[index]`` is one of them, traced.
    """
    return alt.param(name=name, expr=list_expression(traced))


def list_expression(traced) -> str:
    """Return the text of a Vega list of traced values and numbers."""
    written = (vega_expression(each) if is_traced(each) else repr(each) for each in traced)
    return "[" + ", ".join(written) + "]"


def best_index(values):
    """Return the first index of the largest of a page's list, traced: as `best_gamma` settles ties.

    Parameters
    ----------
    values : altair expression
        A `listed` value, or a field that holds a list.
    """
    return alt.expr.indexof(values, alt.expr.extent(values)[1])


def sweep(field: str, start: float, stop: float, step: float = 1, **formulas) -> alt.Chart:
    """A chart whose rows are one field swept over a range, with formulas of it.

    Parameters
    ----------
    field : str
        The name of the swept field; formulas refer to it as ``alt.datum.<field>``.
    start, stop, step : float
        The range, ``stop`` included.
    **formulas : altair expression
        A traced result of ``crossover.theory``, by the field it becomes.

    Returns
    -------
    altair.Chart
        To be marked and encoded. Its controls are added by Explorable.
    """
    if not (stop > start and step > 0):
        raise ValueError(f"sweep {field}: start={start}, stop={stop}, step={step} hold no range")
    data = alt.sequence(start=start, stop=stop + step / 2, step=step, as_=field)
    chart = alt.Chart(data)
    texts = {name: vega_expression(each) for name, each in formulas.items()}
    return chart.transform_calculate(**texts)
