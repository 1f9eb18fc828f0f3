/// Contact of the surface with itself and with obstacles as a term.
#pragma once

#include "parts/motion_everywhere.hpp"
#include "terms/contact/body_contact.hpp"
#include "terms/contact/obstacles.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class ContactTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  bool active() const { return static_cast<bool>(force_); }
  /// Whether steps may wait for a search, or for the list of what the surface of several ranks is.
  bool may_search() const { return may_search_; }
  ContactCounts counts(const Body& body) const;
  /// Sides of the boundary and of so many cohesive elements.
  Index sides(Index cohesive) const { return active() ? boundary_sides_ + 2 * cohesive : 0; }

  void declare(Body& body, const Model& model) override;
  void upload(Body& body, const Model& model) override;
  /// Makes room for the sides of all cohesive elements that there is room for.
  void make_room(Body& body);
  /// Places the sides. Stops the step when the host is to search. Makes the motion of the surface known to all ranks.
  void launch_search_check(Body& body, const LaunchedStep& step);
  /// Lists the surface of several ranks anew where it has grown; else searches. Before the step that waits for it.
  void search(Body& body);
  void list_candidates(Body& body);
  void launch_forces(Body& body, const LaunchedStep& step) override;
  void launch_inserted(Body& body) override;
  Field<Backend, Vec2> nodal_force() const override { return force_; }
  bool pushes_all_nodes() const override { return false; }
  void add_sums(Body& body, SumTables& sums) override;
  void check_loaded(Body& body) override;
  /// Traction at nodes of the forces of the last step.
  ContactTraction<Element> traction(Body& body);
  /// Adds to a copy of the state how the surface touches, as of the forces of the last step.
  ContactCopy<Backend> copy_shown(Body& body, HostCopy<Backend>& copy);

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  ObstaclePoints points_of() const {
    return {obstacles_, point_state_.data(), point_phase_.data(), point_obstacle_force_.data(), point_moment_.data()};
  }
  Surface<Element> surface_of(Body& body);
  ContactSurface<Element> contact_surface_of(Body& body);
  /// @param force  see LinkSides
  void link_sides(Body& body, Vec2* force);
  void list_surface(Body& body);
  void launch_stop(Body& body, const LaunchedStep& step);
  void launch_obstacles(Body& body, const LaunchedStep& step);

  BodyContact<Backend, Element> of_body_;
  MotionEverywhere<Backend> motion_;
  bool may_search_ = false;
  Index boundary_sides_ = 0, obstacles_ = 0;
  Index listed_sides_ = -1;  ///< of which `motion_` knows the nodes
  Real cap_factor_ = 0;
  Buffer<Index> boundary_, linked_;
  Buffer<Index> listed_;  ///< number of cohesive elements of which `motion_` knows the nodes
  Buffer<SearchFlags> flags_;
  Buffer<std::uint8_t> touching_;
  Buffer<Real> modulus_;  ///< [material] penalty times E, Pa
  Buffer<ObstacleShape> shape_;
  Buffer<ForceSum> run_sum_;
  Buffer<NodalContact> shown_;                 ///< see ShowContact
  Field<Backend, Vec2> force_;                 ///< [node]
  Field<Backend, NodeSides> at_node_;          ///< [node]
  Field<Backend, Vec2> point_force_;           ///< [side][point]
  Field<Backend, double> point_work_;          ///< [side][point] PointSums
  Field<Backend, PointState> point_state_;     ///< [side][point][obstacle]
  Field<Backend, PointPhase> point_phase_;     ///< likewise
  Field<Backend, Vec2> point_obstacle_force_;  ///< likewise
  Field<Backend, Real> point_moment_;          ///< likewise
  Field<Backend, ObstacleState> obstacle_;     ///< [obstacle]
  Field<Backend, double> obstacle_work_;       ///< [obstacle] ObstacleSums
};

}  // namespace cleave::inline CLEAVE_PRECISION

#ifdef CLEAVE_TERM_LAUNCHES
#include "terms/contact/contact_term_impl.hpp"
#endif
