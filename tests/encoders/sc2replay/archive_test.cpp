#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <thread>

#include "random.hpp"
#include "sample_file.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/mpq/attributes.hpp"
#include "tickreel/sc2replay/archive.hpp"
#include "tickreel/sc2replay/replay.hpp"
#include "wrong_tables.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_archive_tests)
BOOST_AUTO_TEST_SUITE(archive_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

// Returns whether the archive can be opened.
bool read_everything(const byte_vector& file) {
  const auto opened = sc2replay::open_archive(file);
  if (!opened) {
    BOOST_TEST((opened.error().offset == error::no_offset || opened.error().offset <= file.size()));
    return false;
  }
  for (const mpq::member& each : opened->members()) {
    const auto bytes = opened->read(each.name);
    BOOST_TEST((bytes || bytes.error().offset <= file.size()));
  }
  (void)sc2replay::replay::open(*opened);
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(written_archives_are_read_back) {
  const byte_vector file = sample_file();
  BOOST_TEST((file == sample_file()));
  const auto opened = sc2replay::open_archive(file);
  BOOST_REQUIRE(opened);
  const auto header = sc2replay::read_header(opened->user_data());
  BOOST_REQUIRE(header);
  BOOST_TEST((*header == sample_header()));
  BOOST_TEST(opened->file_bytes() == file.size());
  const auto members = sample_members();
  BOOST_TEST(opened->members().size() == members.size());
  const auto kept = mpq::read_attributes(*opened);
  BOOST_REQUIRE(kept);
  for (const mpq::new_member& each : members) {
    BOOST_TEST_CONTEXT(each.name) {
      const mpq::member* found = opened->find(each.name);
      BOOST_REQUIRE(found != nullptr);
      BOOST_TEST(found->bytes == each.bytes.size());
      BOOST_TEST(found->packed_bytes <= found->bytes);
      const auto bytes = opened->read(each.name);
      BOOST_REQUIRE(bytes);
      BOOST_TEST((*bytes == each.bytes));
      if (!each.bytes.empty()) {
        BOOST_REQUIRE(found->block < kept->rows.size());
        BOOST_TEST((kept->rows[found->block].crc32 == crc32(each.bytes)));
      }
    }
  }
  const auto missing = opened->read("replay.tracker.events");
  BOOST_TEST((missing.error().code == error_code::not_found));
  BOOST_TEST(missing.error().detail == std::string("replay.tracker.events"));
}

BOOST_AUTO_TEST_CASE(a_replay_does_not_refer_to_its_file) {
  byte_vector file = sample_file();
  const auto read = sc2replay::replay::open(file);
  std::fill(file.begin(), file.end(), std::byte{0});
  BOOST_REQUIRE(read);
  BOOST_TEST((read->header == sample_header()));
  BOOST_TEST((read->details == sample_details()));
  const byte_vector lobby = *sc2replay::write_lobby(sample_lobby(), sample_base_build);
  BOOST_TEST((read->lobby == *sc2replay::read_lobby(lobby, sample_base_build)));
  BOOST_TEST((read->game_events == sample_game_events()));
  BOOST_TEST((read->message_events == sample_messages()));
  BOOST_TEST(read->problems.empty());
  BOOST_TEST(read->map() == "Clockwork Canyon");
  BOOST_TEST(read->players.size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_missing_member_does_not_affect_the_rest) {
  auto members = sample_members();
  members.erase(members.begin());      // the details; their backup stays
  members.erase(members.begin() + 1);  // the lobby
  members[1].bytes.resize(members[1].bytes.size() - 1);
  const byte_vector file = sample_file(members);
  const auto read = sc2replay::replay::open(byte_span(file));
  BOOST_REQUIRE(read);
  BOOST_TEST((read->details == sample_details()));
  BOOST_TEST(!read->lobby.has_value());
  BOOST_TEST(!read->attributes.has_value());
  BOOST_REQUIRE(read->problems.size() == 2u);
  BOOST_TEST(read->problems[0].member == "replay.initData");
  BOOST_TEST((read->problems[0].what.code == error_code::not_found));
  BOOST_TEST(read->problems[1].member == "replay.attributes.events");
  BOOST_TEST((read->problems[1].what.code == error_code::truncated));
  BOOST_TEST(read->players.size() == 3u);
}

BOOST_AUTO_TEST_CASE(limits_are_checked_before_memory_is_allocated) {
  const byte_vector file = sample_file();
  const auto refuse = [&](const mpq::limits& limits) {
    const auto opened = sc2replay::open_archive(file, limits);
    return opened ? error_code{} : opened.error().code;
  };
  BOOST_TEST((refuse({.file_bytes = file.size() - 1}) == error_code::over_limit));
  BOOST_TEST((refuse({.total_bytes = 10000}) == error_code::over_limit));
  const auto opened = sc2replay::open_archive(file, {.member_bytes = 4999});
  BOOST_REQUIRE(opened);
  const auto large = opened->read("replay.sync.events");
  BOOST_TEST((large.error().code == error_code::over_limit));
  BOOST_TEST(large.error().detail == std::string("replay.sync.events"));
  BOOST_TEST(opened->read("replay.details").has_value());
}

BOOST_AUTO_TEST_CASE(invalid_names_are_rejected) {
  const byte_vector header = *sc2replay::write_header(sample_header());
  const auto refuse = [&](std::vector<mpq::new_member> members) {
    const auto file = mpq::write_archive(header, members);
    return file ? error_code{} : file.error().code;
  };
  BOOST_TEST((refuse({{"", {}}}) == error_code::invalid_argument));
  BOOST_TEST((refuse({{"twice", {}}, {"twice", {}}}) == error_code::invalid_argument));
  BOOST_TEST((refuse({{"(listfile)", {}}}) == error_code::invalid_argument));
  BOOST_TEST((refuse({{std::string(201, 'n'), {}}}) == error_code::invalid_argument));
  BOOST_TEST((mpq::write_archive(byte_vector(513), {}).error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(truncated_anywhere_it_is_rejected_or_lacks_its_end) {
  const byte_vector file = sample_file();
  for (std::size_t size = 0; size < file.size(); size += size < 1200 ? 1 : 7) {
    const byte_vector cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const auto opened = sc2replay::open_archive(cut);
    // The tables come last, so no truncated file contains them.
    BOOST_REQUIRE(!opened);
    BOOST_REQUIRE(opened.error().offset <= file.size());
  }
}

BOOST_AUTO_TEST_CASE(damaged_archives_are_read_or_rejected) {
  auto random = seeded_random("damaged_archives_are_read_or_rejected");
  const byte_vector file = sample_file();
  std::size_t opened = 0, refused = 0;
  const auto try_to_read = [&](const byte_vector& changed) {
    ++(read_everything(changed) ? opened : refused);
  };
  // Every bit of the prefix and the archive's header.
  for (std::size_t bit = 0; bit < 16 * 8; ++bit) {
    byte_vector changed = file;
    changed[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    try_to_read(changed);
  }
  for (std::size_t bit = 1024 * 8; bit < (1024 + 32) * 8; ++bit) {
    byte_vector changed = file;
    changed[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    try_to_read(changed);
  }
  for (int round = 0; round < 1500; ++round) {
    byte_vector changed = file;
    for (std::uint64_t i = random() % 4; i-- > 0;) {
      // Tables more often than content.
      const std::size_t tail = std::min<std::size_t>(file.size(), 16 * 48);
      const std::size_t at = random() % 2 == 0 ? file.size() - 1 - random() % tail : random() % file.size();
      changed[at] = static_cast<std::byte>(random());
    }
    try_to_read(changed);
  }
  BOOST_TEST(opened > 100u);
  BOOST_TEST(refused > 100u);
}

BOOST_AUTO_TEST_CASE(members_are_read_whatever_size_the_table_states) {
  const byte_vector file = sample_file();
  constexpr std::uint32_t compressed = 0x200;
  constexpr const char* name = "replay.sync.events";
  const byte_vector content(5000, std::byte{7});
  using change = std::function<void(table_row&)>;
  const change lies[] = {
      [](table_row& row) { row.bytes = 10; },
      [](table_row& row) { row.bytes = 0; },
      [](table_row& row) { row.bytes = row.packed_bytes; },
      [](table_row& row) { row.bytes = 4999; },
      [](table_row& row) { row.bytes = 5001; },
      [](table_row& row) { row.bytes = 100'000; },
      [](table_row& row) { row.bytes = 0xFFFFFFFF; },
      [](table_row& row) { row.packed_bytes += 20; },
      [](table_row& row) { row.flags &= ~compressed; },
      [](table_row& row) {
        row.flags &= ~compressed;
        row.bytes = row.packed_bytes;
      },
  };
  for (std::size_t i = 0; i < std::size(lies); ++i) {
    BOOST_TEST_CONTEXT("lie " << i) {
      const byte_vector changed = with_row(file, name, lies[i]);
      const auto opened = sc2replay::open_archive(changed);
      // Only the claimed total size of all members is rejected.
      if (!opened) {
        BOOST_TEST(i == 6u);
        BOOST_TEST((opened.error().code == error_code::over_limit));
        continue;
      }
      const auto bytes = opened->read(name);
      BOOST_REQUIRE(bytes);
      BOOST_TEST((*bytes == content));
      BOOST_TEST(opened->read("replay.details").has_value());
    }
  }
}

BOOST_AUTO_TEST_CASE(tables_with_invalid_targets_are_reported) {
  const byte_vector file = sample_file();
  constexpr const char* name = "replay.sync.events";
  const auto why = [&](const std::function<void(table_row&)>& change, std::size_t& row_at) {
    const byte_vector changed = with_row(file, name, change, &row_at);
    const auto opened = sc2replay::open_archive(changed);
    BOOST_REQUIRE(opened);
    const auto bytes = opened->read(name);
    BOOST_REQUIRE(!bytes);
    BOOST_TEST(bytes.error().detail == std::string(name));
    BOOST_TEST(opened->read("replay.details").has_value());
    return bytes.error();
  };
  std::size_t row_at = 0;
  const std::uint64_t member_at = sc2replay::open_archive(file)->find(name)->offset;
  // Outside the file: the row is wrong.
  error found = why([](table_row& row) { row.offset = 0x7FFFFFFF; }, row_at);
  BOOST_TEST((found.code == error_code::malformed));
  BOOST_TEST(found.offset == row_at);
  found = why([](table_row& row) { row.packed_bytes = 0x7FFFFFFF; }, row_at);
  BOOST_TEST((found.code == error_code::malformed));
  BOOST_TEST(found.offset == row_at);
  // Truncated or overwritten: the content is wrong.
  found = why([](table_row& row) { row.packed_bytes -= 3; }, row_at);
  BOOST_TEST((found.code == error_code::corrupt_compression));
  BOOST_TEST(found.offset == member_at);
  found = why([](table_row& row) { row.offset += 1; }, row_at);
  BOOST_TEST((found.code == error_code::unsupported_codec));
  BOOST_TEST(found.offset == member_at + 1);
}

BOOST_AUTO_TEST_CASE(many_threads_open_archives_concurrently) {
  const byte_vector file = sample_file();
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        const auto read = sc2replay::replay::open(byte_span(file));
        if (read && read->problems.empty()) ++good;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  BOOST_TEST(good == 40);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
