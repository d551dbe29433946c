// The verbs under `tickreel npc`, one file each.
#pragma once

#include "console/verb.hpp"

namespace tickreel::cli {

void add_npc_build(CLI::App& npc_app, verb_list& verbs);
void add_npc_check(CLI::App& npc_app, verb_list& verbs);
void add_npc_plot(CLI::App& npc_app, verb_list& verbs);
void add_npc_edit(CLI::App& npc_app, verb_list& verbs);

}  // namespace tickreel::cli
