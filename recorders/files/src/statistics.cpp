#include "tickreel/files/statistics.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tickreel::files {

namespace {

constexpr statistic_column columns[] = {
    {"time_s"},
    {"points"},
    {"goals"},
    {"goals_slam_dunk"},
    {"goals_inside_shot"},
    {"goals_long_shot"},
    {"goals_bounce_shot"},
    {"goals_long_bounce_shot"},
    {"goals_headbutt"},
    {"goals_long_headbutt"},
    {"goals_bumper_shot"},
    {"goals_long_bumper_shot"},
    {"goals_self"},
    {"goals_other"},
    {"assists"},
    {"saves"},
    {"stuns"},
    {"steals"},
    {"blocks"},
    {"interceptions"},
    {"passes"},
    {"catches"},
    {"shots"},
    {"shot_speed_mps", together::mean, statistic::shots},
    {"top_shot_speed_mps", together::highest},
    {"throws"},
    {"top_throw_speed_mps", together::highest},
    {"possession_s"},
    {"distance_m"},
    {"speed_mps", together::mean},
    {"top_speed_mps", together::highest},
    {"fast_s"},
    {"ping_ms", together::mean},
    {"top_ping_ms", together::highest},
    {"actions"},
    {"apm", together::mean},
    {"units_created"},
    {"units_lost"},
    {"units_killed"},
    {"workers_created"},
    {"top_workers", together::highest},
    {"top_supply", together::highest},
    {"supply_blocked_s"},
    {"income_per_minute", together::mean},
    {"unspent", together::mean},
    {"spending_quotient", together::mean},
    {"top_army_value", together::highest},
    {"minerals_lost"},
    {"vespene_lost"},
    {"upgrades"},
    {"collected"},
    {"spent"},
    {"kills"},
    {"deaths"},
    {"creeps"},
    {"denies"},
    {"neutrals"},
    {"level", together::highest},
    {"gold"},
    {"item_gold"},
};
static_assert(std::size(columns) == statistic_count);

}  // namespace

const statistic_column& column_of(statistic which) noexcept {
  return columns[static_cast<std::size_t>(which)];
}

void player_row::doubt_all() {
  for (std::size_t at = 0; at < statistic_count; ++at) {
    if (values[at]) uncertain.set(at);
  }
}

std::string statistic_text(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return {};
  char room[400];  // the largest number has 309 digits before its decimal point
  const auto [end, failed] =
      std::to_chars(std::begin(room), std::end(room), *value, std::chars_format::fixed, 3);
  if (failed != std::errc{}) return {};
  std::string text(room, end);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::vector<statistic> columns_in_use(const std::vector<const player_row*>& rows) {
  std::vector<statistic> out;
  for (std::size_t at = 0; at < statistic_count; ++at) {
    const bool used =
        std::ranges::any_of(rows, [&](const player_row* row) { return row->values[at].has_value(); });
    if (used) out.push_back(static_cast<statistic>(at));
  }
  return out;
}

void statistics_sums::add_outcome(const outcome& more, entry& to) {
  to.games += more.played ? 1 : 0;
  to.won += more.won ? 1 : 0;
  to.lost += more.lost ? 1 : 0;
}

void statistics_sums::add_values(const player_row& row, account& to) {
  entry& sums = to.sums;
  sums.row.uncertain |= row.uncertain;
  for (std::size_t at = 0; at < statistic_count; ++at) {
    const std::optional<double>& value = row.values[at];
    if (!value) continue;
    std::optional<double>& total = sums.row.values[at];
    const statistic_column& column = columns[at];
    if (column.how == together::sum) {
      total = total.value_or(0) + *value;
    } else if (column.how == together::highest) {
      total = std::max(total.value_or(*value), *value);
    } else if (const auto& weight = row.get(column.weight); weight && *weight > 0) {
      double& all = to.weights[at];
      all += *weight;
      total = total.value_or(0) + (*value - total.value_or(0)) * *weight / all;
    }
  }
}

void statistics_sums::add(const match_rows& match, std::optional<std::size_t> parts_of) {
  for (const player_row& row : match.players) {
    if (row.computer) continue;
    account& own = players_[{match.format, row.id.empty() ? row.player : row.id}];
    own.sums.format = match.format;
    own.sums.row.player = row.player;
    own.sums.row.id = row.id;
    own.sums.row.team = row.team;
    outcome more{true, row.result == "won", row.result == "lost"};
    if (parts_of) {
      outcome& before = own.matches[*parts_of];
      const outcome both{true, before.won || more.won, before.lost || more.lost};
      more = {!before.played, both.won && !before.won, both.lost && !before.lost};
      before = both;
    }
    add_outcome(more, own.sums);
    add_outcome(more, all_.sums);
    add_values(row, own);
    add_values(row, all_);
  }
}

std::vector<const statistics_sums::entry*> statistics_sums::by_player() const {
  std::vector<const entry*> out;
  out.reserve(players_.size());
  for (const auto& [key, each] : players_) out.push_back(&each.sums);
  std::ranges::stable_sort(out, [](const entry* a, const entry* b) {
    return a->games != b->games ? a->games > b->games : a->row.player < b->row.player;
  });
  return out;
}

}  // namespace tickreel::files
