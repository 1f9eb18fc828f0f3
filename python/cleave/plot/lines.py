"""A value along a line or a part of the boundary, at some times."""
import numpy as np

from ..errors import choose
from ..units import scale_for, unit_of
from .style import legend_beside, new_figure, styled, time_scale


@styled
def lines(results, value="syy", name=None, times=None):
    """Draws a column of lines.csv over the distance along a line, a curve for each time.

    name:   name of the line; default: the first line
    times:  s; the nearest sample of each is drawn, once; default: six over the run
    """
    table = results.lines
    value = choose(value, [c for c in table.columns if c not in ("step", "time", "line", "s", "x", "y")], "value")
    known = list(dict.fromkeys(table["line"]))
    name = choose(name, known, "line") if name else known[0]
    table = table[table["line"] == name]
    sampled = table["time"].unique()
    wanted = np.linspace(sampled[0], sampled[-1], 6) if times is None else np.atleast_1d(np.asarray(times, dtype=float))
    nearest = dict.fromkeys(sampled[np.abs(sampled - time).argmin()] for time in wanted)
    metre, second = scale_for(table["s"], "m"), time_scale(table["time"])
    scale = scale_for(table[table["time"].isin(list(nearest))][value], unit_of(f".{value}"))
    figure, axes = new_figure()
    shades = np.linspace(0.85, 0, len(nearest)) if len(nearest) > 1 else [0]  # later is darker
    for time, shade in zip(nearest, shades):
        rows = table[table["time"] == time]
        axes.plot(metre(rows["s"]), scale(rows[value]), color=(shade * 0.9, 0.25 + shade * 0.55, 0.55 + shade * 0.35),
                  label=second.text(time))
    axes.set_title(name)
    axes.set_xlabel(metre.label("distance along the line"))
    axes.set_ylabel(scale.label(value))
    legend_beside(axes)
    return figure
