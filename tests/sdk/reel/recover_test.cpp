#include "tickreel/reel/recover.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "random.hpp"
#include "random_reel.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"

BOOST_AUTO_TEST_SUITE(sdk_reel_tests)
BOOST_AUTO_TEST_SUITE(recover_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

void write(const std::string& path, byte_span bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  const std::string_view text = as_text(bytes);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::size_t whole_before(const written_reel& written, std::uint64_t cut) {
  std::size_t whole = 0;
  while (whole < written.records.size() && end_of(written.records[whole].info) <= cut) ++whole;
  return whole;
}

// The reel at `path` is closed and starts with the first `whole` records, unchanged.
void check_recovered(const std::string& path, const written_reel& written, std::size_t whole) {
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  BOOST_REQUIRE((reel->contents().end == reel::reel_end::closed));
  BOOST_REQUIRE(reel->contents().from_index);
  BOOST_REQUIRE(reel->contents().records.size() >= whole);
  reel::record record;
  for (std::size_t number = 0; number < whole; ++number) {
    BOOST_REQUIRE(reel->read(number, record));
    const byte_vector& expected = written.records[number].payload;
    if (!expected.empty()) BOOST_REQUIRE((record.payload == expected));
  }
}

BOOST_AUTO_TEST_CASE(from_any_truncation_in_place_and_into_a_copy_recovering_twice_equals_once) {
  auto random = seeded_random("recover cut");
  const scratch_folder folder;
  const written_reel written = random_reel(random, 10, true);
  for (std::size_t cut = written.header_bytes; cut < written.bytes.size(); cut += 1 + random() % 20) {
    const std::string path = folder / "cut.reel";
    const std::string copy = folder / "copy.reel";
    write(path, byte_span(written.bytes).first(cut));
    const std::size_t whole = whole_before(written, cut);

    const auto copied = reel::recover_into(path, copy, {.overwrite = true});
    BOOST_REQUIRE(copied);
    BOOST_REQUIRE(read_file(path).size() == cut);
    check_recovered(copy, written, whole);

    const auto first = reel::recover_in_place(path);
    BOOST_REQUIRE(first);
    BOOST_TEST(first->changed);
    BOOST_TEST(first->bytes == std::filesystem::file_size(path));
    check_recovered(path, written, whole);
    const byte_vector once = read_file(path);
    BOOST_REQUIRE((once == read_file(copy)));

    const auto second = reel::recover_in_place(path);
    BOOST_REQUIRE(second);
    BOOST_TEST(!second->changed);
    BOOST_REQUIRE((read_file(path) == once));
    const auto third = reel::recover_into(path, copy, {.overwrite = true});
    BOOST_REQUIRE(third);
    BOOST_REQUIRE((read_file(copy) == once));
  }
}

BOOST_AUTO_TEST_CASE(killed_while_recovering_it_can_be_recovered_and_reports_the_loss_once) {
  auto random = seeded_random("recover killed");
  const scratch_folder folder;
  const written_reel written = random_reel(random, 8, false);
  const std::string path = folder / "cut.reel";
  write(path, byte_span(written.bytes).first(written.bytes.size() - 3));
  BOOST_REQUIRE(reel::recover_in_place(path));
  const byte_vector recovered = read_file(path);
  const std::size_t whole = written.records.size() - 1;
  for (std::uint64_t cut = end_of(written.records[whole - 1].info); cut < recovered.size();
       cut += 1 + random() % 5) {
    write(path, byte_span(recovered).first(static_cast<std::size_t>(cut)));
    BOOST_REQUIRE(reel::recover_in_place(path));
    check_recovered(path, written, whole);
    auto reel = reel::reader::open(path);
    std::size_t deaths = 0;
    reel::record record;
    for (std::size_t number = whole; number < reel->contents().records.size(); ++number) {
      if (reel->contents().records[number].kind != reel::record_kind::gap) continue;
      BOOST_REQUIRE(reel->read(number, record));
      if (reel::read_gap(record.payload)->reason == reel::gap_reason::recorder_died) ++deaths;
    }
    BOOST_TEST(deaths == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_torn_chunk_with_an_intact_head_is_counted_in_ticks) {
  auto random = seeded_random("recover torn");
  const scratch_folder folder;
  written_reel written = random_reel(random, 1, false);
  const std::string path = folder / "cut.reel";
  write(path, byte_span(written.bytes).first(written.bytes.size() - 1));
  const auto report = reel::recover_in_place(path);
  BOOST_REQUIRE(report);
  BOOST_TEST(report->cut_ticks == written.records[0].info.frames);
  BOOST_TEST(report->cut_bytes == written.bytes.size() - written.header_bytes - 1);
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().lost_ticks == report->cut_ticks);
}

BOOST_AUTO_TEST_CASE(damage_in_the_middle_is_left_out_of_the_copy) {
  auto random = seeded_random("recover damage");
  const scratch_folder folder;
  const written_reel written = random_reel(random, 10, true);
  byte_vector damaged = written.bytes;
  const reel::record_info& victim = written.records[4].info;
  damaged[static_cast<std::size_t>(victim.offset) + 5] ^= std::byte{0x10};
  const std::string path = folder / "damaged.reel";
  write(path, damaged);
  const auto report = reel::recover_into(path, folder / "copy.reel");
  BOOST_REQUIRE(report);
  BOOST_TEST(report->damaged_bytes == end_of(victim) - victim.offset);
  auto reel = reel::reader::open(folder / "copy.reel", {}, true);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().damaged.empty());
  BOOST_TEST(reel->contents().missing_records == 0u);
  std::uint64_t ticks = 0;
  for (const written_record& each : written.records) {
    if (each.info.kind == reel::record_kind::chunk || each.info.kind == reel::record_kind::gap) {
      ticks += each.info.frames;
    }
  }
  BOOST_TEST(report->ticks + report->totals.ticks + report->totals.gap_ticks == ticks);
  BOOST_TEST(reel->contents().frames + reel->contents().lost_ticks == ticks);
  BOOST_TEST((reel->contents().end == reel::reel_end::closed));
  BOOST_TEST((reel::recover_into(path, folder / "copy.reel").error().code == error_code::already_exists));
}

// An archive fills the place of a record that the recorder's disk had lost: the recorder's index does not list it.
BOOST_AUTO_TEST_CASE(a_record_that_returns_after_recovery_is_read_although_the_index_lacks_it) {
  auto random = seeded_random("returned record");
  const scratch_folder folder;
  const written_reel written = random_reel(random, 10, false);
  for (std::size_t lost = 0; lost + 1 < written.records.size(); ++lost) {
    const reel::record_info& info = written.records[lost].info;
    const std::string path = folder / "returned.reel";
    byte_vector bytes = written.bytes;
    const auto place = std::span(bytes).subspan(info.offset, info.bytes);
    std::ranges::fill(place, std::byte{0});
    write(path, bytes);
    BOOST_REQUIRE(reel::recover_in_place(path));
    {
      const auto lacking = reel::reader::open(path);
      BOOST_REQUIRE(lacking);
      BOOST_TEST(lacking->contents().missing_records == 1);
      BOOST_TEST(lacking->contents().from_index);
    }
    byte_vector recovered = read_file(path);
    const byte_span original = byte_span(written.bytes).subspan(info.offset, info.bytes);
    std::ranges::copy(original, recovered.begin() + static_cast<std::ptrdiff_t>(info.offset));
    write(path, recovered);
    auto whole = reel::reader::open(path);
    BOOST_REQUIRE(whole);
    BOOST_TEST(whole->contents().missing_records == 0);
    BOOST_TEST(whole->contents().damaged.empty());
    reel::record record;
    BOOST_REQUIRE(whole->read(lost, record));
    BOOST_TEST(record.info.sequence == info.sequence);
  }
}

BOOST_AUTO_TEST_CASE(frames_that_contradict_their_chunk_are_reported_although_every_hash_matches) {
  const scratch_folder folder;
  const std::string path = folder / "wrong.reel";
  {
    auto writer = reel::writer::create(path, {});
    BOOST_REQUIRE(writer);
    for (std::uint64_t chunk = 0; chunk < 2; ++chunk) {
      // Two keyframes in each; the second one of the second chunk has a length beyond the chunk.
      byte_vector payload{std::byte{0}, std::byte{0}, std::byte{1}, std::byte{1}, std::byte{0}, std::byte{1}};
      if (chunk == 1) payload.back() = std::byte{9};
      reel::record_info about;
      about.flags = reel::starts_with_keyframe;
      about.frames = 2;
      about.first_tick = chunk * 2;
      about.last_tick = about.first_tick + 1;
      BOOST_REQUIRE(writer->append(about, payload));
    }
    BOOST_REQUIRE(writer->finish());
  }
  const auto report = reel::recover_into(path, folder / "copy.reel");
  BOOST_REQUIRE(report);
  BOOST_TEST(report->changed);
  BOOST_TEST(report->ticks == 3u);
  BOOST_TEST_REQUIRE(report->losses.size() == 1u);
  BOOST_TEST((report->losses[0].cause == reel::loss_cause::damaged_frames));
  auto copy = reel::reader::open(folder / "copy.reel");
  BOOST_REQUIRE(copy);
  BOOST_TEST(copy->contents().frames == 3u);
  BOOST_TEST(copy->contents().lost_ticks == 1u);
  // The copy reports every loss and is copied unchanged.
  const auto again = reel::recover_into(folder / "copy.reel", folder / "again.reel");
  BOOST_REQUIRE(again);
  BOOST_TEST(!again->changed);
  BOOST_TEST(again->ticks == 3u);
  BOOST_TEST(again->totals.gap_ticks == 1u);
}

BOOST_AUTO_TEST_CASE(the_reel_of_a_running_recorder_is_not_touched) {
  const scratch_folder folder;
  const std::string path = folder / "live.reel";
  auto writer = reel::writer::create(path, {});
  BOOST_REQUIRE(writer);
  BOOST_TEST((reel::recover_in_place(path).error().code == error_code::in_use));
  BOOST_TEST((reel::recover_into(path, folder / "copy.reel").error().code == error_code::in_use));
  BOOST_TEST(!std::filesystem::exists(folder / "copy.reel"));
  BOOST_REQUIRE(writer->finish());
  BOOST_TEST(!reel::recover_in_place(path)->changed);
}

}  // namespace

// Ticks of a game that counts faster than it records have gaps between them.
BOOST_AUTO_TEST_CASE(a_loss_counts_the_recorded_ticks_of_its_range) {
  reel::loss lost;
  lost.first.tick = 50;
  lost.last.tick = 59;
  lost.ticks = 10;
  BOOST_TEST(lost.sentence() == "ticks 50 to 59 (10): missing records");
  lost.ticks = 4;
  BOOST_TEST(lost.sentence() == "ticks 50 to 59 (4 of them): missing records");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
