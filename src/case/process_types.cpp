#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "cleave/process/process_type.hpp"

namespace cleave {
namespace {

std::vector<ProcessType>& known() {
  static std::vector<ProcessType> types;
  return types;
}

}  // namespace

const std::vector<ProcessType>& process_types() { return known(); }

const ProcessType* find_process(const std::string& name) {
  const auto found = std::ranges::find(known(), name, &ProcessType::name);
  return found == known().end() ? nullptr : &*found;
}

std::vector<ProcessField> fields_in_frames(const std::vector<ProcessCase>& processes) {
  std::vector<ProcessField> fields;
  for (const ProcessCase& process : processes)
    if (const ProcessType* const type = find_process(process.law))
      std::ranges::copy_if(type->fields, std::back_inserter(fields), &ProcessField::in_frames);
  return fields;
}

bool add_process_type(const ProcessType& type) {
  const auto at = std::ranges::lower_bound(known(), type.name, {}, &ProcessType::name);
  if (at == known().end() || at->name != type.name) {
    known().insert(at, type);
    return true;
  }
  for (std::size_t precision = 0; precision < type.make.size(); ++precision) {
    if (type.make[precision] == nullptr) continue;
    if (at->make[precision] != nullptr) throw std::logic_error("process " + type.name + ": two have this name");
    at->make[precision] = type.make[precision];
  }
  at->on_cuda = at->on_cuda && type.on_cuda;
  return true;
}

}  // namespace cleave
