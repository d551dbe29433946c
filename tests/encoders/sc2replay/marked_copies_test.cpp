// Copies of damaged replays list what they lack.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/recover.hpp"
#include "verdicts.hpp"
#include "wrong_tables.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_convert_tests)
BOOST_AUTO_TEST_SUITE(marked_copies_test)

using namespace verdicts;

namespace {

bool is_sound(const std::filesystem::path& path) {
  const auto opened = files::open(path);
  BOOST_REQUIRE(opened);
  const auto verified = (*opened)->verify();
  BOOST_REQUIRE(verified);
  return verified->ok() && !verified->content_left_out;
}

}  // namespace

// Data that a copy lacks are reported, and the copy reports them itself, also after another copy.
BOOST_AUTO_TEST_CASE(copies_of_damaged_archives_are_marked) {
  const test::scratch_folder folder;
  const byte_vector file = sample_file();
  std::size_t recovered = 0;
  std::size_t anonymised = 0;
  const auto check = [&](const byte_vector& copy, const std::string& what) {
    if (has_every_member(copy)) return;
    const auto input = folder.path() / "damaged.SC2Replay";
    const auto output = folder.path() / "copy.SC2Replay";
    const auto second = folder.path() / "second.SC2Replay";
    write_file(input, copy);
    if (const auto report = files::recover(input, output, {.overwrite = true})) {
      ++recovered;
      BOOST_TEST(!report->lost.empty(), what);
      BOOST_TEST(!is_sound(output), what);
      const auto again = files::recover(output, second, {.overwrite = true});
      BOOST_REQUIRE(again);
      BOOST_TEST(!again->lost.empty(), what);
      BOOST_TEST(!is_sound(second), what);
    }
    if (const auto report = files::anonymise(input, output, {.overwrite = true})) {
      ++anonymised;
      BOOST_TEST(!report->lost.empty(), what);
      BOOST_TEST(!is_sound(output), what);
    }
  };
  flip_table_bits(file, hash_table, 11, check);
  flip_table_bits(file, block_table, 11, check);
  BOOST_TEST(recovered > 50u);
  BOOST_TEST(anonymised > 20u);
}

BOOST_AUTO_TEST_CASE(a_copy_of_an_intact_replay_has_no_mark) {
  const test::scratch_folder folder;
  const auto input = folder.path() / "whole.SC2Replay";
  const auto output = folder.path() / "copy.SC2Replay";
  write_file(input, sample_file());
  const auto report = files::recover(input, output);
  BOOST_REQUIRE(report);
  BOOST_TEST(report->lost.empty());
  BOOST_TEST(is_sound(output));
  const auto archive = sc2replay::open_archive(read_file(output));
  BOOST_REQUIRE(archive);
  BOOST_TEST(archive->find(sc2replay::losses_member) == nullptr);
}

// A member whose content differs from the archive's checksum is kept, and the copy states the mismatch.
BOOST_AUTO_TEST_CASE(a_copy_does_not_hide_a_wrong_checksum) {
  const test::scratch_folder folder;
  byte_vector file = sample_file();
  const auto archive = sc2replay::open_archive(byte_span(file));
  BOOST_REQUIRE(archive);
  const mpq::member* const plain = archive->find("replay.load.info");
  BOOST_REQUIRE(plain != nullptr);
  file[static_cast<std::size_t>(plain->offset) + 9] ^= std::byte{0x10};
  const auto input = folder.path() / "damaged.SC2Replay";
  const auto output = folder.path() / "copy.SC2Replay";
  write_file(input, file);
  const auto report = files::recover(input, output);
  BOOST_REQUIRE(report);
  BOOST_TEST(report->lost.size() == 1u);
  BOOST_TEST(!is_sound(output));
  const auto opened = files::open(output);
  const auto info = (*opened)->summarise();
  BOOST_REQUIRE(info);
  BOOST_TEST((info->health == files::health::recovered));
  // It states all that it lacks, so it is what verify accepts, with warnings.
  const auto verified = (*opened)->verify();
  BOOST_REQUIRE(verified);
  BOOST_TEST(verified->ok());
  BOOST_TEST(std::ranges::count_if(verified->findings, [](const files::finding& each) {
               return each.level == files::severity::warning &&
                      each.message.find("replay.load.info: its content does not have") != std::string::npos;
             }) == 1);
  // Damage that it does not state is an error.
  byte_vector again = read_file(output);
  const auto copy = sc2replay::open_archive(byte_span(again));
  BOOST_REQUIRE(copy);
  const mpq::member* const other = copy->find("replay.details");
  BOOST_REQUIRE(other != nullptr);
  again[static_cast<std::size_t>(other->offset) + 9] ^= std::byte{0x10};
  write_file(output, again);
  const auto damaged = files::open(output);
  BOOST_REQUIRE(damaged);
  const auto judged = (*damaged)->verify();
  BOOST_REQUIRE(judged);
  BOOST_TEST(!judged->ok());
}

// Other versions of the program may state it in other words.
BOOST_AUTO_TEST_CASE(a_loss_is_known_by_its_member) {
  const test::scratch_folder folder;
  const auto path = folder.path() / "copy.SC2Replay";
  for (const auto& [stated, is_ok] :
       {std::pair{"replay.load.info: differs, at offset 7", true},
        std::pair{"replay.load: differs, at offset 7", false}, std::pair{"replay.details: differs", false}}) {
    auto copy = sc2replay::add_losses(sample_file(), std::vector<std::string>{stated});
    BOOST_REQUIRE(copy);
    const auto archive = sc2replay::open_archive(byte_span(*copy));
    BOOST_REQUIRE(archive);
    const mpq::member* const damaged = archive->find("replay.load.info");
    BOOST_REQUIRE(damaged != nullptr);
    (*copy)[static_cast<std::size_t>(damaged->offset) + 9] ^= std::byte{0x10};
    write_file(path, *copy);
    const auto opened = files::open(path);
    BOOST_REQUIRE(opened);
    const auto verified = (*opened)->verify();
    BOOST_REQUIRE(verified);
    BOOST_TEST(verified->ok() == is_ok, stated);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
