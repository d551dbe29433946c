#include "icrep_statistics.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "tickreel/icrep/cut.hpp"

namespace tickreel::files {

namespace {

// `seconds`: of the whole match; the format does not store when a player left.
void set_counts(const analysis::player_statistics& from, const analysis::statistics_seen& seen,
                double seconds, player_row& to) {
  const auto set = [&to](statistic which, auto value) { to.set(which, static_cast<double>(value)); };
  if (seen.actions) {
    set(statistic::actions, from.actions);
    if (seconds > 0) set(statistic::apm, static_cast<double>(from.actions) * 60 / seconds);
  }
  if (seen.units) set(statistic::units_created, from.units_created);
  if (seen.deaths) {
    set(statistic::units_lost, from.units_lost);
    set(statistic::units_killed, from.units_killed);
  }
  if (seen.upgrades) set(statistic::upgrades, from.upgrades);
  if (!from.last) return;
  const analysis::player_stats& last = *from.last;
  set(statistic::top_army_value, from.top_army_value);
  set(statistic::collected, last.collected);
  set(statistic::spent, last.spent);
  if (!seen.deaths) {
    set(statistic::units_lost, std::uint64_t{last.units_lost} + last.buildings_lost);
    set(statistic::units_killed, std::uint64_t{last.units_killed} + last.buildings_killed);
  }
}

}  // namespace

match_rows statistics_of(const icrep::metadata& facts, std::uint64_t ticks, const icrep_clock& clock,
                         const analysis::statistics& counted, bool lossy) {
  match_rows out;
  out.format = "icrep";
  out.session = facts.replay_id;
  out.has_match_id = !out.session.empty();
  const auto cut = std::ranges::find(facts.others, std::string_view(icrep::cut_metadata_key),
                                     &std::pair<std::string, std::string>::first);
  if (cut != facts.others.end()) out.cut_from = cut->second;
  out.map = facts.map_name;
  out.duration_ms = clock.time_ms_of(ticks);
  const double seconds = static_cast<double>(out.duration_ms) / 1000;
  for (const icrep::player_entry& each : facts.players) {
    player_row row;
    row.player = each.name;
    if (each.outcome == "won" || each.outcome == "lost") row.result = each.outcome;
    if (each.outcome == "draw" || each.outcome == "tie") row.result = "tie";
    row.set(statistic::time_s, seconds);
    if (const auto found = counted.players().find(each.slot); found != counted.players().end()) {
      set_counts(found->second, counted.seen(), seconds, row);
    } else {
      set_counts({}, counted.seen(), seconds, row);
    }
    if (!row.get(statistic::apm) && each.apm_avg > 0) row.set(statistic::apm, each.apm_avg);
    if (lossy) row.doubt_all();
    out.players.push_back(std::move(row));
  }
  return out;
}

}  // namespace tickreel::files
