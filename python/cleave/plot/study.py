"""Comparison of the runs of a study: results over a varied key, and histories on common axes."""
import matplotlib
import numpy as np
import pandas

from ..errors import ResultsError
from ..units import Scale, scale_for, unit_of, unit_of_key
from .style import BLUE, COLOURS, GREY, mark_time, new_figure, styled, time_scale, whole_numbers, without_formulas

_OUTCOMES = (("fragments", "fragments"), ("dissipated_energy", "dissipated energy"), ("crack_length", "crack length"))
_MOST_NAMED = len(COLOURS)  # largest number of values in a legend; more get a colour bar or nothing


def _numbers(texts):
    """The values of a key as numbers, or None if any is no number."""
    numbers = pandas.to_numeric(pandas.Series(list(texts)), errors="coerce")
    return None if numbers.isna().any() else numbers.to_numpy(dtype=float)


def _ordered(texts):
    """Each value once: numbers by size, others in the order of the runs."""
    values = list(dict.fromkeys(texts))
    numbers = _numbers(values)
    return values if numbers is None else [values[i] for i in np.argsort(numbers, kind="stable")]


def _positions(texts):
    """Positions of values along an axis, and their labels if they are no numbers."""
    numbers = _numbers(texts)
    if numbers is not None:
        return numbers, None
    order = _ordered(texts)
    return np.array([order.index(text) for text in texts], dtype=float), order


def _colours(texts):
    """Colour by value: distinct colours for few values, or a scale from dark to light."""
    order = _ordered(texts)
    if len(order) <= _MOST_NAMED:
        return dict(zip(order, COLOURS))
    scale = matplotlib.colormaps["viridis"]
    return {text: scale(0.9 * i / (len(order) - 1)) for i, text in enumerate(order)}


def _other_key(study, key):
    """The other key with the fewest values, at least two; it colours the runs."""
    done = study.done
    counts = {other: done[other].nunique() for other in study.keys if other != key}
    named = [other for other, count in counts.items() if 1 < count <= _MOST_NAMED]
    return min(named, key=counts.get, default=None)


def _scale(key, texts):
    """The scale of the values of a key, with their unit."""
    numbers = _numbers(texts)
    unit = unit_of_key(key)
    return Scale(1.0, unit) if numbers is None else scale_for(numbers, unit)


def _label(text, scale):
    """A value of a key as readable text: 750 MPa."""
    numbers = _numbers([text])
    return text if numbers is None else scale.text(numbers[0])


def _mark_values(axes, name, x, labels):
    axes.set_xlabel(name)
    if labels is not None:
        axes.set_xticks(range(len(labels)), [without_formulas(label) for label in labels], rotation=30 if max(map(len, labels)) > 8 else 0)
        axes.set_xlim(-0.5, len(labels) - 0.5)
        return
    values = np.unique(x)
    if len(values) <= 6:  # a tick at each
        axes.set_xticks(values, [f"{value:.4g}" for value in values])
    if len(values) > 2 and values[0] > 0 and np.ptp(np.diff(np.log(values))) < 1e-6 < np.ptp(np.diff(values)):
        axes.set_xscale("log")
        axes.set_xticks(values, [f"{value:.4g}" for value in values])
        axes.minorticks_off()
    axes.margins(x=0.12)


@styled
def outcomes(study, key):
    """Draws fragments, dissipated energy and crack length of the finished runs over the values of a key."""
    done = study.done
    x, labels = _positions(done[key])
    along = _scale(key, done[key])
    if labels is None:
        x = along(x)
    other = _other_key(study, key)
    figure, axes = new_figure(1, 3, size=(9.6, 3.0))
    for panel, (column, name) in zip(axes, _OUTCOMES):
        scale = scale_for(done[column], unit_of(column))
        y = scale(done[column])
        where = np.unique(x)
        if len(where) < len(x):
            panel.plot(where, [y[x == value].mean() for value in where], color=GREY, linewidth=1.2, zorder=1,
                       label="mean")
        if other is None:
            panel.scatter(x, y, s=22, color=BLUE, alpha=0.8, linewidths=0)
        else:
            of_other = _scale(other, done[other])
            for text, colour in _colours(done[other]).items():
                mine = (done[other] == text).to_numpy()
                panel.scatter(x[mine], y[mine], s=22, color=colour, alpha=0.85, linewidths=0,
                              label=_label(text, of_other))
        panel.set_ylabel(scale.label(name))
        _mark_values(panel, along.label(key), x, labels)
    whole_numbers(axes[0])
    if other is not None:
        axes[-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), title=other)
    return figure


@styled
def histories(study):
    """Draws dissipated energy and fragments over time, for all runs with a history, on one pair of axes."""
    table = study.table[study.table["steps"].notna()]
    if table.empty:
        raise ResultsError(f"{study.directory}: no run has written a history yet; wait until one has, or see their status in "
                           "study.csv")
    tables = {run: study.results(run).history for run in table["run"]}
    key = next((key for key in study.keys if 1 < table[key].nunique() <= _MOST_NAMED), study.keys[0])
    colours = _colours(table[key])
    values = _scale(key, table[key])
    longest = max(tables.values(), key=lambda one: one["time"].iloc[-1])
    second = time_scale(longest["time"])
    joule = scale_for([one["dissipated_energy"].max() for one in tables.values()], "J")
    figure, (energy, fragments) = new_figure(1, 2, size=(9.6, 3.4))
    named = set()
    for row in table.to_dict("records"):
        one = tables[row["run"]]
        label = _label(row[key], values) if row[key] not in named else None
        named.add(row[key])
        style = {"color": colours[row[key]], "linewidth": 1.0, "alpha": 0.8,
                 "linestyle": "-" if row["status"] == "done" else ":"}
        energy.plot(second(one["time"]), joule(one["dissipated_energy"]), label=label, **style)
        fragments.step(second(one["time"]), one["fragments"], where="post", **style)
    energy.set_ylabel(joule.label("dissipated energy"))
    fragments.set_ylabel("fragments")
    for axes in (energy, fragments):
        mark_time(axes, longest["time"], second)
    whole_numbers(fragments)
    if len(colours) <= _MOST_NAMED:
        figure.legend(*energy.get_legend_handles_labels(), loc="outside right center", title=key)
    return figure
