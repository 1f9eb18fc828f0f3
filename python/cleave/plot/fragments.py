"""Number and distributions of fragments."""
import numpy as np

from ..errors import ResultsError
from ..fragments import FEWEST, fit, measures
from ..units import scale_for
from .style import BLUE, GREEN, ORANGE, mark_time, new_figure, styled, time_scale, whole_numbers

_LAW_COLOURS = {"weibull": ORANGE, "rayleigh": GREEN, "grady": GREEN}


@styled
def fragments(results, frame=-1):
    """Draws fragments over time, and their sizes, masses and speeds in one frame with the fitted distributions."""
    rows = results.fragments
    steps = rows["step"].unique()
    if not -len(steps) <= frame < len(steps):
        raise ResultsError(f"there is no frame {frame} in fragments.csv: there are {len(steps)}, from 0")
    chosen = rows[rows["step"] == steps[frame]]
    figure, axes = new_figure(2, 2, size=(8.0, 6.0))
    _draw_over_time(axes[0, 0], results.fragment_statistics)
    measured = measures(chosen)
    second = time_scale(rows["time"])
    _draw_distribution(axes[0, 1], measured["size"], "size √area", "m", ("weibull", "rayleigh"))
    _draw_distribution(axes[1, 0], measured["mass"], "mass", "kg", ("grady",), logarithmic=True)
    _draw_distribution(axes[1, 1], measured["speed"], "speed from the centre of mass", "m/s", ("weibull",))
    count = len(measured["mass"])
    figure.suptitle(f"{count} fragment{'' if count == 1 else 's'} at {second.text(chosen['time'].iloc[0])}", fontsize=9)
    return figure


def _draw_over_time(axes, table):
    second = time_scale(table["time"])
    axes.step(second(table["time"]), table["fragments"], where="post", color=BLUE)
    axes.set_ylabel("fragments", color=BLUE)
    whole_numbers(axes)
    mark_time(axes, table["time"], second)
    metre = scale_for(table["mean_size"], "m")
    sizes = axes.twinx()
    sizes.plot(second(table["time"]), metre(table["mean_size"]), color=ORANGE)
    sizes.set_ylabel(metre.label("mean size"), color=ORANGE)
    sizes.set_ylim(bottom=0)
    sizes.grid(False)


def _draw_distribution(axes, values, name, unit, laws, logarithmic=False):
    """Draws the number of values larger than x, measured and fitted."""
    ordered = np.sort(values)
    scale = scale_for(ordered, unit)
    larger = len(ordered) - np.arange(len(ordered))
    axes.plot(scale(ordered), larger, "o", ms=3, color=BLUE, label="Cleave")
    x = np.linspace(0, ordered[-1] * 1.05, 300) if not logarithmic else np.geomspace(
        max(ordered[0], ordered[-1] * 1e-6), ordered[-1] * 1.2, 300)
    for law in laws:
        fitted = fit(values, law)
        if fitted:
            modulus = f", m = {fitted.modulus:.2g}" if law == "weibull" else ""
            axes.plot(scale(x), len(values) * fitted.survival(x), color=_LAW_COLOURS[law], lw=1.2,
                      label=f"{law.title()}, {scale.text(fitted.scale)}{modulus}")
    if len(values) < FEWEST:
        axes.plot([], [], " ", label=f"no fit to fewer than {FEWEST}")
    axes.set_xlabel(scale.label(name))
    axes.set_ylabel("fragments that have more")
    if logarithmic:
        axes.set_xscale("log")
    else:
        axes.set_xlim(left=0)
    whole_numbers(axes)
    axes.legend()
