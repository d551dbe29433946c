#include "tickreel/record/ring.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <thread>

BOOST_AUTO_TEST_SUITE(sdk_record_tests)
BOOST_AUTO_TEST_SUITE(ring_test)

namespace {

using tickreel::replacing_ring;
using tickreel::spsc_ring;

// Large enough that a torn read would be visible.
struct element {
  std::uint64_t number = 0;
  std::array<std::uint64_t, 15> copies{};

  void fill(std::uint64_t value) {
    number = value;
    copies.fill(value);
  }
  [[nodiscard]] bool is_whole() const {
    for (const std::uint64_t copy : copies) {
      if (copy != number) return false;
    }
    return true;
  }
};

constexpr std::uint64_t stress_elements = 200'000;

BOOST_AUTO_TEST_CASE(capacity_is_a_power_of_two) {
  BOOST_TEST(spsc_ring<int>(1).capacity() == 2u);
  BOOST_TEST(spsc_ring<int>(256).capacity() == 256u);
  BOOST_TEST(replacing_ring<int>(257).capacity() == 512u);
}

BOOST_AUTO_TEST_CASE(a_full_queue_has_no_slot) {
  spsc_ring<int> ring(4);
  for (int i = 0; i < 4; ++i) {
    int* const slot = ring.begin_push();
    BOOST_REQUIRE(slot != nullptr);
    *slot = i;
    ring.commit_push();
  }
  BOOST_TEST(ring.begin_push() == nullptr);
  BOOST_TEST(*ring.front() == 0);
  ring.pop();
  BOOST_TEST(ring.begin_push() != nullptr);
  for (int i = 1; i < 4; ++i) {
    BOOST_TEST(*ring.front() == i);
    ring.pop();
  }
  BOOST_TEST(ring.front() == nullptr);
}

BOOST_AUTO_TEST_CASE(a_full_ring_replaces_the_oldest_that_is_not_claimed) {
  replacing_ring<int> ring(4);
  const auto push = [&ring](int value) {
    const auto room = ring.begin_push();
    const int replaced = room.replaces ? *room.slot : -1;
    *room.slot = value;
    ring.commit_push();
    return replaced;
  };
  for (int i = 0; i < 4; ++i) BOOST_TEST(push(i) == -1);
  int* const claimed = ring.front();
  BOOST_TEST(*claimed == 0);
  BOOST_TEST(push(4) == -1);  // takes the slot that the claim released
  BOOST_TEST(push(5) == 1);
  BOOST_TEST(push(6) == 2);
  BOOST_TEST(*claimed == 0);  // no thread has changed it
  BOOST_TEST(ring.front() == claimed);
  ring.pop();
  for (int i = 3; i < 7; ++i) {
    BOOST_TEST(*ring.front() == i);
    ring.pop();
  }
  BOOST_TEST(ring.front() == nullptr);
}

BOOST_AUTO_TEST_CASE(two_threads_keep_order_without_loss) {
  spsc_ring<element> ring(8);
  std::thread producer([&ring] {
    for (std::uint64_t number = 0; number < stress_elements; ++number) {
      element* slot = ring.begin_push();
      for (; slot == nullptr; slot = ring.begin_push()) std::this_thread::yield();
      slot->fill(number);
      ring.commit_push();
    }
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t expected = 0; expected < stress_elements;) {
    element* const slot = ring.front();
    if (slot == nullptr) {
      std::this_thread::yield();
      continue;
    }
    if (slot->number != expected || !slot->is_whole()) ++wrong;
    ring.pop();
    ++expected;
  }
  producer.join();
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(two_threads_replacing_account_for_every_element) {
  for (const std::size_t capacity : {2u, 8u, 64u}) {
    replacing_ring<element> ring(capacity);
    std::atomic<bool> done{false};
    std::uint64_t replaced = 0;
    std::uint64_t wrong_in_producer = 0;
    std::thread producer([&] {
      std::uint64_t last_replaced = 0;
      for (std::uint64_t number = 1; number <= stress_elements; ++number) {
        const auto room = ring.begin_push();
        if (room.replaces) {
          if (!room.slot->is_whole() || room.slot->number <= last_replaced) ++wrong_in_producer;
          last_replaced = room.slot->number;
          ++replaced;
        }
        room.slot->fill(number);
        ring.commit_push();
        if (number % 64 == 0) std::this_thread::yield();
      }
      done.store(true, std::memory_order_release);
    });
    std::uint64_t received = 0;
    std::uint64_t last = 0;
    std::uint64_t wrong = 0;
    for (;;) {
      const bool was_done = done.load(std::memory_order_acquire);
      element* const slot = ring.front();
      if (slot == nullptr) {
        if (was_done) break;
        std::this_thread::yield();
        continue;
      }
      if (slot->number <= last || !slot->is_whole()) ++wrong;
      last = slot->number;
      ++received;
      ring.pop();
    }
    producer.join();
    BOOST_TEST(wrong == 0u);
    BOOST_TEST(wrong_in_producer == 0u);
    BOOST_TEST(received + replaced == stress_elements);
    BOOST_TEST(last == stress_elements);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
