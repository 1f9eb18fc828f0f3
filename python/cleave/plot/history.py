"""Energies, cohesive elements and fragments over time."""
import textwrap

from ..units import scale_for
from .style import (AMBER, BLACK, BLUE, GREEN, GREY, ORANGE, PINK, SKY, legend_beside, mark_time, new_figure, styled,
                    time_scale, whole_numbers)

# Columns that stay zero are not drawn.
_ENERGIES = (
    # column, label, colour, line style
    ("external_work", "external work", BLACK, "-"),
    ("kinetic_energy", "kinetic", BLUE, "-"),
    ("strain_energy", "strain", ORANGE, "-"),
    ("dissipated_energy", "dissipated by cracks", GREEN, "-"),
    ("plastic_energy", "plastic", AMBER, "-"),
    ("viscous_energy", "viscous", SKY, "-"),
    ("contact_energy", "contact", SKY, "--"),
    ("friction_energy", "friction", AMBER, "--"),
    ("contact_friction_energy", "friction of contact", AMBER, ":"),
    ("eroded_energy", "eroded", GREY, "-"),
    ("reaction_work", "work of held sides", PINK, "--"),
    ("body_work", "work of the body force", BLACK, "--"),
    ("absorbed_energy", "absorbed at boundaries", GREY, "--"),
    ("damping_energy", "damping", PINK, ":"),
    ("support_energy", "springs of supports", ORANGE, "--"),
)


@styled
def history(results, warnings=True):
    """Draws the energies of a run, its cohesive elements and its fragments over time, below the warnings of the run."""
    table = results.history
    figure, (energies, elements, fragments) = new_figure(
        3, 1, size=(7.2, 6.0), sharex=True, height_ratios=(2.2, 1.3, 1))
    second = time_scale(table["time"])
    _draw_energies(energies, table, second(table["time"]))
    _draw_counts(elements, fragments, table, second(table["time"]))
    mark_time(fragments, table["time"], second)
    figure.align_ylabels()
    if warnings and (results.directory / "summary.json").exists():
        lines = [textwrap.fill(f"warning: {warning}", 110) for warning in results.summary.get("warnings", [])]
        figure.suptitle("\n".join(lines), fontsize=6.5, color=ORANGE, x=0.02, ha="left")
    return figure


def _draw_energies(axes, table, time):
    shown = [row for row in _ENERGIES if row[0] in table and table[row[0]].any()]
    joule = scale_for(table[[column for column, *_ in shown]], "J")
    for column, label, colour, line in shown:
        axes.plot(time, joule(table[column]), line, color=colour, label=label)
    axes.set_ylabel(joule.label("energy"))
    if shown:
        legend_beside(axes)


def _draw_counts(elements, fragments, table, time):
    elements.plot(time, table["failed_elements"], color=GREEN, label="failed")
    elements.plot(time, table["cohesive_elements"], ":", color=GREY, lw=1, label="inserted")
    elements.set_ylabel("cohesive elements")
    legend_beside(elements)
    fragments.step(time, table["fragments"], where="post", color=BLUE)
    fragments.set_ylabel("fragments")
    whole_numbers(fragments, elements)
