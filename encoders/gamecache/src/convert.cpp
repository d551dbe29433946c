#include "tickreel/gamecache/convert.hpp"

#include <algorithm>
#include <limits>

#include "tickreel/gamecache/names.hpp"

namespace tickreel::gamecache {

namespace {

// The nearest value that the other layout can store; sets `changed` if it differs.
template <class Narrow, class Wide>
Wide clamped(Wide value, bool& changed) noexcept {
  const auto least = static_cast<Wide>(std::numeric_limits<Narrow>::min());
  const auto most = static_cast<Wide>(std::numeric_limits<Narrow>::max());
  const Wide nearest = std::clamp(value, least, most);
  changed = changed || nearest != value;
  return nearest;
}

template <class Half, class Gold>
void clamp_values(player& each, conversion_losses& lost) noexcept {
  bool changed = false;
  for (std::int32_t* value :
       {&each.kills, &each.deaths, &each.creeps, &each.denies, &each.assists, &each.actions_per_minute}) {
    *value = clamped<Half>(*value, changed);
  }
  each.item_gold = clamped<Gold>(each.item_gold, changed);
  if (changed) ++lost.clamped_values;
}

std::string ratio_of(const item& from) {
  if (from.map_version == 0) return {};
  const auto of_team = [&from](std::uint8_t number) {
    return std::to_string(std::count_if(from.players.begin(), from.players.end(),
                                        [number](const player& each) { return each.team == number; }));
  };
  return of_team(team::sentinel) + "v" + of_team(team::scourge);
}

item to_flagged(const item& from, std::uint32_t age, conversion_losses& lost) {
  item out = from;
  out.age = age;
  out.fields = field::all & ~field::mode;
  out.name = from_utf8(to_utf8(from.name), text_form::wide);
  out.ratio = ratio_of(from);
  out.stats_per_player = 5;
  out.mode_bits = 0;
  out.host = out.saver = -1;
  out.has_host_and_saver = true;
  out.tail.clear();
  if (from.mode_bits != 0) ++lost.modes;
  if (from.host >= 0 || from.saver >= 0) ++lost.hosts_and_savers;
  if (!from.tail.empty()) ++lost.unknown_bytes;
  for (player& each : out.players) {
    each.name = from_utf8(to_utf8(each.name), text_form::wide);
    if (each.gold != 0 || each.neutrals != 0) ++lost.gold_and_neutrals;
    each.gold = each.neutrals = 0;
    clamp_values<std::int16_t, std::int32_t>(each, lost);
  }
  return out;
}

item to_flat(const item& from, conversion_losses& lost) {
  // Without these the flat layout would contain false zeros. The ratio is not needed, and the winner has a
  // value for unknown.
  constexpr std::uint32_t needed = field::all & ~(field::ratio | field::mode | field::winner);
  item out = from;
  out.fields = 0;
  out.age = 0;
  out.name = {text_form::plain, to_utf8(from.name)};
  out.ratio.clear();
  out.mode.clear();
  out.stats_per_player = 0;
  out.tail.clear();
  out.claimed_size.reset();
  if (!from.mode.empty()) ++lost.modes;
  if ((from.fields & needed) != needed) ++lost.absent_fields;
  if (!from.tail.empty()) ++lost.unknown_bytes;
  const auto time = unix_seconds(from.modified);
  if (!time) ++lost.unknown_times;
  out.modified = time.value_or(0);
  for (player& each : out.players) {
    each.name = {text_form::plain, to_utf8(each.name)};
    clamp_values<std::uint16_t, std::uint32_t>(each, lost);
  }
  return out;
}

}  // namespace

contents convert(const contents& from, layout to, conversion_losses& lost) {
  if (from.layout == to) return from;
  contents out{.layout = to, .items = {}};
  out.items.reserve(from.items.size());
  for (const item& each : from.items) {
    if (!each.understood()) {
      ++lost.not_understood;
    } else if (to == layout::flagged) {
      out.items.push_back(to_flagged(each, out.next_age++, lost));
    } else {
      out.items.push_back(to_flat(each, lost));
    }
  }
  return out;
}

}  // namespace tickreel::gamecache
