"""Makes docs/verification from a run of scripts/verify: figures.md and small plots."""
import csv
import math
import pathlib

from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from .errors import ResultsError


def draw_verification(run, report):
    """Draws the results in the folder of the run into that of the report, which is created. Returns the paths written."""
    run, report = pathlib.Path(run), pathlib.Path(report)
    if not (run / "figures.csv").exists():
        raise ResultsError(f"{run}: has no figures.csv; give the folder of a run of scripts/verify")
    report.mkdir(parents=True, exist_ok=True)
    paths = [path for plot in _PLOTS if (path := _draw(run, report, *plot))]
    paths.append(report / "figures.md")
    paths[-1].write_text(_figures(_claims(run / "figures.csv")), encoding="utf-8")
    return paths


def _draw(run, report, name, title, xlabel, ylabel, draw):
    """The path of the picture, or None if the run did not write its data."""
    figure = Figure(figsize=(5, 3.4), layout="tight")
    axes = figure.subplots()

    def series(of):
        return _series(run / f"{of}.csv")

    if not draw(axes, series):
        return None
    axes.set(title=title, xlabel=xlabel, ylabel=ylabel)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)
    figure.savefig(report / f"{name}.png", dpi=90)
    return report / f"{name}.png"


def _series(path):
    """Columns of a series by name, or None if the run did not write it."""
    if not path.exists():
        return None
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {key: [float(row[i]) for row in rows[1:]] for i, key in enumerate(rows[0])}


def convergence(axes, series):
    drawn = False
    for kind, style in (("space", "-"), ("statics", "--")):
        for element, marker in (("T3", "^"), ("T6", "o")):
            data = series(f"{kind}_{element}_strain")
            if data:
                label = f"{element}, {'standing wave' if kind == 'space' else 'statics'}"
                axes.loglog(data["h"], data["l2_error"], style, marker=marker, label=label)
                drawn = True
    return drawn


def ring(axes, series):
    drawn = False
    for plane, colour in (("strain", "C0"), ("stress", "C1")):
        data = series(f"ring_{plane}")
        if data:
            axes.plot(data["time_us"], data["radial_MPa"], colour, lw=2, alpha=0.5, label=f"plane {plane}, radial solution")
            axes.plot(data["time_us"], data["displacement_MPa"], colour, lw=0.8, label="Cleave, from the displacement")
            axes.plot(data["time_us"], data["nodal_MPa"], colour, lw=0.5, ls=":", label="Cleave, nodal stress")
            drawn = True
    return drawn


def bar(axes, series):
    drawn = False
    for law, marker in (("ppr", "o"), ("linear", "s")):
        data = series(f"fragmentation_{law}")
        if data:
            if not drawn:
                for fit, style in (("zhou", "-"), ("grady", "--"), ("glenn_chudnovsky", ":")):
                    axes.loglog(data["r"], data[fit], "k", ls=style, label=fit.replace("_", "-").title())
            axes.loglog(data["r"], data["cleave"], marker, label=f"Cleave, {law}")
            drawn = True
        data = series(f"ring_fragments_{law}")
        if data:
            axes.loglog(data["r"], data["cleave"], marker, mfc="none", label=f"Cleave, ring, {law}")
    return drawn


def long_run(axes, series):
    data = series("long_ppr_T3")
    if data:
        for key, colour in (("kinetic", "C0"), ("strain", "C1"), ("dissipated", "C2"), ("recoverable", "C3")):
            axes.plot(data["transits"], data[key], colour, lw=0.8, label=key)
    return data is not None


def strip(axes, series):
    drawn = False
    for facets, style in ((3, ":"), (4, "--"), (8, "-")):
        data = series(f"strip_{facets}")
        if data:
            # The time counts from an advance of the crack by one height.
            i = next(i for i, x in enumerate(data["advance"]) if x >= 1)
            before, after = data["advance"][i - 1], data["advance"][i]
            t, u = data["transits"][i - 1], data["transits"][i]
            start = t + (u - t) * (1 - before) / (after - before)
            axes.plot([t - start for t in data["transits"]], data["advance"], f"C0{style}", label=f"{facets} facets")
            drawn = True
    motion = series("strip_motion")
    if motion:
        axes.plot(motion["transits"], motion["advance"], "k", lw=3, alpha=0.4, label="equation of motion")
    return drawn


def cantilever(axes, series):
    drawn = False
    for law, colour in (("ppr", "C0"), ("linear", "C1")):
        data = series(f"cantilever_{law}")
        if data:
            if not drawn:
                axes.plot(data["opening"], data["beam"], "k", lw=3, alpha=0.4, label="beam theory")
            axes.plot(data["opening"], data["crack"], colour, label=f"Cleave, {law}")
            drawn = True
    return drawn


def lines(axes, data, **style):
    axes.add_collection(LineCollection(list(zip(zip(data["x0"], data["y0"]), zip(data["x1"], data["y1"]))), **style))
    axes.set_aspect("equal")


def kalthoff(axes, series):
    data = series("kalthoff")
    if data:
        lines(axes, data, colors=[(0, 0, 0, d) for d in data["damage"]], lw=0.8)
        axes.plot([0, 0.05], [0.025, 0.025], "C0", lw=2, label="notch")
        run_x = 0.075 / math.tan(math.radians(70))
        axes.plot([0.05, 0.05 + run_x], [0.025, 0.1], "C3", alpha=0.5, label="70 degrees")
        axes.set(xlim=(0, 0.1), ylim=(0, 0.1))
    return data is not None


def branching(axes, series):
    found = False
    for row, load in enumerate((35, 38, 40, 45)):  # one above the other
        data = series(f"branching_{load}")
        if not data:
            continue
        found = True
        shift = -0.009 * row
        moved = {key: [v + shift for v in column] if key in ("y0", "y1") else column for key, column in data.items()}
        lines(axes, moved, colors=[(0, 0, 0, d) for d in moved["damage"]], lw=0.7)
        axes.plot([0, 0.004], [0.008 + shift] * 2, "C0", lw=2, label=None if row else "notch")
        axes.text(0.0002, 0.0088 + shift, f"0.0{load} mm")
    axes.set(xlim=(0, 0.032), ylim=(-0.023, 0.012), yticks=[])
    axes.set_aspect("equal")
    return found


_PLOTS = (
    ("convergence", "Convergence in space", "h, m", "L2 error", convergence),
    ("ring", "Elastic ring, hoop stress at the inner wall", "time, us", "MPa", ring),
    ("fragmentation", "Stretching bar and ring", "rate / rate0", "mean size / s0", bar),
    ("strip", "Crack in a held strip, W = 1.1 Gc", "time, transits", "advance / height", strip),
    ("cantilever", "Double cantilever", "opening / opening at the start", "crack length / arm height", cantilever),
    ("kalthoff", "Kalthoff's plate after 90 us", "x, m", "y, m", kalthoff),
    ("branching", "Cracks in PMMA, drawn at both edges", "x, m", "", branching),
    ("long_run", "Rattling block, ppr T3, half the critical step", "wave transits", "energy / initial energy", long_run),
)


def _claims(path):
    """Quantities by claim: expected value, values reached (by assembly and device), unit, tolerance."""
    claims = {}
    with open(path, encoding="utf-8") as source:
        for name, quantity, expected, reached, unit, tolerance in csv.reader(source, delimiter=";"):
            line = claims.setdefault(name, {}).setdefault(quantity, (expected, [], unit, tolerance))
            if reached not in line[1]:
                line[1].append(reached)
    return claims


def _figures(claims):
    """The text of figures.md."""
    out = ["# Figures of a run of scripts/verify\n\nIf assemblies or devices differ, all values are given.\n"]
    for name, lines in claims.items():
        out.append(f"\n## {name[0].upper()}{name[1:]}\n\n| quantity | exact | reached | unit | tolerance |\n"
                   "|---|---|---|---|---|\n")
        for quantity, (expected, reached, unit, tolerance) in lines.items():
            out.append(f"| {quantity} | {expected} | {', '.join(reached)} | {unit} | {tolerance} |\n")
    return "".join(out)
