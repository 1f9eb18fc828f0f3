/// Cohesive elements as a term: tractions of a step, and the energies of all that acts between their faces.
#pragma once

#include "body/side_table.hpp"
#include "terms/cohesive/face_motion.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

struct FixedFaces;
struct CorotationalFaces;

template <class Backend, class Element>
class CohesiveTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  /// Forces of all terms on the sides of elements behind which a cohesive element lies.
  SideTable<Element> sides() { return {sides_.data()}; }

  /// How faces lie, that do not turn or that do.
  /// @param number  see LaunchedStep
  FixedFaces fixed_faces(Body& body, int number);
  CorotationalFaces turning_faces(Body& body);

  /// Forces of points of faces that turn are part of the state, as the work of a step needs those of the last.
  void declare(Body& body, const Model&) override;
  /// Tractions of a step.
  void launch_forces(Body& body, const LaunchedStep& step) override;
  /// Adds its elements to the sums of the body, and notes which have failed.
  void launch_sums(Body& body);

 private:
  template <bool reads_early, class Faces>
  void launch(Body& body, const Faces& faces);

  Field<Backend, Vec2> sides_;              ///< [cohesive][side][facet node] see SideTable
  Field<Backend, Vec2> force_;              ///< [cohesive][q] see CorotationalFaces; none when nothing turns
  Field<Backend, Vec2> couple_;             ///< likewise
  Field<Backend, FaceMotion> last_motion_;  ///< likewise
  Field<Backend, double> work_;             ///< [cohesive][q] J
};

}  // namespace cleave::inline CLEAVE_PRECISION
