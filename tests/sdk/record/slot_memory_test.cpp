// The ring's memory from the caller: once per recorder, aligned, and nothing left behind when there is none.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <new>

#include "scratch_folder.hpp"
#include "tickreel/struct_recording.hpp"

BOOST_AUTO_TEST_SUITE(sdk_record_tests)
BOOST_AUTO_TEST_SUITE(slot_memory_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct world {
  std::uint32_t numbers[5];
};

std::shared_ptr<const native_struct> describe_numbers() {
  std::vector<native_field> fields(1);
  fields[0] = {.name = "numbers", .kind = type_kind::unsigned_integer, .bytes = 4};
  fields[0].count = 5;
  return native_struct::create("world", sizeof(world), fields).value();
}

// Counts the memory that it provides.
struct engine_heap {
  std::size_t allocations = 0;
  std::size_t bytes_in_use = 0;
  std::size_t alignment = 0;
  std::size_t shift = 0;  // makes the memory unaligned
  std::byte* first = nullptr;
  bool is_empty = false;

  tracks::slot_memory as_source() {
    tracks::slot_memory source;
    source.user = this;
    source.allocate = [](void* user, std::size_t bytes, std::size_t at_least) -> void* {
      auto& heap = *static_cast<engine_heap*>(user);
      ++heap.allocations;
      if (heap.is_empty) return nullptr;
      heap.bytes_in_use += bytes;
      heap.alignment = at_least;
      void* const made = ::operator new(bytes + at_least, std::align_val_t(at_least));
      heap.first = static_cast<std::byte*>(made) + heap.shift;
      std::memset(heap.first, 0xEE, bytes);
      return heap.first;
    };
    source.release = [](void* user, void* memory, std::size_t bytes) {
      auto& heap = *static_cast<engine_heap*>(user);
      heap.bytes_in_use -= bytes;
      BOOST_TEST(memory == heap.first);
      ::operator delete(heap.first - heap.shift, std::align_val_t(heap.alignment));
    };
    return source;
  }
};

recorder_options small_ring() {
  recorder_options options;
  options.mode = threading::pumped;
  options.ring_ticks = 64;
  options.ticks_per_second = 60;
  return options;
}

template <loss_policy Policy>
void check_policy(recorder_options options) {
  const scratch_folder folder;
  engine_heap heap;
  {
    auto out =
        struct_recording<Policy>::open(folder / "a.reel", describe_numbers(), options, {}, heap.as_source());
    BOOST_REQUIRE(out);
    BOOST_TEST(heap.allocations == 1u);
    BOOST_TEST(heap.alignment == cache_line_bytes);
    // One cache line for each of 20 bytes, and one slot more than the ring has.
    BOOST_TEST(heap.bytes_in_use == 65 * cache_line_bytes);
    BOOST_TEST((heap.first[0] == std::byte{0}));
    world now{};
    for (std::uint32_t i = 0; i < 65; ++i) {
      now.numbers[4] = i;
      out->push(&now);
      if (options.mode == threading::pumped && i == 62) out->pump();
    }
    // The copies are in it: the second slot has the second one.
    std::uint32_t first = 0;
    std::memcpy(&first, heap.first + cache_line_bytes + 4 * sizeof(std::uint32_t), sizeof first);
    BOOST_TEST(first == 1u);
    auto moved = std::move(*out);
    BOOST_REQUIRE(moved.close());
    BOOST_TEST(heap.bytes_in_use != 0u);
    BOOST_TEST(moved.counters().written == 65u);
  }
  BOOST_TEST(heap.bytes_in_use == 0u);
  BOOST_TEST(heap.allocations == 1u);
}

BOOST_AUTO_TEST_CASE(the_ring_of_each_policy_is_in_the_callers_memory) {
  check_policy<loss_policy::drop_newest>(small_ring());
  check_policy<loss_policy::drop_oldest>(small_ring());
  recorder_options threaded = small_ring();
  threaded.mode = threading::own_thread;
  check_policy<loss_policy::block>(threaded);
}

BOOST_AUTO_TEST_CASE(no_memory_leaves_no_file) {
  const scratch_folder folder;
  engine_heap heap;
  heap.is_empty = true;
  const auto out =
      struct_recording<>::open(folder / "a.reel", describe_numbers(), small_ring(), {}, heap.as_source());
  BOOST_REQUIRE(!out);
  BOOST_TEST((out.error().code == error_code::out_of_memory));
  BOOST_TEST(heap.allocations == 1u);
  BOOST_TEST(std::filesystem::is_empty(folder.path()));
}

BOOST_AUTO_TEST_CASE(memory_that_is_not_aligned_is_rejected_and_released) {
  const scratch_folder folder;
  engine_heap heap;
  heap.shift = 8;
  const auto out =
      struct_recording<>::open(folder / "a.reel", describe_numbers(), small_ring(), {}, heap.as_source());
  BOOST_REQUIRE(!out);
  BOOST_TEST((out.error().code == error_code::invalid_argument));
  BOOST_TEST(heap.bytes_in_use == 0u);
  BOOST_TEST(std::filesystem::is_empty(folder.path()));
}

BOOST_AUTO_TEST_CASE(memory_is_released_if_the_file_exists) {
  const scratch_folder folder;
  engine_heap heap;
  BOOST_REQUIRE(struct_recording<>::open(folder / "a.reel", describe_numbers(), small_ring())->close());
  const auto out =
      struct_recording<>::open(folder / "a.reel", describe_numbers(), small_ring(), {}, heap.as_source());
  BOOST_REQUIRE(!out);
  BOOST_TEST((out.error().code == error_code::already_exists));
  BOOST_TEST(heap.allocations == 1u);
  BOOST_TEST(heap.bytes_in_use == 0u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
