// Reels to a broker: while they are recorded, or later.
//
//   auto url = fleet::read_nats_url("nats://broker:4222/league");
//   auto sink = fleet::publish_to(*url, "match.reel");       // takes the name of the match from the file's
//   auto out = tickreel::record<world>("match.reel", options, {std::move(*sink)});
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tickreel/fleet/message.hpp"
#include "tickreel/fleet/nats_url.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/queued_sink.hpp"
#include "tickreel/result.hpp"

namespace tickreel::fleet {

struct publish_options {
  broker_options broker;
  // Of the league's stream, when this makes it; one that is there stays as it is.
  std::int64_t replicas = 1;
  std::chrono::seconds keep_for{0};  // 0: for ever
  std::int64_t keep_bytes = -1;      // -1: as many as the disk takes
  bool drop_oldest = false;          // when that is reached; else the recorder's reel holds what comes
  std::string host;                  // told in the status; empty: the system's name
  bool offer_to_archivers = true;
  // How often what was delivered is compared with what the stream holds, while recording. Messages that
  // somebody deleted are sent again.
  std::chrono::milliseconds compare_interval{10'000};
  reel::queue_options queue;
};

// The name a reel has on the wire unless it is told another: its file's, without folder, .reel,
// and .butter, .echoreplay or .icrep before that.
[[nodiscard]] std::string match_of(const file_path& reel);

// What a queued_sink, or reel::deliver_reel(), needs.
[[nodiscard]] result<std::unique_ptr<reel::delivery>> deliver_to(const nats_url& url, const match_name& name,
                                                                 const publish_options& options = {});

// The sink of one reel, for any recorder; league and match from the address, else `main` and match_of().
// Connects later: a broker that is away is no error.
[[nodiscard]] result<std::unique_ptr<reel::queued_sink>> publish_to(const nats_url& url,
                                                                    const file_path& reel,
                                                                    const publish_options& options = {});

// Delivers what a reel on the disk has and the broker has not. As often as one likes.
struct published {
  match_name name;
  reel::queue_counters counters;
  std::uint64_t handed_over = 0;  // records that the broker did not have, as far as could be seen
  std::uint64_t repaired = 0;     // of those: they were stored, and then missing in the stream
  // Records that the broker had, and that its stream let go of before an archiver took them.
  std::uint64_t dropped = 0;
  std::optional<error> dropped_unknown;  // why that could not be asked, behind a delivery that was
};
result<published> publish_reel(const nats_url& url, const file_path& reel,
                               const publish_options& options = {},
                               std::function<bool(const reel::queue_counters&)> go_on = {});

}  // namespace tickreel::fleet
