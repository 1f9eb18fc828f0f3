#include <algorithm>
#include <set>
#include <string_view>
#include <type_traits>

#include "cleave/case/case.hpp"
#include "cleave/material/material_laws.hpp"
#include "cleave/process/process_type.hpp"

namespace cleave {
namespace {

constexpr std::string_view own_fields[] = {"displacement",
                                           "velocity",
                                           "stress",
                                           "strain",
                                           "von_mises_stress",
                                           "largest_principal_stress",
                                           "smallest_principal_stress",
                                           "pressure",
                                           "largest_shear_stress",
                                           "largest_principal_strain",
                                           "equivalent_strain",
                                           "strain_energy_density",
                                           "fragment",
                                           "contact_traction",
                                           "contact_depth",
                                           "original_node",
                                           "original_element",
                                           "displacement_a",
                                           "displacement_b",
                                           "opening_normal",
                                           "opening_tangential",
                                           "traction_normal",
                                           "traction_tangential",
                                           "damage",
                                           "strength_scale",
                                           "failed",
                                           "insertion_step"};

/// Whether f(name) is true for every field of the laws; calls f for all of them.
template <class... Laws, class F>
constexpr bool all_fields_of(LawList<Laws...>, const F& f) {
  const auto all_of_law = [&]<class Law>(std::type_identity<Law>) {
    bool all = true;
    if constexpr (requires { Law::fields; })
      for (const auto& field : Law::fields) all = f(std::string_view(field.name)) && all;
    return all;
  };
  bool all = true;
  ((all = all_of_law(std::type_identity<Laws>{}) && all), ...);
  return all;
}

static_assert(all_fields_of(MaterialLaws{},
                            [](std::string_view name) {
                              return std::find(std::begin(own_fields), std::end(own_fields), name) ==
                                     std::end(own_fields);
                            }),
              "a material law has a field with the name of another array");

}  // namespace

const std::vector<std::string>& state_fields() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    all_fields_of(MaterialLaws{}, [&](std::string_view name) {
      if (std::find(all.begin(), all.end(), name) == all.end()) all.emplace_back(name);
      return true;
    });
    return all;
  }();
  return names;
}

const std::vector<std::string>& output_fields() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(std::begin(own_fields), std::end(own_fields));
    all.insert(all.end(), state_fields().begin(), state_fields().end());
    for (const ProcessType& type : process_types())
      for (const ProcessField& field : type.fields)
        if (field.in_frames) all.emplace_back(field.name);
    return all;
  }();
  return names;
}

bool is_named_only(const std::string& field) {
  static const std::set<std::string> names{
      "strain",           "smallest_principal_stress", "pressure", "largest_shear_stress", "largest_principal_strain",
      "equivalent_strain"};
  return names.contains(field) ||
         std::find(state_fields().begin(), state_fields().end(), field) != state_fields().end();
}

}  // namespace cleave
