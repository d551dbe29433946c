// Declarations shared by all verbs. One file per verb; main.cpp lists them.
#pragma once

#include "options.hpp"

namespace tickreel::cli {

// Documented in docs/command-line.md; scripts rely on them.
enum exit_code : int {
  done = 0,
  failed = 1,
  wrong_usage = 2,
  done_with_loss = 3,
};

void add_record(command& program);
void add_serve(command& program);
void add_info(command& program);
void add_cat(command& program);
void add_seek(command& program);
void add_verify(command& program);
void add_recover(command& program);
void add_clip(command& program);
void add_convert(command& program);
void add_events(command& program);
void add_derive(command& program);
void add_stats(command& program);
void add_query(command& program);
void add_report(command& program);
void add_view(command& program);
void add_diff(command& program);
void add_sign(command& program);
void add_keygen(command& program);
void add_compact(command& program);
void add_recompress(command& program);
void add_anonymise(command& program);
void add_strip_voice(command& program);
void add_archive(command& program);
void add_npc(command& program);
void add_library(command& program);
void add_publish(command& program);
void add_follow(command& program);
void add_relay(command& program);
void add_fleet(command& program);
void add_completion(command& program);
void add_man(command& program);

}  // namespace tickreel::cli
