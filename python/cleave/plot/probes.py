"""Motion and stress at the probes."""
from ..errors import choose
from ..units import scale_for
from .style import COLOURS, legend_beside, mark_time, new_figure, styled, time_scale

_ROWS = (("displacement", "m", ("ux", "uy")), ("velocity", "m/s", ("vx", "vy")),
         ("stress", "Pa", ("sxx", "syy", "sxy")))


@styled
def probes(results, names=None):
    """Draws displacement, velocity and stress of the probes (all, or the named ones) over time, one column per probe."""
    table = results.probes
    known = list(dict.fromkeys(column.rsplit(".", 1)[0] for column in table.columns if "." in column))
    names = [choose(name, known, "probe") for name in (names or known)]
    second = time_scale(table["time"])
    size = (2.4 + 3.6 * len(names), 6.0)
    figure, axes = new_figure(3, len(names), size, sharex=True, sharey="row", squeeze=False)
    for row, (quantity, unit, parts) in zip(axes, _ROWS):
        scale = scale_for(table[[f"{name}.{part}" for name in names for part in parts]], unit)
        row[0].set_ylabel(scale.label(quantity))
        for panel, name in zip(row, names):
            for part, colour in zip(parts, COLOURS):
                due = table[["time", f"{name}.{part}"]].dropna()
                panel.plot(second(due["time"]), scale(due[f"{name}.{part}"]), color=colour, lw=1.2, label=part[1:])
    for panel, name in zip(axes[0], names):
        panel.set_title(name)
    for row in axes:
        legend_beside(row[-1])
    for panel in axes[-1]:
        mark_time(panel, table["time"], second)
    figure.align_ylabels()
    return figure
