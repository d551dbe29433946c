// 23 bones that move like a person in zero gravity.
#pragma once

#include "arithmetic.hpp"

namespace tickreel::echo_vr {

// `sway` are six slowly turning angles of that player, which all bones share with individual offsets.
void pose_skeleton(const turn (&sway)[6], echo::bone_player& out) noexcept;

}  // namespace tickreel::echo_vr
