// Keyframes that a reel stores as changes equal those of a file of the same match, byte for byte.
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "../../../recorders/game/src/match_frame.hpp"
#include "../../../recorders/game/src/publish_match.hpp"
#include "collecting_sink.hpp"
#include "random.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/game/world_recorder.hpp"
#include "tickreel/icrep/reader.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/writer.hpp"

BOOST_AUTO_TEST_SUITE(game_tests)
BOOST_AUTO_TEST_SUITE(chain_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// Components of every kind: described, with values that do not cover them, undescribed, without a known size.
game::world_layout odd_layout() {
  game::world_layout out;
  out.components = {
      {{0, "place", 8}, {{"x", value_kind::signed_integer, 0, 4}, {"y", value_kind::floating, 4, 4}}},
      {{3, "holes", 6}, {{"a", value_kind::unsigned_integer, 0, 2}}},
      {{5, "raw", 3}, {}},
      {{9, "inventory", 0}, {}},
      {{63, "flag", 1}, {{"on", value_kind::boolean, 0, 1}}},
  };
  out.player_fields = {{{0, "money", 8}, {}}, {{31, "log", 0}, {}}};
  out.world = {{{1, "weather", 4}, {}}, {{7, "news", 0}, {}}};
  return out;
}

// A world of bytes, transmitted completely or only its changes.
class odd_world {
 public:
  explicit odd_world(std::uint64_t seed) : random_(seed) {}

  struct unit {
    std::string archetype;
    std::map<std::uint32_t, byte_vector> components;
  };

  void step() {
    for (auto changes = below(12); changes > 0; --changes) {
      const analysis::unit_tag tag{static_cast<std::uint16_t>(below(30)),
                                   static_cast<std::uint16_t>(below(2))};
      const auto known = units_.find(tag);
      const auto what = below(10);
      if (known == units_.end()) {
        if (what < 5) units_[tag] = born();
      } else if (what == 0) {
        units_.erase(known);
      } else if (what == 1) {
        known->second = born();
        reborn_.insert(tag);
      } else {
        constexpr std::uint32_t slots[] = {0, 3, 5, 9, 63};
        const std::uint32_t slot = slots[below(5)];
        known->second.components[slot] = content(slot);
        touched_[tag].insert(slot);
      }
      if (units_.contains(tag) && known == units_.end()) reborn_.insert(tag);
      if (!units_.contains(tag)) gone_.insert(tag);
    }
    if (below(3) == 0) players_[static_cast<std::uint32_t>(below(3))] = bytes(8);
    if (below(4) == 0) log_ = bytes(below(5));
    if (below(5) == 0) weather_ = bytes(4);
    if (below(6) == 0) generator_ = bytes(below(20));
    if (below(3) == 0) cells_[static_cast<std::int32_t>(below(6))] = static_cast<std::int32_t>(below(9));
  }

  void describe(game::world_recorder& to) {
    const bool whole = to.wants_whole_world();
    if (!whole) {
      for (const auto tag : gone_) to.remove(tag);
    }
    for (const auto& [tag, one] : units_) {
      const bool all = whole || reborn_.contains(tag);
      const auto touched = touched_.find(tag);
      if (!all && touched == touched_.end()) continue;
      // An entity of the same tag may have had other components.
      if (all && !whole && !gone_.contains(tag)) to.remove(tag);
      to.entity(tag, all ? std::string_view(one.archetype) : std::string_view{});
      for (const auto& [slot, component_value] : one.components) {
        if (all || touched->second.contains(slot)) to.component(slot, component_value);
      }
    }
    for (const auto& [player, money] : players_) {
      to.player_field(player, 0, money);
      to.player_field(player, 31, log_);
    }
    if (!weather_.empty()) to.singleton(1, weather_);
    to.singleton(7, log_);
    to.generator(generator_);
    for (const auto& [x, amount] : cells_) to.cell({x, 0, 0}, "ore", amount);
    gone_.clear();
    reborn_.clear();
    touched_.clear();
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  byte_vector bytes(std::uint64_t count) {
    byte_vector out(static_cast<std::size_t>(count));
    for (std::byte& one : out) one = static_cast<std::byte>(below(4));
    return out;
  }
  byte_vector content(std::uint32_t slot) {
    switch (slot) {
      case 0:
        return bytes(8);
      case 3:
        return bytes(6);
      case 5:
        return bytes(3);
      case 9:
        return bytes(below(7));
      default:
        return bytes(1);
    }
  }
  unit born() {
    unit out;
    out.archetype = "kind " + std::to_string(below(20));
    for (const std::uint32_t slot : {0u, 3u, 5u, 9u, 63u})
      if (below(2) == 0) out.components[slot] = content(slot);
    return out;
  }

  std::mt19937_64 random_;
  std::map<analysis::unit_tag, unit> units_;
  std::set<analysis::unit_tag> gone_;
  std::set<analysis::unit_tag> reborn_;
  std::map<analysis::unit_tag, std::set<std::uint32_t>> touched_;
  std::map<std::uint32_t, byte_vector> players_;
  byte_vector log_;
  byte_vector weather_;
  byte_vector generator_;
  std::map<std::int32_t, std::int32_t> cells_;
};

struct manner {
  std::uint32_t interval = 1;
  std::uint32_t full_interval = 10;
  bool marked = true;
  bool hashed = true;
  std::uint64_t ticks = 120;
};

void record(const std::string& path, game::container file, std::uint64_t seed, const manner& how) {
  game::match_options options;
  options.file = file;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = how.interval;
  options.full_keyframe_interval = how.full_interval;
  auto recorder = game::world_recorder::begin(path, little_match(), odd_layout(), options);
  BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
  recorder->changes_only(how.marked);
  odd_world world(seed);
  for (std::uint64_t tick = 0; tick < how.ticks; ++tick) {
    world.step();
    const auto due = recorder->tick(tick, how.hashed ? tick + 1 : 0);
    BOOST_REQUIRE(due);
    if (*due) world.describe(*recorder);
    if (tick % 3 == 0) (void)recorder->pump();
  }
  const auto ended = recorder->end();
  BOOST_REQUIRE_MESSAGE(ended, why(ended));
  BOOST_TEST(ended->nothing_lost());
  BOOST_TEST(ended->counters.rejected_values == 0u);
}

// The frames of a reel, and a reel of such frames.
struct reel_frame {
  std::uint64_t tick;
  bool keyframe;
  byte_vector bytes;
};
std::vector<reel_frame> frames_of(reel::reader& from) {
  std::vector<reel_frame> out;
  reel::frame_stream walk(from);
  reel::frame one;
  while (walk.next(one).value())
    out.push_back({one.stamp.tick, one.kind == frame_kind::keyframe, {one.bytes.begin(), one.bytes.end()}});
  return out;
}
byte_vector reel_of(const reel::header& head, const std::vector<reel_frame>& frames) {
  byte_vector made;
  auto out = writer_to(made, head, {codec_id::none});
  BOOST_REQUIRE(out);
  for (const reel_frame& one : frames) {
    reel::record_info about;
    about.kind = reel::record_kind::chunk;
    about.first_tick = about.last_tick = one.tick;
    about.frames = 1;
    about.flags = one.keyframe ? reel::starts_with_keyframe : 0;
    byte_vector payload(2);
    std::byte room[leb128_max_size];
    byte_writer length(room);
    write_leb128(length, one.bytes.size() * 2 + (one.keyframe ? 1 : 0));
    payload.insert(payload.end(), length.written().begin(), length.written().end());
    payload.insert(payload.end(), one.bytes.begin(), one.bytes.end());
    BOOST_REQUIRE(out->append(about, payload));
  }
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_chain_gives_the_keyframes_of_a_file) {
  auto random = seeded_random("chains");
  const scratch_folder folder;
  const manner manners[] = {{},
                            {.marked = false},
                            {.hashed = false},
                            {.interval = 4, .full_interval = 3},
                            {.full_interval = 1000},
                            {.full_interval = 1},
                            {.marked = false, .hashed = false}};
  int number = 0;
  for (const manner& how : manners) {
    const std::uint64_t seed = random();
    const std::string name = folder / ("match" + std::to_string(number++));
    BOOST_TEST_CONTEXT("seed " << seed << ", match " << number) {
      record(name + ".icrep", game::container::icrep, seed, how);
      record(name + ".reel", game::container::reel, seed, how);
      check_same(name + ".icrep", name + ".reel");
      if (how.full_interval == 1) continue;
      auto reel = reel::reader::open(name + ".reel");
      BOOST_REQUIRE(reel);
      std::size_t chained = 0;
      for (const reel_frame& one : frames_of(*reel)) {
        game::match_frame frame;
        BOOST_REQUIRE(game::read_match_frame(one.bytes, frame));
        chained += frame.keyframe && frame.keyframe->chained ? 1u : 0u;
      }
      BOOST_TEST(chained > how.ticks / how.interval / 2);
    }
  }
}

// Few bytes for a world with few changes; the deltas of its file are many times larger.
BOOST_AUTO_TEST_CASE(unchanged_values_cost_nothing) {
  const scratch_folder folder;
  const std::string path = folder / "a.reel";
  game::match_options options;
  options.file = game::container::reel;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 1;
  options.full_keyframe_interval = 1000;
  auto recorder = little_recorder::begin(path, little_match(), options);
  BOOST_REQUIRE(recorder);
  recorder->changes_only(true);
  constexpr std::uint16_t units = 2000;
  for (std::uint16_t tick = 0; tick < 300; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, tick + 1u, [&](auto& to) {
      for (std::uint16_t i = 0; i < units; ++i) {
        if (tick != 0 && i % 200 != tick % 200) continue;
        to.entity({i, 1}, "rifle").set(place{i + tick, tick});
      }
    }));
    (void)recorder->pump();
  }
  const auto ended = recorder->end();
  BOOST_REQUIRE(ended);
  BOOST_TEST(ended->nothing_lost());
  // 2000 units of 31 bytes and more, once, and 10 of them per tick.
  BOOST_TEST(ended->file_bytes < 24'000u + 300u * 60u);
  const auto replay = opened(path);
  BOOST_REQUIRE(replay.keyframes().size() == 300u);
  const auto state = replay.restore(299);
  BOOST_REQUIRE(state);
  for (std::uint16_t i = 0; i < units; ++i) {
    const std::int32_t last = i % 200 < 100 ? 200 + i % 200 : i % 200;  // its previous transmission
    const auto expected = to_component_bytes(place{i + last, last});
    BOOST_REQUIRE(
        std::ranges::equal(state->snapshot.core.entities[static_cast<std::size_t>(i)].components, expected));
  }
}

// A chain that no recorder writes, in a valid reel: the result is a file that can be opened.
BOOST_AUTO_TEST_CASE(a_forged_chain_is_harmless) {
  auto random = seeded_random("forged chains");
  const scratch_folder folder;
  record(folder / "a.reel", game::container::reel, random(), {.full_interval = 8, .ticks = 24});
  auto from = reel::reader::open(folder / "a.reel");
  BOOST_REQUIRE(from);
  const reel::header head = from->head();
  const std::vector<reel_frame> good = frames_of(*from);
  const auto check = [&](const std::vector<reel_frame>& frames) {
    const byte_vector bytes = reel_of(head, frames);
    auto reel = reel::reader::from_memory(bytes);
    BOOST_REQUIRE(reel);
    std::vector<byte_vector> files;
    const auto made = game::publish_match(*reel, files);
    BOOST_REQUIRE_MESSAGE(made, why(made));
    for (const byte_vector& file : files) BOOST_REQUIRE(icrep::reader::open(file));
  };
  check(good);
  for (std::size_t at = 1; at < good.size(); ++at) {
    const std::size_t size = good[at].bytes.size();
    for (int round = 0; round < 24; ++round) {
      auto frames = good;
      byte_vector& bytes = frames[at].bytes;
      if (round < 8) {
        bytes.resize(random() % size);
      } else {
        // Often at the start, which contains lengths and kinds.
        const std::size_t place = random() % (round < 16 ? std::min<std::size_t>(size, 16) : size);
        bytes[place] ^= static_cast<std::byte>(1u << random() % 8);
      }
      check(frames);
    }
    // One link is missing: the next ones have no baseline, up to a whole keyframe.
    auto frames = good;
    frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(at));
    check(frames);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
