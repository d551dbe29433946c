// A recorder with a queued sink is killed at random moments; another process delivers the rest of its reel.
#include <array>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <thread>

#include "file_bytes.hpp"
#include "killed_process.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/reel/queued_sink.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/reel/writer.hpp"

BOOST_AUTO_TEST_SUITE(sdk_queued_sink_crash_tests)
BOOST_AUTO_TEST_SUITE(queued_crash_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::size_t max_bytes = 4u << 20;
constexpr std::size_t record_limit = 1u << 14;

// The receiver, which survives: the bytes in sequence, and the end of each record.
struct store {
  std::atomic<std::uint64_t> header_bytes{0};
  std::atomic<std::uint64_t> records{0};
  std::array<std::uint64_t, record_limit + 1> ends{};
  std::array<std::byte, max_bytes> bytes{};
  std::atomic<std::uint64_t> appended{0};  // by the recorder
};

class store_delivery final : public reel::delivery {
 public:
  explicit store_delivery(store& to) : to_(to) {}
  result<std::uint64_t> connect(const reel::header&, byte_span header_bytes) override {
    if (to_.header_bytes == 0) {
      std::copy(header_bytes.begin(), header_bytes.end(), to_.bytes.begin());
      to_.ends[0] = header_bytes.size();
      to_.header_bytes = header_bytes.size();
    }
    return to_.records.load();
  }
  result<void> send(const reel::record_info& info, byte_span bytes) override {
    const std::uint64_t count = to_.records;
    if (info.sequence != count || count == record_limit) return fail(error_code::wrong_state);
    const std::uint64_t from = to_.ends[static_cast<std::size_t>(count)];
    if (from + bytes.size() > max_bytes) return fail(error_code::no_space);
    std::copy(bytes.begin(), bytes.end(), to_.bytes.begin() + static_cast<std::ptrdiff_t>(from));
    to_.ends[static_cast<std::size_t>(count) + 1] = from + bytes.size();
    to_.records = count + 1;
    return {};
  }
  result<std::uint64_t> confirmed(std::chrono::milliseconds) override { return to_.records.load(); }

 private:
  store& to_;
};

// Until the process is killed, or until the store is full.
int record_match(const std::vector<std::string>& words, void* memory) {
  auto& to = *static_cast<store*>(memory);
  auto out = reel::writer::create(words[0], {}, {.codec = codec_id::none});
  reel::queue_options options;
  options.max_records = 8;
  auto sink = reel::queued_sink::create(words[0], std::make_unique<store_delivery>(to), options);
  if (!out || !sink) return 1;
  out->add_sink(std::move(*sink));
  for (std::uint64_t i = 0; i < record_limit - 100; ++i) {
    const byte_vector payload(static_cast<std::size_t>(1 + i % 100), static_cast<std::byte>(i));
    if (!out->append({}, payload)) return 2;
    ++to.appended;
    if (i % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

[[maybe_unused]] const child_begins<record_match> begins;

BOOST_AUTO_TEST_CASE(the_reel_of_a_killed_recorder_is_delivered) {
  auto random = seeded_random("killed recorder with a sink");
  shared_memory<store> shared;
  for (int round = 0; round < 20; ++round) {
    const scratch_folder folder;
    const std::string path = folder / "match.reel";
    store& there = *shared.renewed();
    {
      killed_process child(record_match, {path}, shared);
      const std::uint64_t until = 1 + random() % 3000;
      while (there.appended < until && !child.has_ended()) std::this_thread::yield();
      BOOST_REQUIRE(!child.has_ended());
      child.kill();
    }
    const std::uint64_t before = there.records;
    BOOST_REQUIRE(reel::recover_in_place(path));
    store_delivery to(there);
    const auto done = reel::deliver_reel(path, to);
    BOOST_REQUIRE(done);
    BOOST_TEST(done->ended);
    BOOST_TEST(done->sent == done->accepted - before);
    const byte_vector file = read_file(path);
    BOOST_REQUIRE_EQUAL(there.ends[static_cast<std::size_t>(there.records.load())], file.size());
    BOOST_TEST(std::equal(file.begin(), file.end(), there.bytes.begin()));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
