"""Cracks over time, from the frames: the content of cracks.csv.

column                      unit   meaning
frame, time                 -, s
cohesive_elements           -      number inserted so far
crack_length                m      reference length of all cohesive elements
failed_elements             -      number of cohesive elements without traction
failed_length               m      reference length of failed elements; only they count as cracks in the columns below
cracks                      -      number of connected cracks
tips                        -      number of ends of cracks inside the body
branches                    -      number of places where three or more parts of cracks meet
growth_rate                 m/s    growth rate of the length of all cracks, all tips together
tip_speed                   m/s    speed of the fastest tip along the new part of its crack
mean_tip_speed              m/s    mean speed of tips that have moved; tips of new cracks do not count
tip_speed_over_rayleigh     -      tip_speed over the lowest Rayleigh speed of the materials
dissipated_energy           J      of history.csv at that time
dissipated_per_area         J/m²   dissipated_energy over crack_length times thickness

The three speeds do not depend on the frames between the first and the last. They are of the elements that have failed by the
last frame, and a crack has reached an element when it was inserted. A tip moves by whole facets; to smooth this, speeds are means
over the time before in which a Rayleigh wave passes FACETS facets of the mesh. Without the array insertion_step they are NaN.
"""
import numpy as np
import pandas

from .crack_graph import CrackGraph, boundary_facets, crack_graph, places_of
from .errors import ResultsError
from .mesh_quality import mesh_quality
from .waves import rayleigh_speed_of

FACETS = 5
_MOST = 400  # rows of speeds over a run
_NOTHING = CrackGraph(np.zeros(0, dtype=complex), np.zeros((0, 2), dtype=int), np.zeros(0))


def failed_cracks(frame):
    """The graph of the failed elements in a frame of cracks."""
    if len(frame.cells) == 0:
        return _NOTHING
    if "failed" not in frame.cell_data:
        raise ResultsError("the frames of cracks have no array 'failed'; add it to `output.fields` and run again")
    return crack_graph(frame, frame.cell_data["failed"].astype(bool))


def intact_boundary(results):
    """What Results.boundary says. If earlier frames are missing, the first frame already has cracks."""
    body, times = results.frames[0], results.crack_frames.times
    same = np.flatnonzero(times == body.time)
    if same.size:
        return boundary_facets(body, results.crack_frames[int(same[0])])
    if body.time > 0:
        raise ResultsError(f"{results.crack_frames.file}: no frame at {body.time:.6g} s, at which "
                           f"{results.frames.file.name} begins, so that its cracks cannot be distinguished from the boundary; "
                           "run the case again")
    return boundary_facets(body)


def crack_table(results):
    """A row for each frame of cracks, with the columns above."""
    first = results.frames[0]
    boundary = places_of(first.points)[results.boundary]
    table = pandas.DataFrame([_counts(frame, boundary) for frame in results.crack_frames])
    speeds = speed_table(results, table["time"])
    table = table.join(speeds.drop(columns="time"))
    history = results.history
    table["dissipated_energy"] = np.interp(table["time"], history["time"], history["dissipated_energy"])
    area = table["crack_length"] * float(results.case["mesh"]["thickness"])
    table["dissipated_per_area"] = (table["dissipated_energy"] / area).where(area > 0)
    return table


def _counts(frame, boundary):
    failed = failed_cracks(frame)
    everything = crack_graph(frame, np.ones(len(frame.cells), dtype=bool)) if len(frame.cells) else _NOTHING
    return {
        "frame": frame.number, "time": frame.time,
        "cohesive_elements": len(everything.edges), "crack_length": everything.lengths.sum(),
        "failed_elements": len(failed.edges), "failed_length": failed.lengths.sum(),
        "cracks": failed.components, "tips": len(failed.tips(boundary)), "branches": len(failed.branches()),
    }


def speed_table(results, times=None):
    """growth_rate, tip_speed, mean_tip_speed and tip_speed_over_rayleigh at some times, s; default: over the whole run."""
    first, last, rayleigh = results.frames[0], results.crack_frames[-1], rayleigh_speed_of(results.case)
    window = FACETS * mesh_quality(first).mean / rayleigh
    if times is None:
        count = _MOST if not window > 0 else int(np.clip(4 * last.time / window, 2, _MOST))
        times = np.linspace(0, last.time, count)
    boundary = places_of(first.points)[results.boundary]
    graph, reached = failed_cracks(last), _times_of_failed(results, last)
    rows = [{"time": time, **_speeds(graph, reached, time, window, boundary)} for time in times]
    table = pandas.DataFrame(rows)
    table["tip_speed_over_rayleigh"] = table["tip_speed"] / rayleigh
    return table


def _times_of_failed(results, frame):
    """When the failed elements of a frame were inserted, s; None where the frame does not tell it."""
    if len(frame.cells) == 0:
        return np.zeros(0)
    if "insertion_step" not in frame.cell_data:
        return None
    end = results.history.iloc[-1]  # all steps are equal
    return frame["insertion_step"][frame["failed"].astype(bool)] * (end["time"] / max(end["step"], 1))


def _speeds(graph, reached, time, window, boundary):
    speeds = dict.fromkeys(("growth_rate", "tip_speed", "mean_tip_speed"), np.nan)
    if reached is None or not time >= window:  # nor when the window is NaN
        return speeds
    end = time + 1e-9 * window  # for times that are equal but for rounding
    start = end - window
    speeds["growth_rate"] = graph.lengths[(reached > start) & (reached <= end)].sum() / window
    advances = graph.advances(reached, start, end, boundary)
    if advances.size:
        speeds["tip_speed"], speeds["mean_tip_speed"] = advances.max() / window, advances.mean() / window
    return speeds
