/// What can be said about a run before it: memory, file sizes, wave speeds, the cohesive zone.
#pragma once

#include "cleave/material/cohesive_parameters.hpp"
#include "cleave/material/elastic_parameters.hpp"
#include "cleave/partition/partition.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Solver memory in bytes for an intact mesh, within a few per cent: rows, lists and state, and with the assemblies
/// that store them the stiffness matrices (12 x 12 numbers for T6, 6 x 6 for T3). Cohesive elements and node copies
/// come on top as the body breaks.
double solver_memory(const Model& model);
/// What a rank gives back of it, bytes, as only others need it. Rank 0 holds the state of all in the host's memory, so
/// that on a CPU it gives nothing back.
/// @param on_device  whether solver memory is a device's
double memory_of_others(const Model& model, const Partition& part, bool on_device);

/// Bytes of one row of history.csv, about, with the columns of the groups that are held.
double history_row_bytes(const Model& model);

/// Size of a row of lines.csv, about, bytes.
double line_row_bytes();

/// Young's modulus of plane deformation: E for plane stress, E / (1 - nu^2) for plane strain, Pa.
double plane_modulus(const ElasticParameters& material);

/// Speeds of plane waves, m/s.
struct WaveSpeeds {
  double dilatational = 0;
  double shear = 0;
  double rayleigh = 0;  ///< by Viktorov's approximation, within 0.5 %
};
WaveSpeeds wave_speeds(const ElasticParameters& material);

/// Length of the zone in which a static crack's cohesive tractions act, (9 pi / 32) E' G / strength^2, m
/// (J. R. Rice, 1968).
double cohesive_zone_length(const ElasticParameters& material, const CohesiveMode& mode);

}  // namespace cleave
