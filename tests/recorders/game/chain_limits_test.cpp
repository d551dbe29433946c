// Chains of keyframes that cost much more to decode than to store: none exceeds the limits of recorders.
#include <boost/test/unit_test.hpp>

#include "../../../recorders/game/src/keyframe_chain.hpp"
#include "../../../recorders/game/src/match_frame.hpp"
#include "../../../recorders/game/src/match_parts.hpp"
#include "../../../recorders/game/src/publish_match.hpp"
#include "collecting_sink.hpp"
#include "file_bytes.hpp"
#include "random.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/game/replay.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/reader.hpp"
#include "tickreel/reel/writer.hpp"

BOOST_AUTO_TEST_SUITE(game_tests)
BOOST_AUTO_TEST_SUITE(chain_limits_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct crowd {
  std::uint16_t units = 4;
  std::uint32_t bytes = 8;  // of each entity's only component
};

icrep::metadata facts_of(const crowd& of) {
  icrep::metadata facts;
  facts.tick_rate = "20/1";
  facts.schema = icrep::schema{{{0, "a", of.bytes}}, {}, {}};
  return facts;
}

icrep::sim_snapshot world_of(const crowd& of) {
  icrep::sim_snapshot world;
  world.core.intern_table = {"unit"};
  for (std::uint16_t i = 0; i < of.units; ++i)
    world.core.entities.push_back({{i, 1}, 0, 1, byte_vector(of.bytes)});
  return world;
}

// The links of a world in which every unit changes to noise in the first link and nothing changes in the others.
class link_maker {
 public:
  explicit link_maker(const crowd& of)
      : known_(facts_of(of)), writer_(known_.shapes), before_(of.bytes), of_(of) {
    writer_.restart();
  }

  byte_vector next(std::uint16_t changed) {
    byte_vector out{std::byte{1}, std::byte{1}, std::byte{0}};
    std::vector<byte_vector> now(changed, byte_vector(of_.bytes));
    std::vector<tracks::record_change> changes;
    for (std::uint16_t i = 0; i < changed; ++i) {
      for (std::byte& one : now[i]) one = static_cast<std::byte>(random_());
      changes.push_back({i, 0, before_, now[i]});
    }
    // The number of ticks since the previous one, and the length of a delta, as a chain reader reads them.
    writer_.write(changes, out);
    return out;
  }

 private:
  game::chained_components known_;
  tracks::change_writer writer_;
  byte_vector before_;
  crowd of_;
  std::mt19937 random_{1};
};

byte_vector frame_of(const game::framed_keyframe& keyframe, std::uint64_t tick) {
  byte_vector orders;
  icrep::append_bc1(orders, icrep::tick_frame{tick, 1, {}});
  game::match_frame frame;
  frame.keyframe = keyframe;
  frame.keyframe->raw_bytes = static_cast<std::uint32_t>(keyframe.bytes.size());
  frame.orders = orders;
  byte_vector out;
  for (game::frame_writer writer; const byte_span part : writer.parts(frame))
    out.insert(out.end(), part.begin(), part.end());
  return out;
}

// Chunks of a whole keyframe and a number of links, compressed as well as possible.
byte_vector reel_of(const crowd& of, std::uint64_t links, std::uint16_t changed, bool split = false,
                    std::uint64_t chunks = 1) {
  icrep::metadata facts = facts_of(of);
  if (split) game::add_split(facts, {game::least_part_bytes, game::least_part_keyframes});
  reel::header head;
  head.encoder_name = game::match_reel_encoder;
  head.encoder_version = game::match_reel_version;
  head.schema = game::match_schema(facts);
  byte_vector made;
  auto out = writer_to(made, head, {codec_id::zstd});
  BOOST_REQUIRE(out);
  byte_vector payload;
  const auto add = [&](byte_span frame, bool whole) {
    std::byte room[2 + leb128_max_size] = {payload.empty() ? std::byte{0} : std::byte{1}, std::byte{0}};
    byte_writer length(mutable_byte_span(room).subspan(2));
    write_leb128(length, frame.size() * 2 + (whole ? 1 : 0));
    const byte_span before = byte_span(room).first(2 + length.written().size());
    payload.insert(payload.end(), before.begin(), before.end());
    payload.insert(payload.end(), frame.begin(), frame.end());
  };
  icrep::sim_snapshot world = world_of(of);
  for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
    payload.clear();
    reel::record_info about;
    about.kind = reel::record_kind::chunk;
    about.first_tick = world.core.tick = chunk * (links + 1);
    about.last_tick = about.first_tick + links;
    about.frames = static_cast<std::uint32_t>(links + 1);
    about.flags = reel::starts_with_keyframe;
    const byte_vector whole = icrep::to_bytes(world);
    add(frame_of({.full = true, .bytes = whole}, about.first_tick), true);
    link_maker maker(of);
    for (std::uint64_t i = 1; i <= links; ++i) {
      const byte_vector link = maker.next(i == 1 ? changed : std::uint16_t{0});
      add(frame_of({.chained = true, .bytes = link}, about.first_tick + i), false);
    }
    BOOST_REQUIRE(out->append(about, payload));
  }
  return made;
}

// The start of the chunk: errors name the position in the reel.
std::uint64_t chunk_of(byte_span bytes) {
  return reel::reader::from_memory(bytes)->contents().records.at(0).offset;
}

}  // namespace

BOOST_AUTO_TEST_CASE(links_are_bounded_by_what_they_read_and_create) {
  const crowd of{100, 20};
  const byte_vector whole = icrep::to_bytes(world_of(of));
  const auto count = [&](const game::chain_limits& most, std::uint64_t* made_bytes = nullptr) {
    game::keyframe_chain_reader reader(facts_of(of), most);
    std::size_t links = 0;
    // The budget that one iterator used up is available to the next one.
    for (int walk = 0; walk < 2; ++walk) {
      reader.begin_scan();
      reader.begin({.full = true, .raw_bytes = static_cast<std::uint32_t>(whole.size()), .bytes = whole}, 0,
                   1);
      link_maker maker(of);
      const std::size_t before = links;
      links = 0;
      for (std::uint64_t tick = 1; tick <= 50; ++tick) {
        const auto one = reader.next(maker.next(tick == 1 ? 100 : 0), tick, 1);
        BOOST_TEST(reader.is_spent() == !one.has_value());
        if (!one) {
          BOOST_TEST((one.error().code == error_code::over_limit));
          break;
        }
        if (walk == 0 && made_bytes != nullptr) *made_bytes += one->raw_bytes;
        ++links;
      }
      if (walk == 1) BOOST_TEST(links == before);
    }
    return links;
  };
  std::uint64_t made = 0;
  BOOST_TEST(count({}, &made) == 50u);
  BOOST_TEST(made > 50 * 100 * 20u);
  BOOST_TEST(count({.made_bytes = made}) == 50u);
  BOOST_TEST(count({.made_bytes = made - 1}) == 49u);
  // The previous and the current keyframe and a text; at the start models and changes.
  const std::uint64_t each = 2 * whole.size() + 64;
  const std::uint64_t once = 4096 + 100 * 20 * 256;
  BOOST_TEST(count({.looked_through_bytes = once + 50 * each}) == 50u);
  BOOST_TEST(count({.looked_through_bytes = once + 20 * each + 1}) == 20u);
  BOOST_TEST(count({.looked_through_bytes = once}) == 0u);
}

// 50 MiB of world in a few kB, and ticks without changes.
BOOST_AUTO_TEST_CASE(a_small_reel_does_not_cause_long_scans_of_large_worlds) {
  const crowd of{800, 65'000};
  const byte_vector bytes = reel_of(of, 400, 0);
  BOOST_TEST(bytes.size() < 20'000u);
  const auto replay = game::replay::open(bytes);
  BOOST_REQUIRE(!replay);
  BOOST_TEST((replay.error().code == error_code::over_limit), why(replay));
  BOOST_TEST(replay.error().offset == chunk_of(bytes));
}

// Noise that is stored once, and again in each keyframe of a file.
BOOST_AUTO_TEST_CASE(memory_for_a_small_reel_is_bounded) {
  const crowd of{4, 60'000};
  const byte_vector bytes = reel_of(of, 6'000, 4);
  BOOST_TEST(bytes.size() < 320'000u);
  auto reel = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reel);
  std::vector<byte_vector> files;
  std::uint64_t progress_calls = 0;
  const auto made =
      game::publish_match(*reel, files, [&](std::uint64_t, std::uint64_t) { return ++progress_calls != 0; });
  BOOST_REQUIRE(!made);
  BOOST_TEST((made.error().code == error_code::over_limit), why(made));
  BOOST_TEST(made.error().offset == chunk_of(bytes));
  // It is known before it is decoded.
  BOOST_TEST(files.at(0).capacity() < (4u << 20));
  BOOST_TEST(!game::replay::open(bytes));
}

// Links cost time: a cancelled job waits for at most one of them.
BOOST_AUTO_TEST_CASE(a_chain_can_be_cancelled_at_each_link) {
  const byte_vector bytes = reel_of({}, 30, 4);
  auto reel = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reel);
  std::uint64_t asked = 0;
  std::vector<byte_vector> files;
  const auto all =
      game::publish_match(*reel, files, [&](std::uint64_t, std::uint64_t) { return ++asked != 0; });
  BOOST_REQUIRE_MESSAGE(all, why(all));
  BOOST_TEST(all->keyframes == 31u);
  BOOST_TEST(asked >= 30u);
  for (std::uint64_t stop = 1; stop <= 30; stop += 7) {
    files.clear();
    std::uint64_t left = stop;
    const auto made =
        game::publish_match(*reel, files, [&](std::uint64_t, std::uint64_t) { return --left != 0; });
    BOOST_REQUIRE(!made);
    BOOST_TEST((made.error().code == error_code::interrupted));
  }
}

// Not written: a match in several files is made of a reel whose keyframes are expanded there.
BOOST_AUTO_TEST_CASE(a_split_match_has_no_chains) {
  const byte_vector bytes = reel_of({}, 30, 4, true);
  const auto replay = game::replay::open(bytes);
  BOOST_REQUIRE(!replay);
  BOOST_TEST((replay.error().code == error_code::malformed), why(replay));
  BOOST_TEST(replay.error().offset == chunk_of(bytes));
  BOOST_TEST(game::replay::open(reel_of({}, 30, 4)).has_value());
}

// A hundred worlds of 5 MiB in a few kB would become as many files, each of which needs another scan of all of them.
BOOST_AUTO_TEST_CASE(a_small_reel_does_not_become_many_files) {
  const crowd of{80, 65'000};
  const byte_vector bytes = reel_of(of, 0, 0, true, 30);
  BOOST_TEST(bytes.size() < 40'000u);
  const auto replay = game::replay::open(bytes);
  BOOST_REQUIRE(!replay);
  BOOST_TEST((replay.error().code == error_code::over_limit), why(replay));
  BOOST_TEST(game::replay::open(reel_of(of, 0, 0, true, 10)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
