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
    """Draws a table of `cleave point`: stresses over strains or tractions over openings, and energies along the path."""
    columns = set(table.columns)
    kind = next((kind for kind in _KINDS if {*kind[1], *(kind[0] + part for part in kind[1])} <= columns), None)
    if kind is None:
        raise ResultsError("the table has neither stresses over strains nor tractions over openings; give one that "
                           "`cleave point` has written")
    start, parts, over, unit, given, energy_unit = kind
    figure, (response, energies) = new_figure(1, 2, size=(9.0, 3.6))
    along, pascal = scale_for(table[list(parts)], unit), scale_for(table[[start + part for part in parts]], "Pa")
    for part, colour in zip(parts, COLOURS):
        response.plot(along(table[part]), pascal(table[start + part]), color=colour, label=part)
    response.set_xlabel(along.label(over))
    response.set_ylabel(pascal.label(given))
    response.legend()
    shown = [name for name in ("work", "stored", "dissipated", "account") if name in table]
    energy = scale_for(table[shown], energy_unit)
    second = scale_for(table["time"], "s") if "time" in table else None
    at = second(table["time"]) if second else range(1, len(table) + 1)
    for name, colour in zip(shown, COLOURS):
        energies.plot(at, energy(table[name]), color=colour, label=name)
    energies.set_xlabel(second.label("time") if second else "row of the path")
    energies.set_ylabel(energy.label("energy"))
    energies.legend()
    return figure
