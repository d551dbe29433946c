// The verbs under `tickreel npc`, one file each.
#pragma once

#include "console/verb.hpp"

namespace tickreel::cli {

void add_npc_build(command& npc_app);
void add_npc_check(command& npc_app);
void add_npc_plot(command& npc_app);
void add_npc_edit(command& npc_app);

}  // namespace tickreel::cli
