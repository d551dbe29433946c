// Every match that recorders tell of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tickreel/fleet/broker.hpp"
#include "tickreel/fleet/message.hpp"
#include "tickreel/result.hpp"

namespace tickreel::fleet {

struct fleet_match {
  match_status told;
  std::uint64_t archived_records = 0;
  bool archived = false;          // with its end, and nothing missing
  bool archived_in_part = false;  // with its end, but records never came
  std::string location = {};      // where an archiver put it
  // Confirmed records that the stream let go of before an archiver took them. An ended match that lacks some
  // is in the state "dropped".
  std::uint64_t dropped_records = 0;
  // Confirmed records that somebody removed from the stream before an archiver took them; then an ended match
  // is in the state "holes".
  std::uint64_t holes = 0;
  // Recording, and not a word for ten seconds: the recorder or its connection is gone.
  bool silent = false;
};

inline constexpr std::int64_t silent_after_us = 10'000'000;

// Of one league, or of all where that is empty, sorted by name. Empty where nobody ever told anything.
// `now_us`: since 1970 UTC, by which silence is told.
// `thorough`: what is missing is counted from the messages' heads of every match, not only where numbers of
// messages differ; a failure to count is one then.
result<std::vector<fleet_match>> read_fleet(broker& from, std::string_view league, std::int64_t now_us,
                                            bool thorough = false);

// Nothing about it will change any more: it was archived an hour ago, or nothing was heard of it for two
// days.
inline constexpr std::int64_t archived_is_shown_us = 3'600'000'000;
inline constexpr std::int64_t silence_is_shown_us = 48 * 3'600'000'000;
[[nodiscard]] bool is_settled(const fleet_match& match, std::int64_t now_us) noexcept;

// One array of objects.
[[nodiscard]] std::string to_json(const std::vector<fleet_match>& matches);
// One page of Prometheus' text format: the sums over all matches, and each that is not settled.
[[nodiscard]] std::string to_prometheus(const std::vector<fleet_match>& matches, std::int64_t now_us);

}  // namespace tickreel::fleet
