/// Processes of a user's own as case files, models and output see them: names, keys and fields.
///
/// A process has fields on the body, which are saved, split, exchanged and written as those of the solver, and kernels
/// that step them (user_process.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cleave/lockstep/foreign_kernel.hpp"
#include "cleave/material/law_parameter.hpp"
#include "cleave/material/law_table.hpp"

namespace cleave {

/// Kind of item that each row of a field belongs to. A copy of a node starts with the values of its node.
enum class FieldOn : std::uint8_t { node, element, cohesive };

/// A field of a process: `width` doubles a row.
struct ProcessField {
  const char* name;  ///< of its array in frames
  FieldOn on;
  const char* unit = "-";
  const char* meaning = "";
  int width = 1;                 ///< up to most_field_width
  double start = 0;              ///< of all values, and of those of new cohesive elements
  bool in_frames = true;         ///< `output.fields` may name it
  const char* column = nullptr;  ///< column of history.csv, the sum of a field of width 1 on nodes or elements
};
inline constexpr int most_field_width = 4, most_fields_of_process = 8;
/// Columns of all processes of a run.
inline constexpr int most_process_columns = 4;

/// Rules for the fields of a process, which ProcessOf asserts.
constexpr bool widths_fit(std::span<const ProcessField> fields) {
  return std::ranges::all_of(fields, [](const ProcessField& f) { return f.width >= 1 && f.width <= most_field_width; });
}
constexpr bool columns_fit(std::span<const ProcessField> fields) {
  return std::ranges::all_of(
      fields, [](const ProcessField& f) { return f.column == nullptr || (f.width == 1 && f.on != FieldOn::cohesive); });
}
constexpr bool names_differ(std::span<const ProcessField> fields) {
  for (const ProcessField& field : fields)
    if (std::ranges::count(fields, std::string_view(field.name), &ProcessField::name) != 1) return false;
  return true;
}

/// An entry of `processes` in the case file: a law and its parameters, whose keys are siblings of `law`. SI units.
struct ProcessCase {
  std::string law;
  std::vector<double> values{};    ///< of the scalar `parameters`, in their order
  std::vector<LawTable> tables{};  ///< of the tabular `parameters`, in their order
  int line = 0;                    ///< in the case file, for messages
};

/// Mesh and materials as far as they limit the time step of a process.
struct ProcessMesh {
  double least_altitude;  ///< of the triangles, m
  double least_density;   ///< of the materials, kg/m^3
};

/// The solver as a process sees it in a step: it runs kernels and exchanges fields.
class ProcessSolver {
 public:
  virtual ~ProcessSolver() = default;
  virtual void launch(const ForeignKernel& kernel) = 0;
  /// Sends neighbouring ranks the values of a field that they see.
  virtual void exchange(int field) = 0;
};

/// A process at work: in one precision, for all elements and backends.
class Process {
 public:
  virtual ~Process() = default;
  /// Launches the kernels of a step.
  /// @param body   a ProcessBody of this precision
  /// @param is_t6  of T6, otherwise of T3
  virtual void step(ProcessSolver& solver, const void* body, bool is_t6) const = 0;
};

/// A kind of process. Its sources, one for each precision, make themselves known when the program starts.
struct ProcessType {
  std::string name;
  std::span<const LawParameter> parameters{};
  std::span<const ProcessField> fields{};
  /// Largest stable step, s; null: any is.
  double (*largest_step)(const ProcessCase&, const ProcessMesh&) = nullptr;
  bool on_cuda = false;  ///< compiled for CUDA, too
  using Make = std::unique_ptr<Process> (*)(const ProcessCase&);
  std::array<Make, 2> make{};  ///< for double and single precision; null: its source is not linked
};

/// All kinds of processes that the program has, by name.
const std::vector<ProcessType>& process_types();
/// Null: there is none of that name.
const ProcessType* find_process(const std::string& name);
/// Fields of these processes that frames may have.
std::vector<ProcessField> fields_in_frames(const std::vector<ProcessCase>& processes);
/// Adds a kind, or what another precision of it has. Throws std::logic_error if there is one of that name. Returns
/// true.
bool add_process_type(const ProcessType& type);

}  // namespace cleave
