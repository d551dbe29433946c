// What every verb of the program has in common. One file per verb; main.cpp lists them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <vector>

namespace tickreel::cli {

// Documented in docs/command-line.md; scripts rely on them.
enum exit_code : int {
  done = 0,
  failed = 1,
  wrong_usage = 2,
  done_with_loss = 3,
};

// A verb that the command line can name, and what it does.
struct verb {
  CLI::App* app = nullptr;
  std::function<int()> run;
};
using verb_list = std::vector<verb>;

void add_record(CLI::App& program, verb_list& verbs);
void add_serve(CLI::App& program, verb_list& verbs);
void add_info(CLI::App& program, verb_list& verbs);
void add_cat(CLI::App& program, verb_list& verbs);
void add_seek(CLI::App& program, verb_list& verbs);
void add_verify(CLI::App& program, verb_list& verbs);
void add_recover(CLI::App& program, verb_list& verbs);
void add_clip(CLI::App& program, verb_list& verbs);
void add_convert(CLI::App& program, verb_list& verbs);
void add_events(CLI::App& program, verb_list& verbs);
void add_derive(CLI::App& program, verb_list& verbs);
void add_stats(CLI::App& program, verb_list& verbs);
void add_report(CLI::App& program, verb_list& verbs);
void add_view(CLI::App& program, verb_list& verbs);
void add_diff(CLI::App& program, verb_list& verbs);
void add_sign(CLI::App& program, verb_list& verbs);
void add_keygen(CLI::App& program, verb_list& verbs);
void add_compact(CLI::App& program, verb_list& verbs);
void add_recompress(CLI::App& program, verb_list& verbs);
void add_anonymise(CLI::App& program, verb_list& verbs);
void add_strip_voice(CLI::App& program, verb_list& verbs);
void add_archive(CLI::App& program, verb_list& verbs);
void add_npc(CLI::App& program, verb_list& verbs);
void add_library(CLI::App& program, verb_list& verbs);
void add_publish(CLI::App& program, verb_list& verbs);
void add_follow(CLI::App& program, verb_list& verbs);
void add_relay(CLI::App& program, verb_list& verbs);
void add_fleet(CLI::App& program, verb_list& verbs);

}  // namespace tickreel::cli
