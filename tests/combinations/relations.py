"""Metamorphic relations: the same case told in another way, and how the results of both must compare.

A relation takes a case, the text of its other files by name, and random numbers. It gives two cases, each with the text of its files,
and a comparison of compare.py; or nothing, where the case is not of its kind.
"""

import json
import math

from compare import Scaled, counts_agree, rows_among, same_columns, same_files, same_history

FAR = 1e3
RELATIONS = {}


def relation(function):
    """Adds a relation under its name."""
    RELATIONS[function.__name__] = function
    return function


def entries(value):
    """A list of maps, where one map stands for a list of one."""
    return value if isinstance(value, list) else [value]


def changed(case, **sections):
    """A copy of the case with other sections."""
    return json.loads(json.dumps(case | sections))  # no map is there twice


def with_regions(case, **boxes):
    """The case with groups of triangles besides: box [x0, y0, x1, y1] by name."""
    mesh = case["mesh"] | {"regions": case["mesh"].get("regions", {}) | {name: {"box": box} for name, box in boxes.items()}}
    return changed(case, mesh=mesh)


EVERYWHERE = {"everywhere": [-FAR, -FAR, FAR, FAR]}


# Lists and groups.


@relation
def map_as_list_of_one(case, files, rng):
    other = changed(case)
    for section in ("material", "cohesive", "initial"):
        if isinstance(other.get(section), dict):
            other[section] = [other[section]]
    if isinstance(other["mesh"].get("grading"), dict):
        other["mesh"]["grading"] = [other["mesh"]["grading"]]
    return (case, files), (other, files), same_files


@relation
def group_that_nothing_is_on(case, files, rng):
    return (case, files), (with_regions(case, idle=[-FAR, -FAR, FAR, FAR]), files), same_files


@relation
def material_by_group(case, files, rng):
    if not isinstance(case["material"], dict):
        return None
    m, middle = case["material"], middle_of(case)
    split = with_regions(case, left_half=[-FAR, -FAR, middle, FAR], right_half=[middle, -FAR, FAR, FAR])
    left, right = m | {"on": "left_half"}, m | {"on": "right_half"}
    return (case, files), (changed(split, material=rng.choice([[m, left], [right, left], [m, left, right]])), files), same_files


@relation
def group_split_in_two(case, files, rng):
    """Entries on `east` as two entries on its halves."""
    region = case["mesh"].get("regions", {}).get("east")
    if region is None or isinstance(case["material"], dict):
        return None
    x0, y0, x1, y1 = region["box"]
    at = rng.uniform(0.1, 0.4) * y1 / 10
    other = with_regions(case, upper=[x0, at, x1, y1], lower=[x0, y0, x1, at])
    other["material"] = [made for m in case["material"] for made in (
        [m | {"on": "upper"}, m | {"on": "lower"}] if m.get("on") == "east" else [m])]
    return (case, files), (other, files), same_files


@relation
def order_of_materials(case, files, rng):
    """Of entries that name disjoint groups."""
    if isinstance(case["material"], dict):
        return None
    first, east = case["material"]
    return (case, files), (changed(case, material=[east, first | {"on": "west"}]), files), same_files


@relation
def cohesive_by_group(case, files, rng):
    c = case.get("cohesive")
    if not isinstance(c, dict):
        return None
    other = with_regions(case, **EVERYWHERE)
    normal = {key: c["normal"][key] for key in ("strength", "energy")}
    return (case, files), (changed(other, cohesive=[c, {"on": "everywhere", "normal": normal}]), files), same_history


@relation
def start_of_all_by_group(case, files, rng):
    if not isinstance(case.get("initial"), dict):
        return None
    other = with_regions(case, **EVERYWHERE)
    return (case, files), (changed(other, initial=[{}, {"on": "everywhere"} | case["initial"]]), files), same_files


@relation
def on_spelt_group(case, files, rng):
    def spelt(value):
        if isinstance(value, dict):
            return {"group" if key == "on" else key: spelt(its) for key, its in value.items()}
        return [spelt(its) for its in value] if isinstance(value, list) else value
    if "boundary" not in case and isinstance(case["material"], dict):
        return None
    return (case, files), (spelt(case), files), same_files


@relation
def order_of_boundary(case, files, rng):
    boundary = case.get("boundary", [])
    if len(boundary) < 2:
        return None
    return (case, files), (changed(case, boundary=boundary[::-1]), files), same_files


@relation
def side_by_its_parts(case, files, rng):
    """The left side of a notched rectangle as the sides below and above the notch."""
    loads = [entry for entry in case.get("boundary", []) if entry["on"] == "left"]
    if "notch" not in case["mesh"] or case["mesh"]["shape"] != "rectangle" or not loads:
        return None
    boundary = [made for entry in case["boundary"] for made in (
        [entry | {"on": "left_below"}, entry | {"on": "left_above"}] if entry["on"] == "left" else [entry])]
    return (case, files), (changed(case, boundary=boundary), files), same_files


# Values that say nothing new.


@relation
def defaults_written_out(case, files, rng):
    c = case.get("cohesive")
    other = changed(case)
    other["mesh"].setdefault("refine", 0)
    other["mesh"].setdefault("perturbation", {"amplitude": 0})
    other["mesh"].setdefault("thickness", 1e-3)
    other["body_force"] = {"x": 0, "y": 0} | case.get("body_force", {})
    if "initial" not in other:
        other["initial"] = {"velocity": {"x": 0, "y": 0}, "strain": {"xx": 0}, "velocity_gradient": {"yy": 0}}
    if isinstance(c, dict):
        normal = c["normal"]
        if "tangential" not in c and not isinstance(normal["strength"], dict):
            other["cohesive"]["tangential"] = dict(normal)
        other["cohesive"]["insertion"].setdefault("region", {"box": [-FAR, -FAR, FAR, FAR]})
        other["cohesive"].setdefault("contact_penalty", 10)
        other["cohesive"].setdefault("friction", 0)
    for entry in other.get("boundary", []):
        if "pressure" in entry:
            entry.setdefault("in_cracks", False)
    return (case, files), (other, files), same_files


@relation
def resolved_case(case, files, rng):
    return (case, files), ("case.resolved.yaml", files), same_files


@relation
def strength_uniform_between_equals(case, files, rng):
    c = case.get("cohesive")
    if not isinstance(c, dict) or isinstance(c["normal"]["strength"], dict):
        return None
    strength = c["normal"]["strength"]
    other = changed(case)
    other["cohesive"]["normal"]["strength"] = {"uniform": {"from": strength, "to": strength}}
    other["cohesive"].setdefault("tangential", {}).setdefault("strength", strength)
    return (case, files), (other, files), same_history


@relation
def velocity_of_zero_is_fixed(case, files, rng):
    fixed = [entry for entry in case.get("boundary", []) if "fix" in entry]
    if not fixed:
        return None
    boundary = [{"on": entry["on"], "velocity": {axis: 0 for axis in entry["fix"]}} if "fix" in entry else entry
                for entry in case["boundary"]]
    return (case, files), (changed(case, boundary=boundary), files), same_files


# Loads and curves.


@relation
def load_in_two_parts(case, files, rng):
    """Forces are added to those of the triangles one by one, so that their sums are rounded otherwise."""
    if not repeats_but_for_rounding(case) or not any("pressure" in entry for entry in case.get("boundary", [])):
        return None
    boundary = [made for entry in case["boundary"] for made in (
        [entry | {"pressure": 0.3 * entry["pressure"]}, entry | {"pressure": 0.7 * entry["pressure"]}] if "pressure" in entry else [entry])]
    return (case, files), (changed(case, boundary=boundary), files), counts_agree


@relation
def curve_that_is_one(case, files, rng):
    other = changed(case)
    other.setdefault("curves", {})["one"] = {"table": [[0, 1]]}
    loads = [entry for entry in loads_of(other) if not entry.keys() & {"fix", "absorb", "curve"}]
    for entry in loads:
        entry["curve"] = "one"
    return ((case, files), (other, files), same_files) if loads else None


def loads_of(case):
    """Entries of `boundary`, and the body force."""
    return [*case.get("boundary", []), *([case["body_force"]] if "body_force" in case else [])]


def uses_curve(case):
    return any(entry.get("curve") == "pulse" for entry in loads_of(case))


@relation
def curve_with_points_between(case, files, rng):
    """Points on the line between two others."""
    if not uses_curve(case) or case["run"]["precision"] == "single":
        return None
    end = 2.0 ** math.ceil(math.log2(time_scale(case)))
    ends = [[0, 0.5], [end, 1]]
    between = [[0, 0.5], [end / 4, 0.625], [end / 2, 0.75], [end, 1], [2 * end, 1]]
    one, other = ({**case.get("curves", {}), "pulse": {"table": points}} for points in (ends, between))
    return (changed(case, curves=one), files), (changed(case, curves=other), files), counts_agree


@relation
def curve_of_half_the_height(case, files, rng):
    """Loads that are doubled, times a curve of half the height."""
    points = case.get("curves", {}).get("pulse", {}).get("table")
    if points is None or not uses_curve(case):
        return None
    other = changed(case, curves={"pulse": {"table": [[t, value / 2] for t, value in points]}})
    for entry in loads_of(other):
        if entry.get("curve") == "pulse":
            for key in entry.keys() & {"pressure", "x", "y"}:
                entry[key] *= 2
            if "velocity" in entry:
                entry["velocity"] = {axis: 2 * value for axis, value in entry["velocity"].items()}
    for obstacle in other.get("obstacles", []):
        if obstacle.get("curve") == "pulse":
            obstacle["velocity"] = {axis: 2 * value for axis, value in obstacle["velocity"].items()}
    return (case, files), (other, files), same_files


@relation
def curve_in_a_file(case, files, rng):
    points = case.get("curves", {}).get("pulse", {}).get("table")
    if points is None:
        return None
    text = "# of a curve\ntime,value\n" + "".join(f"{t!r},{value!r}\n" for t, value in points)
    return (case, files), (changed(case, curves={"pulse": {"file": "curve.csv"}}), files | {"curve.csv": text}), same_files


@relation
def end_instead_of_steps(case, files, rng):
    if "step" not in case["time"]:
        return None
    step, steps = case["time"]["step"], case["time"]["steps"]
    return (case, files), (changed(case, time={"step": step, "end": step * steps}), files), same_files


# What is written.


@relation
def without_frames(case, files, rng):
    output = {key: value for key, value in case["output"].items() if not key.startswith("fields")}
    return (case, files), (changed(case, output=output), files), same_history


@relation
def other_rows(case, files, rng):
    """Rows of fewer steps are rows of every step; what else is written makes no difference to them."""
    other = changed(case, output={"history_every": case["output"]["history_every"] * 2, "real": "double", "checkpoint_every": 11})
    return (changed(case, output=case["output"] | {"history_every": 1}), files), (other, files), rows_among


# Numbers by powers of two.


@relation
def other_thickness(case, files, rng):
    factor = 2.0 ** rng.choice([-7, -2, 5])
    other = changed(case, mesh=case["mesh"] | {"thickness": case["mesh"].get("thickness", 1e-3) * factor})
    for obstacle in other.get("obstacles", []):
        if "mass" in obstacle:
            obstacle["mass"] *= factor
    return (case, files), (other, files), Scaled({"J": factor, "N": factor, "kg": factor})


@relation
def other_units(case, files, rng):
    if files:
        return None
    case = changed(case, mesh={"thickness": 1e-3} | case["mesh"])
    length, time, density = rng.randint(-9, 9), rng.randint(-9, 9), rng.randint(-4, 4)
    if case["run"]["precision"] == "single":
        time = density + rng.randint(-3, 3)  # pressures by 64 at most: laws multiply three of them, and numbers end at 3e38
    mass = length + 2 * density  # the critical step takes roots of densities times areas
    by_unit = Scaled.of_units(2.0**length, 2.0**mass, 2.0**time)
    return (case, files), (by_unit.case(case), files), by_unit


@relation
def other_load(case, files, rng):
    """Of bodies that are linear until they break: loads, strengths and openings doubled, energies four times."""
    if "contact" in case or "obstacles" in case:
        return None  # gaps stay
    if any(m["law"] not in ("linear_elastic", "kelvin_voigt") or m.get("artificial_viscosity", {}).get("quadratic")
           for m in entries(case["material"])):
        return None
    other = changed(case)

    def times(value, names, factor):
        """Multiplies all numbers below keys with these names."""
        for key in value if isinstance(value, dict) else range(len(value)):
            its = value[key]
            if isinstance(its, (dict, list)):
                times(its, names if key not in names else its.keys() if isinstance(its, dict) else range(len(its)), factor)
            elif key in names and not isinstance(its, (str, bool)):
                value[key] = factor * its

    for c in entries(other.get("cohesive", [])):
        for mode in (c[key] for key in ("normal", "tangential") if key in c):
            strength = mode["strength"]
            if isinstance(strength, dict):
                times(strength, {"scale", "from", "to"}, 2)
            else:
                mode["strength"] = 2 * strength
            mode["energy"] *= 4
        if "rate" in c:
            c["rate"]["reference"] *= 2
    times(other.get("boundary", []), {"pressure", "velocity"}, 2)
    times(other.get("body_force", {}), {"x", "y"}, 2)
    times(other.get("initial", {}), {"strain", "velocity", "velocity_gradient"}, 2)
    return (case, files), (other, files), Scaled({"J": 4, "N": 2, "displacement": 2}, only="history.csv")


# Directions and places.


@relation
def half_turn(case, files, rng):
    return turned(case, files, lambda x, y: [-x, -y])


@relation
def quarter_turn(case, files, rng):
    """Sums over x and y change their order."""
    return turned(case, files, lambda x, y: [-y, x], counts_agree)


def turned(case, files, turn, compare=same_columns):
    """A body of a mesh file that is turned about (0, 0), its triangles and nodes in the order of the file."""
    if "plate.msh" not in files or "obstacles" in case or (compare is counts_agree and case["run"]["precision"] == "single"):
        return None
    case = changed(case, mesh={key: value for key, value in case["mesh"].items() if key != "perturbation"} | {"numbering": "as_given"})
    quarter = turn(1, 0)[0] == 0
    other = changed(case)
    lines = files["plate.msh"].split("\n")
    begin, end = lines.index("$Nodes") + 2, lines.index("$EndNodes")
    for n in range(begin, end):
        tag, x, y, z = lines[n].split()
        x, y = turn(float(x), float(y))
        lines[n] = f"{tag} {x!r} {y!r} {z}"

    def vector(entry):
        x, y = turn(entry.get("x", 0.0), entry.get("y", 0.0))
        return {axis: value for axis, was, value in (("x", "y" if quarter else "x", x), ("y", "x" if quarter else "y", y)) if was in entry}

    def box(b):
        corners = [turn(b[0], b[1]), turn(b[2], b[3])]
        return [min(c[0] for c in corners), min(c[1] for c in corners), max(c[0] for c in corners), max(c[1] for c in corners)]

    def tensor(t):
        if not quarter:
            return t
        xy = t.get("xy", 0.0)
        return {"xx": t.get("yy", 0.0), "yy": t.get("xx", 0.0), "xy": -t.get("yx", 0.0), "yx": -xy}

    for region in other["mesh"].get("regions", {}).values():
        region["box"] = box(region["box"])
    for point in entries(other["mesh"].get("grading", [])):
        point["at"] = turn(*point["at"])
    for region in insertion_regions(other):
        region["box"] = box(region["box"])
    for entry in other.get("boundary", []):
        if "velocity" in entry:
            entry["velocity"] = vector(entry["velocity"])
        if "fix" in entry and quarter:
            entry["fix"] = [{"x": "y", "y": "x"}[axis] for axis in entry["fix"]]
    if "body_force" in other:
        other["body_force"] |= vector(other["body_force"])
    for entry in entries(other.get("initial", [])):
        if "velocity" in entry:
            entry["velocity"] = vector(entry["velocity"])
        if "velocity_gradient" in entry:
            entry["velocity_gradient"] = tensor(entry["velocity_gradient"])
        if "strain" in entry and quarter:
            s = entry["strain"]
            entry["strain"] = {"xx": s["yy"], "yy": s["xx"], "xy": -s["xy"]}
    for probe in other["output"].get("probes", []):
        probe["at"] = turn(*probe["at"])
    for line in other["output"].get("lines", []):
        for key in line.keys() & {"from", "to"}:
            line[key] = turn(*line[key])
    return (case, files), (other, files | {"plate.msh": "\n".join(lines)}), compare


@relation
def other_place(case, files, rng):
    if case["mesh"].get("shape") != "rectangle" or not repeats_but_for_rounding(case):
        return None
    by = [case["mesh"]["size"][0] * rng.uniform(-3, 3) for _ in range(2)]
    moved = lambda point: [value + by[n % 2] for n, value in enumerate(point)]
    other = changed(case)
    other["mesh"]["origin"] = by
    boxes = [*other["mesh"].get("regions", {}).values(), *insertion_regions(other)]
    shapes = [o.get("plane") or o["disc"] for o in other.get("obstacles", [])]
    for place in [*boxes, *entries(other["mesh"].get("grading", [])), *other["output"].get("probes", []), *other["output"].get("lines", []),
                  *shapes]:
        place.update({key: moved(place[key]) for key in place.keys() & {"box", "at", "from", "to", "point", "centre"}})
    return (case, files), (other, files), counts_agree


@relation
def other_numbering(case, files, rng):
    """Numberings differ in the last digits alone, until these decide what breaks."""
    if not repeats_but_for_rounding(case):
        return None
    numbering = {"hilbert": "halves", "halves": "as_given", "as_given": "hilbert"}[case["mesh"]["numbering"]]
    return (case, files), (changed(case, mesh=case["mesh"] | {"numbering": numbering}), files), counts_agree


def insertion_regions(case):
    return [c["insertion"]["region"] for c in entries(case.get("cohesive", [])) if "region" in c.get("insertion", {})]


def repeats_but_for_rounding(case):
    """Whether the last digits decide nothing for a while: no two facets are loaded alike, nothing touches a step sooner or later,
    and digits are many."""
    return case["run"]["precision"] == "double" and "perturbation" in case["mesh"] and not case.keys() & {"contact", "obstacles"}


def middle_of(case):
    """x of a vertical line through the body."""
    mesh = case["mesh"]
    return {"ring": 0, "disc": 0}.get(mesh.get("shape"), 0.37 * (mesh["size"][0] if "size" in mesh else mesh.get("width", 0.01)))


def time_scale(case):
    """About how long a run takes."""
    step = case["time"].get("step")
    return case["time"].get("end") or (step or 1e-8) * case["time"].get("steps", 1)
