/// A simulation case: the content of a case file with all defaults filled in. SI units.
///
/// The members are named as the keys of the YAML file; src/case reads it. Parameters of laws are declared in
/// cleave/material.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/force/force_case.hpp"
#include "cleave/material/cohesive_parameters.hpp"
#include "cleave/material/curve.hpp"
#include "cleave/material/material_case.hpp"
#include "cleave/material/strength.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/process/process_type.hpp"

namespace cleave {

enum class MeshShape { rectangle, ring, disc, plate_with_hole, kalthoff, compact_tension, compact_compression, file };
/// Division of a generated mesh into triangles: crossed quads, or unstructured.
enum class MeshPattern { crossed, delaunay };
enum class Numbering { hilbert, halves, as_given };

/// A group that holds the triangles in a box.
struct RegionCase {
  std::string name;
  std::array<double, 4> box{};  ///< x0, y0, x1, y1, m; a triangle belongs to the group if its centroid lies inside
  int line = 0;                 ///< in the case file, for messages
};

/// A group by place: boundary sides or nodes.
struct PlaceCase {
  enum class Rule { sides_in_box, sides_facing, sides_on_circle, nodes_in_box, nearest_node };
  std::string name;
  Rule rule = Rule::sides_in_box;
  std::array<double, 4> box{};     ///< *_in_box: x0, y0, x1, y1, m
  std::array<double, 2> normal{};  ///< sides_facing: direction of the outward normal
  std::array<double, 3> circle{};  ///< sides_on_circle: x, y and radius, m
  double within = 0;               ///< largest distance from `normal`, degrees, or from `circle`, m
  std::array<double, 2> near{};    ///< nearest_node, m
  int line = 0;                    ///< in the case file, for messages
};

/// Refinement around a point: triangles are divided until they are small enough.
struct GradingCase {
  std::array<double, 2> at{};  ///< m
  double size = 0;             ///< longest side of the triangles at the point, m
  double growth = 0;           ///< increase of the allowed side length per distance from the point
  int line = 0;                ///< of `at` in the case file, for messages
  int entry = 0;               ///< index in the list, for messages; -1: not a list
};

struct MeshCase {
  MeshShape shape = MeshShape::rectangle;
  std::filesystem::path file;                  ///< absolute path; only with shape == file
  MeshPattern pattern = MeshPattern::crossed;  ///< generated meshes
  ElementType element = ElementType::t6;       ///< generated meshes; a file brings its own
  std::array<int, 2> divisions{0, 0};          ///< rectangle, ring: quads along x and y, or radial and around
  double cell_size = 0;                        ///< other shapes: approximate length of the sides of quads, m
  std::array<double, 2> size{0, 0};            ///< rectangle, plate_with_hole, kalthoff, compact_compression, m
  std::array<double, 2> origin{0, 0};          ///< of these shapes: lower left corner, m
  double notch_length = 0;                     ///< from the left side, the load line or the half hole, m; 0: no notch
  std::optional<double> notch_height;          ///< rectangle: above the bottom side, m; empty: mid-height
  double notch_spacing = 0;                    ///< kalthoff: distance between the two notches, m
  double inner_radius = 0;                     ///< ring, m
  double outer_radius = 0;                     ///< ring, m
  double radius = 0;                           ///< disc, m
  double hole_radius = 0;                      ///< plate_with_hole, compact_compression, m
  std::optional<std::array<double, 2>> hole_centre;  ///< plate_with_hole, m; empty: the middle
  double width = 0;                                  ///< compact_tension: from load line to right side, m
  double platen_length = 0;                          ///< compact_compression: pressed part of top and bottom, m
  double perturbation_amplitude = 0;                 ///< of interior corner nodes, as a fraction of the cell size
  std::uint64_t perturbation_seed = 1;
  double thickness = 1.0e-3;  ///< m
  Numbering numbering = Numbering::hilbert;
  ColouringMethod colouring = ColouringMethod::automatic;  ///< method of the coloured assembly
  int line_of_colouring = 0;                               ///< in the case file, for messages
  std::vector<std::string> doubled;  ///< groups whose nodes may coincide with other nodes; a notch need not be named
  int line_of_doubled = 0;           ///< in the case file, for messages
  double scale = 1;                  ///< coordinates of a file times this are metres
  bool scale_given = false;          ///< whether the case file has `scale`: then nobody asks for the file's unit
  bool split_quads = false;          ///< a file's quads become two triangles each; false: they are an error
  bool straighten = false;           ///< straighten a file's curved sides; false: they are an error
  int line_of_straighten = 0;        ///< in the case file, for messages
  int refine = 0;                    ///< number of times that each triangle is divided into four
  int line_of_refine = 0;            ///< in the case file, for messages
  std::vector<GradingCase> grading;  ///< in the order of the case file
  std::vector<std::string> cracks;   ///< groups whose interior facets are opened before the run
  int line_of_cracks = 0;            ///< in the case file, for messages
  std::vector<RegionCase> regions;   ///< in the order of the case file
  std::vector<PlaceCase> groups;     ///< in the order of the case file
};

/// Small: small strains and rotations, computed in the reference shape. Finite: strains and rotations of any size.
enum class Kinematics { small, finite };

/// A material and the triangles that consist of it.
struct MaterialEntry {
  std::string on;  ///< name of a group; empty: all triangles
  MaterialCase properties;
  int line = 0;  ///< line of `on`, or of the entry without `on`, in the case file, for messages
};

/// Ids of new node copies: in the order of facets, which repeats bit for bit, or by an atomic counter.
enum class CopyNumbering { ordered, counter };

/// Facets that break in a check: all above their strength, or at each corner only the one that exceeds it the most.
enum class Selection { all, local_maximum };

struct InsertionCase {
  int every = 10;  ///< steps between fracture checks
  Criterion criterion = Criterion::ellipse;
  Aggregate aggregate = Aggregate::mean;
  Selection selection = Selection::all;
  CopyNumbering numbering = CopyNumbering::ordered;
  std::optional<std::array<double, 4>> box;  ///< x0, y0, x1, y1, m: facets with midpoint inside may break
};

/// Facets of an entry of `cohesive`: those with both triangles in `on` and those of a facet group `on`, or those
/// between a triangle of one and a triangle of the other group of `between`.
struct CohesiveFacets {
  std::string on;                      ///< empty: `between`, or all
  std::array<std::string, 2> between;  ///< empty: `on`, `between_different`, or all
  bool between_different = false;      ///< those between triangles of different groups
  int line = 0;                        ///< of `on` or `between` in the case file, for messages

  bool all() const { return on.empty() && between[0].empty() && !between_different; }
};

/// Facets with other strengths or energies than the first entry.
struct CohesiveEntry {
  CohesiveFacets facets;
  double strength = 0;                               ///< normal strength, Pa; the tangential one scales in proportion
  double energy = 0;                                 ///< fracture energy, J/m^2; scales in the same way
  std::optional<StrengthDistribution> distribution;  ///< distribution of strengths; empty: uniform
};

/// Factor of the strength: (1 + rate / reference)^exponent, with the strain rate across the facet when it breaks.
struct StrengthRateCase {
  double reference = 1;  ///< 1/s
  double exponent = 0;   ///< 0: no effect of the rate
};

/// A cohesive law with its parameters (their keys are siblings of `law`), and the rules of insertion.
struct CohesiveCase {
  std::string law = "ppr";
  CohesiveParameters parameters;
  std::optional<StrengthDistribution> distribution;  ///< distribution of strengths; empty: those of `parameters`
  CohesiveFacets facets;                             ///< not all: facets that no entry names do not break
  std::vector<CohesiveEntry> others;                 ///< of several entries for a facet the last one counts
  StrengthRateCase rate;
  double friction = 0;  ///< Coulomb's coefficient between failed faces
  InsertionCase insertion;
  std::optional<double> stiffness_safety;  ///< s of the stiffness cap kc = 2 s m* / dt^2; empty: auto, from the step
  double contact_penalty = 10;             ///< factor of E / L in the contact stiffness

  /// Largest default of `stiffness_safety`. With the spring of friction, 0.6 creates energy where many faces touch
  /// (docs/theory.md, 5.7).
  double largest_safety() const { return friction > 0 ? 0.5 : 0.6; }
  /// Keys given of what belongs to facets, of which a single point has no part.
  std::vector<std::string> keys_of_facets() const {
    std::vector<std::string> keys;
    if (distribution) keys.push_back("normal.strength as a distribution");
    if (rate.exponent != 0) keys.push_back("rate");
    if (friction > 0) keys.push_back("friction");
    return keys;
  }
};

/// Largest number of steps of a run: up to it, step numbers are exact as doubles, from which times are computed.
inline constexpr Step most_steps = (Step{1} << 53) - 1;

struct TimeCase {
  std::optional<double> step;  ///< s; empty: auto, `safety` times the critical step
  double safety = 0.5;
  Step steps = 0;
  std::optional<double> end;  ///< s; given instead of steps, which then follows from it
};

/// Initial displacement and velocity: linear fields of the position, plus those of a file.
struct InitialCase {
  PlaneTensor strain;  ///< tensor components
  std::optional<std::array<double, 2>>
      origin;                            ///< of strain and velocity gradient, m; empty: centre of the bounding box
  std::array<double, 2> velocity{0, 0};  ///< m/s
  std::array<double, 4> velocity_gradient{0, 0, 0, 0};  ///< dvx/dx (xx), dvx/dy (xy), dvy/dx (yx), dvy/dy (yy), 1/s
  std::filesystem::path file;                           ///< .sol or .solb with vectors at nodes; empty: none
  std::vector<std::string> fields{"displacement", "velocity"};  ///< of the file, in its order
  std::string key_of_file;                                      ///< with the next for messages
  int line_of_file = 0;
};

/// Initial state of the nodes of a group.
struct InitialGroup {
  std::string on;     ///< name of a group
  InitialCase state;  ///< its centre is that of the group
  int line = 0;       ///< in the case file, for messages
  int entry = 0;      ///< of the list, likewise
};

/// Acceleration of the whole body by a body force.
struct BodyForceCase {
  std::array<double, 2> acceleration{0, 0};  ///< m/s^2
  std::string curve;                         ///< name in `curves`; empty: constant 1
};

/// Drag force -rate m v on every node.
struct DampingCase {
  double rate = 0;              ///< 1/s; 0: none
  std::optional<double> until;  ///< s, the last time at which it acts; empty: the end of the run
};

/// An entry of `support`: springs to the ground.
struct SupportCase {
  std::string on;        ///< name of a group of boundary facets
  double stiffness = 0;  ///< traction over displacement, in both directions, Pa/m
  int line = 0;          ///< in the case file, for messages
};

/// An entry of `boundary`: exactly one of pressure, traction, fix, velocity and absorb.
struct BoundaryCase {
  enum class Kind { pressure, traction, fix, velocity, absorb };
  std::string on;  ///< name of a group
  Kind kind = Kind::fix;
  double pressure = 0;     ///< Pa, along the inward normal
  bool follows = false;    ///< pressure: acts along the normal of the facets in their current position
  bool in_cracks = false;  ///< pressure: acts also on the faces of failed cohesive elements connected to the group
  bool x = false;          ///< fix, velocity: acts on this direction
  bool y = false;
  std::array<double, 2> velocity{0, 0};  ///< m/s
  std::array<double, 2> traction{0, 0};  ///< Pa of the reference geometry, in fixed directions
  std::string curve;                     ///< name in `curves`; empty: constant 1
  int line = 0;                          ///< in the case file, for messages
};

/// Contact between the faces of the body.
struct ContactCase {
  double friction = 0;          ///< Coulomb's coefficient
  double penalty = 10;          ///< factor of E / length in the stiffness, which the time step limits
  std::vector<std::string> on;  ///< groups of triangles whose sides touch; empty: all
  int line_of_on = 0;           ///< in the case file, for messages
};

/// A rigid obstacle: at rest, driven by a velocity, or, with a mass, free.
struct ObstacleCase {
  enum class Shape { plane, disc };
  std::string name;
  Shape shape = Shape::plane;
  std::array<double, 2> place{};         ///< a point of the plane, the centre of the disc, m
  std::array<double, 2> normal{0, 1};    ///< plane: out of the obstacle; of any length
  double radius = 0;                     ///< disc, m
  double friction = 0;                   ///< Coulomb's coefficient; default: that of `contact`
  std::array<double, 2> velocity{0, 0};  ///< m/s, times the curve; free: at the start
  std::string curve;                     ///< name in `curves`; empty: constant 1
  std::optional<double> mass;            ///< kg; empty: it does not react to forces
  std::optional<double> inertia;         ///< moment about the centre, kg m^2; empty: that of a homogeneous disc
  int line = 0;                          ///< in the case file, for messages
};

/// Precision of the state, the forces and the laws in solver memory (sums over the body are always double), or of
/// fields in files.
enum class Precision { double_precision, single_precision };

/// Compression of the blocks of a .vtu file.
enum class Compression { zlib, lz4, none };

/// Names of all arrays of frames, of bulk and cracks, including fields of the laws' states.
const std::vector<std::string>& output_fields();
/// Names of the fields of material states, which are written per element.
const std::vector<std::string>& state_fields();
/// Whether an array is written only if named, not with `all`, because it makes frames larger and slower.
bool is_named_only(const std::string& field);

/// Format of frames: one file per frame, or one HDF5 file for all.
enum class OutputFormat { vtu, vtkhdf };

/// Further files of a frame in INRIA's formats: none, `.mesh` with `.sol`, or `.meshb` with `.solb`.
enum class InriaFrames { none, mesh, meshb };

/// A point whose motion and stress are written during the run.
struct ProbeCase {
  std::string name;
  std::array<double, 2> at{};  ///< m
  Step every = 1;              ///< steps between rows of probes.csv
  int line = 0;                ///< in the case file, for messages
};

/// Points along a straight line or along the boundary facets of a group, written like probes.
struct LineCase {
  std::string name;
  std::array<double, 2> from{}, to{};  ///< ends of a straight line, m
  std::string on;                      ///< name of a group; empty: a straight line from `from` to `to`
  int points = 0;                      ///< number of points, at equal distances including both ends
  Step every = 1;                      ///< steps between the samples
  int line = 0;                        ///< in the case file, for messages
};

struct OutputCase {
  std::filesystem::path directory;  ///< relative to the working directory, as given; default `out/<case file stem>`
  bool replace = false;             ///< allow replacing results of another run, or of a run that could be resumed
  OutputFormat format = OutputFormat::vtu;
  Precision real = Precision::single_precision;    ///< precision of fields; points are always double
  std::optional<std::vector<std::string>> fields;  ///< names of arrays, see output_fields; empty: `all`
  Compression compression = Compression::zlib;
  InriaFrames inria = InriaFrames::none;
  Step fields_every = 0;           ///< steps between written fields; 0: first and last state only
  double fields_interval = 0;      ///< the same in simulated time, s; 0: not given
  Step history_every = 10;         ///< steps between rows of history.csv
  Step checkpoint_every = 0;       ///< steps between checkpoints; 0: checkpoint_interval applies
  double checkpoint_interval = 0;  ///< simulated time between checkpoints, s; 0: not given
  double checkpoint_minutes = 15;  ///< wall time between checkpoints, minutes; 0: never
  std::vector<ProbeCase> probes;
  std::vector<LineCase> lines;
};

enum class BackendChoice { automatic, cpu, cuda };
/// How elements add to their nodes: `gather` (each node sums its elements in a fixed order; fastest), `coloured`
/// (colour by colour from stored matrices) or `atomic` (in any order; does not repeat bit for bit).
enum class Assembly { gather, coloured, atomic };

/// How the CUDA devices of ranks exchange values.
enum class TransportChoice : std::uint8_t { automatic, peer, nccl, mpi };

struct RunCase {
  BackendChoice backend = BackendChoice::automatic;
  Precision precision = Precision::double_precision;
  Assembly assembly = Assembly::gather;
  int threads = 0;                          ///< CPU threads; 0: as many as available
  int device = 0;                           ///< CUDA device
  std::optional<std::vector<int>> devices;  ///< CUDA devices that ranks use in turn; empty: all of the machine
  TransportChoice transport = TransportChoice::automatic;
};

struct Case {
  std::filesystem::path file;  ///< the case file, for messages
  std::string title;
  MeshCase mesh;
  std::vector<MaterialEntry> material;  ///< not empty, of one plane type; the last one of a triangle counts
  Kinematics kinematics = Kinematics::small;
  std::optional<CohesiveCase> cohesive;  ///< empty: no fracture
  TimeCase time;
  InitialCase initial;                       ///< of all nodes ...
  std::vector<InitialGroup> initial_groups;  ///< ... except of these groups; the last one of a node counts
  std::vector<BoundaryCase> boundary;
  BodyForceCase body_force;
  DampingCase damping;
  std::vector<SupportCase> support;
  std::vector<ForceCase> forces;       ///< at most most_forces
  std::vector<ProcessCase> processes;  ///< one of a kind
  std::optional<ContactCase> contact;  ///< empty: faces of one cohesive element alone touch
  std::vector<ObstacleCase> obstacles;
  std::map<std::string, Curve> curves;
  OutputCase output;
  RunCase run;
  std::vector<std::string> notes;  ///< remarks about unusual but valid values in the case file
  int line_of_time_step = 0;       ///< lines of keys that later checks report on; 0 when the key is absent
  int line_of_time_end = 0;
  int line_of_mesh = 0;
  int line_of_material = 0;
  int line_of_output = 0;
  int line_of_format = 0;
};

/// The initial states of a case that have a file.
std::vector<const InitialCase*> initial_states_of_files(const Case& c);

/// Reads and checks a case file.
/// @param overrides  "key.path=value" strings, applied before the check
/// Throws InputError with ALL errors of the file in one report: file:line: key: what was expected, nearest valid name.
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// The same for the text of a case file. `file` names it in messages; paths in the text are relative to its folder.
Case parse_case(const std::string& text, const std::filesystem::path& file,
                const std::vector<std::string>& overrides = {});

/// The case as YAML with all defaults written out; reading it again gives the same case.
std::string resolved_yaml(const Case& c);

}  // namespace cleave
