// A recording in memory returns the same as from its file, in every format and with any damage.
#include <algorithm>

#include "all_contents.hpp"
#include "every_format.hpp"
#include "random.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/byte_source.hpp"

BOOST_AUTO_TEST_SUITE(files_memory_tests)
BOOST_AUTO_TEST_SUITE(memory_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// Returns false for an unknown format.
bool check(const std::filesystem::path& path) {
  const byte_vector bytes = read_file(path);
  const auto from_file = files::open(path);
  const auto from_memory = files::open(byte_span(bytes));
  check_equal(all_contents(from_file), all_contents(from_memory));
  return from_file.has_value();
}

std::string json_of(const echo::state& tick) {
  std::string out = std::to_string(tick.recorded_time_ms);
  echo::append_session_json(tick, echo::json_shape::model, echo::number_style::shortest, out);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_format_is_covered) {
  const scratch_folder folder;
  std::vector<std::string_view> seen;
  for (const auto& path : fixtures(folder)) {
    const auto found = files::detect(path);
    BOOST_REQUIRE_MESSAGE(found, path);
    seen.push_back((*found)->name);
  }
  for (const files::format& each : files::formats()) {
    if (each.is_only_written) continue;
    BOOST_TEST((std::find(seen.begin(), seen.end(), each.name) != seen.end()), each.name);
  }
}

BOOST_AUTO_TEST_CASE(memory_returns_the_same_as_the_file) {
  const scratch_folder folder;
  for (const auto& path : fixtures(folder)) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      BOOST_TEST(check(path));
    }
  }
}

BOOST_AUTO_TEST_CASE(any_damage_gives_the_same_result) {
  auto random = seeded_random("any_damage_gives_the_same_result");
  const scratch_folder folder;
  for (const auto& path : fixtures(folder)) {
    const byte_vector whole = read_file(path);
    for (int round = 0; round < 12; ++round) {
      byte_vector changed = whole;
      if (round % 2 == 0) changed.resize(random() % whole.size());
      for (std::uint64_t i = round % 2 == 0 ? 0 : 1 + random() % 4; i-- > 0;) {
        changed[random() % changed.size()] ^= static_cast<std::byte>(1u << random() % 8);
      }
      BOOST_TEST_CONTEXT(path.filename().string() << ", round " << round) {
        write_file(path, changed);
        (void)check(path);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(real_recordings_give_the_same_result) {
  std::size_t opened = 0;
  for (const char* part : {"butter", "gamecache", "rec", "sc2"}) {
    const auto folder = shared_data(part);
    if (folder.empty()) continue;
    for (const auto& each : std::filesystem::directory_iterator(folder)) {
      BOOST_TEST_CONTEXT(each.path().filename().string()) {
        if (check(each.path())) ++opened;
      }
    }
    BOOST_TEST(opened > 0u);
  }
}

BOOST_AUTO_TEST_CASE(ticks_of_echo_vr_are_read_from_memory_too) {
  const scratch_folder folder;
  for (const char* name : {"m.butter", "m.echoreplay", "m.reel"}) {
    const auto path = folder.path() / name;
    write_match(path);
    const byte_vector bytes = read_file(path);
    auto source = files::open_echo(byte_span(bytes));
    BOOST_REQUIRE(source);
    const auto ticks = all_ticks(path);
    auto tick = std::make_unique<echo::state>();
    for (const echo::state& each : ticks) {
      BOOST_REQUIRE((*source)->next(*tick).value());
      BOOST_TEST_REQUIRE(json_of(*tick) == json_of(each));
    }
    BOOST_TEST(!(*source)->next(*tick).value());
    BOOST_TEST((*source)->bytes_total() == bytes.size());
  }
}

// Copies of a file share its memory; memory is read in place.
BOOST_AUTO_TEST_CASE(a_source_is_a_file_or_memory) {
  const scratch_folder folder;
  byte_vector bytes(1000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7);
  const std::string path = folder / "bytes";
  write_file(path, bytes);
  auto on_disk = byte_source::open(path);
  BOOST_REQUIRE(on_disk);
  BOOST_TEST(!on_disk->in_memory());
  BOOST_TEST(on_disk->name() == path);
  byte_source in_memory(bytes, "a name");
  BOOST_TEST(in_memory.in_memory());
  BOOST_TEST(in_memory.name() == "a name");
  byte_source copy = *on_disk;
  for (byte_source* each : {&*on_disk, &in_memory, &copy}) {
    BOOST_TEST(each->size().value() == 1000u);
    for (const auto& [offset, count] :
         {std::pair{0u, 10u}, {990u, 20u}, {1000u, 5u}, {5000u, 5u}, {3u, 0u}}) {
      const std::size_t begin = std::min<std::size_t>(offset, bytes.size());
      const std::size_t expected = std::min<std::size_t>(count, bytes.size() - begin);
      byte_vector into(count);
      BOOST_TEST(each->read_at(into, offset).value() == expected);
      BOOST_TEST(std::equal(into.begin(), into.begin() + static_cast<std::ptrdiff_t>(expected),
                            bytes.begin() + static_cast<std::ptrdiff_t>(begin)));
      const auto seen = each->view(offset, count);
      BOOST_REQUIRE(seen);
      BOOST_TEST(std::equal(seen->begin(), seen->end(), into.begin(),
                            into.begin() + static_cast<std::ptrdiff_t>(expected)));
    }
    BOOST_TEST((each->whole(999).error().code == error_code::over_limit));
    auto held = each->whole(1000);
    BOOST_REQUIRE(held);
    const std::byte* const where = held->bytes().data();
    const held_bytes moved = std::move(*held);
    BOOST_TEST((moved.bytes().data() == where));
    BOOST_TEST(std::equal(moved.bytes().begin(), moved.bytes().end(), bytes.begin(), bytes.end()));
  }
  BOOST_TEST((in_memory.whole(1000)->bytes().data() == bytes.data()));
  BOOST_TEST((byte_source::open(folder / "absent").error().code == error_code::not_found));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
