"""A law along a path: the table that `cleave point` writes."""
from ..errors import ResultsError
from ..units import scale_for
from .style import COLOURS, new_figure, styled

# Beginning of the columns of a law, its parts, name and unit along x, name along y, unit of energies.
_KINDS = (
    ("stress_", ("xx", "yy", "xy"), "strain", "", "stress", "J/m³"),
    ("traction_", ("normal", "tangential"), "opening", "m", "traction", "J/m²"),
)


@styled
def law(table):
    """Draws a table of `cleave point`: stresses over strains or tractions over openings, and energies along the path.

    Tractions are those of the law, its envelope. What is added to them to settle the account of work and energy goes with
    the spacing of rows, and has axes of its own.
    """
    columns = set(table.columns)
    kind = next((kind for kind in _KINDS if {*kind[1], *(kind[0] + part for part in kind[1])} <= columns), None)
    if kind is None:
        raise ResultsError("the table has neither stresses over strains nor tractions over openings; give one that "
                           "`cleave point` has written")
    start, parts, over, unit, given, energy_unit = kind
    whole = table[[start + part for part in parts]]
    alone = [f"law_{column}" for column in whole]
    apart = set(alone) <= columns
    shown = table[alone].set_axis(whole.columns, axis=1) if apart else whole
    figure, (response, *account, energies) = new_figure(1, 2 + apart, size=(9.0 + 4.0 * apart, 3.6))
    along, pascal = scale_for(table[list(parts)], unit), scale_for(whole, "Pa")
    for axes, values in ((response, shown), *((axes, whole - shown) for axes in account)):
        for part, colour in zip(parts, COLOURS):
            axes.plot(along(table[part]), pascal(values[start + part]), color=colour, label=part)
        axes.set_xlabel(along.label(over))
    response.set_ylabel(pascal.label(f"{given} of the law" if apart else given))
    response.legend()
    for axes in account:
        axes.set_ylabel(pascal.label(f"{given} of the account"))
        axes.sharey(response)  # so that its size shows
    names = [name for name in ("work", "stored", "dissipated", "account") if name in table]
    energy = scale_for(table[names], energy_unit)
    second = scale_for(table["time"], "s") if "time" in table else None
    at = second(table["time"]) if second else range(1, len(table) + 1)
    for name, colour in zip(names, COLOURS):
        energies.plot(at, energy(table[name]), color=colour, label=name)
    energies.set_xlabel(second.label("time") if second else "row of the path")
    energies.set_ylabel(energy.label("energy"))
    energies.legend()
    return figure
