"""Draws results of `cleave bench` and `cleave_studies`: speed over size, shares of the stages, strategies, time of insertion, ladder of
internal forces. The pictures in docs/benchmarks are drawn from files of `cleave bench --json` in benchmarks/results,
except stages_strip.png, which `stacked` draws from two logs that BENCHMARKS.md names.
"""
import json
import pathlib

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure

from .errors import ResultsError


def draw_benchmarks(folder, files):
    """Draws the results in the files into the folder, which is created if needed. Returns the paths of the pictures."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rows = _read(files)
    drawn = [(name, figure) for part in (speed_by_size, stage_shares, strategies, insertion_time, ladder)
             for name, figure in part(rows)]
    paths = []
    for name, figure in drawn:
        paths.append(folder / f"{name}.png")
        figure.savefig(paths[-1], dpi=80)
    return paths


def _read(files):
    """Rows of all files, by benchmark."""
    rows = {}
    for path in files:
        try:
            results = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
            rows.setdefault(results["bench"], []).extend(results["rows"])
        except OSError as error:
            raise ResultsError(f"{path}: cannot be read ({error.strerror}); "
                               "give files of `cleave bench --json`") from None
        except (ValueError, KeyError, TypeError):
            raise ResultsError(f"{path}: not written by `cleave bench --json`; give such files") from None
    return rows


def new_figure(rows=1, columns=1, size=(5.6, 3.8), layout="tight", **options):
    figure = Figure(figsize=size, layout=layout)
    return figure, figure.subplots(rows, columns, **options)


def short(machine):
    return machine.split(",")[0] if not machine.startswith("CPU") else machine


def unique(values):
    return list(dict.fromkeys(values))


def speed_by_size(rows):
    """Element-steps per second of the elastic step over the number of T6 elements."""
    step = [r for r in rows.get("step", []) if not r["mesh"].endswith(":T3") and r["mesh"].startswith("ring")]
    if not step:
        return
    fig, axes = new_figure(size=(5.6, 3.8))
    for machine in unique(r["machine"] for r in step):
        for assembly, style in (("gather", "-o"), ("coloured", "--s"), ("atomic", ":^")):
            line = sorted({r["elements"]: r["element_steps_per_second"] for r in step
                           if r["machine"] == machine and r["assembly"] == assembly}.items())
            if line:
                axes.loglog(*zip(*line), style, ms=3, lw=1, label=f"{short(machine)}, {assembly}")
    axes.set(xlabel="T6 elements of a ring", ylabel="element-steps / s", title="Elastic step, check every 10 steps")
    axes.grid(alpha=0.3, which="both")
    axes.legend(fontsize=7)
    yield "speed_by_size", fig


def stacked(bars, title, name):
    """Horizontal bars of shares; bars: label -> [(stage, seconds)]. Stages below 1 % in all bars are merged."""
    total = {label: sum(t for _, t in stages) for label, stages in bars.items()}
    share = {label: {} for label in bars}
    for label, stages in bars.items():
        for stage, t in stages:
            share[label][stage] = share[label].get(stage, 0) + t / total[label]
    names = sorted({s for parts in share.values() for s in parts},
                   key=lambda s: -max(p.get(s, 0) for p in share.values()))
    shown = [s for s in names if max(p.get(s, 0) for p in share.values()) >= 0.01][:12]
    fig, axes = new_figure(size=(7.2, 1.6 + 0.4 * len(bars)), layout="constrained")
    left = dict.fromkeys(bars, 0.0)
    for i, stage in enumerate(shown + ["others"]):
        parts = [share[b].get(stage, 0) if stage != "others" else 1 - left[b] for b in bars]
        axes.barh(list(bars), [100 * p for p in parts], left=[100 * left[b] for b in bars], label=stage,
                  color="0.8" if stage == "others" else colormaps["tab20"](i))
        for b, p in zip(bars, parts):
            left[b] += p
    axes.invert_yaxis()
    axes.tick_params(axis="y", labelsize=7)
    axes.set(xlabel="% of the time of all stages", title=title, xlim=(0, 100))
    fig.legend(fontsize=7, ncol=4, loc="outside lower center")
    return name, fig


def stage_shares(rows):
    bars = {}
    for r in rows.get("kernels", []):
        label = f"{r['mesh']}, {r['assembly']}\n{short(r['machine'])}"
        bars.setdefault(label, []).append((r["stage"], r["seconds"]))
    if bars:
        yield stacked(bars, "Elastic step, check every 10", "stages_elastic")
    breaking = {f"{r['mesh']}, {r['assembly']}\n{short(r['machine'])}": [(s["stage"], s["seconds"]) for s in r["stages"]]
                for r in rows.get("insertion-rate", []) if "stages" in r}
    if breaking:
        yield stacked(breaking, "A bursting ring while most facets break", "stages_breaking")


def strategies(rows):
    """A bar chart of the largest mesh, on the GPU if it was measured."""
    study = rows.get("strategies", [])
    if not study:
        return
    gpu = [r for r in study if not r["machine"].startswith("CPU")] or study
    largest = max(r["elements"] for r in gpu)
    chosen = [r for r in gpu if r["elements"] == largest]
    colours = {"coloured": "C3", "atomic": "C1", "nodes fetch": "C2", "node order": "C0", "blocks": "C4"}
    fig, axes = new_figure(size=(7.2, 0.6 + 0.21 * len(chosen)))
    usual = ("hilbert", "arguments")
    labels = [", ".join([r["force"], f"{r['threads_per_element']} thr.", r["layout"]]
                        + [r[k] for k in ("numbering", "parameters") if r[k] not in usual]) for r in chosen]
    for sum_, colour in colours.items():
        mine = [i for i, r in enumerate(chosen) if r["sum"] == sum_]
        axes.barh(mine, [chosen[i]["element_steps_per_second"] * 1e-6 for i in mine], color=colour, label=sum_)
    axes.set_yticks(range(len(chosen)), labels, fontsize=6)
    axes.invert_yaxis()
    axes.set(xlabel="1e6 element-steps / s (Hilbert numbering, parameters as arguments unless said)",
             title=f"Strategies of the elastic step, {chosen[0]['mesh']}, {short(chosen[0]['machine'])}")
    axes.grid(alpha=0.3, axis="x")
    axes.legend(fontsize=7, title="sum at nodes", title_fontsize=7)
    yield "strategies", fig


def insertion_time(rows):
    """Time of insertion over the number of inserted elements, with a straight line through each (figure 3.15)."""
    inserted = [r for r in rows.get("insertion", []) if not r["mesh"].endswith(":T3")]
    machines = unique((r["machine"], r["assembly"]) for r in inserted)
    lines = {key: sorted((r["cohesive_elements"], r["seconds"]) for r in inserted
                         if (r["machine"], r["assembly"]) == key) for key in machines}
    lines = {key: points for key, points in lines.items() if len(points) > 2}
    if not lines:
        return
    fig, axes = new_figure(1, 2, size=(9.0, 3.8))
    for (machine, assembly), points in lines.items():
        count, seconds = np.array(points, dtype=float).T
        slope, start = np.polyfit(count, seconds, 1)
        off = np.max(np.abs(start + slope * count - seconds) / seconds)
        on = axes[0 if machine.startswith("CPU") else 1]
        dots = on.plot(count * 1e-6, seconds * 1e3, "o", ms=4)
        on.plot(count * 1e-6, (start + slope * count) * 1e3, "-", lw=1, color=dots[0].get_color(),
                label=f"{short(machine)}, {assembly}: {slope * 1e9:.3g} ns each, points within {100 * off:.0f} %")
    for on, title in zip(axes, ("CPU", "GPU")):
        on.set(xlabel="inserted cohesive elements / 1e6", ylabel="ms", title=f"Insertion in 20 groups, {title}",
               xlim=(0, None), ylim=(0, None))
        on.grid(alpha=0.3)
        if on.lines:
            on.set_ylim(0, 1.35 * on.get_ylim()[1])  # room for the legend
            on.legend(fontsize=7)
    yield "insertion_time", fig


def ladder(rows):
    """Element forces per second by rung, for the largest mesh on each machine."""
    rungs = rows.get("ladder", [])
    if not rungs:
        return
    machines = unique(r["machine"] for r in rungs)
    fig, axes = new_figure(len(machines), 1, size=(7.2, 0.5 + 1.8 * len(machines)), squeeze=False)
    for on, machine in zip(axes[:, 0], machines):
        mine = [r for r in rungs if r["machine"] == machine]
        mine = [r for r in mine if r["elements"] == max(r["elements"] for r in mine)]
        labels = [f"{r['way']} ({r['loads_per_thread']:g} loads a thread)" for r in mine]
        on.barh(labels, [r["elements"] / r["seconds"] * 1e-6 for r in mine])
        on.invert_yaxis()
        on.tick_params(axis="y", labelsize=7)
        on.grid(alpha=0.3, axis="x")
        on.set(xlabel="1e6 element forces / s", title=f"Internal forces, {mine[0]['mesh']}, {short(machine)}")
    yield "ladder", fig

