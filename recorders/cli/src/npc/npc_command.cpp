// tickreel npc: recordings that nobody played.
#include "npc_verbs.hpp"

namespace tickreel::cli {

void add_npc(CLI::App& program, verb_list& verbs) {
  CLI::App* app =
      program.add_subcommand("npc", "Makes, checks, draws and edits recordings for NPCs (SA-MP .rec)");
  app->require_subcommand(1);
  app->footer(
      "Examples:\n"
      "  tickreel npc build patrol.lua -o recordings\n"
      "  tickreel npc check recordings\n"
      "  tickreel npc plot recordings/guard.rec -o guard.svg\n"
      "  tickreel npc edit guard.rec night.rec --cut 10 60 --rotate 90");
  add_npc_build(*app, verbs);
  add_npc_check(*app, verbs);
  add_npc_plot(*app, verbs);
  add_npc_edit(*app, verbs);
}

}  // namespace tickreel::cli
