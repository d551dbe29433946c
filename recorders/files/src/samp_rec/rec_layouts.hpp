// Maps the layout of a file to a block type.
#pragma once

#include <type_traits>

#include "tickreel/samp_rec/legacy.hpp"
#include "tickreel/samp_rec/reader.hpp"
#include "tickreel/samp_rec/vcmp.hpp"

namespace tickreel::files {

// Whether SA-MP plays blocks of this type; only the structure of VC-MP's blocks is checked.
template <class Block>
constexpr bool is_samp_block = !std::is_same_v<Block, samp_rec::vcmp::on_foot_block> &&
                               !std::is_same_v<Block, samp_rec::vcmp::driver_block>;

// The block of the current layout with the same values.
template <class Block>
auto modern_block(const Block& block) {
  if constexpr (samp_rec::block_type<Block>) {
    return block;
  } else {
    return samp_rec::modernised(block);
  }
}

// Calls visit(std::type_identity<Block>) for the layout's block type. Header-only files without a kind and
// VC-MP's packets have none: `visit` is then not called.
template <class Visit>
void with_rec_block(samp_rec::block_layout layout, Visit&& visit) {
  using samp_rec::block_layout;
  switch (layout) {
    case block_layout::vehicle:
      return visit(std::type_identity<samp_rec::vehicle_block>{});
    case block_layout::on_foot:
      return visit(std::type_identity<samp_rec::on_foot_block>{});
    case block_layout::legacy_vehicle:
      return visit(std::type_identity<samp_rec::legacy_vehicle_block>{});
    case block_layout::legacy_on_foot:
      return visit(std::type_identity<samp_rec::legacy_on_foot_block>{});
    case block_layout::vcmp_on_foot:
      return visit(std::type_identity<samp_rec::vcmp::on_foot_block>{});
    case block_layout::vcmp_driver:
      return visit(std::type_identity<samp_rec::vcmp::driver_block>{});
    case block_layout::none:
    case block_layout::vcmp_packets:
      return;
  }
}

}  // namespace tickreel::files
