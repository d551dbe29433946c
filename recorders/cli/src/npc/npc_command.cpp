// tickreel npc: recordings of NPCs.
#include "npc_verbs.hpp"

namespace tickreel::cli {

void add_npc(command& program) {
  command& app =
      program.add_subcommand("npc", "Makes, checks, draws and edits recordings for NPCs (SA-MP .rec)");
  app.examples = {"tickreel npc build patrol.lua -o recordings", "tickreel npc check recordings",
                  "tickreel npc plot recordings/guard.rec -o guard.svg",
                  "tickreel npc edit guard.rec night.rec --cut 10 60 --rotate 90"};
  add_npc_build(app);
  add_npc_check(app);
  add_npc_plot(app);
  add_npc_edit(app);
}

}  // namespace tickreel::cli
