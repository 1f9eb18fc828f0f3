"""Conversion of meshes of other programs to .msh files, by meshio."""
import pathlib

import numpy as np

from .errors import ResultsError

# meshio's name of a cell type: Gmsh's type and the dimension.
_SHAPES = {"vertex": (15, 0), "line": (1, 1), "line3": (8, 1), "triangle": (2, 2), "triangle6": (9, 2)}

# Prefixes of VTK arrays that mark the members of a group.
_GROUP, _FACETS = "group:", "facets:"


def convert_mesh(source, target):
    """Writes a mesh that meshio reads (Abaqus .inp, Exodus, MED and others) as a Gmsh 2.2 file, in ASCII.

    Sets of cells, names of MED, Gmsh's physical groups and the arrays `group:NAME` of VTK files (docs/user_guide.md, Groups)
    become groups of that name. In a set of points, boundary sides with all nodes in the set become lines of its group,
    unless an array `facets:NAME` gives the sides, so that conditions on facets can refer to it; other nodes become points.
    Raises ResultsError if there are no triangles, or other cells than triangles, lines and points.
    """
    target = pathlib.Path(target)
    if target.suffix != ".msh":
        raise ResultsError(f"{target}: end the name in .msh, the only format of the output")
    mesh = _read(source)
    blocks = _blocks(mesh, source)
    groups = _cell_groups(mesh) + _point_groups(mesh, blocks, _named_sides(mesh, blocks))
    target.write_text(_gmsh_text(mesh.points, blocks, groups))
    return target


def _read(source):
    try:
        import meshio
    except ImportError:
        raise ResultsError("meshio is missing: pip install meshio") from None
    if not pathlib.Path(source).is_file():
        raise ResultsError(f"{source}: no such file")
    try:
        return meshio.read(source)
    except (Exception, SystemExit) as error:  # its readers raise exceptions of many types
        raise ResultsError(f"{source}: meshio cannot read it ({error or type(error).__name__})") from None


def _blocks(mesh, source):
    """(type, cells) of each block. Raises ResultsError for cells other than points, lines and triangles of one order."""
    others = sorted({block.type for block in mesh.cells if block.type not in _SHAPES})
    if others:
        raise ResultsError(f"{source}: it holds cells of type {', '.join(others)}: only triangles with 3 or 6 nodes are "
                           "simulated")
    triangles = {block.type for block in mesh.cells if _SHAPES[block.type][1] == 2}
    if len(triangles) != 1:
        raise ResultsError(f"{source}: it holds {'both triangle and triangle6' if triangles else 'no triangles'}: "
                           "triangles of one order are needed")
    return [(block.type, np.asarray(block.data)) for block in mesh.cells]


def _cell_groups(mesh):
    """(name, block, indices of cells in the block) of each group of cells."""
    groups = []
    for name, cells in mesh.cell_sets.items():
        if name.startswith("gmsh:"):
            continue
        groups += [(name, b, np.asarray(ids, dtype=int)) for b, ids in enumerate(cells) if ids is not None and len(ids)]
    # VTK, as `cleave mesh` writes it: nonzero integers for cells of the group.
    for name, values in mesh.cell_data.items():
        if name.startswith(_GROUP):
            ids = [np.flatnonzero(block) for block in values]
            groups += [(name.removeprefix(_GROUP), b, cells) for b, cells in enumerate(ids) if len(cells)]
    # MED: a number for each cell, and the names of the groups with that number.
    tags = getattr(mesh, "cell_tags", None) or {}
    for b, values in enumerate(mesh.cell_data.get("cell_tags", [])):
        for number, names in tags.items():
            ids = np.flatnonzero(np.asarray(values) == number)
            groups += [(name, b, ids) for name in names if len(ids)]
    # Gmsh: a number for each cell, and one for each name and dimension.
    for b, values in enumerate(mesh.cell_data.get("gmsh:physical", [])):
        dimension = _SHAPES[mesh.cells[b].type][1]
        for name, (number, of) in mesh.field_data.items():
            ids = np.flatnonzero(np.asarray(values) == number)
            if of == dimension and len(ids):
                groups.append((name, b, ids))
    return groups


def _named_sides(mesh, blocks):
    """{name: sides} of the arrays facets:NAME, whose bits 1, 2, 4 are the sides opposite to corners 0, 1, 2."""
    named = {}
    for name, values in mesh.cell_data.items():
        if not name.startswith(_FACETS):
            continue
        sides = [cells[np.flatnonzero(np.asarray(bits) >> corner & 1)][:, _columns(cells, corner)]
                 for (kind, cells), bits in zip(blocks, values) if _SHAPES[kind][1] == 2 for corner in range(3)]
        sides = np.vstack(sides)
        # An inner side belongs to two triangles.
        _, first = np.unique(np.sort(sides[:, :2], axis=1), axis=0, return_index=True)
        named[name.removeprefix(_FACETS)] = sides[np.sort(first)]
    return named


def _columns(triangles, corner):
    """Nodes of the side opposite to a corner: both ends, then the mid-side node."""
    columns = [(1, 2, 4), (2, 0, 5), (0, 1, 3)][corner]
    return list(columns if triangles.shape[1] == 6 else columns[:2])


def _point_groups(mesh, blocks, named_sides):
    """(name, None, cells) of each set of points: lines of the boundary or of facets:NAME, and single points."""
    sets = {name: np.asarray(ids, dtype=int) for name, ids in mesh.point_sets.items()}
    sets |= {name.removeprefix(_GROUP): np.flatnonzero(values) for name, values in mesh.point_data.items()
             if name.startswith(_GROUP)}
    tags = getattr(mesh, "point_tags", None) or {}
    values = np.asarray(mesh.point_data.get("point_tags", []))
    for number, names in tags.items():
        for name in names:
            sets[name] = np.union1d(sets.get(name, np.array([], dtype=int)), np.flatnonzero(values == number))
    used = np.zeros(len(mesh.points), dtype=bool)
    for kind, cells in blocks:
        if _SHAPES[kind][1] == 2:
            used[cells] = True
    sides = _boundary(blocks) if sets else None
    groups = []
    for name, ids in sets.items():
        member = np.zeros(len(mesh.points), dtype=bool)
        member[ids] = True
        member &= used
        lines = named_sides[name] if name in named_sides else sides[member[sides].all(axis=1)]
        member[lines] = False
        groups += [(name, None, cells) for cells in (lines, np.flatnonzero(member)[:, None]) if len(cells)]
    return groups


def _boundary(blocks):
    """Sides that belong to one triangle only: both ends, then the mid-side node."""
    triangles = np.vstack([cells for kind, cells in blocks if _SHAPES[kind][1] == 2])
    sides = np.vstack([triangles[:, _columns(triangles, corner)] for corner in (2, 0, 1)])
    _, first, count = np.unique(np.sort(sides[:, :2], axis=1), axis=0, return_index=True, return_counts=True)
    return sides[np.sort(first[count == 1])]


def _gmsh_text(points, blocks, groups):
    points = np.column_stack([points, np.zeros((len(points), 3 - points.shape[1]))])
    numbers = {name: i + 1 for i, name in enumerate(dict.fromkeys(name for name, _, _ in groups))}
    of_cell = [[[] for _ in cells] for _, cells in blocks]
    added = []  # type, nodes, group
    for name, block, ids in groups:
        if block is None:
            kind = {1: 15, 2: 1, 3: 8}[ids.shape[1]]
            added += [(kind, nodes, numbers[name]) for nodes in ids]
        else:
            for i in ids:
                if numbers[name] not in of_cell[block][i]:  # meshio may return a Gmsh group twice
                    of_cell[block][i].append(numbers[name])
    elements = []
    names = set()
    dimension_of = dict(_SHAPES.values())
    for (kind, cells), physical in zip(blocks, of_cell):
        gmsh_type, dimension = _SHAPES[kind]
        for nodes, member in zip(cells, physical):
            # All triangles are simulated; lines and points only mark groups.
            elements += [(gmsh_type, nodes, number) for number in member or ([0] if dimension == 2 else [])]
    elements = added + elements
    for kind, _, number in elements:
        if number:
            names.add((dimension_of[kind], number))
    named = {number: name for name, number in numbers.items()}
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat"]
    if names:
        # In the order of the groups.
        ordered = sorted(names, key=lambda entry: (entry[1], entry[0]))
        lines += ["$PhysicalNames", str(len(names)), *(f'{d} {n} "{named[n]}"' for d, n in ordered), "$EndPhysicalNames"]
    lines += ["$Nodes", str(len(points)), *(f"{i} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(points.tolist(), 1)),
              "$EndNodes", "$Elements", str(len(elements))]
    lines += [f"{i} {kind} 2 {number} 1 {' '.join(str(node + 1) for node in nodes)}"
              for i, (kind, nodes, number) in enumerate(elements, 1)]
    return "\n".join([*lines, "$EndElements", ""])
