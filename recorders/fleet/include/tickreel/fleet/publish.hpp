// Publishes reels to a broker, during recording or later.
//
//   auto url = fleet::read_nats_url("nats://broker:4222/league");
//   auto sink = fleet::publish_to(*url, "match.reel");       // takes the name of the match from the file's
//   std::vector<std::unique_ptr<reel::sink>> sinks;
//   sinks.push_back(std::move(*sink));
//   auto out = tickreel::record<world>("match.reel", options, std::move(sinks));
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
  // Settings of the league's stream if it is created here; an existing one is not changed.
  std::int64_t replicas = 1;
  std::chrono::seconds keep_for{0};  // 0: unlimited
  std::int64_t keep_bytes = -1;      // -1: limited by the disk
  bool drop_oldest = false;          // at the limit; otherwise new records wait in the recorder's reel
  std::string host;                  // shown in the status; empty: the system's name
  bool offer_to_archivers = true;
  // Interval of comparisons of the delivered records with the stream, during recording. Deleted messages are
  // resent.
  std::chrono::milliseconds compare_interval{10'000};
  reel::queue_options queue;
};

// The sink function for queued_sink or reel::deliver_reel().
[[nodiscard]] result<std::unique_ptr<reel::delivery>> deliver_to(const nats_url& url, const match_name& name,
                                                                 const publish_options& options = {});

// The sink of one reel, for any recorder; league and match from the address, otherwise `main` and
// files::recording_name().
// Connects later: an unreachable broker is not an error.
[[nodiscard]] result<std::unique_ptr<reel::queued_sink>> publish_to(const nats_url& url,
                                                                    const file_path& reel,
                                                                    const publish_options& options = {});

// Delivers the records of a reel on disk that the broker lacks. Can be repeated.
struct published {
  match_name name;
  reel::queue_counters counters;
  std::uint64_t handed_over = 0;  // records that the broker lacked, as far as known
  std::uint64_t repaired = 0;     // of those: stored earlier, and then missing in the stream
  // Records that the broker stored, and that its stream discarded before an archiver took them.
  std::uint64_t dropped = 0;
  std::optional<error> dropped_unknown;  // why `dropped` is unknown after a successful delivery
};
result<published> publish_reel(const nats_url& url, const file_path& reel,
                               const publish_options& options = {},
                               std::function<bool(const reel::queue_counters&)> should_continue = {});

}  // namespace tickreel::fleet
