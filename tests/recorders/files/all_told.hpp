// Everything that a recording returns, as one text.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <type_traits>
#include <variant>

#include "tickreel/files/recording.hpp"
#include "tickreel/files/statistics.hpp"

namespace tickreel::test {

inline void say(std::string& told, std::string_view what) {
  (told += what) += '\n';
}

inline void say(std::string& told, const error& what) {
  say(told, "error: " + describe(what));
}

inline void say(std::string& told, const std::vector<files::fact>& facts) {
  for (const files::fact& each : facts) {
    (told += each.key) += '=';
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
            say(told, value);
          } else {
            say(told, std::to_string(value));
          }
        },
        each.value);
  }
}

inline void say(std::string& told, const result<files::summary>& found) {
  if (!found) return say(told, found.error());
  say(told, found->format + ' ' + std::to_string(found->format_version));
  for (const std::uint64_t each : {found->bytes, found->ticks, found->keyframes}) {
    say(told, std::to_string(each));
  }
  say(told, std::to_string(found->duration_ms));
  say(told, name(found->health));
  for (const files::player_summary& each : found->players) {
    say(told, each.name + ' ' + each.team + ' ' + std::to_string(each.userid.value_or(0)));
    say(told, each.facts);
  }
  say(told, found->facts);
}

inline void say_tick(std::string& told, const files::recording& at) {
  const files::tick_position& where = at.position();
  told += std::to_string(where.tick) + ' ' + std::to_string(where.time_ms) + ' ' +
          std::to_string(where.offset) + (where.keyframe ? " key " : " ");
  at.append_state(told);
  told += '\n';
}

inline void say(std::string& told, const files::match_rows& match) {
  say(told, match.session + ' ' + match.map + ' ' + std::to_string(match.duration_ms));
  for (const files::player_row& each : match.players) {
    told += each.player + ' ' + each.team + ' ' + each.result;
    for (const auto& value : each.values) told += ' ' + files::statistic_text(value);
    say(told, ' ' + each.uncertain.to_string());
  }
}

// The results of cat, seek, info, a quick summary, verify, events and stats.
inline std::string all_told(files::recording& from) {
  std::string told;
  std::uint64_t ticks = 0;
  for (;; ++ticks) {
    const auto more = from.next();
    if (!more) say(told, more.error());
    if (!more || !*more) break;
    say_tick(told, from);
  }
  for (const std::string& each : from.losses()) say(told, each);
  for (const std::uint64_t tick : {ticks / 2, ticks / 7, ticks}) {
    const auto found = from.seek(files::moment::at_tick(tick));
    const auto more = found ? from.next() : fail(found.error());
    if (!more) say(told, more.error());
    if (more && *more) say_tick(told, from);
  }
  say(told, from.glance());
  say(told, from.summarise());
  if (const auto checked = from.verify(); !checked) {
    say(told, checked.error());
  } else {
    say(told, std::to_string(checked->ticks));
    for (const files::finding& each : checked->findings) {
      told += std::to_string(each.offset) + ' ';
      say(told, each.message);
    }
    say(told, checked->facts);
  }
  const auto given = from.events({}, [&](std::string_view line) {
    say(told, line);
    return true;
  });
  say(told, given ? std::to_string(*given) : describe(given.error()));
  const auto counted = from.statistics([&](const files::match_rows& match) {
    say(told, match);
    return true;
  });
  if (!counted) say(told, counted.error());
  for (const std::string& each : from.losses()) say(told, each);
  return told;
}

inline std::string all_told(const result<std::unique_ptr<files::recording>>& opened) {
  return opened ? all_told(**opened) : "error: " + describe(opened.error());
}

// The first difference, for messages.
inline void check_equal(const std::string& one, const std::string& other) {
  const auto [left, right] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  const auto around = [](const std::string& text, std::string::const_iterator at) {
    const auto begin = at - std::min<std::ptrdiff_t>(at - text.begin(), 100);
    return std::string(begin, at + std::min<std::ptrdiff_t>(text.end() - at, 100));
  };
  BOOST_TEST((one == other),
             "one says ..." << around(one, left) << "..., the other ..." << around(other, right) << "...");
}

}  // namespace tickreel::test
