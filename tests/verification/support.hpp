/// What verification tests share: backends to run on, models, and the record of the figures that they reach.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cleave/mesh/generators.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave::verification {

/// "cpu" and "cuda" with the coloured assembly, "cpu gather" and "cuda gather" with the other. A build with CUDA and no
/// device says loudly that it leaves the device out.
const std::vector<std::string>& backends();

/// One CPU thread unless told otherwise: most of these models are too small to share.
std::unique_ptr<Solver> make_solver(Model model, const std::string& backend, int threads = 1);

/// Runs until time t, s, to the nearest step.
void advance_to(Solver& solver, const Model& model, double t);

/// Runs the rest of a test case once per backend.
#define CLEAVE_ON_EVERY_BACKEND()                                                     \
  const std::string backend = GENERATE(from_range(cleave::verification::backends())); \
  CAPTURE(backend)

/// The same for runs that take minutes: once per device, with the default assembly.
#define CLEAVE_ON_EVERY_DEVICE()                                                                          \
  const std::string backend = GENERATE(filter([](const std::string& b) { return b.ends_with("gather"); }, \
                                              from_range(cleave::verification::backends())));             \
  CAPTURE(backend)

/// One line of the report: what was reached against what is right. Written to $CLEAVE_VERIFICATION/figures.csv.
void record(const std::string& claim, const std::string& quantity, double expected, double reached,
            const std::string& unit, const std::string& tolerance);

/// Rows of numbers for a plot: $CLEAVE_VERIFICATION/NAME.csv. Does nothing unless that folder is asked for.
void write_series(const std::string& name, const std::string& header, const std::vector<std::vector<double>>& rows);

inline const ElasticParameters steel{210e9, 0.3, 7850, PlaneType::strain};

/// A body at rest with free edges, its nodes renumbered for the gather assembly; the step is `fraction` of the largest
/// stable one of the mesh without cracks.
Model make_model(const Mesh& mesh, const ElasticParameters& material, double fraction, double thickness = 1);
Model make_model(const Mesh& mesh, const MaterialCase& material, double fraction, double thickness = 1);

/// Sets displacement or velocity of every node from its position.
using Field = std::function<Point(Point)>;
void set_displacement(Model& model, const Field& field);
void set_velocity(Model& model, const Field& field);

/// Adds a prescribed velocity and returns its number; 0 m/s holds.
int add_motion(Model& model, double velocity, Curve curve = {});
/// Applies motion `id` to the nodes of a group, or to all of them (nullptr).
void move_x(Model& model, const char* group, int id);
void move_y(Model& model, const char* group, int id);

/// D11 = rho c_d^2 and D33 = rho c_s^2 of a material, Pa.
double longitudinal_speed(const ElasticParameters& material);
double shear_speed(const ElasticParameters& material);

/// What a facet dissipates beyond its fracture energy, as a share of that, when it is inserted at its strength and
/// opens to the end in mode I: strength / (kc width) with the stiffness cap kc = 2 s m* / dt^2 (theory.md 5.4). For a
/// body of one material in which all facets that may break have triangles of the same altitude.
double excess_dissipation(const Model& model);

/// A mesh of those triangles, connected; T6 gets its mid-side nodes.
Mesh make_mesh(ElementType type, const std::vector<Point>& corners, const std::vector<std::array<Index, 3>>& triangles);

/// Least-squares slope of log(error) over log(size).
double order(const std::vector<double>& size, const std::vector<double>& error);

inline const char* name_of(ElementType type) { return type == ElementType::t3 ? "T3" : "T6"; }
inline const char* name_of(PlaneType plane) { return plane == PlaneType::stress ? "plane stress" : "plane strain"; }

}  // namespace cleave::verification
