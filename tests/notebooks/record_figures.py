"""IPython extension: write down the data of every Matplotlib figure a cell shows.

`fresh.py` loads it in the kernel that re-executes a chapter. Each figure that is
turned into a picture becomes one line of JSON in the file that the environment
variable RECORD_FIGURES names: the number of the code cell that showed it (its own
count; the shell's moves on during a cell), and per axes the title, the axis labels,
and the curves, points and bars with their labels.
"""
import json
import os

from matplotlib.backend_bases import FigureCanvasBase


def series(label, x, y):
    return {"label": str(label), "x": [float(v) for v in x], "y": [float(v) for v in y]}


def axes_data(axes):
    """What `axes` shows, as plain numbers in data coordinates."""
    return {
        "title": axes.get_title(), "shown": bool(axes.axison),
        "xlabel": axes.get_xlabel(), "ylabel": axes.get_ylabel(),
        "lines": [series(line.get_label(), line.get_xdata(orig=False),
                         line.get_ydata(orig=False)) for line in axes.lines],
        "points": [series(c.get_label(), *c.get_offsets().T) for c in axes.collections
                   if len(c.get_offsets()) > 1],
        "bars": [series(c.get_label(), [bar.get_x() + bar.get_width() / 2 for bar in c],
                        [bar.get_height() for bar in c])
                 for c in axes.containers if hasattr(c, "patches")],
    }


def load_ipython_extension(shell):
    """Wrap the one method through which every figure becomes a picture."""
    draw = FigureCanvasBase.print_figure
    cells_run = 0

    def count(info):
        nonlocal cells_run
        cells_run += info.store_history

    shell.events.register("pre_run_cell", count)

    def print_figure(canvas, *args, **kwargs):
        with open(os.environ["RECORD_FIGURES"], "a", encoding="utf-8") as record:
            json.dump({"cell": cells_run,
                       "axes": [axes_data(axes) for axes in canvas.figure.axes]}, record)
            record.write("\n")
        return draw(canvas, *args, **kwargs)

    FigureCanvasBase.print_figure = print_figure
