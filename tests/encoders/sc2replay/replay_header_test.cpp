// A header that contradicts the rest of its replay, and one of a newer build.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "tickreel/sc2replay/game_metadata.hpp"
#include "tickreel/sc2replay/layout.hpp"
#include "verdicts.hpp"
#include "wrong_tables.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_convert_tests)
BOOST_AUTO_TEST_SUITE(replay_header_test)

using namespace verdicts;

namespace {

sc2replay::header header_of(std::uint32_t loops) {
  sc2replay::header out = sample_header();
  out.loops = loops;
  return out;
}

}  // namespace

// A build newer than this program is read as the newest known one, and this is reported.
BOOST_AUTO_TEST_CASE(a_build_newer_than_the_program) {
  constexpr std::uint32_t newest = sc2replay::newest_known_base_build;
  for (const bool fits : {true, false}) {
    sc2replay::header header = sample_header();
    header.base_build = newest + 1;
    auto members = sample_members();
    for (mpq::new_member& each : members) {
      if (each.name == "replay.game.events") {
        each.bytes = fits ? byte_vector() : byte_vector(8, std::byte{0xFF});
      }
    }
    const byte_vector file = sample_file(members, header);
    const auto opened = files::open(file);
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

BOOST_AUTO_TEST_CASE(a_header_that_contradicts_the_events_is_reported) {
  const judged too_long = judge(sample_file(sample_members(), header_of(100'000)));
  BOOST_TEST(has_finding(too_long, files::severity::error, "the header declares 100000 ticks"));
  check_agreement(too_long, "too long");
  const judged short_by_little = judge(sample_file(sample_members(), header_of(60)));
  BOOST_TEST(has_finding(short_by_little, files::severity::warning, "after the end of the game"));
  BOOST_TEST(short_by_little.by_verify.ok());
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name != "replay.game.events") continue;
    for (int i = 0; i < 10; ++i) {
      add_sample_event(each.bytes, 60, 0, 32, 7, [](sample_bits& to) { put_text(to, "late", 10); });
    }
  }
  const judged too_short = judge(sample_file(members, header_of(60)));
  BOOST_TEST(has_finding(too_short, files::severity::error, "after the end of the game"));
  check_agreement(too_short, "too short");
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
  const judged by_events = judge(sample_file(members));
  BOOST_TEST(has_finding(by_events, files::severity::error, "replay.game.events 75689"));
  check_agreement(by_events, "by events");
  members = sample_members();
  const std::string_view json = R"({"Title":"x","BaseBuild":"Base75689"})";
  members.push_back({"replay.gamemetadata.json", {as_bytes(json).begin(), as_bytes(json).end()}});
  const judged by_metadata = judge(sample_file(members));
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
  const byte_vector file = sample_file(members);
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
    return judge(sample_file(members));
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
