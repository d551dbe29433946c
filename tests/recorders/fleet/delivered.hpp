// Reels to deliver, and checks of the delivered messages.
#pragma once

#include <boost/test/unit_test.hpp>

#include "../../sdk/reel/random_reel.hpp"
#include "file_bytes.hpp"
#include "nats_server.hpp"
#include "scratch_folder.hpp"
#include "tickreel/fleet/follow.hpp"
#include "tickreel/fleet/publish.hpp"

namespace tickreel::test {

using namespace std::chrono_literals;

// Retries immediately. Timeouts stay long: a broker on a busy machine must not look like a dead one.
inline fleet::publish_options quick_options() {
  fleet::publish_options out;
  out.broker.connect = out.broker.wait = 30s;
  out.queue.confirm_timeout_ms = 30'000;
  out.queue.first_backoff_ms = 10;
  out.queue.longest_backoff_ms = 100;
  out.queue.close_wait_ms = 120'000;
  out.queue.max_unconfirmed_records = 16;
  return out;
}

inline fleet::follow_options quick_follow() {
  fleet::follow_options out;
  out.broker.connect = out.broker.wait = 30s;
  out.from_start = true;
  return out;
}

// For connections that go silent without an end, which only a timeout detects. A timeout by mistake is retried, too.
inline fleet::publish_options impatient_options() {
  fleet::publish_options out = quick_options();
  out.broker.wait = 500ms;
  out.queue.confirm_timeout_ms = 1000;
  return out;
}
inline fleet::follow_options impatient_follow() {
  fleet::follow_options out = quick_follow();
  out.broker.wait = 500ms;
  return out;
}

// The reel of the stream, from its first record until its end.
inline byte_vector followed(const fleet::nats_url& match, const std::string& path,
                            fleet::follow_options options = quick_follow()) {
  auto from = fleet::follower::create(match, path, options);
  BOOST_REQUIRE(from);
  BOOST_TEST(eventually([&] {
    const auto came = from->pump(50ms);
    BOOST_REQUIRE(came);
    return from->ended();
  }));
  BOOST_TEST(from->counters().reel.lost_records == 0u);
  BOOST_TEST(from->counters().reel.refused == 0u);
  return read_file(path);
}

// A recorder's reel with random records, which goes to sinks as it grows.
struct growing_reel {
  growing_reel(const std::string& path, std::mt19937_64& random, std::unique_ptr<reel::sink> to)
      : random_(random) {
    reel::header head;
    head.encoder_name = "random";
    head.start_time_us = static_cast<std::int64_t>(random() >> 1);
    auto made = reel::writer::create(path, head);
    BOOST_REQUIRE(made);
    writer.emplace(std::move(*made));
    if (to) writer->add_sink(std::move(to));
  }
  void grow(std::size_t records) {
    for (; records > 0; --records) {
      reel::record_info about;
      const bool update = random_() % 20 == 0 && stamp_.tick > 0;
      if (update) {
        about.kind = reel::record_kind::header_update;
        BOOST_REQUIRE(writer->append(about, random_bytes(random_, 100)));
        continue;
      }
      about.frames = 3;
      const bool keyframe = stamp_.tick == 0 || random_() % 4 == 0;
      about.flags = keyframe ? reel::starts_with_keyframe : 0;
      ++stamp_.tick;
      about.first_tick = stamp_.tick;
      about.first_time_us = stamp_.time_us;
      byte_vector payload = chunk_payload(random_, about.frames, keyframe, stamp_);
      about.last_tick = stamp_.tick;
      about.last_time_us = stamp_.time_us;
      BOOST_REQUIRE(writer->append(about, payload));
    }
  }
  std::optional<reel::writer> writer;

 private:
  std::mt19937_64& random_;
  frame_stamp stamp_;
};

}  // namespace tickreel::test
