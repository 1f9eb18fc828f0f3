/// Contact of the body's surface with itself: fragments, several bodies, the faces of cracks. Its arrays and launches;
/// ContactTerm has the surface.
#pragma once

#include "terms/contact/candidate_search.hpp"
#include "terms/contact/handed_element.hpp"
#include "terms/contact/part_surface.hpp"
#include "terms/contact/shown_contact.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Element, class Law>
struct FailedElements;

template <class Backend, class Element>
class BodyContact {
 public:
  using Body = GatherBody<Backend, Element>;

  bool active() const { return static_cast<bool>(part_); }
  ContactCounts counts(Index sides) const;
  void declare(Fields<Backend>& fields, const Model& model);
  void upload(const Model& model);
  void make_room(Index sides);

  /// Writes down the parts of all sides when the surface has changed.
  /// @param linked  see ListParts
  void list_parts(Body& body, const ContactSurface<Element>& of, const Index* linked);
  /// Exposes the sides of cohesive elements that have failed, where one rank is alone. Asks for a search for those that
  /// have no rows of candidates, and for all where there are several ranks: the host tells them what is exposed.
  void launch_failure_check(Body& body, const ContactSurface<Element>& of, DeviceGate gate, SearchFlags* flags);
  /// Writes down where the parts are, lists the close ones where that is due, and asks for a search when rows of
  /// candidates no longer hold. Elements whose sides have been exposed hand over their faces.
  void place_parts(Body& body, const ContactSurface<Element>& of, const LaunchedStep& step, DeviceGate gate,
                   SearchFlags* flags);
  /// Exposes sides, hands over their faces, and lists the candidates anew. Before the step that waits for it.
  void search(Body& body, const ContactSurface<Element>& of);
  /// Lists the candidates of the sides that are exposed or may be.
  void list_candidates(Body& body, const ContactSurface<Element>& of);
  /// @param adds  to forces that are there
  void launch_forces(Body& body, const ContactSurface<Element>& of, const LaunchedStep& step, bool adds, Vec2* force);
  void add_sums(Body& body, SumTables& sums);
  /// The surface, also of a body that does not touch itself.
  /// @param sides  that there are, or room for
  PartSurface<Element> surface_of(const ContactSurface<Element>& of, Index sides, Real dt);
  /// Adds to `show` and `to` what they need of the body's contact with itself.
  void copy_shown(Index sides, ShowContact<Element>& show, HostCopy<Backend>& copy, ContactCopy<Backend>& to);
  void check_loaded(Body& body);

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  ContactPointTable points() const {
    return {part_.data(), touching_points_.data(), across_.data(), state_.data(), acting_.data()};
  }
  /// Exposes sides on all ranks. Returns the cohesive elements whose sides are new.
  std::vector<Index> expose(Body& body, const ContactSurface<Element>& of, Index sides);
  void share_handed(Body& body, const std::vector<Index>& elements);
  FailedInStep failed_in_step(SearchFlags* flags) { return {flags, failed_in_step_.data()}; }
  template <class Law>
  static FailedElements<Element, Law> failed(Body& body, const ContactSurface<Element>& of,
                                             const CohesiveTable<Law>& table) {
    return {of.surface, table, body.elements.cohesive_rows.data(), body.halo.own_elements()};
  }
  ListParts<Element> parts_list(Body& body, const ContactSurface<Element>& of, const Index* linked);
  void hand_over(Body& body, const PartSurface<Element>& surface, const FailedInStep& failed);
  template <class Law, class Faces>
  void launch_hand_over(Body& body, const PartSurface<Element>& surface, const Law& law,
                        const CohesiveTable<Law>& table, const Faces& faces, const FailedInStep& failed);

  Real friction_ = 0, skin_ = 0;
  Buffer<Real> limits_;  ///< [element] see PartNodes
  CandidateSearch<Backend> search_;
  Buffer<Index> searched_;                        ///< see ExposeFailed
  Buffer<Index> near_count_, near_point_;         ///< see NearPoints
  Buffer<std::uint64_t> near_parts_;              ///< likewise
  Buffer<Index> failed_in_step_;                  ///< see FailedInStep
  Buffer<Index> newly_exposed_;                   ///< cohesive elements, see share_handed
  Buffer<HandedElement> told_;                    ///< see share_handed
  Field<Backend, SideState> side_state_;          ///< [side]
  Field<Backend, PartNodes> part_nodes_;          ///< [side][part]
  Field<Backend, PartEnds> part_ends_;            ///< likewise
  Field<Backend, PartBearing> bearing_;           ///< likewise
  Field<Backend, PartSpan> spans_;                ///< likewise
  Field<Backend, Forced> forced_;                 ///< likewise
  Field<Backend, Index> part_;                    ///< [side][point][contact]
  Field<Backend, std::uint8_t> touching_points_;  ///< likewise
  Field<Backend, std::uint8_t> across_;           ///< likewise
  Field<Backend, PointState> state_;              ///< likewise
  Field<Backend, PartForces> acting_;             ///< likewise
  Field<Backend, double> work_;                   ///< [side][point] PointSums
  Field<Backend, double> handed_;                 ///< [cohesive] HandedSums
};

}  // namespace cleave::inline CLEAVE_PRECISION
