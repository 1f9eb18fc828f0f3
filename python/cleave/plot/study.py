"""Comparison of the runs of a study: results over a varied key, and histories on common axes.

Runs that differ in seeds alone are one thing: their mean, and a band from the smallest to the largest.
"""
import matplotlib
import numpy as np
import pandas

from ..errors import ResultsError
from ..units import Scale, scale_for, unit_of, unit_of_key
from .style import BLUE, COLOURS, mark_time, new_figure, styled, time_scale, whole_numbers, without_formulas

_OUTCOMES = (("fragments", "fragments"), ("dissipated_energy", "dissipated energy"), ("failed_length", "failed length"))
_MOST_NAMED = len(COLOURS)  # largest number of values in a legend; more get a colour bar or nothing


def is_seed(key):
    """Whether a key is a seed of random numbers, so that its values have no order."""
    return key.split(".")[-1] == "seed"


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
    """The other key with the fewest values, at least two, that is no seed; it colours the runs."""
    done = study.done
    counts = {other: done[other].nunique() for other in study.keys if other != key and not is_seed(other)}
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
    """Draws fragments, dissipated energy and failed length of the finished runs over the values of a key.

    Several runs with one value: a point for each, their mean, and a band between the smallest and the largest.
    """
    done = study.done.assign(failed_length=study.failed_lengths)
    x, labels = _positions(done[key])
    along = _scale(key, done[key])
    if labels is None:
        x = along(x)
    other = _other_key(study, key)
    groups = {"": np.ones(len(done), dtype=bool)} if other is None else {
        text: (done[other] == text).to_numpy() for text in _ordered(done[other])}
    colours = {"": BLUE} if other is None else _colours(done[other])
    figure, axes = new_figure(1, 3, size=(9.6, 3.0))
    for panel, (column, name) in zip(axes, _OUTCOMES):
        scale = scale_for(done[column], unit_of(column))
        y = scale(done[column])
        for text, mine in groups.items():
            label = None if other is None else _label(text, _scale(other, done[other]))
            _draw_group(panel, x[mine], y[mine], colours[text], label, joined=labels is None and not is_seed(key))
        panel.set_ylabel(scale.label(name))
        _mark_values(panel, along.label(key), x, labels)
    whole_numbers(axes[0])
    if other is not None:
        axes[-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), title=other)
    return figure


def _draw_group(axes, x, y, colour, label, joined):
    """Draws runs of one colour. joined: a line through the means of each place and a band; else a range at each place."""
    axes.scatter(x, y, s=16, color=colour, alpha=0.6, linewidths=0, label=label)
    where, place, count = np.unique(x, return_inverse=True, return_counts=True)
    mean = np.bincount(place, y) / count
    low, high = (np.array([reduce(y[place == i]) for i in range(len(where))]) for reduce in (np.min, np.max))
    if joined and len(where) > 1:
        axes.plot(where, mean, color=colour, lw=1.2)
        if count.max() > 1:
            axes.fill_between(where, low, high, color=colour, alpha=0.18, linewidth=0)
    elif count.max() > 1:
        axes.errorbar(where, mean, [mean - low, high - mean], fmt="_", ms=9, color=colour, lw=1.2, capsize=0)


@styled
def histories(study):
    """Draws dissipated energy and fragments over time, for all runs with a history, on one pair of axes.

    Finished runs that differ in seeds alone are a band around their mean.
    """
    table = study.table[study.table["steps"].notna()]
    if table.empty:
        raise ResultsError(f"{study.directory}: no run has written a history yet; wait until one has, or see their status in "
                           "study.csv")
    tables = {run: study.results(run).history for run in table["run"]}
    keys = [key for key in study.keys if not is_seed(key)]
    key = next((key for key in keys if 1 < table[key].nunique() <= _MOST_NAMED), (keys or study.keys)[0])
    colours = _colours(table[key]) if not is_seed(key) else dict.fromkeys(table[key], BLUE)
    values = _scale(key, table[key])
    longest = max(tables.values(), key=lambda one: one["time"].iloc[-1])
    second = time_scale(longest["time"])
    joule = scale_for([one["dissipated_energy"].max() for one in tables.values()], "J")
    figure, (energy, fragments) = new_figure(1, 2, size=(9.6, 3.4))
    bundles = {}
    for row in table.to_dict("records"):  # by what is no seed; a run that is not done stays alone
        name = tuple(row[one] for one in keys) if row["status"] == "done" else row["run"]
        bundles.setdefault(name, []).append(row)
    named = set()
    for rows in bundles.values():
        text, done = rows[0][key], rows[0]["status"] == "done"
        label = _label(text, values) if text not in named and not is_seed(key) else None
        named.add(text)
        histories = [tables[row["run"]] for row in rows]
        for axes, column, scale in ((energy, "dissipated_energy", joule), (fragments, "fragments", scale_for([], ""))):
            _draw_bundle(axes, histories, column, second, scale, colours[text], "-" if done else ":",
                         label if axes is energy else None)
    energy.set_ylabel(joule.label("dissipated energy"))
    fragments.set_ylabel("fragments")
    for axes in (energy, fragments):
        mark_time(axes, longest["time"], second)
    whole_numbers(fragments)
    handles, names = energy.get_legend_handles_labels()
    if handles and len(colours) <= _MOST_NAMED:
        figure.legend(handles, names, loc="outside right center", title=key)
    return figure


def _draw_bundle(axes, histories, column, second, scale, colour, line, label):
    """Draws a history as a line, or several as their mean in a band up to the end of the shortest."""
    style = {"color": colour, "linestyle": line, "label": label, "linewidth": 1.2}
    if len(histories) == 1:
        axes.step(second(histories[0]["time"]), scale(histories[0][column]), where="post", **style)
        return
    last = min(one["time"].iloc[-1] for one in histories)
    times = np.unique(np.concatenate([one["time"][one["time"] <= last] for one in histories]))
    held = [one[column].to_numpy()[np.searchsorted(one["time"], times, side="right") - 1] for one in histories]
    axes.fill_between(second(times), scale(np.min(held, axis=0)), scale(np.max(held, axis=0)), step="post", color=colour,
                      alpha=0.18, linewidth=0)
    axes.step(second(times), scale(np.mean(held, axis=0)), where="post", **style)
