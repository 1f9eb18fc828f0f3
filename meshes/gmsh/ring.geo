// A ring, whose sides on the circles are curved with -order 2. SI units.
SetFactory("OpenCASCADE");
Disk(1) = {0, 0, 0, 0.015};
Disk(2) = {0, 0, 0, 0.008};
BooleanDifference(3) = { Surface{1}; Delete; }{ Surface{2}; Delete; };
Physical Surface("ring") = {3};
Physical Curve("inner") = Curve In BoundingBox {-0.009, -0.009, -1, 0.009, 0.009, 1};
