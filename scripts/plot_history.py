#!/usr/bin/env python3
"""Draws the energies and the crack counts of a run over time, or one column over another, from its history.csv.

Needs Matplotlib: python3 -m venv .venv && .venv/bin/pip install matplotlib meshio && .venv/bin/python scripts/plot_history.py out/quickstart

Usage: plot_history.py RESULTS [-o FILE]     RESULTS: the output directory of a run, a history.csv or a probes.csv
       plot_history.py RESULTS --x displacement_top_y --y reaction_top_y     a force-displacement curve
The file's ending says its format (.png, .pdf, .svg); default RESULTS/history.png.
"""
import argparse
import csv
import json
import pathlib
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

# Okabe and Ito's colours, told apart with every kind of colour vision.
ENERGIES = [
    # column, label, colour, line style
    ("external_work", "external work", "black", "-"),
    ("kinetic_energy", "kinetic", "#0072B2", "-"),
    ("strain_energy", "strain", "#D55E00", "-"),
    ("dissipated_energy", "dissipated", "#009E73", "-"),
    ("reaction_work", "work of supports", "#CC79A7", "--"),
]
STYLE = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "legend.frameon": False,
}


def read_history(file):
    """Columns of history.csv by name, as lists of floats."""
    with open(file, newline="") as text:
        rows = list(csv.DictReader(text))
    if not rows:
        raise SystemExit(f"{file}: no rows yet")
    return {name: [float(row[name] or "nan") for row in rows] for name in rows[0]}


def plot_columns(history, x, y):
    for column in (x, y):
        if column not in history:
            raise SystemExit(f"no column '{column}'; there are {', '.join(history)}")
    plt.rcParams.update(STYLE)
    figure, axes = plt.subplots(figsize=(6.3, 4.0), layout="constrained")
    axes.plot(history[x], history[y], color="#0072B2")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return figure


def read_warnings(directory):
    """What the run warned of, from the summary beside its history."""
    file = directory / "summary.json"
    return json.loads(file.read_text()).get("warnings", []) if file.exists() else []


def scale(largest, unit):
    """A factor and a prefixed unit in which the largest value is at least 1."""
    for factor, prefix in ((1, ""), (1e3, "m"), (1e6, "µ"), (1e9, "n")):
        if largest * factor >= 1:
            return factor, prefix + unit
    return 1, unit


def plot(history, warnings=()):
    second, time_unit = scale(history["time"][-1], "s")
    joule, energy_unit = scale(max(max(map(abs, history[column])) for column, *_ in ENERGIES), "J")
    time = [second * t for t in history["time"]]

    plt.rcParams.update(STYLE)
    figure, (energies, cracks, fragments) = plt.subplots(
        3, 1, figsize=(6.3, 6.0), sharex=True, height_ratios=(2.2, 1.3, 1), layout="constrained")

    for column, label, colour, line in ENERGIES:
        if any(history[column]):
            energies.plot(time, [joule * e for e in history[column]], line, color=colour, label=label)
    energies.set_ylabel(f"energy ({energy_unit})")
    energies.legend(loc="upper left")

    cracks.plot(time, history["cohesive_elements"], color="0.55", label="inserted")
    cracks.plot(time, history["failed_elements"], color="#009E73", label="failed")
    cracks.set_ylabel("cohesive elements")
    cracks.legend(loc="upper left")

    fragments.step(time, history["fragments"], where="post", color="#0072B2")
    fragments.set_ylabel("fragments")
    fragments.set_ylim(bottom=0)
    fragments.set_xlabel(f"time ({time_unit})")
    fragments.set_xlim(0, time[-1] or None)
    figure.align_ylabels()
    lines = [textwrap.fill(f"warning: {warning}", 110) for warning in warnings]
    figure.suptitle("\n".join(lines), fontsize=6.5, color="#D55E00", x=0.02, ha="left")
    return figure


def main():
    parser = argparse.ArgumentParser(description="Draws energies and crack counts of a run over time, or any column.")
    parser.add_argument("results", type=pathlib.Path, help="output directory of a run, or a history.csv")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="picture to write (.png, .pdf, .svg)")
    parser.add_argument("--x", default="time", help="column along x; default time")
    parser.add_argument("--y", help="column along y, instead of energies and counts")
    arguments = parser.parse_args()
    file = arguments.results
    if file.is_dir():
        file = file / "history.csv"
    if not file.exists():
        raise SystemExit(f"{file}: no such file; give the output directory of a run")
    output = arguments.output or file.with_name("history.png")
    warnings = read_warnings(file.parent)
    for warning in warnings:
        print(f"warning: {warning}")
    history = read_history(file)
    figure = plot_columns(history, arguments.x, arguments.y) if arguments.y else plot(history, warnings)
    figure.savefig(output, dpi=150)
    print(f"written to {output}")


if __name__ == "__main__":
    main()
