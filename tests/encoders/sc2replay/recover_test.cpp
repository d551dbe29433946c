// A truncated replay lost its tables; complete members are recovered.
#include "tickreel/sc2replay/recover.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "sample_file.hpp"
#include "shared_data.hpp"
#include "tickreel/mpq/user_data.hpp"
#include "tickreel/sc2replay/replay.hpp"
#include "tickreel/sc2replay/versioned_writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_archive_tests)
BOOST_AUTO_TEST_SUITE(recover_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

bool is_in(const std::vector<std::string>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

// Every recovered member equals the member of that name, byte for byte.
void check_members(const mpq::archive& before, const sc2replay::recovered_file& found) {
  const auto after = sc2replay::open_archive(byte_span(found.file));
  BOOST_REQUIRE(after.has_value());
  BOOST_TEST(after->members().size() == found.members.size());
  for (const mpq::member& each : after->members()) {
    const auto now = after->read(each.name);
    const auto then = before.read(each.name);
    BOOST_REQUIRE_MESSAGE(then.has_value(), each.name << " was not there");
    BOOST_TEST((*now == *then), each.name);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(real_replays_without_tables_are_recovered) {
  for (const auto& each : shared_files("sc2", ".SC2Replay")) {
    const std::string name = each.filename().string();
    // The beta uses another compression, in sectors.
    if (name.starts_with("beta")) continue;
    BOOST_TEST_CONTEXT(name) {
      const byte_vector file = read_file(each);
      const auto before = sc2replay::open_archive(byte_span(file));
      BOOST_REQUIRE(before.has_value());
      std::uint64_t end_of_members = 0;
      for (const mpq::member& member : before->members()) {
        end_of_members = std::max(end_of_members, member.offset + member.packed_bytes);
      }
      const byte_span cut = byte_span(file).first(static_cast<std::size_t>(end_of_members));
      BOOST_REQUIRE(!sc2replay::open_archive(cut).has_value());
      const auto found = sc2replay::recover_file(cut);
      BOOST_REQUIRE_MESSAGE(found.has_value(), (found ? std::string() : describe(found.error())));
      check_members(*before, *found);
      // Small members are not compressed, and then messages cannot be identified.
      for (const std::string& missing : found->lost) {
        BOOST_TEST((missing == "replay.message.events" || missing == "replay.attributes.events"), missing);
      }
      const auto after = sc2replay::replay::open(byte_span(found->file));
      BOOST_REQUIRE(after.has_value());
      const auto whole = sc2replay::replay::open(*before);
      BOOST_TEST((after->details == whole->details));
      BOOST_TEST((after->game_events == whole->game_events));
      BOOST_TEST((after->tracker_events == whole->tracker_events));
      // Truncated in the middle: exactly the members reported as kept are present.
      const auto half = sc2replay::recover_file(byte_span(file).first(file.size() / 2));
      if (half) check_members(*before, *half);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_replay_truncated_anywhere_gives_intact_members_or_an_error) {
  auto random = seeded_random("a_replay_truncated_anywhere_gives_intact_members_or_an_error");
  const byte_vector file = sample_file();
  const auto before = sc2replay::open_archive(byte_span(file));
  for (int round = 0; round < 200; ++round) {
    const std::size_t size = random() % file.size();
    const auto found = sc2replay::recover_file(byte_span(file).first(size));
    if (!found) continue;
    BOOST_TEST(found->loops == sample_header().loops);
    for (const std::string& each : found->members) BOOST_TEST(before->find(each) != nullptr, each);
  }
  // An unreadable member is named, and the others are kept.
  byte_vector damaged = file;
  const mpq::member* const victim = before->find("replay.sync.events");
  BOOST_REQUIRE(victim != nullptr);
  damaged[static_cast<std::size_t>(victim->offset) + 20] ^= std::byte{0x55};
  const auto found = sc2replay::recover_file(damaged);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(is_in(found->lost, "replay.sync.events"));
  BOOST_TEST(is_in(found->members, "replay.game.events"));
  BOOST_TEST(!sc2replay::recover_file(as_bytes("no replay")).has_value());
}

namespace {

// Details that contain the start of other details: each candidate extends to the end of the file.
byte_vector nested_details(std::size_t players) {
  byte_vector inner;
  for (int i = 0; i < 2000; ++i) {
    sc2replay::versioned_writer out;
    out.structure(2);
    out.field(0);
    out.optional(true);
    out.array(players);
    for (std::size_t each = 0; each < players; ++each) out.structure(0);
    out.field(1);
    out.text(as_text(inner));
    inner = out.take();
  }
  const byte_vector file = sample_file();
  const auto prefix = mpq::read_prefix(file);
  BOOST_REQUIRE(prefix.has_value());
  byte_vector made(file.begin(), file.begin() + mpq::prefix_bytes + prefix->user_data_bytes);
  made.insert(made.end(), inner.begin(), inner.end());
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_bytes_are_read_repeatedly) {
  std::size_t asked = 0;
  const auto count = [&] {
    ++asked;
    return false;
  };
  const byte_vector with_players = nested_details(1);
  const auto found = sc2replay::recover_file(with_players, {}, count);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(is_in(found->members, "replay.details"));
  BOOST_TEST(found->members.size() == 1u);
  BOOST_TEST(asked < 20u);
  asked = 0;
  BOOST_TEST(!sc2replay::recover_file(nested_details(0), {}, count).has_value());
  BOOST_TEST(asked < 20u);
  const auto stopped = sc2replay::recover_file(with_players, {}, [] { return true; });
  BOOST_REQUIRE(!stopped.has_value());
  BOOST_TEST((stopped.error().code == error_code::interrupted));
}

BOOST_AUTO_TEST_CASE(a_replay_without_its_tables_reports_that) {
  const byte_vector file = sample_file();
  const auto whole = sc2replay::recover_file(file);
  BOOST_REQUIRE(whole.has_value());
  BOOST_TEST(!whole->lost_tables);
  const auto before = sc2replay::open_archive(byte_span(file));
  std::uint64_t end_of_members = 0;
  for (const mpq::member& each : before->members()) {
    end_of_members = std::max(end_of_members, each.offset + each.packed_bytes);
  }
  const auto cut = sc2replay::recover_file(byte_span(file).first(static_cast<std::size_t>(end_of_members)));
  BOOST_REQUIRE(cut.has_value());
  BOOST_TEST(cut->lost_tables);
  // The sample has none, but a replay of its version should.
  BOOST_TEST(is_in(cut->lost, "replay.tracker.events"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
