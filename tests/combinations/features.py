"""Small cases made of features: 46 of them, each with its levels, which pairs of levels the program refuses, and the case
that a choice of one level of each feature gives. Names and units are those of docs/user_guide.md.
"""

import itertools

FEATURES = {
    # mesh
    "shape": ("rectangle", "notched", "ring", "disc", "plate_with_hole", "kalthoff", "compact_tension", "compact_compression",
              "file", "cracked_file"),
    "element": ("T6", "T3"),
    "pattern": ("crossed", "delaunay"),
    "perturbation": ("some", "none"),
    "numbering": ("hilbert", "halves", "as_given"),
    "refine": (0, 1),
    "grading": ("none", "one", "two"),
    "thickness": ("default", "own"),
    # material
    "law": ("linear_elastic", "kelvin_voigt", "j2", "j2_table", "st_venant_kirchhoff", "neo_hookean"),
    "plane": ("strain", "stress"),
    "materials": ("one", "same_twice", "two", "two_laws"),
    "erosion": ("none", "some"),
    "artificial_viscosity": ("none", "some"),
    # cohesive
    "cohesive": ("ppr", "linear", "exponential", "none"),
    "facets": ("all", "on", "between", "only_between"),
    "strength": ("number", "weibull", "weibull_by_length", "uniform"),
    "softening": ("default", "own"),
    "tangential": ("as_normal", "own"),
    "rate": ("none", "some"),
    "friction": ("none", "some"),
    "every": (5, 1, 10),
    "aggregate": ("mean", "max"),
    "selection": ("all", "local_maximum"),
    "insertion_region": ("all", "box"),
    "stiffness_safety": ("auto", "own"),
    "contact_penalty": ("default", "own"),
    # time and loads
    "time": ("steps", "step", "end"),
    "start": ("strain", "gradient", "both", "by_group", "rest"),
    "pressure": ("none", "constant", "curve"),
    "follow": ("default", "no", "yes"),
    "in_cracks": ("no", "yes"),
    "support": ("none", "fixed", "driven"),
    "absorb": ("no", "yes"),
    "body_force": ("none", "constant", "curve"),
    "contact": ("none", "some"),
    "obstacles": ("none", "walls", "disc"),
    "curve": ("table", "exponential", "linear_decay", "half_sine", "file"),
    # output
    "probes": ("none", "some"),
    "lines": ("none", "straight", "on"),
    "format": ("vtu", "vtkhdf"),
    "fields": ("all", "few", "more"),
    "real": ("float", "double"),
    "compression": ("zlib", "lz4", "none"),
    "frames": ("every", "interval", "ends"),
    # run
    "precision": ("double", "single"),
    "assembly": ("gather", "coloured"),
}

FINITE = ("st_venant_kirchhoff", "neo_hookean")
PLASTIC = ("j2", "j2_table")


def others(feature, *levels):
    """All levels of a feature but these."""
    return tuple(level for level in FEATURES[feature] if level not in levels)


# Levels that do not go together: the first of these with any of the second. The program refuses them in a report that has
# the text at the end; None: such a case cannot be written.
EXCLUDED = [
    ("cohesive", ("none",), {name: others(name, FEATURES[name][0]) for name in (
        "facets", "strength", "softening", "tangential", "rate", "friction", "every", "aggregate", "selection",
        "insertion_region", "stiffness_safety", "contact_penalty")}, None),
    ("shape", ("file", "cracked_file"), {"pattern": ("delaunay",)}, None),
    ("assembly", ("coloured",), {"law": others("law", "linear_elastic"), "materials": ("two_laws",),
                                 "artificial_viscosity": ("some",), "friction": ("some",), "contact": ("some",),
                                 "obstacles": ("walls", "disc")}, "gather"),
    ("plane", ("stress",), {"law": ("neo_hookean",)}, "plane"),
    ("erosion", ("some",), {"law": others("law", *PLASTIC)}, "erosion"),
    ("erosion", ("some",), {"contact": ("some",), "obstacles": ("walls", "disc")}, "erosion"),
    ("follow", ("yes",), {"law": others("law", *FINITE)}, "follow"),
    ("start", ("rest",), {"pressure": ("none",)}, None),  # nothing would happen
    ("follow", ("no", "yes"), {"pressure": ("none",)}, None),
    ("in_cracks", ("yes",), {"pressure": ("none",)}, None),
    ("in_cracks", ("yes",), {"cohesive": ("none",)}, None),
    ("cohesive", ("linear",), {"softening": ("own",)}, None),
    ("format", ("vtkhdf",), {"compression": ("lz4",)}, "compression"),
]


def pair(feature, level, other, other_level):
    """A pair of levels, the same in either order."""
    return tuple(sorted(((feature, level), (other, other_level))))


REFUSED = {pair(feature, level, other, other_level): says for feature, levels, rest, says in EXCLUDED
           for level in levels for other, other_levels in rest.items() for other_level in other_levels}


def with_implied(excluded):
    """These pairs, and those that leave no level to a third feature: erosion takes a law that `coloured` does not have."""
    items = [(feature, level) for feature in FEATURES for level in FEATURES[feature]]
    while True:
        implied = {pair(*one, *other) for one, other in itertools.combinations(items, 2) if one[0] != other[0] and any(
            all(pair(*one, third, level) in excluded or pair(*other, third, level) in excluded for level in FEATURES[third])
            for third in FEATURES if third not in (one[0], other[0]))} - excluded
        if not implied:
            return excluded
        excluded = excluded | implied


EXCLUDED_PAIRS = with_implied(set(REFUSED))


def goes_with(chosen, feature, level):
    """Whether a level goes with all levels chosen so far."""
    return all(pair(feature, level, other, other_level) not in EXCLUDED_PAIRS for other, other_level in chosen.items())


def allowed_pairs():
    """All pairs of levels of two features that go together."""
    return {pair(one, level, other, other_level) for one, other in itertools.combinations(FEATURES, 2)
            for level in FEATURES[one] for other_level in FEATURES[other]} - EXCLUDED_PAIRS


class Body:
    """The numbers that the loads of a case refer to, and places and groups of its shape."""

    def __init__(self, levels, rng, wild):
        self.size = 10 ** rng.uniform(-3, -1)  # m
        self.young = 10 ** rng.uniform(9, 11.5)
        self.density = 10 ** rng.uniform(3, 4)
        self.strain = 10 ** (rng.uniform(-3.2, -2) if wild else rng.uniform(-3, -2.3))  # at which it breaks, about
        self.strength = self.strain * self.young
        self.speed = (self.young / self.density) ** 0.5
        self.time = self.size / self.speed  # that a wave takes through the body
        # Quads along the size. Each becomes 16 triangles with `refine`. Ranks need blocks of 128 triangles.
        self.rows = 4 if levels["refine"] else 8
        self.cell = self.size / self.rows
        self.facet = self.size / 8
        self.energy = self.strength**2 / self.young * self.facet * 10 ** (rng.uniform(-0.3, 1) if wild else rng.uniform(-0.5, 0.5))


def between(rng, low, high, digits=3):
    return round(rng.uniform(low, high), digits)


def shape_of(body, levels, rng):
    """The keys of the mesh; x of the middle, a point and a line in the body, a box around it; groups of the boundary that loads
    and a line are on."""
    s, rows, cell = body.size, body.rows, body.cell
    name = levels["shape"]
    plate = {"middle": 0.625 * s, "at": [0.27 * s, 0.31 * s], "line": ([0.05 * s, 0.06 * s], [0.9 * s, 0.27 * s]),
             "box": [0, 0, 1.25 * s, s], "pressed": "left", "held": "bottom", "moved": "right", "absorbing": "top", "along": "top"}
    if name in ("rectangle", "notched"):
        mesh = {"shape": "rectangle", "size": [1.25 * s, s], "divisions": [rows * 5 // 4, rows]}
        if name == "notched":
            mesh["notch"] = {"length": 1.25 * s / mesh["divisions"][0] * (rows // 2)}
        return mesh, plate
    if name in ("file", "cracked_file"):
        return {"file": "plate.msh"} | ({"cracks": ["slit"]} if name == "cracked_file" else {}), plate | (
            {"pressed": "slit"} if name == "cracked_file" else {})
    if name == "ring":
        return {"shape": "ring", "inner_radius": s, "outer_radius": 1.5 * s, "divisions": [-(-rows * 3 // 8), rows * 7 // 2]}, {
            "middle": 0, "at": [1.02 * s, 0.001 * s], "line": ([1.02 * s, 0.001 * s], [1.18 * s, 0.4 * s]),
            "box": [-1.5 * s, -1.5 * s, 1.5 * s, 1.5 * s], "pressed": "inner", "held": "outer", "moved": "outer", "absorbing": "inner", "along": "outer"}
    if name == "disc":
        return {"shape": "disc", "radius": s, "cell_size": 1.4 * cell, "platen": {"length": 0.6 * s}}, {
            "middle": 0, "at": [0.11 * s, 0.13 * s], "line": ([-0.5 * s, 0.1 * s], [0.5 * s, 0.2 * s]),
            "box": [-s, -s, s, s], "pressed": "upper_platen", "held": "lower_platen", "moved": "lower_platen", "absorbing": "upper_platen", "along": "outer"}
    if name == "plate_with_hole":
        return {"shape": "plate_with_hole", "size": [2 * s, s], "cell_size": 1.4 * cell, "hole": {"radius": 0.15 * s}}, plate | {
            "middle": s, "box": [0, 0, 2 * s, s], "pressed": "hole", "along": "hole"}
    if name == "kalthoff":
        notch = {"length": 0.5 * s, "spacing": 0.7 * s}
        return {"shape": "kalthoff", "size": [s, 2 * s], "cell_size": 1.1 * cell, "notch": notch}, plate | {
            "middle": 0.5 * s, "box": [0, 0, s, 2 * s], "pressed": "left_between"}
    if name == "compact_tension":
        return {"shape": "compact_tension", "width": s, "cell_size": 1.2 * cell, "notch": {"length": 0.45 * s}}, {
            "middle": 0.6 * s, "at": [0.77 * s, 0.31 * s], "line": ([0.6 * s, -0.5 * s], [0.9 * s, 0.5 * s]),
            "box": [-0.25 * s, -0.6 * s, s, 0.6 * s], "pressed": "notch", "held": "lower_pin", "moved": "upper_pin", "absorbing": "right", "along": "right"}
    return {"shape": "compact_compression", "size": [1.5 * s, 1.75 * s], "cell_size": 1.5 * cell, "hole": {"radius": 0.3 * s},
            "notch": {"length": 0.25 * s}, "platen": {"length": 0.4 * s}}, {
        "middle": 0.7 * s, "at": [1.1 * s, 0.31 * s], "line": ([0.9 * s, 0.2 * s], [1.2 * s, 1.5 * s]),
        "box": [0, 0, 1.5 * s, 1.75 * s], "pressed": "upper_platen", "held": "lower_platen", "moved": "upper_platen", "absorbing": "right", "along": "right"}


def case_of(levels, rng, wild=False, exact_powers=False):
    """The case with these levels as a dictionary, and the text of its other files by name.

    wild: magnitudes of loads that may also break nothing, or so much that the run fails; exact_powers: without exponents
    that are not whole, as a GPU rounds std::pow in another way."""
    body = Body(levels, rng, wild)
    mesh, place = shape_of(body, levels, rng)
    files = {}
    if "file" in mesh:
        files["plate.msh"] = plate_file(levels, body)
    else:
        mesh |= {"element": levels["element"], "pattern": levels["pattern"]}
    mesh["numbering"] = levels["numbering"]
    if levels["perturbation"] == "some":
        mesh["perturbation"] = {"amplitude": between(rng, 0.02, 0.12), "seed": rng.randint(1, 10**6)}
    refine_mesh(mesh, place, body, levels, rng)
    if levels["thickness"] == "own":
        mesh["thickness"] = 10 ** rng.uniform(-4, -2)
    case = {"title": "combination", "mesh": mesh, "material": materials(body, levels, rng)}
    if levels["cohesive"] != "none":
        case["cohesive"] = cohesive(body, place, levels, rng, exact_powers)
    if levels["materials"] != "one" or levels["facets"] != "all" or levels["start"] == "by_group":
        far, middle = 10 * body.size, place["middle"]
        mesh["regions"] = {"west": {"box": [-far, -far, middle, far]}, "east": {"box": [middle, -far, far, far]}}
    case["time"] = time(body, levels, rng, wild)
    if initial := start(body, levels, rng, wild):
        case["initial"] = initial
    load(case, files, body, place, levels, rng, wild)
    meet(case, body, place, levels, rng, wild)
    case["output"] = output(body, place, levels, rng)
    case["run"] = {"precision": levels["precision"], "assembly": levels["assembly"]}
    return case, files


def refine_mesh(mesh, place, body, levels, rng):
    if levels["refine"]:
        mesh["refine"] = levels["refine"]
    point = lambda at: {"at": at, "size": body.facet * between(rng, 0.4, 0.6), "growth": between(rng, 0.3, 1, 2)}
    if levels["grading"] == "one":
        mesh["grading"] = point(place["at"])
    if levels["grading"] == "two":
        mesh["grading"] = [point(place["at"]), point(place["line"][1])]


def materials(body, levels, rng):
    def numbers(law, scale=1):
        material = {"law": "j2" if law in PLASTIC else law, "young_modulus": scale * body.young,
                    "poisson_ratio": between(rng, 0, 0.4, 2), "density": body.density, "plane": levels["plane"]}
        if law == "kelvin_voigt":
            viscosity = body.young * body.time * 10 ** rng.uniform(-3.5, -2)
            material |= {"viscosity": viscosity, "bulk_viscosity": rng.choice([0, viscosity / 3])}
        if law in PLASTIC:
            first = body.strength * rng.uniform(0.7, 2)
            material |= {"yield_stress": first, "hardening": {"linear": body.young * rng.uniform(0, 0.1)} if law == "j2" else {
                "table": [[0, first], [0.003, 1.2 * first], [0.02, 1.3 * first]]}}
        if levels["erosion"] == "some" and law == levels["law"]:
            material["erosion"] = {"plastic_strain": body.strain * rng.uniform(0.3, 1)}
        if levels["artificial_viscosity"] == "some":
            material["artificial_viscosity"] = {"linear": between(rng, 0, 0.2), "quadratic": between(rng, 0, 1.5)}
        return material

    law = levels["law"]
    first = numbers(law)
    if levels["materials"] == "one":
        return first
    if levels["materials"] == "same_twice":
        return [first, first | {"on": "east"}]
    if levels["materials"] == "two":
        return [first, numbers(law, rng.uniform(0.5, 2)) | {"on": "east"}]
    other = {"linear_elastic": "kelvin_voigt", "st_venant_kirchhoff": "neo_hookean" if levels["plane"] == "strain" else law,
             "neo_hookean": "st_venant_kirchhoff"}.get(law, "linear_elastic")
    return [first, numbers(other, rng.uniform(0.5, 2)) | {"on": "east"}]


def cohesive(body, place, levels, rng, exact_powers):
    law = levels["cohesive"]

    def mode(strength):
        made = {"strength": strength, "energy": body.energy * rng.uniform(0.5, 2)}
        if law == "ppr" and levels["softening"] == "own":
            made["shape"] = rng.choice([3, 4 if exact_powers else 1.7])
        return made

    def strength(scale=1):
        value = scale * body.strength * rng.uniform(0.8, 1.2)
        if levels["strength"] == "number":
            return value
        if levels["strength"] == "uniform":
            return {"uniform": {"from": 0.7 * value, "to": 1.2 * value, "seed": rng.randint(0, 99)}}
        return {"weibull": {"scale": value, "modulus": between(rng, 4, 20, 1), "seed": rng.randint(0, 99)} | (
            {"reference_length": body.facet} if levels["strength"] == "weibull_by_length" else {})}

    made = {"law": law, "normal": mode(strength()), "insertion": {
        "every": levels["every"], "aggregate": levels["aggregate"], "selection": levels["selection"]}}
    if law == "exponential" and levels["softening"] == "own":
        made["initial_opening"] = between(rng, 0.01, 0.1)
    if levels["tangential"] == "own":
        made["tangential"] = mode(body.strength * rng.uniform(0.8, 1.5))
    if levels["rate"] == "some":
        made["rate"] = {"reference": body.strain / body.time * 10 ** rng.uniform(-1, 1), "exponent": between(rng, 0.01, 0.3)}
    if levels["friction"] == "some":
        made["friction"] = between(rng, 0.05, 1, 2)
    if levels["insertion_region"] == "box":
        far = 10 * body.size
        made["insertion"]["region"] = {"box": [-far, -far, place["middle"] + 0.2 * body.size, far]}
    if levels["stiffness_safety"] == "own":
        made["stiffness_safety"] = between(rng, 0.1, 0.5, 2)
    if levels["contact_penalty"] == "own":
        made["contact_penalty"] = between(rng, 1, 30, 1)
    if levels["facets"] == "all":
        return made
    if levels["facets"] == "only_between":
        return [made | {"between": ["east", "west"]}]
    where = {"on": "east"} if levels["facets"] == "on" else {"between": ["east", "west"]}
    return [made, where | {"normal": {"strength": strength(rng.uniform(0.5, 2)), "energy": body.energy * rng.uniform(0.3, 3)}}]


def time(body, levels, rng, wild):
    steps = rng.randint(150, 900) if wild else rng.randint(90, 130)
    safety = between(rng, 0.15, 0.6 if wild else 0.4, 2)
    if levels["time"] == "steps":
        return {"safety": safety, "steps": steps}
    # Below the critical step of the smallest triangles, those of `grading` and `delaunay` too.
    step = 0.02 * body.size / 8 / body.speed * (1 if levels["grading"] == "none" else 0.5)
    return {"step": 0.75 * step, "steps": steps} if levels["time"] == "step" else {"safety": safety, "end": steps * step}


def start(body, levels, rng, wild):
    """Strain, velocity, or both: they break a body within the run unless they are wild."""
    first = {}
    if levels["start"] in ("strain", "both"):
        low, high = (0.2, 1.2) if wild else (0.8, 2)
        first["strain"] = {"xx": body.strain * rng.uniform(low, high), "yy": body.strain * rng.uniform(low, high),
                           "xy": body.strain * rng.uniform(0, 0.3)}
    rate = body.strain / body.time * (rng.uniform(0.3, 3) if wild else rng.uniform(5, 15))
    if levels["start"] in ("gradient", "both"):
        first["velocity_gradient"] = {"xx": rate, "yy": rate * rng.uniform(0, 1), "xy": 0.3 * rate}
    if levels["start"] == "by_group":
        speed = rng.uniform(0.2, 0.6) * rate * body.size
        return [{"velocity": {"y": 0.2 * speed}}, {"on": "east", "velocity": {"x": rng.choice([-0.5, 1]) * speed}}]
    return first


def load(case, files, body, place, levels, rng, wild):
    boundary = []
    if levels["pressure"] != "none":
        entry = {"on": place["pressed"], "pressure": body.strength * (
            rng.uniform(-2, 2) if wild else rng.choice([-4, -2, 2]) * rng.uniform(0.7, 1))}
        if levels["pressure"] == "curve":
            entry["curve"] = "pulse"
        if levels["follow"] != "default":
            entry["follow"] = levels["follow"] == "yes"
        if levels["in_cracks"] == "yes":
            entry["in_cracks"] = True
        boundary.append(entry)
    if levels["absorb"] == "yes":
        boundary.append({"on": place["absorbing"], "absorb": True})
    if levels["support"] == "fixed":
        boundary.append({"on": place["held"], "fix": rng.choice(["x", "y", ["x", "y"]])})
    if levels["support"] == "driven":
        speed = body.strain * body.speed * (rng.uniform(0.2, 1.5) if wild else rng.uniform(1, 4))
        boundary.append({"on": place["moved"], "velocity": {rng.choice(["x", "y"]): speed}, "curve": "pulse"})
    if boundary:
        case["boundary"] = boundary
    if levels["body_force"] != "none":
        case["body_force"] = {"x": body.strain * body.speed**2 / body.size, "y": -0.5 * body.strain * body.speed**2 / body.size}
        if levels["body_force"] == "curve":
            case["body_force"]["curve"] = "pulse"
    lasts = body.time * rng.uniform(0.3, 3)
    points = [[0, 0.5], [0.1 * lasts, 1], [lasts, 0.2]]
    if levels["curve"] == "file":
        files["pulse.csv"] = "time,value\n" + "".join(f"{t!r},{value!r}\n" for t, value in points)
    case["curves"] = {"pulse": {levels["curve"]: points if levels["curve"] == "table" else
                                "pulse.csv" if levels["curve"] == "file" else lasts}}


def meet(case, body, place, levels, rng, wild):
    """Contact of the body with itself, and obstacles that it meets as it grows or that come to meet it."""
    friction = lambda: rng.choice([0, between(rng, 0.1, 1, 2)])
    if levels["contact"] == "some":
        case["contact"] = {"friction": friction()} | ({"penalty": between(rng, 1, 30, 1)} if rng.random() < 0.5 else {})
    if levels["obstacles"] == "none":
        return
    x0, y0, x1, y1 = place["box"]
    grown = body.strain * max(abs(x0), abs(y0), x1, y1)
    gap = grown * (rng.uniform(2.3, 2.5) if levels["start"] in ("strain", "both") else rng.uniform(0.02, 0.2))
    speed = body.strain * body.speed * (rng.uniform(0.2, 3) if wild else rng.uniform(1, 3))
    if levels["obstacles"] == "walls":
        case["obstacles"] = [
            {"name": "floor", "plane": {"point": [x0, y0 - gap], "normal": [0, 2]}, "friction": friction()},
            {"name": "lid", "plane": {"point": [x1, y1 + gap], "normal": [0, -1]}, "velocity": {"y": -speed}, "curve": "pulse"},
            {"name": "east_wall", "plane": {"point": [x1 + gap, y0], "normal": [-1, 0]}, "friction": friction()}]
    else:
        radius = 0.3 * body.size
        mass = body.density * body.size**2 * case["mesh"].get("thickness", 1e-3) * rng.uniform(0.05, 2)
        case["obstacles"] = [{"name": "ball", "disc": {"centre": [x1 + gap + radius, 0.4 * y0 + 0.6 * y1], "radius": radius},
                              "mass": mass, "velocity": {"x": -speed, "y": 0.3 * speed}, "friction": friction()}]


def output(body, place, levels, rng):
    made = {"history_every": rng.choice([1, 5, 7]), "format": levels["format"], "real": levels["real"],
            "compression": levels["compression"], "fields": {
                "all": "all", "few": ["displacement", "fragment", "traction_normal"],
                "more": ["all", "strain", "pressure", "equivalent_strain", "largest_shear_stress"]}[levels["fields"]]}
    if levels["frames"] == "every":
        made["fields_every"] = rng.choice([7, 20, 33])
    if levels["frames"] == "interval":
        made["fields_interval"] = 0.02 * body.time
    if levels["probes"] == "some":
        made["probes"] = [{"name": "p", "at": place["at"], "every": rng.choice([1, 4, 9])}]
    if levels["lines"] != "none":
        line = {"on": place["along"]} if levels["lines"] == "on" else {"from": place["line"][0], "to": place["line"][1]}
        made["lines"] = [{"name": "l", "points": rng.randint(2, 40), "every": rng.choice([1, 4, 9])} | line]
    return made


def plate_file(levels, body):
    """A rectangle as a .msh file: quads cut by both diagonals, its sides as groups, and the group of lines `slit` inside it."""
    columns, rows = body.rows * 5 // 4, body.rows
    quadratic = levels["element"] == "T6"
    ids, nodes = {}, []

    def node(x, y):  # in quarters of quads
        if (x, y) not in ids:
            ids[x, y] = len(nodes) + 1
            nodes.append((x * body.cell / 4, y * body.cell / 4))
        return ids[x, y]

    def simplex(corners):
        """Its nodes: corners, then the middles of its sides in order."""
        sides = [(0, 1), (1, 2), (2, 0)] if len(corners) == 3 else [(0, 1)]
        middles = [((corners[i][0] + corners[j][0]) // 2, (corners[i][1] + corners[j][1]) // 2) for i, j in sides]
        return [node(*at) for at in corners + (middles if quadratic else [])]

    elements = []
    line, triangle = (8, 9) if quadratic else (1, 2)
    slit = range(columns // 4, columns // 2 + 1)
    width, height = 4 * columns, 4 * rows
    sides = [*((1, [(0, 4 * j + 4), (0, 4 * j)]) for j in range(rows)), *((2, [(width, 4 * j), (width, 4 * j + 4)]) for j in range(rows)),
             *((3, [(4 * i, 0), (4 * i + 4, 0)]) for i in range(columns)), *((4, [(4 * i + 4, height), (4 * i, height)]) for i in range(columns)),
             *((5, [(4 * i, height // 2), (4 * i + 4, height // 2)]) for i in slit)]
    elements += [(line, group, simplex(ends)) for group, ends in sides]
    for j, i in itertools.product(range(rows), range(columns)):
        corners = [(4 * i, 4 * j), (4 * i + 4, 4 * j), (4 * i + 4, 4 * j + 4), (4 * i, 4 * j + 4)]
        for k in range(4):
            elements.append((triangle, 6, simplex([corners[k], corners[(k + 1) % 4], (4 * i + 2, 4 * j + 2)])))
    names = ["left", "right", "bottom", "top", "slit"]
    return "\n".join(
        ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "6", *(f'1 {n} "{name}"' for n, name in enumerate(names, 1)),
         '2 6 "plate"', "$EndPhysicalNames", "$Nodes", str(len(nodes)), *(f"{n} {x!r} {y!r} 0" for n, (x, y) in enumerate(nodes, 1)),
         "$EndNodes", "$Elements", str(len(elements)),
         *(f"{n} {kind} 2 {group} {group} {' '.join(map(str, its))}" for n, (kind, group, its) in enumerate(elements, 1)),
         "$EndElements", ""])
