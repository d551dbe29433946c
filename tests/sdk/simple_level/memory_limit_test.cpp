// recorder_options::memory_bytes, with the largest structs that can be recorded.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>

#include "allocation_counter.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/struct_recording.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(memory_limit_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct few_numbers {
  std::array<double, 40> all{};
};
TICKREEL_DESCRIBE(few_numbers, all);
struct moving_body {
  std::array<float, 3> position{}, velocity{};
  short_text<8> name;
};
TICKREEL_DESCRIBE(moving_body, position, velocity, name);
TICKREEL_DECLARE(moving_body, (position, tolerance(0.001), integral_of("velocity", 60)),
                 (velocity, tolerance(0.01)));
struct moving_bodies {
  std::array<moving_body, 3'000> all{};
};
TICKREEL_DESCRIBE(moving_bodies, all);
struct recruit {
  std::int32_t x = 0, y = 0, z = 0;
  std::uint16_t heading = 0, kind = 0;
  std::int32_t health = 100;
  std::uint32_t owner = 0;
};
TICKREEL_DESCRIBE(recruit, x, y, z, heading, kind, health, owner);
struct army {
  std::array<recruit, 10'000> all{};
};
TICKREEL_DESCRIBE(army, all);
// The largest struct.
struct mebibyte {
  std::array<std::uint64_t, 131'072> all{};
};
TICKREEL_DESCRIBE(mebibyte, all);
static_assert(component_size<army> == 240'000 && component_size<mebibyte> == schema_limits{}.max_row_bytes);

// Noise, except that texts are valid.
template <class T>
void fill_with_noise(std::mt19937_64& random, T& state) {
  if constexpr (std::is_same_v<T, moving_bodies>) {
    for (moving_body& each : state.all) {
      for (float& one : each.position) one = static_cast<float>(random()) / 1e12f;
      each.name = std::string_view(std::to_string(random() % 1'000'000));
    }
  } else {
    auto* const bytes = reinterpret_cast<std::byte*>(&state);
    for (std::size_t i = 0; i + 8 <= sizeof(T); i += 8) {
      const std::uint64_t noise = random();
      std::memcpy(bytes + i, &noise, 8);
    }
  }
}

// A function of its own, because each state on the stack has up to 1 MiB.
template <class T>
[[gnu::noinline]] void require_last(const std::string& path, const T& expected) {
  auto in = replay<T>(path);
  BOOST_REQUIRE(in);
  const auto last = in->last();
  BOOST_REQUIRE(last);
  if constexpr (!std::is_same_v<T, moving_bodies>) {
    BOOST_REQUIRE((std::memcmp(&last->state, &expected, sizeof(T)) == 0));
  }
}

// Records noise, for which every buffer becomes as large as it can. Returns the error of opening.
template <class T>
std::optional<error> record_noise(std::uint64_t memory_bytes, std::uint32_t ring_ticks) {
  const scratch_folder folder;
  const std::string path = folder / "noise.reel";
  auto random = std::mt19937_64(memory_bytes);
  const auto now = std::make_unique<T>();
  recorder_options options;
  options.mode = threading::pumped;
  options.ticks_per_second = 60;
  options.sync_each_chunk = false;
  options.seal_interval_ms = 3'600'000;
  options.ring_ticks = ring_ticks;
  options.memory_bytes = memory_bytes;
  const auto limit = static_cast<std::int64_t>(memory_bytes);
  const std::int64_t before = bytes_in_use();
  reset_allocations();
  {
    auto out = record<T>(path, options);
    if (!out) return out.error();
    // A moment of opening, before there are a ring and a block.
    constexpr auto values = static_cast<std::int64_t>(sizeof(T) / (std::is_same_v<T, mebibyte> ? 8 : 4));
    BOOST_TEST(max_bytes_in_use() - before <= std::max(limit, 400 * values));
    reset_allocations();
    for (std::size_t i = 0; i < (sizeof(T) < 100'000 ? 40u : 8u); ++i) {
      fill_with_noise(random, *now);
      BOOST_REQUIRE(out->push(*now));
      out->pump();
    }
    BOOST_REQUIRE(out->close());
    BOOST_TEST(max_bytes_in_use() - before <= limit);
  }
  require_last(path, *now);
  return std::nullopt;
}

template <class T>
void check_limit(std::initializer_list<std::uint64_t> limits) {
  // What it needs at least is in the error, and is enough.
  const auto refused = record_noise<T>(1, 256);
  BOOST_REQUIRE(refused);
  BOOST_TEST((refused->code == error_code::over_limit));
  BOOST_TEST(refused->values[0] == 1);
  const auto least = static_cast<std::uint64_t>(refused->values[1]);
  BOOST_TEST(least < limits.begin()[0]);
  BOOST_REQUIRE(record_noise<T>(least - 1, 256));
  BOOST_REQUIRE(!record_noise<T>(least, 256));
  for (const std::uint64_t each : limits) BOOST_REQUIRE(!record_noise<T>(each, 64));
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_structs_stay_within_their_memory) {
  check_limit<few_numbers>({1'500'000, 4'000'000, 40'000'000});
}
BOOST_AUTO_TEST_CASE(structs_with_relations_and_texts_stay_within_their_memory) {
  check_limit<moving_bodies>({16'000'000, 100'000'000});
}
BOOST_AUTO_TEST_CASE(seventy_thousand_columns_stay_within_their_memory) {
  check_limit<army>({48'000'000, 128'000'000});
}
BOOST_AUTO_TEST_CASE(the_largest_struct_stays_within_its_memory) {
  check_limit<mebibyte>({160'000'000});
}

// A string for each of them took most of the time of opening.
BOOST_AUTO_TEST_CASE(opening_allocates_nothing_for_each_column) {
  const scratch_folder folder;
  recorder_options options;
  options.mode = threading::pumped;
  options.ring_ticks = 4;
  const std::uint64_t before = allocation_count();
  auto out = record<army>(folder / "army.reel", options);
  BOOST_REQUIRE(out);
  BOOST_TEST(allocation_count() - before < 2'000u);
}

BOOST_AUTO_TEST_CASE(structs_described_at_run_time_stay_within_their_memory) {
  const std::vector<native_field> fields{{.name = "all", .bytes = 8, .count = 20'000}};
  const auto of = native_struct::create("numbers", 160'000, fields);
  BOOST_REQUIRE(of);
  const scratch_folder folder;
  recorder_options options;
  options.mode = threading::pumped;
  options.memory_bytes = 1'000'000;
  const auto refused = struct_recording<>::open(folder / "few.reel", *of, options);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::over_limit));
  options.memory_bytes = 40'000'000;
  const std::int64_t before = bytes_in_use();
  auto out = struct_recording<>::open(folder / "numbers.reel", *of, options);
  BOOST_REQUIRE(out);
  reset_allocations();
  const std::vector<double> now(20'000, 1.5);
  for (int i = 0; i < 10; ++i) {
    BOOST_REQUIRE(out->push(now.data()));
    out->pump();
  }
  BOOST_REQUIRE(out->close());
  BOOST_TEST(max_bytes_in_use() - before <= static_cast<std::int64_t>(options.memory_bytes));
}

BOOST_AUTO_TEST_CASE(a_recorder_with_an_own_encoder_rejects_the_option) {
  const scratch_folder folder;
  auto encoder = tracks::row_encoder<few_numbers>::create();
  BOOST_REQUIRE(encoder);
  recorder_options options;
  options.schema = to_bytes(schema_of<few_numbers>());
  options.memory_bytes = 64u << 20;
  const auto out =
      recorder<tracks::row_encoder<few_numbers>>::open(folder / "own.reel", std::move(*encoder), options);
  BOOST_REQUIRE(!out);
  BOOST_TEST((out.error().code == error_code::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
