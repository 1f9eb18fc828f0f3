/// A case as text, for summaries and messages: its words, loads, mesh, work of ranks, and the few lines that a user
/// wants to see before it runs.
#pragma once

#include <string>
#include <vector>

#include "app/backend.hpp"
#include "cleave/case/names.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/output/schedule.hpp"
#include "cleave/partition/ranks.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

inline const std::string& assembly_name(Assembly a) { return case_file::name_of(a, case_file::assembly_names); }

/// Origin of the output directory for messages: "ring.yaml:12: output.directory", without a line if the key is absent.
std::string output_origin(const Case& c);

/// Throws InputError if this program cannot write the frame format of the case.
void check_output_format(const Case& c);

/// Prints remarks about unusual but valid values of the case on stderr.
void tell_notes(const Case& c);

/// Everything that acts on the body, a short text each: initial states, entries of `boundary`, body force, damping,
/// supports.
std::vector<std::string> texts_of_loads(const Case& c);

/// Says on stderr how many triangles of a file were turned; nothing if there were none.
void tell_turned(const Mesh& mesh);

/// Prints counts, colours, groups, quality and numbering to stdout.
/// @param colouring  without colours: none are needed
void print_mesh(const Mesh& mesh, const Colouring& colouring);

/// Prints the groups and the numbers of their facets, nodes and triangles.
void print_groups(const Mesh& mesh);

/// "element 12 at (0.1, 0.2)", with the original id.
std::string place_of(const Mesh& mesh, Index element);

/// Prints parts, shared nodes, balance, and the bytes exchanged in a step and in a check.
void print_ranks(const Case& c, const Model& model, int ranks, bool on_device);

/// Prints body, mesh, materials, cohesive zone, step and steps, memory, results, and the wall time, for which it steps
/// a square for some tenths of a second. Throws InputError, as check_memory does, before that.
void print_summary(const Case& c, const Model& model, const Backend& backend, const Ranks& ranks,
                   const Schedule& schedule);

}  // namespace cleave
