// The reels of the damage matrix, by their encoder.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "every_format.hpp"
#include "reel_damage.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/tickreel.hpp"

namespace cli_matrix_tests {

using namespace tickreel;
using namespace tickreel::test;

struct token {
  float x = 0;
  std::uint32_t round = 0;
};
TICKREEL_DESCRIBE(token, x, round);
struct bell {
  std::uint8_t count = 0;
};
TICKREEL_DESCRIBE(bell, count);

inline constexpr std::uint64_t recorded_ticks = 60;

template <class Encoder, class Fill>
void record_echo(const std::string& path, Fill fill) {
  recorder_options options = short_chunks();
  options.metadata.push_back(files::echo_events_entry());
  auto to = recorder<Encoder>::open(path, Encoder(), options);
  BOOST_REQUIRE(to);
  echo_vr::match_simulator match(short_match());
  const auto state = std::make_unique<echo::state>();
  files::echo_event_log<recorder<Encoder>> events;
  frame_stamp stamp;
  for (std::uint64_t tick = 0; tick < recorded_ticks && match.next(*state); ++tick) {
    stamp = {stamp.tick + 1, stamp.time_us + 33'333};
    BOOST_REQUIRE(to->capture(stamp, [&](auto& slot) { fill(slot, *state); }));
    events.see(*to, stamp, *state);
    if (tick == 22) {
      to->note_gap(2, {stamp.tick + 1, stamp.time_us}, {stamp.tick + 2, stamp.time_us},
                   reel::gap_reason::source_failed);
      stamp.tick += 2;
    }
    (void)to->pump();
  }
  events.finish(*to);
  BOOST_REQUIRE(to->close());
}

inline void record_butter(const std::string& path) {
  record_echo<butter::encoder>(
      path, [](echo::state& slot, const echo::state& tick) { echo::copy_state(slot, tick); });
}

inline void record_lines(const std::string& path) {
  record_echo<echoreplay::encoder>(path, [](echoreplay::answer& slot, const echo::state& tick) {
    std::string session;
    echo::append_session_json(tick, echo::json_shape::api, echo::number_style::shortest, session);
    (void)slot.assign(tick.recorded_time_ms, session, {}, false);
  });
}

inline void convert_match(const std::string& path, const char* by_way_of) {
  const scratch_folder folder;
  const std::string from = folder / (std::string("match.") + by_way_of);
  write_match(from);
  files::convert_options options;
  options.keyframe_interval_ticks = 15;
  const auto made = files::convert(from, path, options);
  BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
}

inline void record_tokens(const std::string& path) {
  auto out = record<token>(path, short_chunks());
  BOOST_REQUIRE(out);
  for (std::uint32_t tick = 0; tick < recorded_ticks; ++tick) {
    BOOST_REQUIRE(out->push({static_cast<float>(tick) * 0.5f, tick / 20}));
    if (tick % 20 == 7) BOOST_REQUIRE(out->event(bell{static_cast<std::uint8_t>(tick)}));
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
}

struct reel_kind {
  const char* name;
  void (*make)(const std::string& path);
  bool is_echo;
  bool keeps_events;
  std::string_view published;  // the extension of the output of `recover`; empty: a reel
};

inline const reel_kind reel_kinds[] = {
    {"butter", record_butter, true, true, ".butter"},
    {"echoreplay", record_lines, true, true, ".echoreplay"},
    {"rows of lines", [](const std::string& path) { convert_match(path, "echoreplay"); }, true, true,
     ".echoreplay"},
    {"rows of states", [](const std::string& path) { convert_match(path, "butter"); }, true, true, ".butter"},
    {"compacted rows",
     [](const std::string& path) {
       const scratch_folder folder;
       convert_match(folder / "rows.reel", "echoreplay");
       const auto made = files::compact(file_path(folder / "rows.reel"), file_path(path));
       BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
     },
     true, true, ".echoreplay"},
    {"described", record_tokens, false, true, {}},
    {"orders",
     [](const std::string& path) {
       const scratch_folder folder;
       write_file(folder.path() / "match.icrep", from_hex(golden::complete_file));
       convert(folder.path() / "match.icrep", path, "reel");
     },
     false, true, ".icrep"},
    {"unknown", [](const std::string& path) { write_ints(path); }, false, false, {}},
};

}  // namespace cli_matrix_tests
