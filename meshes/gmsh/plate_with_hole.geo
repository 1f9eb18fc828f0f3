// A plate with a round hole: triangles with 3 nodes, or 6 with -order 2. SI units.
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 0.04, 0.02};
Disk(2) = {0.02, 0.01, 0, 0.004};
BooleanDifference(3) = { Surface{1}; Delete; }{ Surface{2}; Delete; };
Physical Surface("plate") = {3};
Physical Curve("left") = Curve In BoundingBox {-1e-6, -1, -1, 1e-6, 1, 1};
Physical Curve("right") = Curve In BoundingBox {0.04 - 1e-6, -1, -1, 1, 1, 1};
Physical Curve("hole") = Curve In BoundingBox {0.015, 0.005, -1, 0.025, 0.015, 1};
Physical Point("corners") = Point In BoundingBox {-1e-6, -1, -1, 1e-6, 1, 1};
Mesh.SecondOrderLinear = 1;
