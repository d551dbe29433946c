// Matches as recordings: walking through states, damage on the way, key files.
#define BOOST_TEST_MODULE recording_icrep
#include <fstream>

#include "glance_check.hpp"
#include "random.hpp"
#include "random_world.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/recording/edit.hpp"
#include "tickreel/recording/format.hpp"
#include "tickreel/recording/key_file.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::test;

// Keyframes every 4 ticks, 7 to a group, of a random world.
byte_vector random_match(std::mt19937_64& random) {
  constexpr std::uint64_t ticks = 120;
  random_world world(random);
  const slot_table slots = taken(slot_table::create(random_world::schema()));
  keyframe_section_writer keyframes;
  order_stream_writer orders;
  byte_vector order_bytes;
  std::optional<delta_group> group;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    tick_frame frame{tick, 0, {}};
    if (tick % 4 == 0) {
      world.change(tick);
      frame.state_hash = sync_hash(core_hash(world.state().core));
      auto delta = group && tick % 28 != 0 ? std::optional(group->delta(world.state())) : std::nullopt;
      if (delta && *delta) {
        taken(keyframes.add(tick, false, to_bytes(**delta)));
      } else {
        group = taken(delta_group::begin(world.state(), slots));
        taken(keyframes.add(tick, true, to_bytes(world.state())));
      }
    }
    taken(orders.add(frame, order_bytes));
  }
  taken(orders.finish(order_bytes));
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.total_ticks = ticks;
  facts.schema = random_world::schema();
  facts.state_hash = "core-sha256";
  const std::string json = to_json(facts);
  const byte_vector section = keyframes.finish();
  file_sections sections;
  sections.metadata_json = json;
  sections.orders = order_bytes;
  sections.keyframes = section;
  sections.total_ticks = ticks;
  return taken(lay_out_file(sections));
}

std::string state_of(const recording::recording& at) {
  std::string json;
  at.append_state(json);
  return json;
}

}  // namespace

// Walking costs one delta a keyframe, seeking restores anew; both must come to the same.
BOOST_AUTO_TEST_CASE(walking_and_seeking_agree) {
  auto random = seeded_random("walking and seeking");
  const scratch_folder folder;
  for (int round = 0; round < 10; ++round) {
    const byte_vector bytes = random_match(random);
    write_file(folder / "match.icrep", bytes);
    const auto walk = taken(recording::open(folder / "match.icrep"));
    const auto jump = taken(recording::open(folder / "match.icrep"));
    std::size_t states = 0;
    while (taken(walk->next())) {
      ++states;
      taken(jump->seek(recording::moment::at_tick(walk->position().tick)));
      BOOST_REQUIRE(taken(jump->next()));
      BOOST_TEST(jump->position().tick == walk->position().tick);
      std::string sought = state_of(*jump);
      const std::string added =
          ",\"sought_tick\":" + std::to_string(walk->position().tick) + ",\"ticks_to_play\":0";
      const std::size_t place = sought.find(added);
      BOOST_REQUIRE(place != std::string::npos);
      sought.erase(place, added.size());
      BOOST_TEST(sought == state_of(*walk));
    }
    BOOST_TEST(states == 30u);
    BOOST_TEST(walk->losses().empty());
    // After a search it goes on with the states behind.
    taken(jump->seek(recording::moment::at_tick(50)));
    BOOST_REQUIRE(taken(jump->next()));
    BOOST_TEST(jump->position().tick == 48u);
    BOOST_REQUIRE(taken(jump->next()));
    BOOST_TEST(jump->position().tick == 52u);
  }
}

BOOST_AUTO_TEST_CASE(damaged_states_are_passed_over_and_said) {
  auto random = seeded_random("damaged states");
  const scratch_folder folder;
  byte_vector bytes = random_match(random);
  const reader whole = taken(reader::open(bytes));
  bytes[static_cast<std::size_t>(whole.keyframes()[3].offset) + 5] ^= std::byte{1};
  write_file(folder / "match.icrep", bytes);
  const auto walk = taken(recording::open(folder / "match.icrep"));
  std::size_t states = 0;
  while (taken(walk->next())) {
    BOOST_TEST(walk->position().tick != 12u);
    ++states;
  }
  BOOST_TEST(states + walk->losses().size() == 30u);
  BOOST_TEST(!walk->losses().empty());
  BOOST_TEST(walk->losses()[0].starts_with("the state at tick 12 cannot be restored"));
  BOOST_TEST((taken(walk->summarise()).health == recording::health::damaged));
  BOOST_TEST(!taken(walk->verify()).ok());
}

BOOST_AUTO_TEST_CASE(key_files) {
  const scratch_folder folder;
  const recording::key_pair pair = taken(recording::make_key_pair());
  const recording::key_pair other = taken(recording::make_key_pair());
  BOOST_TEST((pair.seed != other.seed));
  taken(recording::write_secret_key(folder / "k", pair.seed, false));
  taken(recording::write_public_key(folder / "k.pub", pair.public_key, false));
  BOOST_TEST((recording::write_secret_key(folder / "k", other.seed, false).error().code ==
              error_code::already_exists));
  BOOST_TEST((taken(recording::read_secret_key(folder / "k")) == pair.seed));
  BOOST_TEST((taken(recording::read_public_key(folder / "k")) == pair.public_key));
  BOOST_TEST((taken(recording::read_public_key(folder / "k.pub")) == pair.public_key));
  BOOST_TEST((taken(recording::read_public_key(recording::key_text(pair.public_key))) == pair.public_key));
  BOOST_TEST((recording::read_secret_key(folder / "k.pub").error().code == error_code::malformed));
  for (const std::string_view text :
       {"", "tickreel-secret-key ed25519 12", "tickreel-secret-key ed25519 ", "zz"}) {
    write_file(folder / "bad", as_bytes(text));
    BOOST_TEST((recording::read_secret_key(folder / "bad").error().code == error_code::malformed), text);
    BOOST_TEST((recording::read_public_key(folder / "bad").error().code == error_code::malformed), text);
  }
  // RFC 8032, test 1.
  BOOST_TEST(to_hex(recording::public_key_of(array_of<32>(from_hex(example_key_seed)))) ==
             "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
}

// Wherever it is cut, a glance sees it.
BOOST_AUTO_TEST_CASE(a_glance_tells_what_reading_everything_tells) {
  auto random = seeded_random("a glance");
  scratch_folder folder;
  const std::filesystem::path path = folder.path() / "match.icrep";
  const byte_vector match = random_match(random);
  write_file(path, match);
  BOOST_TEST(check_glance(path));
  BOOST_TEST(recording::name(looked_at(path, true).health) == "whole");
  for (int round = 0; round < 40; ++round) {
    write_file(path, byte_span(match).first(static_cast<std::size_t>(random() % match.size())));
    const auto opened = recording::open(path);
    if (!opened) continue;
    check_glance(path);
    BOOST_TEST(recording::name(looked_at(path, true).health) != "whole");
  }
}
