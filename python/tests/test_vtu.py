import pickle
import re
import shutil
import zlib

import numpy as np
import pytest

import cleave
from cleave.vtu import read_vtu
from conftest import write_body


def compressed(values, block):
    """As the program does: number, size and last size of blocks, their compressed sizes, then these."""
    data = values.tobytes()
    blocks = [zlib.compress(data[i:i + block]) for i in range(0, len(data), block)]
    head = [len(blocks), block, len(data) % block, *map(len, blocks)]
    return np.array(head, dtype="<u8").tobytes() + b"".join(blocks)


def test_arrays_of_several_blocks(tmp_path):
    points, cells = np.arange(90.0).reshape(-1, 3), np.arange(30, dtype=np.int32).reshape(-1, 3)
    first, second = compressed(points, 160), compressed(cells, 50)
    (tmp_path / "a.vtu").write_bytes(
        b'<VTKFile compressor="vtkZLibDataCompressor"><Piece NumberOfPoints="30" NumberOfCells="10"><PointData/><CellData/>'
        b'<Points><DataArray type="Float64" Name="Points" NumberOfComponents="3" offset="0"/></Points>'
        b'<Cells><DataArray type="Int32" Name="connectivity" offset="%d"/></Cells></Piece>'
        b'<AppendedData encoding="raw">\n   _' % len(first) + first + second)
    read_points, read_cells, _, _ = read_vtu(tmp_path / "a.vtu")
    assert (read_points == points).all() and (read_cells == cells).all()
    read_points[0] = 1  # arrays belong to who asked for them


def test_frames_go_to_other_processes(results):
    frame = results.frames[-1]
    copied = pickle.loads(pickle.dumps(frame))
    assert copied.point_data.keys() == frame.point_data.keys() and (copied["stress"] == frame["stress"]).all()


def test_damaged_files_are_named(directory, tmp_path):
    good = (directory / "bulk_000010.vtu").read_bytes()
    write_body(tmp_path / "plain.vtu")
    plain = (tmp_path / "plain.vtu").read_bytes()
    offset = int(re.search(rb'"connectivity"[^>]*offset="(\d+)"', good).group(1))
    block = good.index(b"_", good.index(b"<AppendedData")) + 1 + offset + 4 * 8
    damaged = {"flipped": good[:block] + b"\xff\xff" + good[block + 2:],
               "cut": good[: len(good) // 2], "cut_plain": plain[:-40], "head": good[:300], "empty": b"",
               "no_piece": plain.replace(b"Piece", b"Pieces"), "no_cells": plain.replace(b"connectivity", b"offsets"),
               "no_arrays": plain.replace(b"CellData", b"CellDato"), "no_offset": plain.replace(b"offset=", b"offsat="),
               "other_type": plain.replace(b"Float64", b"Float16")}
    for name, content in damaged.items():
        path = tmp_path / f"{name}.vtu"
        path.write_bytes(content)
        with pytest.raises(cleave.ResultsError, match=f"{name}.vtu: not a frame that Cleave has written .*; run the case again"):
            for arrays in read_vtu(path)[2:]:
                dict(arrays)  # each is read when it is asked for
    shutil.copy(directory / "bulk_000010.vtu", tmp_path)
    assert len(read_vtu(tmp_path / "bulk_000010.vtu")[1]) == 256
