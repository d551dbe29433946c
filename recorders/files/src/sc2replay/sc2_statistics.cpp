#include "sc2_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "sc2_facts.hpp"
#include "sc2_problem.hpp"
#include "tickreel/sc2replay/statistics.hpp"

namespace tickreel::files {

namespace {

using sc2replay::economy_sample;

// The last sample of each minute; a minute without one repeats the previous value.
template <class Value>
std::vector<double> by_minute(const std::vector<economy_sample>& samples, double minute_ticks, Value value) {
  constexpr std::size_t max_minutes = 1440;  // a day
  std::vector<double> out;
  double last = 0;
  for (const economy_sample& each : samples) {
    const double minute = std::floor(static_cast<double>(each.tick) / minute_ticks);
    const auto place = static_cast<std::size_t>(std::min(minute, static_cast<double>(max_minutes - 1)));
    if (out.size() <= place) out.resize(place + 1, last);
    last = static_cast<double>(each.*value);
    out[place] = last;
  }
  return out;
}

template <class Value>
double highest(const std::vector<economy_sample>& samples, Value value) {
  double most = 0;
  for (const economy_sample& each : samples) most = std::max(most, static_cast<double>(each.*value));
  return most;
}

class row_maker {
 public:
  row_maker(const sc2replay::replay& of, const sc2replay::match_statistics& measured)
      : of_(&of), measured_(&measured), ticks_per_second_(clock_ticks_per_second(of)) {}

  player_row make(const sc2replay::player& player, const sc2replay::player_statistics& from) const {
    player_row out;
    out.player = player.name;
    out.id = player.handle;
    out.computer = player.type == sc2replay::player_type::computer;
    if (player.team) out.team = std::to_string(*player.team + 1);
    constexpr std::string_view results[] = {"", "won", "lost", "tie"};
    out.result = results[static_cast<std::size_t>(player.result)];
    const std::uint64_t end = from.has_actions ? from.last_tick : std::uint64_t{of_->header.loops};
    out.set(statistic::time_s, seconds(end - std::min(end, from.first_tick)));
    if (from.has_actions) set_actions(from, out);
    if (from.has_tracker) set_tracked(from, out);
    if (measured_->game_stopped) {
      for (const statistic which : {statistic::time_s, statistic::actions, statistic::apm}) {
        if (out.get(which)) out.doubt(which);
      }
    }
    return out;
  }

 private:
  [[nodiscard]] double seconds(std::uint64_t ticks) const {
    return static_cast<double>(ticks) / ticks_per_second_;
  }

  void set_actions(const sc2replay::player_statistics& from, player_row& out) const {
    out.set(statistic::actions, static_cast<double>(from.actions));
    if (from.last_tick > from.first_tick) {
      out.set(statistic::apm,
              static_cast<double>(from.actions) * 60 / seconds(from.last_tick - from.first_tick));
    }
    out.by_minute.emplace_back("apm", actions_by_minute(from));
  }

  // The last minute is scaled to a rate of the part that was played; omitted if it is too short.
  [[nodiscard]] std::vector<double> actions_by_minute(const sc2replay::player_statistics& from) const {
    constexpr double shortest_seconds = 10;
    std::vector<double> out(from.actions_by_minute.begin(), from.actions_by_minute.end());
    if (out.empty()) return out;
    const double played = seconds(from.last_tick + 1) - 60 * static_cast<double>(out.size() - 1);
    if (played >= 60) return out;
    if (played < shortest_seconds) {
      out.pop_back();
    } else {
      out.back() *= 60 / played;
    }
    return out;
  }

  void set_tracked(const sc2replay::player_statistics& from, player_row& out) const {
    const auto set = [&](statistic which, auto value) {
      out.set(which, static_cast<double>(value));
      if (measured_->tracker_stopped) out.doubt(which);
    };
    set(statistic::units_created, from.units_created);
    set(statistic::units_lost, from.units_lost);
    set(statistic::units_killed, from.units_killed);
    set(statistic::workers_created, from.workers_created);
    set(statistic::upgrades, from.upgrades);
    if (!from.samples.empty()) {
      set(statistic::top_workers, highest(from.samples, &economy_sample::workers));
      set(statistic::top_supply, highest(from.samples, &economy_sample::supply_used));
      set(statistic::supply_blocked_s, seconds(from.supply_blocked_ticks));
      set(statistic::income_per_minute, *from.average_income());
      set(statistic::unspent, *from.average_unspent());
      if (const auto quotient = from.spending_quotient()) set(statistic::spending_quotient, *quotient);
      set(statistic::top_army_value, highest(from.samples, &economy_sample::army_value));
      set(statistic::minerals_lost, from.minerals_lost);
      set(statistic::vespene_lost, from.vespene_lost);
      const double minute = ticks_per_second_ * 60;
      const auto chart = [&](std::string_view name, auto value) {
        out.by_minute.emplace_back(name, by_minute(from.samples, minute, value));
      };
      chart("supply", &economy_sample::supply_used);
      chart("workers", &economy_sample::workers);
      chart("income", &economy_sample::income);
      chart("army_value", &economy_sample::army_value);
    }
    for (const sc2replay::build_step& each : from.build_order) {
      out.build_order.push_back({std::llround(seconds(each.tick) * 1000), each.supply_used, name(each.kind),
                                 each.type_name, each.cancelled});
    }
  }

  const sc2replay::replay* of_;
  const sc2replay::match_statistics* measured_;
  double ticks_per_second_;
};

}  // namespace

match_rows statistics_of(const sc2replay::replay& of, std::vector<std::string>& losses) {
  const double ticks_per_second = clock_ticks_per_second(of);
  const sc2replay::match_statistics measured = measure(of, ticks_per_second * 60);
  match_rows out;
  out.format = "sc2replay";
  out.map = of.map();
  out.duration_ms = std::llround(1000.0 * static_cast<double>(of.header.loops) / ticks_per_second);
  out.clock = clock_text(of);
  if (of.details) {
    // The calendar counts real time.
    const double played_ms = 1000.0 * static_cast<double>(of.header.loops) / loops_per_second(of);
    out.started_ms = sc2replay::unix_ms_of_file_time(of.details->ended_utc) - std::llround(played_ms);
  }
  if (measured.game_stopped) losses.push_back(stop_text("replay.game.events", *measured.game_stopped));
  if (measured.tracker_stopped) {
    losses.push_back(stop_text("replay.tracker.events", *measured.tracker_stopped));
  }
  const bool damaged = std::ranges::any_of(
      of.problems, [&](const sc2replay::member_problem& each) { return each.damages(of.base_build()); });
  const row_maker rows(of, measured);
  for (std::size_t at = 0; at < measured.players.size(); ++at) {
    out.players.push_back(rows.make(of.players[at], measured.players[at]));
    if (damaged) out.players.back().doubt_all();
  }
  return out;
}

}  // namespace tickreel::files
