// --publish of the verbs that record.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "publish_arguments.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/reel/queued_sink.hpp"

namespace tickreel::cli {

// What somebody should know of the deliveries of a recorder: that the broker is away, and that it is back.
// Once for each trouble, however many matches have it and however often they try.
class delivery_watch {
 public:
  struct news {
    file_path reel;             // one of those that have it
    std::optional<error> what;  // none: it is over
  };

  // The same sink, watched until it is closed. Any thread; this outlives it.
  std::unique_ptr<reel::sink> watch(const file_path& reel, std::unique_ptr<reel::queued_sink> sink);
  // What changed since the last call. One thread at a time.
  [[nodiscard]] std::vector<news> take();
  // Closed reels of which the broker lacks something.
  [[nodiscard]] std::vector<file_path> undelivered() const;

 private:
  class watched_sink;
  struct watched {
    const watched_sink* sink;
    file_path reel;
    reel::queue_view view;
    std::optional<error_code> trouble;
    std::uint64_t confirmed = 0;  // when it began
  };

  void forget(const watched_sink* sink, bool lacks_something);

  mutable std::mutex mutex_;
  std::vector<watched> all_;
  std::vector<file_path> undelivered_;
  std::map<error_code, file_path> told_;  // until it works again
};

// Where a match's bytes go beside its reel. `first` is the only format that is published: the others hold the
// same match. Reported, and no result, when the address or the environment is wrong. `watch` outlives it.
[[nodiscard]] std::optional<echo_vr::match_sinks> published_matches(const publish_arguments& arguments,
                                                                    echo_vr::record_format first,
                                                                    delivery_watch& watch);

}  // namespace tickreel::cli
