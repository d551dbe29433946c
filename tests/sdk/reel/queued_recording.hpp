// A reel that is written with a queued sink, and the records that the receiver must have at the end.
#pragma once

#include <boost/test/unit_test.hpp>
#include <memory>
#include <optional>
#include <string>

#include "../../fault/failing_calls.hpp"
#include "delivery_receiver.hpp"
#include "file_bytes.hpp"
#include "scratch_folder.hpp"
#include "tickreel/reel/queued_sink.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/writer.hpp"

namespace tickreel::test {

using reel::queue_options;
using reel::queued_sink;

inline queue_options quick() {
  queue_options options;
  options.first_backoff_ms = 1;
  options.longest_backoff_ms = 4;
  options.confirm_timeout_ms = 600'000;  // after it records are sent again, which tests count
  options.close_wait_ms = 60'000;
  return options;
}

inline queue_options quick_pumped() {
  queue_options options = quick();
  options.mode = threading::pumped;
  return options;
}

struct queued_recording {
  scratch_folder folder;
  std::string path = folder / "match.reel";
  failing_calls disk;
  std::optional<reel::writer> to;
  std::optional<reel::queue_view> view;

  explicit queued_recording(bool in_memory = false) {
    reel::header head;
    head.encoder_name = "test";
    head.start_time_us = 1;
    auto made = in_memory ? reel::writer::create_without_file(head)
                          : reel::writer::create(path, head, {.codec = codec_id::none}, disk);
    BOOST_REQUIRE(made);
    to.emplace(std::move(*made));
  }
  void attach(delivery_receiver& far, const queue_options& options, const faults& wrong = {},
              std::uint64_t seed = 1, const std::string& reel_path = "match.reel") {
    auto made = queued_sink::create(reel_path.empty() ? file_path{} : file_path(folder / reel_path),
                                    std::make_unique<far_delivery>(far, wrong, seed), options);
    BOOST_REQUIRE(made);
    view = (*made)->view();
    to->add_sink(std::move(*made));
  }
  void add(std::size_t records, std::size_t bytes = 200) {
    for (std::size_t i = 0; i < records; ++i) {
      reel::record_info about;
      about.first_tick = about.last_tick = next;
      about.frames = 1;
      about.flags = reel::starts_with_keyframe;
      byte_vector payload(bytes);
      for (std::size_t at = 0; at < bytes; ++at) payload[at] = static_cast<std::byte>(next * 31 + at * 7);
      ++next;
      BOOST_REQUIRE(to->append(about, payload));
    }
  }
  [[nodiscard]] byte_vector bytes() const { return read_file(path); }
  std::uint64_t next = 0;
};

inline std::uint64_t header_bytes(const byte_vector& reel_bytes) {
  return reel::reader::from_memory(reel_bytes)->header_bytes().size();
}

inline void pump_all(reel::queue_view& view) {
  while (view.pump()) {}
}

inline void check_all_there(const delivery_receiver& far, const queued_recording& of) {
  BOOST_TEST((far.bytes() == of.bytes()));
  BOOST_TEST(far.differing == 0u);
  BOOST_TEST(far.disordered == 0u);
  BOOST_TEST(far.ends == 1u);
}

}  // namespace tickreel::test
