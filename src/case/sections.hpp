/// Sections of the case file, each with its keys, units and ranges: how they are read, and written as the resolved
/// case.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "case/section.hpp"
#include "case/tree.hpp"
#include "case/writer.hpp"
#include "cleave/case/case.hpp"

namespace cleave::case_file {

/// @param folder  folder of the case file
void read_mesh(Section s, MeshCase& c, const std::filesystem::path& folder);

void write_mesh(Writer& w, const MeshCase& c);

/// Reads one map, for all triangles, or a list of maps, each for the group `on`.
void read_material(const Node& node, std::vector<MaterialEntry>& entries);

/// Reads the key `kinematics` of the case, which must fit the laws of its materials.
Kinematics read_kinematics(Section& root, const std::vector<MaterialEntry>& materials);

void write_material(Writer& w, const std::vector<MaterialEntry>& entries);

/// Reads a map, or a list whose first entry holds for all facets that no other entry names. `cohesive` stays empty if
/// the case file disables fracture.
void read_cohesive(const Node& node, std::optional<CohesiveCase>& cohesive);

/// The key that only the gather assembly has, if the case gives it; null: none.
const char* key_of_gather(const std::optional<CohesiveCase>& c);

void write_cohesive(Writer& w, const std::optional<CohesiveCase>& c);

/// Reads one condition.
/// @param curve_names  names in the section `curves`
/// @param breaks       whether the case has a cohesive section
BoundaryCase read_boundary(const Node& node, const std::vector<std::string>& curve_names, Kinematics kinematics,
                           bool breaks);

void read_body_force(Section s, BodyForceCase& c, const std::vector<std::string>& curve_names);

void read_damping(Section s, DampingCase& c);

/// Reads one entry of `support`.
SupportCase read_support(const Node& node);
/// Reads the list `forces`.
void read_forces(const Node& node, std::vector<ForceCase>& forces);
void write_forces(Writer& w, const std::vector<ForceCase>& forces);
/// Reads the list `processes`.
void read_processes(const Node& node, std::vector<ProcessCase>& processes);
void write_processes(Writer& w, const std::vector<ProcessCase>& processes);

/// @param folder  base of relative file names
Curve read_curve(Section s, const std::filesystem::path& folder);

/// Reads a map, or a list of maps.
void read_initial(const Node& node, Case& c);

void write_initial(Writer& w, const Case& c);

/// Reads both sections.
/// @param root         of the case file
/// @param curve_names  names in the section `curves`
void read_contact(Section& root, Case& c, const std::vector<std::string>& curve_names);

void write_contact(Writer& w, const Case& c);

void read_output(Section s, Case& whole);

/// Reads a case. The report may already contain errors.
/// @param file       name in messages; its folder is that of files that the case names
/// @param overrides  `key.path=value`
/// Throws InputError with one line per error.
Case case_of_tree(Value root, const std::filesystem::path& file, const std::vector<std::string>& overrides,
                  Report& report);

}  // namespace cleave::case_file
