// Recordings of a crowd whose chunks continue each other.
#pragma once

#include <array>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <vector>

#include "reel_damage.hpp"
#include "tickreel/tickreel.hpp"

namespace sdk_simple_level_tests::crowd_recording {

using namespace tickreel;
using namespace tickreel::test;

struct crowd_walker {
  std::int32_t x = 0, y = 0;
  float health = 100;
  bool operator==(const crowd_walker&) const = default;
};
TICKREEL_DESCRIBE(crowd_walker, x, y, health);
struct crowd {
  std::uint64_t number = 0;
  std::array<crowd_walker, 200> walkers{};
  bool operator==(const crowd&) const = default;
};
TICKREEL_DESCRIBE(crowd, number, walkers);

using crowd_recorder = recorder<tracks::row_encoder<crowd>>;

inline result<crowd_recorder> open_crowd(const file_path& path, const recorder_options& options,
                                         system_calls* calls = nullptr) {
  auto encoder = tracks::row_encoder<crowd>::create({.min_change_row_bytes = 0});
  BOOST_REQUIRE(encoder);
  encoder->take_events();
  recorder_options described = options;
  described.schema = to_bytes(schema_of<crowd>());
  return calls == nullptr ? crowd_recorder::open(path, std::move(*encoder), described)
                          : crowd_recorder::open(path, std::move(*encoder), described, *calls);
}

inline std::size_t draw(std::mt19937_64& random, std::size_t end) {
  return random() % end;
}

inline std::vector<crowd> crowds(std::mt19937_64& random, std::size_t count) {
  std::vector<crowd> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) all[i] = all[i - 1];
    all[i].number = i;
    for (std::uint64_t changes = draw(random, 5); changes-- > 0;) {
      crowd_walker& one = all[i].walkers[draw(random, 200)];
      one.x += static_cast<std::int32_t>(draw(random, 7)) - 3;
      if (draw(random, 8) == 0) one.health = static_cast<float>(draw(random, 1000)) / 10;
    }
  }
  return all;
}

inline frame_stamp stamp_of(std::size_t number) {
  return {number, static_cast<std::int64_t>(number) * 50'000};
}

inline void push_all(crowd_recorder& to, const std::vector<crowd>& all, std::size_t from, std::size_t end) {
  for (std::size_t i = from; i < end; ++i) {
    BOOST_REQUIRE(to.push(stamp_of(i), all[i]));
    (void)to.pump();
  }
}

inline void record_all(const file_path& path, const recorder_options& options,
                       const std::vector<crowd>& all) {
  auto out = open_crowd(path, options);
  BOOST_REQUIRE(out);
  push_all(*out, all, 0, all.size());
  BOOST_REQUIRE(out->close());
}

// 1 for each chunk that starts with a keyframe, 0 for the others.
inline std::string kinds_of(const file_path& path) {
  auto in = reel::reader::open(path);
  BOOST_REQUIRE(in);
  std::string kinds;
  for (const reel::record_info& each : in->contents().records) {
    if (each.kind != reel::record_kind::chunk) continue;
    kinds += (each.flags & reel::starts_with_keyframe) != 0 ? '1' : '0';
  }
  return kinds;
}

// Every returned tick has the recorded content, and they rise. Returns their numbers.
inline std::vector<std::size_t> ticks_of(const file_path& path, const std::vector<crowd>& all) {
  auto in = replay<crowd>(path);
  if (!in) return {};
  std::vector<std::size_t> numbers;
  for (const auto& each : *in) {
    BOOST_REQUIRE(each.tick < all.size());
    BOOST_REQUIRE((each.state == all[each.tick]));
    BOOST_REQUIRE((numbers.empty() || numbers.back() < each.tick));
    numbers.push_back(each.tick);
  }
  BOOST_REQUIRE(!in->failure());
  return numbers;
}

inline std::vector<std::size_t> range(std::size_t first, std::size_t last) {
  std::vector<std::size_t> out;
  for (std::size_t i = first; i <= last; ++i) out.push_back(i);
  return out;
}

}  // namespace sdk_simple_level_tests::crowd_recording
