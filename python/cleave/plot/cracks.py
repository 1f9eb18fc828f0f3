"""Length, tips, branches and speed of cracks over time."""
from ..units import scale_for
from ..waves import rayleigh_speed_of
from .style import (BLACK, BLUE, GREEN, GREY, ORANGE, legend_beside, mark_time, new_figure, styled, time_scale,
                    whole_numbers)


@styled
def cracks(results):
    """Draws cracks.csv over time: length, tips and branches, speed of tips against the Rayleigh speed."""
    table, history = results.cracks, results.history
    second = time_scale(history["time"])
    figure, (length, ends, speed) = new_figure(3, 1, size=(7.2, 6.0), sharex=True)
    _draw_length(length, table, second)
    time = second(table["time"])
    ends.plot(time, table["tips"], "o-", ms=3, color=ORANGE, label="tips inside")
    ends.plot(time, table["branches"], "o-", ms=3, color=BLUE, label="branches")
    ends.plot(time, table["cracks"], "--", color=GREY, label="separate cracks")
    ends.set_ylabel("number")
    whole_numbers(ends)
    legend_beside(ends)
    _draw_speed(speed, results.tip_speeds, second, rayleigh_speed_of(results.case))
    mark_time(speed, history["time"], second)
    figure.align_ylabels()
    return figure


def _draw_length(axes, table, second):
    metre = scale_for(table["failed_length"], "m")
    axes.plot(second(table["time"]), metre(table["failed_length"]), "o-", ms=3, color=GREEN)
    axes.set_ylabel(metre.label("failed length"))
    axes.set_ylim(bottom=0)


def _draw_speed(axes, table, second, rayleigh):
    speed, time = scale_for([rayleigh, table["tip_speed"].max()], "m/s"), second(table["time"])
    axes.plot(time, speed(table["tip_speed"]), ".-", ms=3, lw=1, color=ORANGE, label="fastest tip")
    axes.plot(time, speed(table["mean_tip_speed"]), ".-", ms=3, lw=1, color=GREEN, label="mean of moving tips")
    if rayleigh == rayleigh:  # not NaN
        axes.axhline(float(speed(rayleigh)), color=BLACK, ls="--", lw=1, label=f"Rayleigh, {rayleigh:.0f} m/s")
    axes.set_ylabel(speed.label("speed"))
    axes.set_ylim(bottom=0)
    legend_beside(axes)
