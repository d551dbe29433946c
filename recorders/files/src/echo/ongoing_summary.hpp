// The summary and the events of a match, tick by tick.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "echo_events.hpp"
#include "echo_input.hpp"
#include "echo_summary.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::files {

// Everything since the first tick. Must not move.
struct ongoing_summary {
  static result<std::unique_ptr<ongoing_summary>> begin() {
    auto made = std::make_unique<ongoing_summary>();
    auto lines = echo_event_lines::make(made->everything, made->give);
    if (!lines) return fail(lines.error());
    made->lines.emplace(std::move(*lines));
    return made;
  }

  // Before the first tick.
  void take_records_of(echo_input& from) {
    kept = from.give_event_records([this](byte_span record) { lines->take_record(record); });
  }
  // The current tick of `from`.
  void add(const tick_position& at, const echo::state& tick, echo_input& from) {
    totals.add(tick, from.place());
    from.count_line();
    if (to->tick) to->tick();
    lines->look(at, tick);
    if (!kept) detector.see(at.tick, tick, *lines);
  }
  // After the last one.
  void finish() {
    if (std::exchange(finished, true)) return;
    if (!kept) detector.finish(*lines);
    lines->finish();
  }

  const observer* to = nullptr;
  event_query everything;
  std::function<bool(std::string_view)> give = [this](std::string_view line) {
    if (to != nullptr && to->event) to->event(line);
    return true;
  };
  std::optional<echo_event_lines> lines;
  echo::event_detector detector;
  echo_summary totals;
  bool kept = false;  // events are stored in the reel
  bool finished = false;
};

}  // namespace tickreel::files
