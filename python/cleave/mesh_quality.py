"""Sizes and angles of the triangles of a mesh."""
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class MeshQuality:
    shortest: float  # side, m
    longest: float
    mean: float
    smallest_angle: float  # degrees
    largest_angle: float
    area: float  # sum of all triangles, m²


def mesh_quality(body):
    """Quality of the undeformed triangles in a frame of the body."""
    corners = body.points[body.cells[:, :3]]
    sides = np.roll(corners, -1, axis=1) - corners
    lengths = np.linalg.norm(sides, axis=2)
    before = -np.roll(sides, 1, axis=1)
    cosines = (sides * before).sum(axis=2) / (lengths * np.roll(lengths, 1, axis=1))
    angles = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
    areas = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]) / 2
    return MeshQuality(lengths.min(), lengths.max(), lengths.mean(), angles.min(), angles.max(), areas.sum())
