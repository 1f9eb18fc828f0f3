#!/usr/bin/env python3
"""Writes ipctk_distances.csv: random points and segments with their distance by ipctk, an independent library for
contact (https://pypi.org/project/ipctk, 1.6.1). Usage: ipctk_distances.py > ipctk_distances.csv"""
import random

import ipctk
import numpy

random.seed(1)
print("point_x,point_y,start_x,start_y,end_x,end_y,distance")
for case in range(200):
    # Short and long segments, and points far from the middle, beyond the ends and nearly on the line.
    start = numpy.array([random.uniform(-1, 1), random.uniform(-1, 1)])
    angle, length = random.uniform(0, 6.3), 10 ** random.uniform(-3, 0.5)
    along = length * numpy.array([numpy.cos(angle), numpy.sin(angle)])
    off = numpy.array([-along[1], along[0]]) * random.choice([1, 1e-3, 1e-6]) * random.uniform(-1, 1)
    point = start + random.uniform(-0.7, 1.7) * along + off
    squared = ipctk.point_edge_distance(point, start, start + along)
    print(",".join(repr(float(x)) for x in (*point, *start, *(start + along), squared**0.5)))
