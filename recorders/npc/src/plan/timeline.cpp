#include "tickreel/npc/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tickreel::npc {

namespace {

// The progress of one plan's timing.
struct progress {
  std::size_t next = 0;
  double now_s = 0;
  bool begun = false;
  bool ended = false;
  std::vector<bool> marked;
};

void time_travel(const travel& what, progress& at, timeline& line) {
  run_cursor cursor(what.way);
  for (const run_mark& each : what.marks) {
    const auto* moment = std::get_if<emit>(&each.what);
    if (moment == nullptr) continue;
    line.marks_s[moment->number] = at.now_s + cursor.time_at(each.distance_m);
    at.marked[moment->number] = true;
  }
  at.now_s += cursor.duration_s();
  line.length_m += what.way.length_m();
  line.top_mps = std::max(line.top_mps, cursor.top_mps());
}

// Continues until the end of the plan or until it waits for a moment without a time.
outcome time_on(const plan& of, progress& at, timeline& line, const std::vector<progress>& all,
                const std::vector<timeline>& lines) {
  const auto& directions = of.directions();
  if (!at.begun) {
    if (const auto before = of.options().continues) {
      const std::size_t index = *before;
      if (!all[index].ended) return {};
      // Blocks have whole milliseconds.
      at.now_s = std::ceil(lines[index].duration_s * 1000 - 1e-6) / 1000;
    }
    line.begin_s = line.duration_s = at.now_s;
    at.begun = true;
  }
  for (; at.next < directions.size(); ++at.next) {
    const double begin_s = at.now_s;
    const direction& each = directions[at.next];
    if (const auto* until = std::get_if<stand_until>(&each)) {
      const event& what = until->what;
      if (what.actor >= all.size() || what.number >= all[what.actor].marked.size() ||
          !all[what.actor].marked[what.number]) {
        return {};
      }
      at.now_s = std::max(at.now_s, lines[what.actor].marks_s[what.number] + until->delay_s);
    } else if (const auto* rest = std::get_if<stand>(&each)) {
      at.now_s += rest->seconds;
    } else if (const auto* until_time = std::get_if<stand_until_time>(&each)) {
      at.now_s = std::max(at.now_s, until_time->at_s);
    } else if (const auto* turn = std::get_if<spot_turn>(&each)) {
      at.now_s += std::abs(turn->by_deg) / turn->rate_dps;
    } else if (const auto* moving = std::get_if<travel>(&each)) {
      time_travel(*moving, at, line);
    } else if (const auto* played = std::get_if<perform>(&each)) {
      // Blocks have whole milliseconds.
      at.now_s = std::ceil(at.now_s * 1000 - 1e-6) / 1000 + played->what->duration_s();
    } else if (const auto* moment = std::get_if<emit>(&each)) {
      line.marks_s[moment->number] = at.now_s;
      at.marked[moment->number] = true;
    }
    if (at.now_s > of.options().limits.duration_s) {
      return tl::unexpected<problem>(
          problem{fmt::format("the part of {} takes more than {:.0f} hours", of.options().name,
                              of.options().limits.duration_s / 3600),
                  of.line_of(at.next)});
    }
    line.starts_s.push_back(begin_s);
    line.duration_s = at.now_s;
  }
  at.ended = true;
  return {};
}

}  // namespace

tl::expected<std::vector<timeline>, problem> schedule(std::span<plan* const> plans) {
  std::vector<timeline> lines(plans.size());
  std::vector<progress> all(plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (auto closed = plans[i]->finish(); !closed) return tl::unexpected<problem>(closed.error());
    lines[i].marks_s.resize(plans[i]->marks());
    all[i].marked.resize(plans[i]->marks());
  }
  // An event exists before an actor waits for it, so each round makes progress.
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const std::size_t before = all[i].next;
      const bool had_ended = all[i].ended;
      if (auto timed = time_on(*plans[i], all[i], lines[i], all, lines); !timed) {
        return tl::unexpected<problem>(timed.error());
      }
      moved = moved || all[i].next != before || all[i].ended != had_ended;
    }
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (!all[i].ended) {
      return tl::unexpected<problem>(
          problem{fmt::format("{} waits for a moment that never comes", plans[i]->options().name),
                  plans[i]->line_of(all[i].next)});
    }
  }
  return lines;
}

}  // namespace tickreel::npc
