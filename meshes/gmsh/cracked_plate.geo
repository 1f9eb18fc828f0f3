// A plate with a notch from its left side to the middle, whose nodes Gmsh's Crack plugin doubles but for the tip. SI units.
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 0.03, 0.02};
Point(10) = {0, 0.01, 0};
Point(11) = {0.012, 0.012, 0};
Line(20) = {10, 11};
BooleanFragments{ Surface{1}; Delete; }{ Curve{20}; Delete; }
notch() = Curve In BoundingBox {-1e-6, 0.01 - 1e-6, -1, 0.012 + 1e-6, 0.012 + 1e-6, 1};
mouth() = Point In BoundingBox {-1e-6, 0.01 - 1e-6, -1, 1e-6, 0.01 + 1e-6, 1};
Physical Surface("plate", 1) = Surface{:};
Physical Curve("notch", 2) = notch();
Physical Curve("bottom", 3) = Curve In BoundingBox {-1, -1e-6, -1, 1, 1e-6, 1};
Physical Curve("top", 4) = Curve In BoundingBox {-1, 0.02 - 1e-6, -1, 1, 1, 1};
Physical Point("mouth", 5) = mouth();
Mesh 2;
Plugin(Crack).Dimension = 1;
Plugin(Crack).PhysicalGroup = 2;
Plugin(Crack).OpenBoundaryPhysicalGroup = 5;
Plugin(Crack).Run;
