"""Cracks as a graph: places of the undeformed body, joined by failed cohesive elements.

A place is the complex number x + iy, m, exactly as in the files: all copies of a node have the same place in all frames.
"""
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, dijkstra


@dataclass(frozen=True)
class CrackGraph:
    places: np.ndarray  # [place], complex, m, ascending
    edges: np.ndarray  # [edge, 2] of places
    lengths: np.ndarray  # [edge], m

    @property
    def components(self):
        """Number of cracks that do not touch each other."""
        return 0 if len(self.edges) == 0 else connected_components(self._matrix(self.edges, self.lengths))[0]

    def degrees(self):
        return np.bincount(self.edges.ravel(), minlength=len(self.places))

    def tips(self, boundary):
        """Places where a crack ends inside the body, that is at none of the boundary places."""
        return self.places[(self.degrees() == 1) & ~np.isin(self.places, boundary)]

    def branches(self):
        """Places where three or more parts of cracks meet."""
        return self.places[self.degrees() > 2]

    def advances(self, before, boundary):
        """Distance that each tip has moved along new edges since an earlier graph, m; tips of new cracks are left out."""
        old = np.isin(self.places, before.places)
        new = ~old[self.edges].all(axis=1)
        if not new.any() or not old.any():
            return np.zeros(0)
        matrix = self._matrix(self.edges[new], self.lengths[new])
        distance = dijkstra(matrix, directed=False, indices=np.flatnonzero(old), min_only=True)
        reached = distance[np.isin(self.places, self.tips(boundary))]
        return reached[np.isfinite(reached) & (reached > 0)]

    def _matrix(self, edges, lengths):
        return csr_matrix((lengths, (edges[:, 0], edges[:, 1])), shape=(len(self.places),) * 2)


def places_of(points):
    """Points [n, 2] as places."""
    return points[:, 0] + 1j * points[:, 1]


def crack_graph(frame, chosen):
    """The graph of the chosen (bool by cell) cohesive elements of a frame."""
    corners = places_of(frame.points)[frame.cells[chosen][:, :2]]
    places, edges = np.unique(corners, return_inverse=True)
    return CrackGraph(places, edges.reshape(-1, 2), np.abs(corners[:, 1] - corners[:, 0]))


def boundary_facets(body, cracks=None):
    """Nodes [facet, 2] of facets that belong to one triangle only: the boundary of the body, notches included.

    cracks: the cohesive elements at the same time, whose faces are not boundary; None for an intact body
    """
    corners = body.cells[:, :3]
    facets = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), axis=1)
    facets, count = np.unique(facets, axis=0, return_counts=True)
    facets = facets[count == 1]
    if cracks is None or len(cracks.cells) == 0:
        return facets
    faces = places_of(cracks.points)[cracks.cells[:, :2]]
    places, ends = np.unique(np.concatenate([places_of(body.points)[facets], faces]), return_inverse=True)
    low, high = np.sort(ends.reshape(-1, 2), axis=1).T
    pairs = low * len(places) + high  # a number for each pair of ends
    return facets[~np.isin(pairs[:len(facets)], pairs[len(facets):])]
