/// The words of the case file, shared by its reader, its writer and the command line.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cleave/case/case.hpp"

namespace cleave::case_file {

/// Second spelling of `on`, which YAML 1.1 readers take for `true`. The resolved case uses it.
inline const char* const spelling_of_on = "group";

/// Word for the end of the run as a time.
inline const char* const end_of_run = "end";

/// Values of an enumeration with their words, in the order of messages.
template <class Enum>
using Names = std::vector<std::pair<std::string, Enum>>;

/// The word of a value.
template <class Enum>
const std::string& name_of(Enum value, const Names<Enum>& names) {
  for (const auto& [name, named] : names) {
    if (named == value) return name;
  }
  return names.front().first;
}
/// The value of a word, which is one of `names`.
template <class Enum>
Enum value_of(const std::string& word, const Names<Enum>& names) {
  return std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == word; })->second;
}

// `MeshShape::file` has no word: such a mesh has the key `file` instead of `shape`.
inline const Names<MeshShape> shape_names{{"rectangle", MeshShape::rectangle},
                                          {"ring", MeshShape::ring},
                                          {"disc", MeshShape::disc},
                                          {"plate_with_hole", MeshShape::plate_with_hole},
                                          {"kalthoff", MeshShape::kalthoff},
                                          {"compact_tension", MeshShape::compact_tension},
                                          {"compact_compression", MeshShape::compact_compression}};
inline const Names<ElementType> element_names{{"T3", ElementType::t3}, {"T6", ElementType::t6}};
inline const Names<MeshPattern> pattern_names{{"crossed", MeshPattern::crossed}, {"delaunay", MeshPattern::delaunay}};
inline const Names<Numbering> numbering_names{
    {"hilbert", Numbering::hilbert}, {"halves", Numbering::halves}, {"as_given", Numbering::as_given}};
inline const Names<ColouringMethod> colouring_names{{"auto", ColouringMethod::automatic},
                                                    {"structured", ColouringMethod::structured},
                                                    {"welsh_powell", ColouringMethod::welsh_powell},
                                                    {"by_id", ColouringMethod::by_id},
                                                    {"balanced", ColouringMethod::balanced}};
inline const Names<PlaneType> plane_names{{"strain", PlaneType::strain}, {"stress", PlaneType::stress}};
inline const Names<Criterion> criterion_names{{"ellipse", Criterion::ellipse}, {"max", Criterion::max}};
inline const Names<Aggregate> aggregate_names{{"mean", Aggregate::mean}, {"max", Aggregate::max}};
inline const Names<Selection> selection_names{{"all", Selection::all}, {"local_maximum", Selection::local_maximum}};
inline const Names<CopyNumbering> copy_numbering_names{{"ordered", CopyNumbering::ordered},
                                                       {"counter", CopyNumbering::counter}};
inline const Names<TransportChoice> transport_names{{"auto", TransportChoice::automatic},
                                                    {"peer", TransportChoice::peer},
                                                    {"nccl", TransportChoice::nccl},
                                                    {"mpi", TransportChoice::mpi}};
inline const Names<BackendChoice> backend_names{
    {"auto", BackendChoice::automatic}, {"cpu", BackendChoice::cpu}, {"cuda", BackendChoice::cuda}};
inline const Names<Precision> precision_names{{"double", Precision::double_precision},
                                              {"single", Precision::single_precision}};
inline const Names<Precision> output_real_names{{"float", Precision::single_precision},
                                                {"double", Precision::double_precision}};
inline const Names<OutputFormat> output_format_names{{"vtu", OutputFormat::vtu}, {"vtkhdf", OutputFormat::vtkhdf}};
inline const Names<InriaFrames> inria_frames_names{
    {"none", InriaFrames::none}, {"mesh", InriaFrames::mesh}, {"meshb", InriaFrames::meshb}};
inline const Names<Compression> compression_names{
    {"zlib", Compression::zlib}, {"lz4", Compression::lz4}, {"none", Compression::none}};
inline const Names<Kinematics> kinematics_names{{"small", Kinematics::small}, {"finite", Kinematics::finite}};
inline const Names<Assembly> assembly_names{
    {"gather", Assembly::gather}, {"coloured", Assembly::coloured}, {"atomic", Assembly::atomic}};

inline const Names<bool> truth_names{{"true", true}, {"false", false}};

// Words that have the effect of leaving a key out.
inline const char* const automatic_step = "auto";         ///< time.step
inline const char* const automatic_cap = "auto";          ///< cohesive.stiffness_safety
inline const char* const centre_of_box = "centre";        ///< initial.origin
inline const char* const no_notch = "none";               ///< mesh.notch
inline const char* const mid_height = "middle";           ///< mesh.notch.height
inline const char* const mid_plate = "middle";            ///< mesh.hole.centre
inline const char* const no_platen = "none";              ///< mesh.platen
inline const char* const nothing_breaks = "none";         ///< cohesive
inline const char* const different_groups = "different";  ///< cohesive.N.between
inline const char* const no_rate = "none";                ///< cohesive.rate
inline const char* const all_fields = "all";              ///< output.fields
inline const char* const all_devices = "all";             ///< run.devices
inline const char* const no_reference_length = "none";    ///< cohesive.normal.strength.weibull.reference_length
inline const char* const no_contact = "none";             ///< contact
inline const char* const all_triangles = "all";           ///< contact.on
inline const char* const homogeneous = "homogeneous";     ///< obstacles.N.inertia
inline const char* const whole_mesh = "all";              ///< cohesive.insertion.region

}  // namespace cleave::case_file
