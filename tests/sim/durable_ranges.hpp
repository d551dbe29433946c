// The bytes of a reel that its recorder has promised to survive a power cut.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "reel_checks.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/record/options.hpp"

namespace tickreel::sim {

class durable_ranges {
 public:
  // The header, after open().
  void begin(const recorder_counters& counted);
  // After each run of the worker. What was written while a write or a sync failed is never promised: it is reported.
  void note(const recorder_counters& counted, std::uint32_t sync_interval_ms);
  // After close().
  void end(const recorder_counters& counted);
  // Recovery in place removes the repeats of events at the end and writes them again; their first copies stay promised.
  void before_recovery(byte_span reel);

  // Compares the promised records of the reel as it was with the reel as it is.
  void check(byte_span before, const reel_check& now) const;

 private:
  [[nodiscard]] bool is_promised(std::uint64_t offset, std::uint64_t bytes) const;
  [[nodiscard]] bool has_failed(const recorder_counters& counted) const;

  std::vector<std::pair<std::uint64_t, std::uint64_t>> promised_;  // begin, end
  std::vector<std::pair<std::uint64_t, std::uint64_t>> waiting_;   // for a sync
  recorder_counters last_;
  std::int64_t grown_at_us_ = 0;
};

}  // namespace tickreel::sim
