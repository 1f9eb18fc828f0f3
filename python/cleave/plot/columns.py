"""One column of a table over another, such as a force over a displacement."""
from ..errors import choose
from ..units import scale_for, unit_of
from .style import BLUE, new_figure, styled


@styled
def columns(table, x="time", y="kinetic_energy"):
    """Draws column y over column x of a table of results, with units from the names of the columns."""
    for column in (x, y):
        choose(column, table.columns, "column")
    figure, axes = new_figure()
    rows = table[[x, y]].dropna()  # cells of probes that were not due are empty
    scales = [scale_for(rows[column], unit_of(column)) for column in (x, y)]
    axes.plot(scales[0](rows[x]), scales[1](rows[y]), color=BLUE)
    axes.set_xlabel(scales[0].label(x))
    axes.set_ylabel(scales[1].label(y))
    return figure
