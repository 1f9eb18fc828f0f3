#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkExecutive.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cleave/core/error.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/formats.hpp"
#include "mesh/groups.hpp"

namespace cleave {
namespace {

constexpr std::string_view group_prefix = "group:";
constexpr std::string_view facets_prefix = "facets:";

struct ReaderFailure {
  bool failed = false;
  std::string place;  ///< " at line 12", if the XML parser has said it
};

/// Keeps VTK from printing on stderr. Of what it says, the line in the file is worth telling.
void note_failure(vtkObject*, unsigned long, void* failure, void* message) {
  constexpr std::string_view before = " at line ";
  auto& noted = *static_cast<ReaderFailure*>(failure);
  noted.failed = true;
  const std::string_view text = static_cast<const char*>(message);
  const std::size_t at = text.find(before);
  if (at == text.npos || !noted.place.empty()) return;
  noted.place = text.substr(at, text.find_first_not_of("0123456789", at + before.size()) - at);
}

/// Notes which groups a file has twice: VTK keeps one of them and says nothing.
class GroupReader : public vtkXMLUnstructuredGridReader {
 public:
  static GroupReader* New() { return new GroupReader; }  // NOLINT: VTK's objects count their owners
  vtkTypeMacro(GroupReader, vtkXMLUnstructuredGridReader);

  /// "point data 'group:NAME'"; empty: none.
  const std::string& twice() const { return twice_; }

 protected:
  int ReadPrimaryElement(vtkXMLDataElement* primary) override {
    for (int p = 0; p < primary->GetNumberOfNestedElements(); ++p) {
      vtkXMLDataElement* const piece = primary->GetNestedElement(p);
      note_twice(piece->FindNestedElementWithName("PointData"), "point");
      note_twice(piece->FindNestedElementWithName("CellData"), "cell");
    }
    return Superclass::ReadPrimaryElement(primary);
  }

 private:
  void note_twice(vtkXMLDataElement* arrays, std::string_view what) {
    std::set<std::string> names;
    for (int a = 0; arrays != nullptr && a < arrays->GetNumberOfNestedElements(); ++a) {
      const char* const attribute = arrays->GetNestedElement(a)->GetAttribute("Name");
      const std::string name = attribute != nullptr ? attribute : "";
      if ((name.starts_with(group_prefix) || name.starts_with(facets_prefix)) && !names.insert(name).second)
        twice_ = fmt::format("{} data '{}'", what, name);
    }
  }
  std::string twice_;
};

/// Throws InputError when the file cannot be read.
vtkUnstructuredGrid* load(GroupReader& reader, const std::string& source) {
  ReaderFailure failure;
  vtkNew<vtkCallbackCommand> collector;
  collector->SetCallback(note_failure);
  collector->SetClientData(&failure);
  reader.SetReaderErrorObserver(collector);
  reader.SetParserErrorObserver(collector);
  reader.AddObserver("ErrorEvent", collector);
  // The pipeline repeats the reader's failure with its own state, which helps nobody.
  vtkNew<vtkCallbackCommand> silence;
  silence->SetCallback([](vtkObject*, unsigned long, void*, void*) {});
  reader.GetExecutive()->AddObserver("ErrorEvent", silence);
  reader.SetFileName(source.c_str());
  const bool right_type = reader.CanReadFile(source.c_str()) != 0;
  if (right_type) reader.Update();
  reader.RemoveAllObservers();
  reader.SetReaderErrorObserver(nullptr);
  reader.SetParserErrorObserver(nullptr);
  if (!right_type) {
    throw InputError(source + ": this is no VTK XML unstructured grid, or it is damaged: write it again as .vtu");
  }
  if (failure.failed || reader.GetErrorCode() != 0) {
    throw InputError(source + ": the file cannot be read, it is damaged or truncated" + failure.place +
                     ", or its parts do not fit together: write it again, with Points and Cells in each Piece");
  }
  if (!reader.twice().empty())
    throw InputError(fmt::format("{}: {} is there twice: rename one of the two", source, reader.twice()));
  return reader.GetOutput();
}

/// Returns z of each node, m.
std::vector<double> read_nodes(vtkUnstructuredGrid& grid, Mesh& mesh, const std::string& source) {
  std::vector<double> z;
  const vtkIdType count = grid.GetNumberOfPoints();
  if (count > std::numeric_limits<Index>::max()) {
    throw InputError(fmt::format("{}: it has {} points, at most {} can be numbered", source, count,
                                 std::numeric_limits<Index>::max()));
  }
  mesh.nodes.reserve(count);
  z.reserve(count);
  for (vtkIdType i = 0; i < count; ++i) {
    double p[3];
    grid.GetPoint(i, p);
    mesh.nodes.push_back({p[0], p[1]});
    z.push_back(p[2]);
  }
  return z;
}

void read_elements(vtkUnstructuredGrid& grid, Mesh& mesh, const std::string& source) {
  const vtkIdType count = grid.GetNumberOfCells();
  if (count == 0) return;
  if (count > most_elements) {
    throw InputError(fmt::format("{}: it has {} cells, at most {} can be numbered", source, count, most_elements));
  }
  mesh.type = grid.GetCellType(0) == VTK_TRIANGLE ? ElementType::t3 : ElementType::t6;
  const std::size_t per_element = nodes_per_element(mesh.type);
  mesh.elements.reserve(count * per_element);
  for (vtkIdType e = 0; e < count; ++e) {
    const int type = grid.GetCellType(e);
    if (type != VTK_TRIANGLE && type != VTK_QUADRATIC_TRIANGLE) {
      throw InputError(
          fmt::format("{}: cell {} has VTK type {}{}: only triangles with 3 nodes (type 5) or 6 nodes (type 22) are "
                      "simulated",
                      source, e, type, type == VTK_QUAD || type == VTK_QUADRATIC_QUAD ? ", a quadrangle" : ""));
    }
    vtkIdType size = 0;
    const vtkIdType* ids = nullptr;
    grid.GetCells()->GetCellAtId(e, size, ids);
    const vtkIdType expected = type == VTK_TRIANGLE ? 3 : 6;
    if (size != expected) {
      throw InputError(
          fmt::format("{}: cell {} lists {} nodes, its VTK type {} has {}", source, e, size, type, expected));
    }
    if (static_cast<std::size_t>(size) != per_element) {
      throw InputError(fmt::format("{}: cell {} has {} nodes, but cell 0 has {}: use one kind of triangle throughout",
                                   source, e, size, per_element));
    }
    for (vtkIdType i = 0; i < size; ++i) {
      if (ids[i] < 0 || ids[i] >= grid.GetNumberOfPoints()) {
        throw InputError(fmt::format("{}: cell {} lists node {}, which does not exist: there are {} nodes, from 0 on",
                                     source, e, ids[i], grid.GetNumberOfPoints()));
      }
      mesh.elements.push_back(static_cast<Index>(ids[i]));
    }
  }
}

using NamedIds = std::vector<std::pair<std::string, std::vector<Index>>>;

/// The integers of an array whose name begins with a prefix.
vtkDataArray& one_integer_each(vtkDataSetAttributes& data, int array, std::string_view what,
                               const std::string& source) {
  vtkDataArray* const values = data.GetArray(array);
  if (values == nullptr || values->GetNumberOfComponents() != 1) {
    throw InputError(
        fmt::format("{0}: {1} data '{2}' must hold one integer per {1}", source, what, data.GetArrayName(array)));
  }
  return *values;
}

/// The ids of the points or cells (`what`) with a value other than 0, by the name of the group.
NamedIds members(vtkDataSetAttributes& data, std::string_view what, const std::string& source) {
  NamedIds groups;
  for (int a = 0; a < data.GetNumberOfArrays(); ++a) {
    const std::string_view name = data.GetArrayName(a) != nullptr ? data.GetArrayName(a) : "";
    if (!name.starts_with(group_prefix)) continue;
    vtkDataArray& values = one_integer_each(data, a, what, source);
    std::vector<Index> ids;
    for (Index i = 0; i < values.GetNumberOfTuples(); ++i) {
      if (values.GetTuple1(i) != 0) ids.push_back(static_cast<Index>(i));
    }
    if (ids.empty()) {
      throw InputError(
          fmt::format("{0}: {1} data '{2}' is 0 at every {1}: remove the group, or give it some", source, what, name));
    }
    groups.emplace_back(name.substr(group_prefix.size()), std::move(ids));
  }
  return groups;
}

/// The facets that cell data say, as sums of 2^k, by the name of the group.
NamedIds facets_of_cells(vtkCellData& data, const std::string& source) {
  NamedIds groups;
  for (int a = 0; a < data.GetNumberOfArrays(); ++a) {
    const std::string_view name = data.GetArrayName(a) != nullptr ? data.GetArrayName(a) : "";
    if (!name.starts_with(facets_prefix)) continue;
    vtkDataArray& values = one_integer_each(data, a, "cell", source);
    std::vector<Index> codes;
    for (Index e = 0; e < values.GetNumberOfTuples(); ++e) {
      const double sum = values.GetTuple1(e);
      if (!(sum >= 0 && sum <= 7))
        throw InputError(
            fmt::format("{}: cell data '{}' is {} at cell {}: expected 0 to 7, the sum of 1, 2 and 4 for "
                        "the facets opposite its corners",
                        source, name, sum, e));
      for (int k = 0; k < 3; ++k)
        if ((static_cast<int>(sum) >> k & 1) != 0) codes.push_back(facet_code(e, k));
    }
    groups.emplace_back(name.substr(facets_prefix.size()), std::move(codes));
  }
  return groups;
}

/// Takes the ids of that name out of the list.
std::optional<std::vector<Index>> take(NamedIds& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.first == name; });
  if (found == list.end()) return {};
  std::vector<Index> ids = std::move(found->second);
  list.erase(found);
  return ids;
}

void read_groups(vtkUnstructuredGrid& grid, Mesh& mesh, const std::string& source) {
  NamedIds elements_of = members(*grid.GetCellData(), "cell", source);
  NamedIds facets_of = facets_of_cells(*grid.GetCellData(), source);
  const auto add = [&](const std::string& name, const std::vector<Index>& codes, std::vector<Index> nodes) {
    std::vector<Index> facets, inside;
    for (const Index code : codes) (is_intact(mesh.neighbours[code]) ? inside : facets).push_back(code);
    mesh.groups.push_back(make_group(mesh, name, std::move(facets), std::move(nodes),
                                     take(elements_of, name).value_or(std::vector<Index>()), std::move(inside)));
  };
  for (auto& [name, nodes] : members(*grid.GetPointData(), "point", source)) {
    auto codes = take(facets_of, name);
    if (!codes) codes = boundary_facets_of(mesh, nodes);
    add(name, *codes, std::move(nodes));
  }
  for (const auto& [name, codes] : facets_of) add(name, codes, {});
  while (!elements_of.empty()) add(std::string(elements_of.front().first), {}, {});
}

}  // namespace

Mesh read_vtu(const std::filesystem::path& file, CurvedSides sides) {
  const std::string source = file.string();
  vtkNew<GroupReader> reader;
  vtkUnstructuredGrid& grid = *load(*reader, source);
  Mesh mesh;
  const std::vector<double> z = read_nodes(grid, mesh, source);
  read_elements(grid, mesh, source);
  mesh.original_nodes.resize(mesh.nodes.size());
  std::iota(mesh.original_nodes.begin(), mesh.original_nodes.end(), 0);
  mesh.original_elements.resize(mesh.element_count());
  std::iota(mesh.original_elements.begin(), mesh.original_elements.end(), 0);
  finish_mesh(mesh, z, sides, source);
  read_groups(grid, mesh, source);
  return mesh;
}

}  // namespace cleave
