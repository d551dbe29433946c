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

inline void say(std::string& contents, std::string_view what) {
  (contents += what) += '\n';
}

inline void say(std::string& contents, const error& what) {
  say(contents, "error: " + describe(what));
}

inline void say(std::string& contents, const std::vector<files::fact>& facts) {
  for (const files::fact& each : facts) {
    (contents += each.key) += '=';
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
            say(contents, value);
          } else {
            say(contents, std::to_string(value));
          }
        },
        each.value);
  }
}

inline void say(std::string& contents, const result<files::summary>& found) {
  if (!found) return say(contents, found.error());
  say(contents, found->format + ' ' + std::to_string(found->format_version));
  for (const std::uint64_t each : {found->bytes, found->ticks, found->keyframes}) {
    say(contents, std::to_string(each));
  }
  say(contents, std::to_string(found->duration_ms));
  say(contents, name(found->health));
  for (const files::player_summary& each : found->players) {
    say(contents, each.name + ' ' + each.team + ' ' + std::to_string(each.userid.value_or(0)));
    say(contents, each.facts);
  }
  say(contents, found->facts);
}

inline void say_tick(std::string& contents, const files::recording& at) {
  const files::tick_position& where = at.position();
  contents += std::to_string(where.tick) + ' ' + std::to_string(where.time_ms) + ' ' +
              std::to_string(where.offset) + (where.keyframe ? " key " : " ");
  at.append_state(contents);
  contents += '\n';
}

inline void say(std::string& contents, const files::match_rows& match) {
  say(contents, match.session + ' ' + match.map + ' ' + std::to_string(match.duration_ms));
  for (const files::player_row& each : match.players) {
    contents += each.player + ' ' + each.team + ' ' + each.result;
    for (const auto& value : each.values) contents += ' ' + files::statistic_text(value);
    say(contents, ' ' + each.uncertain.to_string());
  }
}

// The results of cat, seek, info, a quick summary, verify, events and stats.
inline std::string all_contents(files::recording& from) {
  std::string contents;
  std::uint64_t ticks = 0;
  for (;; ++ticks) {
    const auto more = from.next();
    if (!more) say(contents, more.error());
    if (!more || !*more) break;
    say_tick(contents, from);
  }
  for (const std::string& each : from.losses()) say(contents, each);
  for (const std::uint64_t tick : {ticks / 2, ticks / 7, ticks}) {
    const auto found = from.seek(files::moment::at_tick(tick));
    const auto more = found ? from.next() : fail(found.error());
    if (!more) say(contents, more.error());
    if (more && *more) say_tick(contents, from);
  }
  say(contents, from.quick_summary());
  say(contents, from.summarise());
  if (const auto checked = from.verify(); !checked) {
    say(contents, checked.error());
  } else {
    say(contents, std::to_string(checked->ticks));
    for (const files::finding& each : checked->findings) {
      contents += std::to_string(each.offset) + ' ';
      say(contents, each.message);
    }
    say(contents, checked->facts);
  }
  const auto given = from.events({}, [&](std::string_view line) {
    say(contents, line);
    return true;
  });
  say(contents, given ? std::to_string(*given) : describe(given.error()));
  const auto counted = from.statistics([&](const files::match_rows& match) {
    say(contents, match);
    return true;
  });
  if (!counted) say(contents, counted.error());
  for (const std::string& each : from.losses()) say(contents, each);
  return contents;
}

inline std::string all_contents(const result<std::unique_ptr<files::recording>>& opened) {
  return opened ? all_contents(**opened) : "error: " + describe(opened.error());
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
