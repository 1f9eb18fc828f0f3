"""Frames of a run, from .vtu files or a .vtkhdf file."""
import collections.abc
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field, replace

import numpy as np

from .errors import ResultsError, choose
from .vtu import read_vtu

_VTK_TYPES = {"triangle": 5, "triangle6": 22, "line": 3, "line3": 21}
_CELL_NAMES = {("bulk", 3): "triangle", ("bulk", 6): "triangle6", ("cracks", 2): "line", ("cracks", 3): "line3",
               ("obstacles", 3): "triangle"}


@dataclass
class Frame:
    """One state of the body, or of the cohesive elements. Lengths in m, undeformed; arrays as in the files."""

    number: int
    time: float  # s
    points: np.ndarray  # [node, 2], initial positions, m
    cells: np.ndarray  # [cell, node of the cell]; corners first
    cell_type: str  # triangle, triangle6, line, line3
    point_data: dict = field(repr=False)
    cell_data: dict = field(repr=False)

    def __getitem__(self, name):
        """An array by its name: point data if present, else cell data."""
        choose(name, dict.fromkeys([*self.point_data, *self.cell_data]), "array")
        return self.point_data[name] if name in self.point_data else self.cell_data[name]

    def displaced(self, factor=1.0, array="displacement"):
        """Points moved by `factor` times their displacement, m."""
        return self.points + factor * self[array][:, :2] if len(self.points) else self.points

    def standing(self):
        """The body without eroded triangles (fragment -1) and without nodes that only these have."""
        keep = self.cell_data.get("fragment", np.zeros(len(self.cells))) >= 0
        if keep.all():
            return self
        nodes, cells = np.unique(self.cells[keep], return_inverse=True)
        return replace(self, points=self.points[nodes], cells=cells.reshape(-1, self.cells.shape[1]),
                       point_data={name: values[nodes] for name, values in self.point_data.items()},
                       cell_data={name: values[keep] for name, values in self.cell_data.items()})

    def to_meshio(self):
        try:
            import meshio
        except ImportError:
            raise ResultsError("meshio is not installed; pip install meshio") from None
        points = np.column_stack([self.points, np.zeros(len(self.points))])
        return meshio.Mesh(points, [(self.cell_type, self.cells)], self.point_data,
                           {name: [values] for name, values in self.cell_data.items()})

    def to_pyvista(self):
        try:
            import pyvista
        except ImportError:
            raise ResultsError("pyvista is not installed; pip install pyvista") from None
        points = np.column_stack([self.points, np.zeros(len(self.points))])
        grid = pyvista.UnstructuredGrid({_VTK_TYPES[self.cell_type]: self.cells}, points)
        grid.point_data.update(self.point_data)
        grid.cell_data.update(self.cell_data)
        return grid


class Series(collections.abc.Sequence):
    """Frames of one kind; each is read on access. `times` in s."""

    def __init__(self, file, kind, times):
        self.file, self.kind, self.times = file, kind, np.asarray(times, dtype=float)

    def __len__(self):
        return len(self.times)

    def __getitem__(self, number):
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no frame {number}: there are {len(self)}, from 0")
        return self._read(number % len(self))

    def _frame(self, number, points, cells, point_data, cell_data):
        name = _CELL_NAMES.get((self.kind, cells.shape[1]), "line")
        return Frame(number, float(self.times[number]), points[:, :2], cells, name, point_data, cell_data)


class VtuSeries(Series):
    """bulk.pvd or cracks.pvd with a .vtu file for each frame."""

    def __init__(self, file, kind):
        try:
            entries = list(ElementTree.parse(file).iter("DataSet"))
            self._files = [file.parent / entry.get("file") for entry in entries]
            super().__init__(file, kind, [float(entry.get("timestep")) for entry in entries])
        except OSError as error:
            raise ResultsError(f"{file}: cannot be read ({error.strerror}); check the permissions") from None
        except (ElementTree.ParseError, TypeError, ValueError, LookupError):
            raise ResultsError(f"{file}: not a list of frames; run the case again") from None
        if not self._files:
            raise ResultsError(f"{file}: no frames yet; wait until the run has written some")

    def _read(self, number):
        file = self._files[number]
        if not file.exists():
            raise ResultsError(f"{file}: no such file, though {self.file} names it; run the case again")
        return self._frame(number, *read_vtu(file))


class HdfSeries(Series):
    """bulk.vtkhdf or cracks.vtkhdf with all frames in one file."""

    def __init__(self, file, kind):
        with self._open(file) as root:
            steps = root["VTKHDF/Steps"]
            count = int(steps.attrs["NSteps"])
            super().__init__(file, kind, steps["Values"][:count])

    @staticmethod
    def _open(file):
        try:
            import h5py
        except ImportError:
            raise ResultsError(f"{file}: needs h5py; pip install h5py, or run with `output.format: vtu`") from None
        try:
            return h5py.File(file, "r")
        except OSError as error:
            raise ResultsError(f"{file}: cannot be read ({error}); when the run goes on, try again") from None

    def _read(self, number):
        with self._open(self.file) as file:
            root = file["VTKHDF"]
            points, cells, ids = (int(root[name][number])
                                  for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"))
            if points == 0:
                return self._frame(number, np.zeros((0, 2)), np.zeros((0, 2), dtype=int), {}, {})
            steps = root["Steps"]

            def rows(dataset, offsets, count):
                first = int(np.ravel(steps[offsets][number])[0])
                return root[dataset][first:first + count]

            connectivity = rows("Connectivity", "ConnectivityIdOffsets", ids).reshape(cells, -1)
            point_data, cell_data = (
                {name: rows(f"{kind}/{name}", f"{kind}Offsets/{name}", count) for name in root[kind]}
                for kind, count in (("PointData", points), ("CellData", cells)))
            return self._frame(number, rows("Points", "PointOffsets", points), connectivity, point_data, cell_data)


def open_series(directory, kind):
    """The frames of a kind, bulk or cracks, in either format."""
    for ending, series in ((".pvd", VtuSeries), (".vtkhdf", HdfSeries)):
        file = directory / (kind + ending)
        if file.exists():
            return series(file, kind)
    raise ResultsError(f"{directory}: has neither {kind}.pvd nor {kind}.vtkhdf; give the directory of a run")
