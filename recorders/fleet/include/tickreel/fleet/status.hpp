// Every match for which a recorder sent a status.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/fleet/broker.hpp"
#include "tickreel/fleet/message.hpp"
#include "tickreel/record/clock.hpp"
#include "tickreel/result.hpp"

namespace tickreel::fleet {

struct fleet_match {
  match_status reported;
  std::uint64_t archived_records = 0;
  bool archived = false;          // with its end, and no missing records
  bool archived_in_part = false;  // with its end, but some records never arrived
  std::string location = {};      // its location in an archive
  // Confirmed records that the stream discarded before an archiver took them. An ended match that lacks some
  // is in the state "dropped".
  std::uint64_t dropped_records = 0;
  // Confirmed records that were deleted from the stream before an archiver took them; then an ended match is
  // in the state "holes".
  std::uint64_t holes = 0;
  // Recording, and no status for ten seconds: the recorder or its connection failed.
  bool silent = false;
};

inline constexpr std::int64_t silent_after_us = 10'000'000;

// Microseconds since 1970 UTC, by this machine's clock.
[[nodiscard]] inline std::int64_t system_time_us() {
  return detail::clocks().wall_us();
}

// For one league, or all if it is empty, sorted by name. Empty if there was never a status. `now_us`: since
// 1970 UTC, for the silence. `thorough`: counts missing records from the message headers of every match, not
// only if the message counts differ; failures of that are errors then.
result<std::vector<fleet_match>> read_fleet(broker& from, std::string_view league, std::int64_t now_us,
                                            bool thorough = false);

// Limits after which a match counts as settled: archived an hour ago, or silent for two days.
inline constexpr std::int64_t archived_is_shown_us = 3'600'000'000;
inline constexpr std::int64_t silence_is_shown_us = 48 * 3'600'000'000;
[[nodiscard]] bool is_settled(const fleet_match& match, std::int64_t now_us) noexcept;

// One array of objects.
[[nodiscard]] std::string to_json(const std::vector<fleet_match>& matches);
// One page of Prometheus' text format: the totals over all matches, and each match that is not settled.
[[nodiscard]] std::string to_prometheus(const std::vector<fleet_match>& matches, std::int64_t now_us);

}  // namespace tickreel::fleet
