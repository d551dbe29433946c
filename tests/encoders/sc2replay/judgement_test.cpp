// One judgement of a replay, whoever asks; and what publishers take out is no damage.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "lying_tables.hpp"
#include "random.hpp"
#include "sample_file.hpp"
#include "shared_data.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/sc2replay/archive.hpp"
#include "tickreel/sc2replay/layout.hpp"

using namespace tickreel;
using namespace tickreel::test;

namespace {

struct judged {
  files::health by_info = files::health::whole;
  files::health by_glance = files::health::whole;
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
  const auto glance = (*again)->glance();
  BOOST_REQUIRE(glance.has_value());
  out.by_glance = glance->health;
  const auto third = files::open(file);
  auto verified = (*third)->verify();
  BOOST_REQUIRE(verified.has_value());
  out.by_verify = std::move(*verified);
  return out;
}

void check_agreement(const judged& found, const std::string& what) {
  const bool whole = found.by_info == files::health::whole;
  BOOST_TEST(whole == found.by_verify.ok(), what);
  BOOST_TEST(whole == (found.by_glance == files::health::whole), what);
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

bool tells(const judged& found, files::severity level, std::string_view text) {
  return std::ranges::any_of(found.by_verify.findings, [&](const files::finding& each) {
    return each.level == level && each.message.find(text) != std::string::npos;
  });
}

}  // namespace

// A build that is newer than this program is read as the newest that it knows, and says so.
BOOST_AUTO_TEST_CASE(a_build_that_nobody_knows_yet) {
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
      names_builds = names_builds || (text != nullptr && text->find("newer than the layouts") != text->npos);
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
  // Damage to the file itself: packed contents, tables, checksums.
  const byte_vector file = file_of(whole);
  for (int round = 0; round < 300; ++round) {
    byte_vector copy = file;
    copy[1024 + random() % (copy.size() - 1024)] ^= static_cast<std::byte>(1 + random() % 255);
    if (!files::open(byte_span(copy)).has_value()) continue;
    check_agreement(judge(copy), "round " + std::to_string(round));
  }
}

BOOST_AUTO_TEST_CASE(unreadable_details_are_damage_to_verify_too) {
  for (const char* name : {"replay.details", "replay.initData"}) {
    auto members = without({"replay.details.backup", "replay.initData.backup"});
    const auto victim = std::ranges::find(members, name, &mpq::new_member::name);
    victim->bytes.resize(victim->bytes.size() / 2);
    const judged found = judge(file_of(members));
    BOOST_TEST(!found.by_verify.ok(), name);
    BOOST_TEST(tells(found, files::severity::error, name));
    check_agreement(found, name);
  }
}

BOOST_AUTO_TEST_CASE(a_header_that_contradicts_the_events_is_told) {
  const judged too_long = judge(file_of(sample_members(), 100'000));
  BOOST_TEST(tells(too_long, files::severity::error, "the header tells of 100000 ticks"));
  check_agreement(too_long, "too long");
  const judged short_by_little = judge(file_of(sample_members(), 60));
  BOOST_TEST(tells(short_by_little, files::severity::warning, "behind the end of the game"));
  BOOST_TEST(short_by_little.by_verify.ok());
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name != "replay.game.events") continue;
    for (int i = 0; i < 10; ++i) {
      add_sample_event(each.bytes, 60, 0, 32, 7, [](sample_bits& to) { put_text(to, "late", 10); });
    }
  }
  const judged too_short = judge(file_of(members, 60));
  BOOST_TEST(tells(too_short, files::severity::error, "behind the end of the game"));
  check_agreement(too_short, "too short");
}

BOOST_AUTO_TEST_CASE(a_stripped_replay_is_whole_and_says_what_is_missing) {
  const judged found = judge(file_of(without({"replay.message.events", "replay.attributes.events"})));
  BOOST_TEST((found.by_info == files::health::whole));
  BOOST_TEST(found.by_verify.ok());
  // The sample has no tracker events, and a replay of its time has.
  for (const char* name : {"replay.message.events", "replay.tracker.events", "replay.attributes.events"}) {
    BOOST_TEST(tells(found, files::severity::note, name), name);
  }
  const judged headless = judge(file_of(without({"replay.game.events"})));
  BOOST_TEST(!headless.by_verify.ok());
  check_agreement(headless, "without game events");
}

BOOST_AUTO_TEST_CASE(no_bit_of_the_hash_table_loses_a_member_in_silence) {
  const byte_vector file = file_of(sample_members());
  const auto word = [&](std::size_t at) {
    return std::size_t{detail::load<std::endian::little, std::uint32_t>(file.data() + archive_at + at)};
  };
  const std::size_t table_at = archive_at + word(16);
  const std::size_t table_bytes = word(24) * table_row_bytes;
  const std::uint32_t key = mpq::hash_name("(hash table)", mpq::hash_use::cipher_key);
  std::size_t damaged = 0;
  for (std::size_t bit = 0; bit < table_bytes * 8; ++bit) {
    // In the file, which changes all that follows in the table, and in the row alone.
    for (const bool alone : {false, true}) {
      byte_vector copy = file;
      const mutable_byte_span table = mutable_byte_span(copy).subspan(table_at, table_bytes);
      if (alone) mpq::decipher(table, key);
      table[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
      if (alone) encipher(table, key);
      const auto opened = sc2replay::open_archive(byte_span(copy));
      BOOST_REQUIRE(opened);
      const bool complete = std::ranges::all_of(sample_members(), [&](const mpq::new_member& each) {
        const auto read = opened->read(each.name);
        // What is empty leaves nothing behind that could be missed.
        return each.bytes.empty() || (read && *read == each.bytes);
      });
      if (complete) continue;
      ++damaged;
      const auto found = files::open(byte_span(copy));
      BOOST_REQUIRE(found);
      const auto verified = (*found)->verify();
      BOOST_REQUIRE(verified);
      BOOST_TEST(!verified->ok(), "bit " << bit << (alone ? " alone" : ""));
    }
  }
  BOOST_TEST(damaged > 100u);
}

BOOST_AUTO_TEST_CASE(real_replays_are_whole_to_everybody) {
  const std::filesystem::path folder = shared_data("sc2");
  if (folder.empty()) return;
  for (const auto& each : std::filesystem::directory_iterator(folder)) {
    if (each.path().extension() != ".SC2Replay") continue;
    const judged found = judge(read_file(each.path()));
    BOOST_TEST(found.by_verify.ok(), each.path().filename().string());
    check_agreement(found, each.path().filename().string());
  }
}
