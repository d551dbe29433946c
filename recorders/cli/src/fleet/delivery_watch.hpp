// Reports of delivery trouble of a recorder: the broker is away, the broker is back.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/reel/queued_sink.hpp"

namespace tickreel::cli {

// Totals of all matches that a recorder delivers.
struct delivery_totals {
  std::uint64_t lag_records = 0;
  std::uint64_t lag_bytes = 0;
  double lag_seconds = 0;         // the largest
  std::uint64_t failing = 0;      // matches whose delivery currently fails
  std::uint64_t undelivered = 0;  // closed reels that the broker has only in part
};

// Reported once per trouble, however many matches it affects and however often they retry.
class delivery_watch {
 public:
  struct change {
    file_path reel;             // a match with the trouble, or one that recovered
    std::optional<error> what;  // none: the trouble is over
  };

  // Wraps a sink, and watches it until it is closed or destroyed. Any thread; this object outlives the sink.
  std::unique_ptr<reel::sink> watch(const file_path& reel, std::unique_ptr<reel::queued_sink> sink);
  // Changes since the last call. One thread at a time.
  [[nodiscard]] std::vector<change> take();
  // Any thread.
  [[nodiscard]] delivery_totals totals() const;
  // Closed reels that the broker has only in part.
  [[nodiscard]] std::vector<file_path> undelivered() const;

 private:
  class watched_sink;
  struct watched {
    const watched_sink* sink;
    file_path reel;
    reel::queue_view view;
  };
  struct reported_trouble {
    error_code code;
    file_path reel;  // the last reported error
  };

  void forget(const watched_sink* sink);
  // Whether the broker accepts records of the reel.
  static bool works(const reel::queue_counters& counters);

  mutable std::mutex mutex_;
  std::vector<watched> all_;
  std::vector<file_path> undelivered_;
  std::vector<reported_trouble> reported_;  // until it is over
  std::optional<file_path> recovered_;      // the trouble ended since the last take()
};

}  // namespace tickreel::cli
