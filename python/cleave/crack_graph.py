"""Cracks as a graph: places of the undeformed body, joined by failed cohesive elements.

A place is the complex number x + iy, m, exactly as in the files: all copies of a node have the same place in all frames.
"""
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components


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

    def advances(self, times, start, end, boundary):
        """Distance that each tip has moved between two times, m; tips of cracks that are new do not count.

        times: [edge], s, when a crack has reached it; edges with a later time than `end` are not there yet

        A tip moves along an edge that is reached when one of its places has been. What a crack joins, and had broken ahead
        of it, is no way of its tip.
        """
        moved = np.full(len(self.places), np.inf)
        moved[self.edges[times <= start]] = 0.0
        new = np.flatnonzero((times > start) & (times <= end))
        new = new[np.argsort(times[new], kind="stable")]
        for together in np.split(new, np.flatnonzero(np.diff(times[new])) + 1):
            for _ in together:  # edges of one time follow each other in any order
                a, b = moved[self.edges[together]].T
                further = np.minimum(a, b) + self.lengths[together]
                open_ends = np.isinf(a) != np.isinf(b)
                if not open_ends.any():
                    break
                ahead = np.where(np.isinf(a), *self.edges[together].T)
                np.minimum.at(moved, ahead[open_ends], further[open_ends])
        degrees = np.bincount(self.edges[times <= end].ravel(), minlength=len(self.places))
        tips = (degrees == 1) & ~np.isin(self.places, boundary)
        return moved[tips & (moved > 0) & np.isfinite(moved)]

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
    _, first, count = np.unique(facets @ [facets.max(initial=0) + 1, 1], return_index=True, return_counts=True)
    facets = facets[first[count == 1]]
    if cracks is None or len(cracks.cells) == 0:
        return facets
    faces = places_of(cracks.points)[cracks.cells[:, :2]]
    places, ends = np.unique(np.concatenate([places_of(body.points)[facets], faces]), return_inverse=True)
    low, high = np.sort(ends.reshape(-1, 2), axis=1).T
    pairs = low * len(places) + high  # a number for each pair of ends
    return facets[~np.isin(pairs[:len(facets)], pairs[len(facets):])]
