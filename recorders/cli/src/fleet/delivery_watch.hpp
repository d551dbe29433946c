// What somebody should know of the deliveries of a recorder: that the broker is away, and that it is back.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/reel/queued_sink.hpp"

namespace tickreel::cli {

// Of all matches that a recorder delivers.
struct delivery_totals {
  std::uint64_t behind_records = 0;
  std::uint64_t behind_bytes = 0;
  double behind_seconds = 0;      // the largest
  std::uint64_t troubled = 0;     // matches whose delivery fails now
  std::uint64_t undelivered = 0;  // reels whose sinks are gone and of which the broker lacks something
};

// Once for each trouble, however many matches have it and however often they try.
class delivery_watch {
 public:
  struct news {
    file_path reel;             // one of those that have it, or that it is over for
    std::optional<error> what;  // none: it is over
  };

  // The same sink, watched until it is closed, or destroyed without. Any thread; this outlives it.
  std::unique_ptr<reel::sink> watch(const file_path& reel, std::unique_ptr<reel::queued_sink> sink);
  // What changed since the last call. One thread at a time.
  [[nodiscard]] std::vector<news> take();
  // Any thread.
  [[nodiscard]] delivery_totals totals() const;
  // Reels whose sinks are gone and of which the broker lacks something.
  [[nodiscard]] std::vector<file_path> undelivered() const;

 private:
  class watched_sink;
  struct watched {
    const watched_sink* sink;
    file_path reel;
    reel::queue_view view;
  };
  struct told_trouble {
    error_code code;
    file_path reel;  // that was named
  };

  void forget(const watched_sink* sink);
  // Whether the broker takes something of the reel.
  static bool works(const reel::queue_counters& counters);

  mutable std::mutex mutex_;
  std::vector<watched> all_;
  std::vector<file_path> undelivered_;
  std::vector<told_trouble> told_;  // until it is over
  std::optional<file_path> came_;   // since the last take() the end of this one did
};

}  // namespace tickreel::cli
