/// Estimates before a run: memory, file sizes, wave speeds, cohesive zone, wall time.
#pragma once

#include "app/backend.hpp"
#include "cleave/case/case.hpp"
#include "cleave/material/cohesive_parameters.hpp"
#include "cleave/material/material_case.hpp"
#include "cleave/output/frame_size.hpp"
#include "cleave/solver/intact_memory.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Solver memory of an intact body on one rank, bytes: counted for the gather assembly (intact_memory.hpp), estimated
/// within a few per cent for assemblies that store stiffness matrices (12 x 12 numbers for T6, 6 x 6 for T3).
double solver_memory(const Model& model);
/// Solver memory of one of several ranks, and what it sends, as for intact_memory.
/// @param model     of the whole body
/// @param in_parts  each rank has a part of it
IntactMemory memory_of_rank(const Model& model, bool on_device, int rank, int ranks, bool in_parts);

/// Size of a frame of the intact body.
FrameSize intact_frame(const Model& model);

/// Approximate size of a row of history.csv, bytes, including the columns of groups.
double history_row_bytes(const Model& model);

/// Approximate size of a row of lines.csv, bytes.
double line_row_bytes();

/// Young's modulus of plane deformation: E for plane stress, E / (1 - nu^2) for plane strain, Pa.
double plane_modulus(const ElasticParameters& material);

/// Speeds of plane waves, m/s.
struct WaveSpeeds {
  double dilatational = 0;
  double shear = 0;
  double rayleigh = 0;  ///< Viktorov's approximation, within 0.5 %
};
WaveSpeeds wave_speeds(const ElasticParameters& material);

/// The speed of the fastest waves in the body, m/s.
double fastest_wave(const Model& model);

/// Length of the cohesive zone of a static crack, m: (9 pi / 32) E' G / strength^2 (J. R. Rice, 1968).
double cohesive_zone_length(const ElasticParameters& material, const CohesiveMode& mode);

/// How fast this machine steps, in elements times steps per second.
struct MeasuredRates {
  Index elements = 0;  ///< of the mesh that was stepped
  double intact = 0;   ///< 1/s
  double broken = 0;   ///< with a cohesive element on every facet, 1/s; as intact without a cohesive law
};
/// Steps a square with the elements, the first material and the first cohesive law of a case, at rest, for some tenths
/// of a second. The square has as many elements as the case's mesh, but no more than show the rate of larger ones.
MeasuredRates measure_rates(const Case& c, const Model& model, const Backend& backend, int threads);

}  // namespace cleave
