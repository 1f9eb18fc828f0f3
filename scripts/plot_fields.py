#!/usr/bin/env python3
"""Draws one frame of a run: the deformed body, coloured, with its cracks.

Needs Matplotlib and meshio: python3 -m venv .venv && .venv/bin/pip install matplotlib meshio && .venv/bin/python scripts/plot_fields.py out/quickstart

Usage: plot_fields.py RESULTS [--frame N...] [--colour stress|speed|energy|fragment...] [--warp FACTOR] [-o FILE]
RESULTS is the output directory of a run; the last frame is the default. Several frames or colours are drawn side by
side. The file's ending says its format (.png, .pdf, .svg); default RESULTS/bulk_NNNNNN.png.
"""
import argparse
import pathlib
import xml.etree.ElementTree as ElementTree

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import meshio
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

# Corners of the four triangles, and the outline, of a six-node triangle; of a three-node one.
PARTS = {6: [(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)], 3: [(0, 1, 2)]}
OUTLINE = {6: [0, 3, 1, 4, 2, 5], 3: [0, 1, 2]}


def read_frame(results, series, frame):
    """Points, cells and data of bulk_NNNNNN.vtu or cracks_NNNNNN.vtu; None for a body without cracks."""
    file = results / f"{series}_{frame:06d}.vtu"
    if not file.exists():
        raise SystemExit(f"{file}: no such file; give the output directory of a run and the number of a frame")
    text = file.read_bytes()
    root = ElementTree.fromstring(text.split(b"<AppendedData")[0] + b"</VTKFile>" if b"<AppendedData" in text else text)
    if root.find(".//Piece").get("NumberOfPoints") == "0":
        return None
    return meshio.read(file)


def frames_of(results):
    """Times of all frames, s."""
    file = results / "bulk.pvd"
    if not file.exists():
        raise SystemExit(f"{file}: no such file; give the output directory of a run")
    return [float(entry.get("timestep")) for entry in ElementTree.parse(file).iter("DataSet")]


def fragment_shades(fragment):
    """A number for each fragment such that large ones differ well."""
    ids, inverse, sizes = np.unique(fragment, return_inverse=True, return_counts=True)
    rank = np.empty(len(ids), int)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(ids))
    return rank[inverse]


def draw_body(axes, bulk, colour, warp):
    cells = bulk.cells[0].data
    nodes = cells.shape[1]
    points = bulk.points[:, :2] + warp * bulk.point_data["displacement"][:, :2]
    if colour in ("fragment", "energy"):
        patches = PolyCollection(points[cells[:, OUTLINE[nodes]]], linewidth=0.3)
        if colour == "fragment":
            palette = plt.get_cmap("Set2").colors + plt.get_cmap("Set3").colors
            shades = fragment_shades(bulk.cell_data["fragment"][0])
            patches.set_color([palette[s % len(palette)] for s in shades])
            label = None
        else:
            patches.set_array(bulk.cell_data["strain_energy_density"][0] * 1e-6)
            patches.set_cmap("viridis")
            patches.set_edgecolor("face")
            label = "strain energy density (MJ/m³)"
        axes.add_collection(patches)
        axes.autoscale_view()
        return patches, label

    triangles = np.concatenate([cells[:, part] for part in PARTS[nodes]])
    if colour == "stress":
        values, label = bulk.point_data["largest_principal_stress"] * 1e-6, "largest principal stress (MPa)"
        limit = np.percentile(np.abs(values), 99)
        style = dict(cmap="RdBu_r", vmin=-limit, vmax=limit)
    else:
        values, label = np.linalg.norm(bulk.point_data["velocity"], axis=1), "speed (m/s)"
        style = dict(cmap="viridis", vmin=0, vmax=np.percentile(values, 99.5))
    return axes.tripcolor(points[:, 0], points[:, 1], triangles, values, shading="gouraud", **style), label


def draw_cracks(axes, cracks, warp):
    """Both faces of every cohesive element; failed ones solid, those that still carry traction pale."""
    cells = cracks.cells[0].data
    order = [0, 2, 1] if cells.shape[1] == 3 else [0, 1]
    failed = cracks.cell_data["failed"][0].astype(bool)
    for side in ("displacement_a", "displacement_b"):
        lines = (cracks.points[:, :2] + warp * cracks.point_data[side][:, :2])[cells[:, order]]
        axes.add_collection(LineCollection(lines[failed], colors="black", linewidths=0.6))
        axes.add_collection(LineCollection(lines[~failed], colors="#E69F00", linewidths=0.9))


def plot(axes, results, frame, colour, warp):
    times = frames_of(results)
    if not -len(times) <= frame < len(times):
        raise SystemExit(f"there is no frame {frame}: there are {len(times)}, from 0")
    frame %= len(times)
    bulk, cracks = read_frame(results, "bulk", frame), read_frame(results, "cracks", frame)
    mapped, label = draw_body(axes, bulk, colour, warp)
    if cracks is not None:
        draw_cracks(axes, cracks, warp)
    axes.set_aspect("equal")
    axes.axis("off")
    if label:
        extend = "both" if colour == "stress" else "neither"
        bar = axes.figure.colorbar(mapped, ax=axes, label=label, shrink=0.7, pad=0.02, extend=extend)
        bar.outline.set_visible(False)
    pieces = len(np.unique(bulk.cell_data["fragment"][0]))
    title = f"{times[frame] * 1e6:.1f} µs, {pieces} fragment{'s' if pieces > 1 else ''}"
    if warp != 1:
        title += f", displacements × {warp:g}"
    axes.set_title(title, fontsize=10)
    return frame


def main():
    parser = argparse.ArgumentParser(description="Draws one frame of a run: the deformed body with its cracks.")
    parser.add_argument("results", type=pathlib.Path, help="output directory of a run")
    parser.add_argument("--frame", type=int, nargs="+", default=[-1], help="numbers of frames, from 0; -1: the last one")
    parser.add_argument("--colour", choices=["stress", "speed", "energy", "fragment"], nargs="+", default=["stress"])
    parser.add_argument("--warp", type=float, default=1, help="factor on displacements")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="picture to write (.png, .pdf, .svg)")
    arguments = parser.parse_args()

    panels = max(len(arguments.frame), len(arguments.colour))
    frames = (arguments.frame * panels)[:panels]
    colours = (arguments.colour * panels)[:panels]
    widths = [5.4 if colour == "fragment" else 6.4 for colour in colours]
    figure, axes = plt.subplots(1, panels, figsize=(sum(widths), 5.4), width_ratios=widths, layout="constrained",
                                squeeze=False)
    for panel, frame, colour in zip(axes[0], frames, colours):
        frame = plot(panel, arguments.results, frame, colour, arguments.warp)
    reach = np.array([[*panel.get_xlim(), *panel.get_ylim()] for panel in axes[0]])
    for panel in axes[0]:  # all to the same scale
        panel.set_xlim(reach[:, 0].min(), reach[:, 1].max())
        panel.set_ylim(reach[:, 2].min(), reach[:, 3].max())
    output = arguments.output or arguments.results / f"bulk_{frame:06d}.png"
    figure.savefig(output, dpi=150)
    print(f"written to {output}")


if __name__ == "__main__":
    main()
