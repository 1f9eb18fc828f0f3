import numpy as np
import pytest

from cleave.frames import Frame
from cleave.mesh_quality import mesh_quality
from conftest import body


def test_a_square_of_right_triangles():
    points, cells = body()
    quality = mesh_quality(Frame(0, 0.0, points[:, :2], cells, "triangle", {}, {}))
    assert (quality.shortest, quality.longest) == pytest.approx((1e-3, 2**0.5 * 1e-3))
    assert (quality.smallest_angle, quality.largest_angle) == pytest.approx((45.0, 90.0))
    assert quality.area == pytest.approx(16e-6)
    assert quality.mean == pytest.approx((2 + 2**0.5) / 3 * 1e-3)


def test_an_obtuse_triangle():
    points = np.array([[0, 0], [2, 0], [-1, 1]], dtype=float)
    quality = mesh_quality(Frame(0, 0.0, points, np.array([[0, 1, 2]]), "triangle", {}, {}))
    assert quality.largest_angle == pytest.approx(135.0) and quality.area == pytest.approx(1.0)
