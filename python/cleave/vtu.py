"""Reader of the program's .vtu files: one piece, arrays appended as raw bytes, plain or compressed by zlib.

meshio 5.3.5 fails on some files of earlier versions: it looks up an array by its offset after it has assigned that
offset to another array.
"""
import collections.abc
import contextlib
import functools
import xml.etree.ElementTree as ElementTree
import zlib

import numpy as np

from .errors import ResultsError

_TYPES = {"Float32": "<f4", "Float64": "<f8", "Int32": "<i4", "Int64": "<i8", "UInt8": "<u1"}
_SIZE = np.dtype("<u8")  # of the numbers in the header of an array


class Arrays(collections.abc.MutableMapping):
    """Arrays of a file by name; each is read when it is asked for, because a picture needs few of them."""

    def __init__(self, readers):
        self._values = dict(readers)

    def __getitem__(self, name):
        if callable(self._values[name]):
            self._values[name] = self._values[name]()
        return self._values[name]

    def __setitem__(self, name, values):
        self._values[name] = values

    def __delitem__(self, name):
        del self._values[name]

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __contains__(self, name):  # without reading it
        return name in self._values

    def __reduce__(self):  # copies, also those for other processes, have read all of them
        return dict, (dict(self),)


def read_vtu(path):
    """Returns points [n, 3], cells [m, k], and point and cell arrays by name. Raises ResultsError, also later from the arrays."""
    head, found, tail = path.read_bytes().partition(b'<AppendedData encoding="raw">')
    with _errors_about(path):
        root = ElementTree.fromstring(head + b"</VTKFile>" if found else head)
        compressor = root.get("compressor")
        if compressor in (None, "vtkZLibDataCompressor"):
            return _arrays_of(root.find(".//Piece"), tail[tail.find(b"_") + 1:], compressor is not None, path)
    raise ResultsError(f"{path}: its arrays are compressed by {compressor}; run with `output.compression: zlib`")


@contextlib.contextmanager
def _errors_about(path):
    try:
        yield
    except (ElementTree.ParseError, AttributeError, KeyError, TypeError, ValueError, zlib.error) as error:
        raise ResultsError(f"{path}: not a frame that Cleave has written ({error}); run the case again") from None


def _arrays_of(piece, data, compressed, path):
    def read(array):
        with _errors_about(path):
            return _array(array, data, compressed)

    def readers(parent):
        return {array.get("Name"): functools.partial(read, array) for array in piece.find(parent)}

    points, cells = int(piece.get("NumberOfPoints")), int(piece.get("NumberOfCells"))
    if points == 0:  # such a file has one cell without points, and no data
        return np.zeros((0, 3)), np.zeros((0, 2), dtype=int), {}, {}
    connectivity = readers("Cells")["connectivity"]().reshape(cells, -1)
    return readers("Points")["Points"](), connectivity, Arrays(readers("PointData")), Arrays(readers("CellData"))


def _array(array, data, compressed):
    """The values of an array, one row per tuple."""
    start = int(array.get("offset"))
    if compressed:
        count, _, _ = _sizes(data, start, 3)
        sizes = _sizes(data, start + 3 * _SIZE.itemsize, count)
        ends = start + (3 + count) * _SIZE.itemsize + np.cumsum([0, *sizes], dtype=int)
        content = bytearray().join(zlib.decompress(data[i:j]) for i, j in zip(ends, ends[1:]))
    else:
        (size,) = _sizes(data, start, 1)
        content = bytearray(data[start + _SIZE.itemsize:start + _SIZE.itemsize + size])
    values = np.frombuffer(content, dtype=_TYPES[array.get("type")])
    components = int(array.get("NumberOfComponents", "1"))
    return values.reshape(-1, components) if components > 1 else values


def _sizes(data, start, count):
    return np.frombuffer(data, dtype=_SIZE, count=count, offset=start).astype(int).tolist()
