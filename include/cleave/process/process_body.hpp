/// The body as kernels of a process see it.
#pragma once

#include "cleave/core/table.hpp"
#include "cleave/mesh/element.hpp"
#include "cleave/mesh/facet.hpp"
#include "cleave/process/process_type.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A node of an element, counted from 0 in the element.
struct ElementCorner {
  Index element;
  int node;
};

/// Views of the arrays of a body, and of the fields of one process. A kernel sees displacements at the present step,
/// velocities in the middle of the step before, and what materials and faces have dissipated until then.
template <class ElementType>
struct ProcessBody {
  using Element = ElementType;

  double dt;         ///< s
  double thickness;  ///< m
  Vec2 origin;       ///< that positions are counted from, m

  /// Time of the present step, s.
  CLEAVE_HD double time() const { return dt * static_cast<double>(*first_input + *row + number); }

  /// Node k of element e, in the order of mesh.hpp.
  CLEAVE_HD Index node(Index e, int k) const { return nodes(e, k).node; }
  /// Neighbour entry of a facet of element e: another element, the outside or a cohesive element (mesh/facet.hpp).
  CLEAVE_HD Index neighbour(Index e, int facet) const { return neighbours(e, facet); }
  /// Whether erosion has taken the element out of the body.
  CLEAVE_HD bool is_eroded(Index e) const { return (element_flags[e] & eroded_flag) != 0; }
  CLEAVE_HD double mass(Index e) const { return masses[e]; }  ///< of an element, kg
  /// Place at the start, m, counted from `origin`: so single precision keeps the digits of differences.
  CLEAVE_HD Vec2 position(Index n) const { return positions[n]; }
  CLEAVE_HD Vec2 displacement(Index n) const { return displacements[n]; }               ///< m
  CLEAVE_HD Vec2 velocity(Index n) const { return velocities[n]; }                      ///< m/s
  CLEAVE_HD double mass_of_node(Index n) const { return 1 / double{inverse_mass[n]}; }  ///< kg

  /// Centre of an element at the start, likewise.
  CLEAVE_HD Vec2 centre(Index e) const {
    Vec2 sum = position(node(e, 0));
    for (int k = 1; k < Element::corners; ++k) sum += position(node(e, k));
    return Real(1) / Element::corners * sum;
  }
  /// From the first to the last corner of a facet at the start, m.
  CLEAVE_HD Vec2 along(Index e, int facet) const {
    return position(node(e, Element::facet_slot(facet, Element::facet_nodes - 1))) -
           position(node(e, Element::facet_slot(facet, 0)));
  }

  /// Energy that plastic flow and viscous stresses have dissipated in an element, J.
  CLEAVE_HD double dissipated(Index e) const {
    double sum = 0;
    for (int k = 0; k < dissipations; ++k)
      if (e < dissipation[k].end) sum += dissipation[k].of_element[e];
    return sum;
  }
  /// Work of friction between the faces of a cohesive element, J.
  CLEAVE_HD double rubbed(Index c) const {
    double sum = 0;
    for (int q = 0; friction != nullptr && q < points_of_facet; ++q) sum += friction[points_of_facet * c + q];
    return sum;
  }
  /// Code of the facet on a side, 0 or 1, of a cohesive element.
  CLEAVE_HD Index facet_of_cohesive(Index c, int side) const {
    return cohesive_rows[row_of_cohesive * c + 2 * Element::facet_nodes + side];
  }
  /// Node i on a side: side 0 has its nodes counter-clockwise, side 1 has those that face them.
  CLEAVE_HD Index node_of_cohesive(Index c, int side, int i) const {
    return cohesive_rows[row_of_cohesive * c + Element::facet_nodes * side + i];
  }

  /// Number of elements around a node.
  CLEAVE_HD int elements_at(Index n) const { return stars[n].elements; }
  /// The i-th of them, in the order in which they follow each other around the node, and the node's place in it.
  CLEAVE_HD ElementCorner element_at(Index n, int i) const {
    const Index* const entries = n < first_interface ? block_entries : interface_entries;
    const auto entry = static_cast<std::uint32_t>(entries[stars[n].first + i]);
    return {static_cast<Index>(entry >> 3), static_cast<int>(entry & 7)};
  }

  /// Value of a field of the process.
  CLEAVE_HD double& field(int number_of_field, Index of, int component = 0) const {
    const Rows& rows = fields[number_of_field];
    return rows.values[static_cast<std::size_t>(of) * rows.width + component];
  }

  // The solver fills these members; kernels of users leave them alone.

  /// A node of an element with its slot (src/body/element_table.hpp).
  struct Corner {
    Index node, slot;
  };
  /// Slots and flags of a node (src/body/gather_table.hpp).
  struct Star {
    Index first;
    std::uint8_t elements, partials;
    std::uint16_t flags;
  };
  struct Dissipation {
    const double* of_element;
    Index end;  ///< of the elements in it
  };
  struct Rows {
    double* values;
    int width;
  };
  static constexpr std::uint8_t eroded_flag = 4;
  static constexpr std::uint16_t remote_flag = 4;  ///< of a node that another rank steps
  static constexpr int points_of_facet = 3, most_dissipations = 4;
  /// Words of a cohesive row.
  static constexpr Index row_of_cohesive = 2 * Element::facet_nodes + 2;

  /// Whether the element of side 0 or of side 1 is one of this rank.
  CLEAVE_HD bool has_cohesive(Index c) const {
    const Index a = element_of(facet_of_cohesive(c, 0)), b = element_of(facet_of_cohesive(c, 1));
    return (a >= first_element && a < end_element) || (b >= first_element && b < end_element);
  }

  /// Whether this rank steps the node.
  CLEAVE_HD bool has_node(Index n) const {
    return n < first_interface ? n >= first_node && n < end_node : (stars[n].flags & remote_flag) == 0;
  }

  int number;  ///< of the step in its recording
  const Index* row;
  const Step* first_input;                      ///< the step of row 0
  const Index* pending;                         ///< not 0: the host comes before the step
  Index first_element, end_element;             ///< those of this rank
  Index first_node, end_node;                   ///< nodes inside the blocks of this rank
  Index node_capacity, cohesive_capacity;       ///< rows in memory
  const Index *nodes_in_use, *cohesive_in_use;  ///< numbers
  Table<const Corner, Element::nodes, 32> nodes;
  Table<const Index, Element::facets> neighbours;
  const Real* masses;
  const std::uint8_t* element_flags;
  const Index* cohesive_rows;
  const Vec2 *positions, *displacements, *velocities;
  const Real* inverse_mass;
  const Star* stars;
  const Index *block_entries, *interface_entries;
  Index first_interface;  ///< nodes before it have their entries in the first of these
  Dissipation dissipation[most_dissipations];
  int dissipations;
  const double* friction;  ///< [cohesive][Gauss point]; null: there is none
  Rows fields[most_fields_of_process];
};

}  // namespace cleave::inline CLEAVE_PRECISION
