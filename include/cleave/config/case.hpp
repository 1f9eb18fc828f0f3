/// A simulation case as the user describes it: the case file with every default filled in. SI units.
///
/// Keys of the YAML file have the names of these members; the reader is src/config. Numbers of laws are declared with
/// the laws, in cleave/material.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/material/cohesive_parameters.hpp"
#include "cleave/material/curve.hpp"
#include "cleave/material/material_case.hpp"
#include "cleave/material/strength.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

enum class MeshShape { rectangle, ring, disc, plate_with_hole, kalthoff, compact_tension, compact_compression, file };
/// How a generated mesh is cut into triangles: quads by both diagonals, or without a structure.
enum class MeshPattern { crossed, delaunay };
enum class Numbering { hilbert, halves, as_given };

/// A group of triangles by their place.
struct RegionCase {
  std::string name;
  std::array<double, 4> box{};  ///< x0, y0, x1, y1, m: the triangles with their centroid inside
  int line = 0;                 ///< in the case file, for messages
};

/// Triangles are cut around a point until they are small.
struct GradingCase {
  std::array<double, 2> at{};  ///< m
  double size = 0;             ///< longest side of the triangles there, m
  double growth = 0;           ///< how much longer sides may be, by distance from there
  int line = 0;                ///< of `at` in the case file, for messages
  int entry = 0;               ///< of the list, likewise; -1: there is none
};

struct MeshCase {
  MeshShape shape = MeshShape::rectangle;
  std::filesystem::path file;                  ///< absolute; shape == file
  MeshPattern pattern = MeshPattern::crossed;  ///< generated meshes
  ElementType element = ElementType::t6;       ///< generated meshes; a file brings its own
  std::array<int, 2> divisions{0, 0};          ///< rectangle, ring: quads along x, along y | radial, circumferential
  double cell_size = 0;                        ///< the other shapes: about the length of the sides of quads, m
  std::array<double, 2> size{0, 0};            ///< rectangle, plate_with_hole, kalthoff, compact_compression, m
  std::array<double, 2> origin{0, 0};          ///< of these: lower left corner, m
  double notch_length = 0;                     ///< from the left side, the load line or the cut, m; 0 is no notch
  std::optional<double> notch_height;          ///< rectangle: above the bottom side, m; empty: mid-height
  double notch_spacing = 0;                    ///< kalthoff: distance of the two notches, m
  double inner_radius = 0;                     ///< ring, m
  double outer_radius = 0;                     ///< ring, m
  double radius = 0;                           ///< disc, m
  double hole_radius = 0;                      ///< plate_with_hole; compact_compression: of the cut, m
  std::optional<std::array<double, 2>> hole_centre;  ///< plate_with_hole, m; empty: the middle
  double width = 0;                                  ///< compact_tension: from load line to right side, m
  double platen_length = 0;                          ///< compact_compression: pressed part of top and bottom, m
  double perturbation_amplitude = 0;                 ///< of interior corner nodes, fraction of the cell size
  std::uint64_t perturbation_seed = 1;
  double thickness = 1.0e-3;  ///< m
  Numbering numbering = Numbering::hilbert;
  ColouringMethod colouring = ColouringMethod::automatic;  ///< what `coloured` goes by
  int line_of_colouring = 0;                               ///< in the case file, for messages
  std::vector<std::string> doubled;  ///< groups whose nodes may lie where others lie; a notch need not be named
  int line_of_doubled = 0;           ///< in the case file, for messages
  bool straighten = false;           ///< a file's curved sides; false: they are an error
  int line_of_straighten = 0;        ///< in the case file, for messages
  int refine = 0;                    ///< how many times each triangle is cut into four
  int line_of_refine = 0;            ///< in the case file, for messages
  std::vector<GradingCase> grading;  ///< in the order of the case file
  std::vector<std::string> cracks;   ///< groups whose facets inside the body are opened before the run
  int line_of_cracks = 0;            ///< in the case file, for messages
  std::vector<RegionCase> regions;   ///< in the order of the case file
};

/// Small: strains and turns are small, the body is judged in its reference shape. Finite: neither need be.
enum class Kinematics { small, finite };

/// A material and the triangles that have it.
struct MaterialEntry {
  std::string on;  ///< name of a group; empty: all triangles
  MaterialCase properties;
  int line = 0;  ///< of `on`, or of the entry without one, in the case file, for messages
};

/// How new node copies get their ids: in the order of facets (repeats bit for bit) or of an atomic counter.
enum class CopyNumbering { ordered, counter };

/// Which of the facets that are above their strength break in a check: all, or of those that share a corner only the
/// one that is the most above it.
enum class Selection { all, local_maximum };

struct InsertionCase {
  int every = 10;  ///< steps between fracture checks
  Criterion criterion = Criterion::ellipse;
  Aggregate aggregate = Aggregate::mean;
  Selection selection = Selection::all;
  CopyNumbering numbering = CopyNumbering::ordered;
  std::optional<std::array<double, 4>> box;  ///< x0, y0, x1, y1, m: only facets with their midpoint inside may break
};

/// Which facets an entry of `cohesive` is for: those with both triangles in `on`, and that facet group, or those
/// between a triangle of the one and one of the other group of `between`.
struct CohesiveFacets {
  std::string on;                      ///< empty: `between`, or all
  std::array<std::string, 2> between;  ///< empty: `on`, or all
  int line = 0;                        ///< of `on` or `between` in the case file, for messages

  bool all() const { return on.empty() && between[0].empty(); }
};

/// Some facets that are weaker or stronger than those of the first entry.
struct CohesiveEntry {
  CohesiveFacets facets;
  double strength = 0;                               ///< in opening, Pa; in sliding in proportion
  double energy = 0;                                 ///< likewise, J/m^2
  std::optional<StrengthDistribution> distribution;  ///< of strengths; empty: all these facets have the same
};

/// Strength times (1 + rate / reference)^exponent, by the rate of strain across the facet when it breaks.
struct StrengthRateCase {
  double reference = 1;  ///< 1/s
  double exponent = 0;   ///< 0: the rate makes no difference
};

/// A cohesive law and its numbers, whose keys stand beside that of the law, and how it is inserted.
struct CohesiveCase {
  std::string law = "ppr";
  CohesiveParameters parameters;
  std::optional<StrengthDistribution> distribution;  ///< of strengths; empty: all facets have those of `parameters`
  CohesiveFacets facets;                             ///< not all: those that no entry names do not break
  std::vector<CohesiveEntry> others;                 ///< of several for a facet the last holds
  StrengthRateCase rate;
  double friction = 0;  ///< Coulomb's coefficient between failed faces
  InsertionCase insertion;
  std::optional<double> stiffness_safety;  ///< s of the stiffness cap kc = 2 s m* / dt^2; empty: auto, from the step
  double contact_penalty = 10;             ///< factor of E / L in the contact stiffness
};

/// Steps of a run at most: up to here every step number is exact as a real number, which times are computed from.
inline constexpr Step most_steps = (Step{1} << 53) - 1;

struct TimeCase {
  std::optional<double> step;  ///< s; empty: auto, `safety` times the critical step
  double safety = 0.5;
  Step steps = 0;
  std::optional<double> end;  ///< s; given instead of steps, which then follows from it
};

struct InitialCase {
  PlaneTensor strain;  ///< tensor components
  std::optional<std::array<double, 2>>
      origin;                            ///< of strain and velocity gradient, m; empty: centre of the bounding box
  std::array<double, 2> velocity{0, 0};  ///< m/s
  std::array<double, 4> velocity_gradient{0, 0, 0, 0};  ///< dvx/dx (xx), dvx/dy (xy), dvy/dx (yx), dvy/dy (yy), 1/s
};

/// The state of the nodes of a group at the start.
struct InitialGroup {
  std::string on;     ///< name of a group
  InitialCase state;  ///< the centre is that of the group
  int line = 0;       ///< in the case file, for messages
  int entry = 0;      ///< of the list, likewise
};

/// Acceleration of the whole body.
struct BodyForceCase {
  std::array<double, 2> acceleration{0, 0};  ///< m/s^2
  std::string curve;                         ///< name in `curves`; empty: constant 1
};

/// Drag -rate m v on every node.
struct DampingCase {
  double rate = 0;              ///< 1/s; 0: none
  std::optional<double> until;  ///< s, the last time at which it acts; empty: the end of the run
};

/// One entry of `boundary`: exactly one of pressure, fix, velocity and absorb.
struct BoundaryCase {
  enum class Kind { pressure, fix, velocity, absorb };
  std::string on;  ///< name of a group
  Kind kind = Kind::fix;
  double pressure = 0;     ///< Pa, along the inward normal
  bool follows = false;    ///< pressure: along the normal of the facets as they lie now
  bool in_cracks = false;  ///< pressure: also on the faces of failed cohesive elements that the group reaches
  bool x = false;          ///< fix, velocity: acts on this direction
  bool y = false;
  std::array<double, 2> velocity{0, 0};  ///< m/s
  std::string curve;                     ///< name in `curves`; empty: constant 1
  int line = 0;                          ///< in the case file, for messages
};

/// Of the state, the forces and the laws in solver memory, where sums over the body are double in both; and of fields
/// in files.
enum class Precision { double_precision, single_precision };

/// Of the blocks of a .vtu file.
enum class Compression { zlib, lz4, none };

/// The names of all arrays of frames, of the bulk and of the cracks, those of the laws' states among them.
const std::vector<std::string>& output_fields();
/// The names of numbers that material laws have in their states, by element.
const std::vector<std::string>& state_fields();
/// Whether `all` leaves it out, as it makes frames larger and slower.
bool is_named_only(const std::string& field);

/// Of frames: a file each, or one HDF5 file for all.
enum class OutputFormat { vtu, vtkhdf };

/// A point whose motion and stress are written as the run goes on.
struct ProbeCase {
  std::string name;
  std::array<double, 2> at{};  ///< m
  Step every = 1;              ///< steps between rows of probes.csv
  int line = 0;                ///< in the case file, for messages
};

/// Points in a row that are written like probes: on a straight line, or on the boundary facets of a group.
struct LineCase {
  std::string name;
  std::array<double, 2> from{}, to{};  ///< ends of a straight line, m
  std::string on;                      ///< name of a group instead; empty: from `from` to `to`
  int points = 0;                      ///< at equal distances, the first and the last at the ends
  Step every = 1;                      ///< steps between the samples
  int line = 0;                        ///< in the case file, for messages
};

struct OutputCase {
  std::filesystem::path directory;  ///< as given: relative to the working directory; default `out/<case file stem>`
  bool replace = false;             ///< results of another run, or of one that could be resumed, may be replaced
  OutputFormat format = OutputFormat::vtu;
  Precision real = Precision::single_precision;    ///< of fields; points are double in any case
  std::optional<std::vector<std::string>> fields;  ///< names of arrays, see output_fields; empty: `all`
  Compression compression = Compression::zlib;
  Step fields_every = 0;           ///< steps between written fields; 0: first and last state only
  double fields_interval = 0;      ///< the same as simulated time, s; 0: not given
  Step history_every = 10;         ///< steps between rows of history.csv
  Step checkpoint_every = 0;       ///< steps between checkpoints; 0: see the next, and at a signal
  double checkpoint_interval = 0;  ///< simulated time between checkpoints, s; 0: not given
  double checkpoint_minutes = 15;  ///< wall time between checkpoints, minutes; 0: never
  std::vector<ProbeCase> probes;
  std::vector<LineCase> lines;
};

enum class BackendChoice { automatic, cpu, cuda };
/// How elements add to their nodes: `gather` (each node adds up its elements in a fixed order; fastest), `coloured`
/// (colour by colour from stored matrices) or `atomic` (in any order: does not repeat bit for bit).
enum class Assembly { gather, coloured, atomic };

struct RunCase {
  BackendChoice backend = BackendChoice::automatic;
  Precision precision = Precision::double_precision;
  Assembly assembly = Assembly::gather;
  int threads = 0;                          ///< CPU threads; 0: all
  int device = 0;                           ///< CUDA device
  std::optional<std::vector<int>> devices;  ///< of several ranks, one after the other; empty: all of the machine
};

struct Case {
  std::filesystem::path file;  ///< the case file, for messages
  std::string title;
  MeshCase mesh;
  std::vector<MaterialEntry> material;  ///< at least one, all of one plane; the last that names a triangle holds
  Kinematics kinematics = Kinematics::small;
  std::optional<CohesiveCase> cohesive;  ///< empty: nothing breaks
  TimeCase time;
  InitialCase initial;                       ///< of all nodes ...
  std::vector<InitialGroup> initial_groups;  ///< ... but these; of several for a node the last holds
  std::vector<BoundaryCase> boundary;
  BodyForceCase body_force;
  DampingCase damping;
  std::map<std::string, Curve> curves;
  OutputCase output;
  RunCase run;
  std::vector<std::string> notes;  ///< about what is unusual in the case file and was taken nevertheless
  int line_of_time_step = 0;       ///< lines of keys that later checks report on; 0 when the key is absent
  int line_of_time_end = 0;
  int line_of_mesh = 0;
  int line_of_material = 0;
  int line_of_output = 0;
  int line_of_format = 0;
};

/// Reads and checks a case file. `overrides` are "key.path=value" strings applied before the check.
/// Throws InputError with ALL errors of the file in one report: file:line: key: what was expected, nearest valid name.
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// The same of the text of a case file; `file` is what messages call it, and paths in it are relative to its folder.
Case parse_case(const std::string& text, const std::filesystem::path& file,
                const std::vector<std::string>& overrides = {});

/// The case as YAML with every default written out; reading it again gives the same case.
std::string resolved_yaml(const Case& c);

}  // namespace cleave
