// All verbs give the same verdict about a replay; data that publishers remove do not count as damage.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "random.hpp"
#include "sample_file.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/sc2replay/anonymise.hpp"
#include "tickreel/sc2replay/archive.hpp"
#include "tickreel/sc2replay/game_metadata.hpp"
#include "tickreel/sc2replay/layout.hpp"
#include "wrong_tables.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_convert_tests)
BOOST_AUTO_TEST_SUITE(verdict_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

struct judged {
  files::health by_info = files::health::whole;
  files::health quick_health = files::health::whole;
  files::verification by_verify;
};

judged judge(byte_span file) {
  judged out;
  const auto opened = files::open(file);
  BOOST_REQUIRE(opened.has_value());
  const auto info = (*opened)->summarise();
  BOOST_REQUIRE(info.has_value());
  out.by_info = info->health;
  const auto again = files::open(file);
  const auto quick_summary = (*again)->quick_summary();
  BOOST_REQUIRE(quick_summary.has_value());
  out.quick_health = quick_summary->health;
  const auto third = files::open(file);
  auto verified = (*third)->verify();
  BOOST_REQUIRE(verified.has_value());
  out.by_verify = std::move(*verified);
  return out;
}

void check_agreement(const judged& found, const std::string& what) {
  const bool whole = found.by_info == files::health::whole;
  BOOST_TEST(whole == found.by_verify.ok(), what);
  BOOST_TEST(whole == (found.quick_health == files::health::whole), what);
}

byte_vector file_of(const std::vector<mpq::new_member>& members, std::uint32_t loops = 640) {
  sc2replay::header header = sample_header();
  header.loops = loops;
  auto file = mpq::write_archive(*sc2replay::write_header(header), members);
  BOOST_REQUIRE(file);
  return std::move(*file);
}

std::vector<mpq::new_member> without(const std::vector<std::string_view>& names) {
  auto members = sample_members();
  std::erase_if(members, [&](const mpq::new_member& each) {
    return std::ranges::find(names, each.name) != names.end();
  });
  return members;
}

bool has_finding(const judged& found, files::severity level, std::string_view text) {
  return std::ranges::any_of(found.by_verify.findings, [&](const files::finding& each) {
    return each.level == level && each.message.find(text) != std::string::npos;
  });
}

}  // namespace

// A build newer than this program is read as the newest known one, and this is reported.
BOOST_AUTO_TEST_CASE(a_build_newer_than_the_program) {
  constexpr std::uint32_t newest = sc2replay::newest_known_base_build;
  for (const bool fits : {true, false}) {
    sc2replay::header header = sample_header();
    header.loops = 640;
    header.base_build = newest + 1;
    auto members = sample_members();
    for (mpq::new_member& each : members) {
      if (each.name == "replay.game.events") {
        each.bytes = fits ? byte_vector() : byte_vector(8, std::byte{0xFF});
      }
    }
    const auto file = mpq::write_archive(*sc2replay::write_header(header), members);
    BOOST_REQUIRE(file);
    const auto opened = files::open(*file);
    BOOST_REQUIRE(opened.has_value());
    const auto info = (*opened)->summarise();
    BOOST_REQUIRE(info.has_value());
    bool says_layout = false;
    bool names_builds = false;
    for (const auto& fact : info->facts) {
      if (fact.key == std::string_view("layouts_of")) {
        says_layout = std::get<std::int64_t>(fact.value) == newest;
      }
      const auto* text = std::get_if<std::string>(&fact.value);
      names_builds =
          names_builds || (text != nullptr && text->find("newer than the supported layouts") != text->npos);
    }
    BOOST_TEST(says_layout);
    BOOST_TEST(names_builds == !fits);
  }
}

BOOST_AUTO_TEST_CASE(info_verify_and_library_agree_about_damage) {
  auto random = seeded_random("info_verify_and_library_agree_about_damage");
  const auto whole = sample_members();
  check_agreement(judge(file_of(whole)), "whole");
  std::size_t damaged = 0;
  for (int round = 0; round < 300; ++round) {
    auto members = whole;
    mpq::new_member& victim = members[random() % members.size()];
    if (victim.bytes.empty()) continue;
    const std::size_t at = random() % victim.bytes.size();
    if (random() % 3 == 0) {
      victim.bytes.resize(at);
    } else {
      victim.bytes[at] ^= static_cast<std::byte>(1 + random() % 255);
    }
    const judged found = judge(file_of(members));
    check_agreement(found, victim.name + " at " + std::to_string(at));
    damaged += found.by_info == files::health::whole ? 0u : 1u;
  }
  BOOST_TEST(damaged > 20u);
  // Damage to the file itself: compressed contents, tables, checksums.
  const byte_vector file = file_of(whole);
  for (int round = 0; round < 300; ++round) {
    byte_vector copy = file;
    copy[1024 + random() % (copy.size() - 1024)] ^= static_cast<std::byte>(1 + random() % 255);
    if (!files::open(byte_span(copy)).has_value()) continue;
    check_agreement(judge(copy), "round " + std::to_string(round));
  }
}

BOOST_AUTO_TEST_CASE(unreadable_details_are_damage_for_verify_too) {
  for (const char* name : {"replay.details", "replay.initData"}) {
    auto members = without({"replay.details.backup", "replay.initData.backup"});
    const auto victim = std::ranges::find(members, name, &mpq::new_member::name);
    victim->bytes.resize(victim->bytes.size() / 2);
    const judged found = judge(file_of(members));
    BOOST_TEST(!found.by_verify.ok(), name);
    BOOST_TEST(has_finding(found, files::severity::error, name));
    check_agreement(found, name);
  }
}

BOOST_AUTO_TEST_CASE(a_header_that_contradicts_the_events_is_reported) {
  const judged too_long = judge(file_of(sample_members(), 100'000));
  BOOST_TEST(has_finding(too_long, files::severity::error, "the header declares 100000 ticks"));
  check_agreement(too_long, "too long");
  const judged short_by_little = judge(file_of(sample_members(), 60));
  BOOST_TEST(has_finding(short_by_little, files::severity::warning, "after the end of the game"));
  BOOST_TEST(short_by_little.by_verify.ok());
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name != "replay.game.events") continue;
    for (int i = 0; i < 10; ++i) {
      add_sample_event(each.bytes, 60, 0, 32, 7, [](sample_bits& to) { put_text(to, "late", 10); });
    }
  }
  const judged too_short = judge(file_of(members, 60));
  BOOST_TEST(has_finding(too_short, files::severity::error, "after the end of the game"));
  check_agreement(too_short, "too short");
}

BOOST_AUTO_TEST_CASE(a_stripped_replay_is_valid_and_lists_its_missing_members) {
  const judged found = judge(file_of(without({"replay.message.events", "replay.attributes.events"})));
  BOOST_TEST((found.by_info == files::health::whole));
  BOOST_TEST(found.by_verify.ok());
  // The sample has no tracker events, but a replay of its version should.
  for (const char* name : {"replay.message.events", "replay.tracker.events", "replay.attributes.events"}) {
    BOOST_TEST(has_finding(found, files::severity::note, name), name);
  }
  const judged headless = judge(file_of(without({"replay.game.events"})));
  BOOST_TEST(!headless.by_verify.ok());
  check_agreement(headless, "without game events");
}

BOOST_AUTO_TEST_CASE(empty_attributes_are_those_of_a_game_without_a_lobby) {
  auto members = sample_members();
  const auto found = std::ranges::find(members, "replay.attributes.events", &mpq::new_member::name);
  BOOST_REQUIRE((found != members.end()));
  found->bytes.clear();
  const byte_vector file = file_of(members);
  const judged whole = judge(file);
  BOOST_TEST((whole.by_info == files::health::whole));
  BOOST_TEST(whole.by_verify.ok());
  check_agreement(whole, "empty attributes");
  const auto anonymous = sc2replay::anonymise(file);
  BOOST_REQUIRE(anonymous);
  BOOST_TEST((judge(anonymous->file).by_info == files::health::whole));
  // Less than a header is damage.
  found->bytes.resize(1);
  BOOST_TEST(!judge(file_of(members)).by_verify.ok());
}

namespace {

// Calls `each` with a copy of the file for every bit of one of its tables, before encryption.
template <class Each>
void flip_table_bits(const byte_vector& file, std::size_t offset_at, std::size_t rows_at,
                     std::string_view name, std::size_t step, Each&& each) {
  const auto word = [&](std::size_t at) {
    return std::size_t{detail::load<std::endian::little, std::uint32_t>(file.data() + archive_at + at)};
  };
  const std::size_t table_at = archive_at + word(offset_at);
  const std::size_t table_bytes = word(rows_at) * table_row_bytes;
  const std::uint32_t key = mpq::hash_name(name, mpq::hash_use::cipher_key);
  for (std::size_t bit = 0; bit < table_bytes * 8; bit += step) {
    byte_vector copy = file;
    const mutable_byte_span table = mutable_byte_span(copy).subspan(table_at, table_bytes);
    mpq::decipher(table, key);
    table[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    encipher(table, key);
    each(copy, std::string(name) + " bit " + std::to_string(bit));
  }
}

bool has_every_member(byte_span file) {
  const auto opened = sc2replay::open_archive(file);
  // Without "(attributes)" no member has a checksum.
  if (!opened || !opened->has_list() || !opened->read("(attributes)")) return false;
  return std::ranges::all_of(sample_members(), [&](const mpq::new_member& each) {
    const auto read = opened->read(each.name);
    return read && *read == each.bytes;
  });
}

bool is_sound(const std::filesystem::path& path) {
  const auto opened = files::open(path);
  BOOST_REQUIRE(opened);
  const auto verified = (*opened)->verify();
  BOOST_REQUIRE(verified);
  return verified->ok() && !verified->content_left_out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_flipped_bit_of_the_tables_hides_a_missing_member) {
  const byte_vector file = file_of(sample_members());
  std::size_t damaged = 0;
  const auto check = [&](const byte_vector& copy, const std::string& what) {
    if (!sc2replay::open_archive(byte_span(copy)) || has_every_member(copy)) return;
    ++damaged;
    const auto found = files::open(byte_span(copy));
    BOOST_REQUIRE(found);
    const auto verified = (*found)->verify();
    BOOST_REQUIRE(verified);
    BOOST_TEST(!verified->ok(), what);
  };
  flip_table_bits(file, 16, 24, "(hash table)", 1, check);
  flip_table_bits(file, 20, 28, "(block table)", 1, check);
  BOOST_TEST(damaged > 500u);
}

// A row of the block table that no longer exists, and a name without a target.
BOOST_AUTO_TEST_CASE(a_name_without_a_member_is_damage) {
  for (const mpq::new_member& each : sample_members()) {
    const byte_vector file =
        with_row(file_of(sample_members()), each.name, [](table_row& row) { row.flags &= ~0x80000000u; });
    const judged found = judge(file);
    BOOST_TEST(has_finding(found, files::severity::error, each.name), each.name);
    check_agreement(found, each.name);
  }
}

// As in published packs: the member and its entry are removed, and the list still names it.
BOOST_AUTO_TEST_CASE(a_removed_member_is_not_damage) {
  const byte_vector whole = file_of(sample_members());
  const auto archive = sc2replay::open_archive(byte_span(whole));
  BOOST_REQUIRE(archive);
  const mpq::member* const victim = archive->find("replay.message.events");
  BOOST_REQUIRE(victim != nullptr);
  byte_vector file = with_row(whole, victim->name, [](table_row& row) { row = {}; });
  using detail::load;
  using detail::store;
  constexpr auto little = std::endian::little;
  const auto word = [&](std::size_t at) {
    return std::size_t{load<little, std::uint32_t>(file.data() + archive_at + at)};
  };
  const mutable_byte_span table =
      mutable_byte_span(file).subspan(archive_at + word(16), word(24) * table_row_bytes);
  const std::uint32_t key = mpq::hash_name("(hash table)", mpq::hash_use::cipher_key);
  mpq::decipher(table, key);
  for (std::size_t at = 0; at < table.size(); at += table_row_bytes) {
    if (load<little, std::uint32_t>(table.data() + at + 12) != victim->block) continue;
    store<little>(table.data() + at, std::uint32_t{0xFFFFFFFF});
    store<little>(table.data() + at + 4, std::uint32_t{0xFFFFFFFF});
    store<little>(table.data() + at + 12, std::uint32_t{0xFFFFFFFE});
  }
  encipher(table, key);
  const judged found = judge(file);
  BOOST_TEST(found.by_verify.ok());
  BOOST_TEST(has_finding(found, files::severity::warning, "replay.message.events"));
  check_agreement(found, "taken out");
}

// Data that a copy lacks are reported, and the copy reports them itself, also after another copy.
BOOST_AUTO_TEST_CASE(copies_of_damaged_archives_are_marked) {
  const test::scratch_folder folder;
  const byte_vector file = file_of(sample_members());
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
  flip_table_bits(file, 16, 24, "(hash table)", 11, check);
  flip_table_bits(file, 20, 28, "(block table)", 11, check);
  BOOST_TEST(recovered > 50u);
  BOOST_TEST(anonymised > 20u);
}

BOOST_AUTO_TEST_CASE(a_copy_of_an_intact_replay_has_no_mark) {
  const test::scratch_folder folder;
  const auto input = folder.path() / "whole.SC2Replay";
  const auto output = folder.path() / "copy.SC2Replay";
  write_file(input, file_of(sample_members()));
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
  byte_vector file = file_of(sample_members());
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
    auto copy = sc2replay::add_losses(file_of(sample_members()), std::vector<std::string>{stated});
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

// With another known build in the header, every event may be readable with another meaning.
BOOST_AUTO_TEST_CASE(a_header_that_names_another_build_is_reported) {
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name != "replay.game.events") continue;
    byte_vector events;
    add_sample_event(events, 0, 0, 7, 7, [](sample_bits& to) {
      for (int flag = 0; flag < 10; ++flag) to.flag(false);
      to.bits(75689, 32);
      to.bits(75800, 32);
      to.bits(0, 32);
      put_text(to, "", 9);
    });
    events.insert(events.end(), each.bytes.begin(), each.bytes.end());
    each.bytes = std::move(events);
  }
  const judged by_events = judge(file_of(members));
  BOOST_TEST(has_finding(by_events, files::severity::error, "replay.game.events 75689"));
  check_agreement(by_events, "by events");
  members = sample_members();
  const std::string_view json = R"({"Title":"x","BaseBuild":"Base75689"})";
  members.push_back({"replay.gamemetadata.json", {as_bytes(json).begin(), as_bytes(json).end()}});
  const judged by_metadata = judge(file_of(members));
  BOOST_TEST(has_finding(by_metadata, files::severity::error, "replay.gamemetadata.json 75689"));
}

namespace {

sc2replay::game_metadata metadata_of(const sc2replay::header& header) {
  sc2replay::game_metadata out;
  out.title = "Clockwork Canyon";
  out.game_version = sc2replay::version_text(header);
  out.data_build = std::to_string(*header.data_build);
  out.data_version = "5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A";
  out.base_build = "Base" + std::to_string(header.base_build);
  out.duration_seconds = header.loops / sc2replay::loops_per_game_second;
  return out;
}

// No other part of a file contains these values: whether time is scaled, the compatibility hash, and the duration to two seconds.
bool differs_in_what_nothing_repeats(const sc2replay::header& left, const sc2replay::header& right) {
  sc2replay::header same = left;
  same.scaled_time = right.scaled_time;
  same.root_key_is_development_data = right.root_key_is_development_data;
  same.compatibility_hash = right.compatibility_hash;
  if (std::abs(std::int64_t{left.loops} - std::int64_t{right.loops}) <= 32) same.loops = right.loops;
  return same == right;
}

}  // namespace

// Members and tables have checksums; the bytes before the archive have none, and are compared instead.
BOOST_AUTO_TEST_CASE(no_flipped_bit_before_the_archive_is_undetected) {
  const sc2replay::header header = sample_header();
  auto members = sample_members();
  members.push_back({"replay.gamemetadata.json", sc2replay::write_game_metadata(metadata_of(header))});
  const byte_vector file = file_of(members);
  BOOST_TEST(judge(file).by_verify.ok());
  std::size_t reported = 0, refused = 0, beyond = 0;
  for (std::size_t bit = 0; bit < archive_at * 8; ++bit) {
    // Some of the zeros after the header are sufficient.
    if (bit > 200 * 8 && bit % 97 != 0) continue;
    byte_vector copy = file;
    copy[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    const auto opened = files::open(byte_span(copy));
    if (!opened) {
      ++refused;
      continue;
    }
    const auto verified = (*opened)->verify();
    BOOST_REQUIRE(verified);
    if (!verified->ok()) {
      ++reported;
      continue;
    }
    const auto archive = sc2replay::open_archive(byte_span(copy));
    BOOST_REQUIRE(archive);
    const auto read = sc2replay::read_header(archive->user_data());
    BOOST_REQUIRE(read);
    BOOST_TEST(differs_in_what_nothing_repeats(header, *read), "bit " << bit);
    ++beyond;
  }
  BOOST_TEST(reported > 500u);
  BOOST_TEST(refused > 50u);
  BOOST_TEST(beyond < 150u);
}

// The builds in a user's options and in the header.
BOOST_AUTO_TEST_CASE(a_header_that_names_another_version_is_reported) {
  const sc2replay::header header = sample_header();
  const auto found = [&](const auto& change) {
    sc2replay::game_metadata metadata = metadata_of(header);
    change(metadata);
    auto members = sample_members();
    members.push_back({"replay.gamemetadata.json", sc2replay::write_game_metadata(metadata)});
    return judge(file_of(members));
  };
  BOOST_TEST(found([](auto&) {}).by_verify.ok());
  BOOST_TEST(has_finding(found([](auto& of) { of.game_version = "4.10.1.75800"; }), files::severity::error,
                         "the header names version 5.0.0.80949, and replay.gamemetadata.json 4.10.1.75800"));
  BOOST_TEST(has_finding(found([](auto& of) { of.data_build = "75800"; }), files::severity::error,
                         "the header names data build 80949"));
  BOOST_TEST(has_finding(found([](auto& of) { of.data_version.back() = 'B'; }), files::severity::error,
                         "the header names data version 5a5a"));
  BOOST_TEST(has_finding(found([](auto& of) { *of.duration_seconds += 3; }), files::severity::error,
                         "the header names a length of 640 ticks"));
  // Rounded to seconds, or absent.
  BOOST_TEST(found([](auto& of) { *of.duration_seconds -= 1; }).by_verify.ok());
  BOOST_TEST(found([](auto& of) { of = {}; }).by_verify.ok());
}

BOOST_AUTO_TEST_CASE(tables_without_their_checksum_are_damage) {
  const byte_vector file = with_table_sums(file_of(sample_members()));
  const judged whole = judge(file);
  BOOST_TEST(whole.by_verify.ok());
  check_agreement(whole, "with sums");
  std::size_t reported = 0;
  for (std::size_t bit = 0; bit < 208 * 8; ++bit) {
    // A checksum of zeros would mean none: no single bit produces one.
    byte_vector copy = file;
    copy[archive_at + bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    if (!files::open(byte_span(copy)).has_value()) continue;
    const judged found = judge(copy);
    BOOST_TEST(!found.by_verify.ok(), "bit " << bit);
    check_agreement(found, "bit " + std::to_string(bit));
    ++reported;
  }
  BOOST_TEST(reported > 1000u);
  // Also a bit that changes the target to no other member: the language of an entry.
  flip_table_bits(file, 16, 24, "(hash table)", 5, [&](const byte_vector& copy, const std::string& what) {
    if (!files::open(byte_span(copy)).has_value()) return;
    BOOST_TEST(has_finding(judge(copy), files::severity::error, "the hash table does not have its checksum"),
               what);
  });
}

BOOST_AUTO_TEST_CASE(real_replays_are_valid_for_every_verb) {
  for (const auto& each : shared_files("sc2", ".SC2Replay")) {
    const judged found = judge(read_file(each));
    BOOST_TEST(found.by_verify.ok(), each.filename().string());
    check_agreement(found, each.filename().string());
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
