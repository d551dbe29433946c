// Ticks that are pushed as their changes: the same reel as from whole states, whatever is marked, dropped or lost.
#include <boost/test/unit_test.hpp>
#include <map>
#include <thread>

#include "crowd_recording.hpp"
#include "file_bytes.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "short_disk.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(pushed_changes_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using namespace crowd_recording;

// Its component bytes are not its bytes in memory.
struct scout {
  bool is_hidden = false;
  std::optional<std::uint16_t> target;
  float health = 0;
};
TICKREEL_DESCRIBE(scout, is_hidden, target, health);
struct tile {
  std::int32_t ore = 0, owner = 0;
  std::uint32_t building = 0;
};
TICKREEL_DESCRIBE(tile, ore, owner, building);
struct squad {
  std::array<tile, 100> route{};  // the elements of `squads` are no records
  std::uint8_t formation = 0;
};
TICKREEL_DESCRIBE(squad, route, formation);
struct battlefield {
  std::uint32_t number = 0;
  std::array<tile, 120> tiles{};
  scout scouts[70];
  float wind = 0;
  entities<tile, 40> mines;
  squad squads[2];
  short_text<12> map;
};
TICKREEL_DESCRIBE(battlefield, number, tiles, scouts, wind, mines, squads, map);

static_assert(member_number<battlefield, &battlefield::number> == 0 &&
              member_number<battlefield, &battlefield::scouts> == 2 &&
              member_number<battlefield, &battlefield::map> == 6);

struct mine_shaft : tile {
  float depth = 0;
};
TICKREEL_DESCRIBE(mine_shaft, depth, owner, ore);
static_assert(member_number<mine_shaft, &mine_shaft::ore> == 2);
constexpr unsigned fields = field_count<battlefield>;
constexpr std::array<std::size_t, fields> element_counts{1, 120, 70, 1, 40, 2, 1};

template <class State>
result<recording<State>> open_changes(const std::string& path, const recorder_options& options,
                                      std::uint32_t min_change_row_bytes, system_calls* calls = nullptr) {
  using encoder_type = tracks::row_encoder<State>;
  auto encoder = encoder_type::create({.max_rows = 64, .min_change_row_bytes = min_change_row_bytes});
  BOOST_REQUIRE(encoder);
  encoder->take_events();
  recorder_options described = options;
  described.schema = to_bytes(schema_of<State>());
  auto opened = calls == nullptr ? recorder<encoder_type>::open(path, std::move(*encoder), described)
                                 : recorder<encoder_type>::open(path, std::move(*encoder), described, *calls);
  if (!opened) return fail(opened.error());
  return recording<State>(std::move(*opened), path);
}

void change(std::mt19937_64& random, tile& one) {
  one.ore += static_cast<std::int32_t>(draw(random, 5));
  if (draw(random, 4) == 0) one.building = static_cast<std::uint32_t>(draw(random, 9));
}
void change(std::mt19937_64& random, scout& one) {
  one.is_hidden = draw(random, 2) == 0;
  one.target =
      draw(random, 3) == 0 ? std::nullopt : std::optional(static_cast<std::uint16_t>(draw(random, 99)));
  one.health = static_cast<float>(draw(random, 1000)) / 8;
}

// Changes an element of a member.
void change(std::mt19937_64& random, battlefield& now, unsigned member, std::size_t element) {
  switch (member) {
    case 0:
      now.number += 3;
      return;
    case 1:
      return change(random, now.tiles[element]);
    case 2:
      return change(random, now.scouts[element]);
    case 3:
      now.wind += 0.5f;
      return;
    case 4: {
      tile value;
      change(random, value);
      now.mines.restore(element, static_cast<std::uint32_t>(draw(random, 6)), value);
      return;
    }
    case 5:
      now.squads[element].formation = static_cast<std::uint8_t>(draw(random, 250));
      return change(random, now.squads[element].route[draw(random, 100)]);
    default:
      now.map = std::string_view(std::to_string(draw(random, 1'000'000)));
  }
}

// Changes some of it and marks that, in any order, twice or more, and also what does not change or does not exist.
void step(std::mt19937_64& random, battlefield& now, change_list& changed) {
  const std::size_t usual = draw(random, 8);
  const std::size_t edits = draw(random, 12) == 0 ? 150 : draw(random, 4) == 0 ? 0 : usual;
  for (std::size_t i = 0; i < edits; ++i) {
    const auto member = static_cast<unsigned>(draw(random, fields));
    const std::size_t element = draw(random, element_counts[member]);
    if (draw(random, 5) != 0) change(random, now, member, element);
    if (draw(random, 20) == 0) {
      changed.mark_all(element);
    } else {
      changed.mark(element, member);
    }
    if (draw(random, 3) == 0) changed.mark(element, member);
  }
  if (draw(random, 40) == 0) changed.mark(1000, 1);  // beyond the list
  if (draw(random, 40) == 0) changed.mark(119, 4);   // beyond the member
  if (draw(random, 40) == 0) changed.mark(0, 40);    // no member
  if (draw(random, 40) == 0) changed.mark_all(119);
}

recorder_options pumped_options(std::mt19937_64& random) {
  recorder_options options;
  options.mode = threading::pumped;
  options.ring_ticks = 4;
  options.ticks_per_second = 20;
  options.start_time_us = 1;
  options.seal_interval_ms = 3'600'000;
  options.seal_frames = static_cast<std::uint32_t>(1 + draw(random, 12));
  options.cadence.keyframe_interval_ticks =
      draw(random, 3) == 0 ? 0 : static_cast<std::uint32_t>(1 + draw(random, 30));
  return options;
}

using accepted_ticks = std::map<std::uint64_t, byte_vector>;

// Every tick that was accepted, and no other; and the reel accounts for those that were not.
void require_ticks(const std::string& path, const accepted_ticks& expected, std::uint64_t lost) {
  auto in = replay<battlefield>(path);
  BOOST_REQUIRE(in);
  auto next = expected.begin();
  for (const auto& each : *in) {
    BOOST_REQUIRE((next != expected.end()));
    BOOST_REQUIRE(each.tick == next->first);
    byte_vector bytes;
    append_component(bytes, each.state);
    BOOST_REQUIRE((bytes == next->second));
    ++next;
  }
  BOOST_REQUIRE(!in->failure());
  BOOST_REQUIRE((next == expected.end()));
  BOOST_REQUIRE(in->losses().missing_ticks() == lost);
}

}  // namespace

// Two recorders, to which the same ticks are pushed as changes and whole.
BOOST_AUTO_TEST_CASE(changes_make_the_same_reel_as_whole_states) {
  const scratch_folder folder;
  auto random = seeded_random("pushed changes");
  std::uint64_t dropped = 0, returned = 0;
  for (std::size_t round = 0; round < 60; ++round) {
    const std::string path = folder / (std::to_string(round) + ".reel");
    const std::string whole_path = folder / (std::to_string(round) + ".whole.reel");
    const recorder_options options = pumped_options(random);
    // By change or by column.
    const std::uint32_t min_change_row_bytes = round % 3 == 0 ? ~std::uint32_t{0} : 0;
    auto out = open_changes<battlefield>(path, options, min_change_row_bytes);
    auto whole = open_changes<battlefield>(whole_path, options, min_change_row_bytes);
    BOOST_REQUIRE((out && whole));
    battlefield now;
    change_list changed(120);
    accepted_ticks expected;
    std::uint64_t pushed = 0;
    for (std::size_t tick = 0; tick < 150; ++tick) {
      step(random, now, changed);
      const std::uint64_t before = out->counters().dropped;
      const std::size_t how = draw(random, 20);
      // A stamp that does not rise is rejected, and the marks are gone.
      const frame_stamp stamp = stamp_of(how == 0 && tick > 9 ? tick - 9 : tick);
      bool taken = false;
      if (how == 1) {
        taken = out->push(stamp, now);
      } else if (how == 2) {
        taken = out->capture(stamp, [&](battlefield& slot) noexcept {
          // A state, not bytes of changes.
          for (const scout& each : slot.scouts)
            BOOST_REQUIRE(*reinterpret_cast<const std::uint8_t*>(&each) < 2u);
          slot = now;
        });
      } else {
        taken = out->push_changes(stamp, now, changed);
      }
      changed.clear();
      BOOST_REQUIRE((whole->push(stamp, now) == taken));
      pushed += stamp.tick == tick ? 1u : 0u;
      if (taken) append_component(expected[tick], now);
      dropped += out->counters().dropped - before;
      if (draw(random, 60) == 0) {
        out->force_keyframe();
        whole->force_keyframe();
      }
      const std::size_t limit = draw(random, 5) < 3 ? 0 : draw(random, 5);
      BOOST_REQUIRE(out->pump(limit) == whole->pump(limit));
    }
    BOOST_REQUIRE(out->close());
    BOOST_REQUIRE(whole->close());
    BOOST_REQUIRE((read_file(path) == read_file(whole_path)));
    require_ticks(path, expected, pushed - expected.size());
    returned += expected.size();
  }
  BOOST_TEST(dropped > 100u);
  BOOST_TEST(returned > 1000u);
}

// Chunks that the disk does not take are lost; the ticks after them are exact.
BOOST_AUTO_TEST_CASE(changes_after_lost_chunks_are_exact) {
  const scratch_folder folder;
  auto random = seeded_random("changes on a full disk");
  for (std::size_t round = 0; round < 20; ++round) {
    const std::string path = folder / (std::to_string(round) + ".reel");
    short_disk disk;
    auto out = open_changes<crowd>(path, pumped_options(random), 0, &disk);
    BOOST_REQUIRE(out);
    auto now = std::make_unique<crowd>();
    std::vector<crowd> all;
    change_list changed(200);
    std::size_t taken = 0;
    for (std::size_t tick = 0; tick < 120; ++tick) {
      now->number = tick;
      changed.mark(0, member_number<crowd, &crowd::number>);
      for (std::size_t i = draw(random, 4); i-- > 0;) {
        const std::size_t at = draw(random, 200);
        now->walkers[at].x += 2;
        changed.mark(at, member_number<crowd, &crowd::walkers>);
      }
      if (draw(random, 10) == 0) disk.full = !disk.full;
      if (out->push_changes(stamp_of(tick), *now, changed)) ++taken;
      changed.clear();
      all.push_back(*now);
      (void)out->pump(draw(random, 3));
    }
    disk.full = false;
    const auto report = out->close();
    BOOST_REQUIRE(report);
    BOOST_TEST(report->counters.written + report->counters.lost == taken);
    const auto ticks = ticks_of(path, all);
    BOOST_TEST(ticks.size() == report->counters.written);
  }
}

namespace {

class rejecting_encoder : public tracks::row_encoder<crowd> {
 public:
  explicit rejecting_encoder(tracks::row_encoder<crowd>&& from) : row_encoder(std::move(from)) {}
  static bool rejects(std::size_t call) { return call == 3 || call == 17 || call == 40; }
  bool add_row(const crowd& now) noexcept { return !rejects(calls_++) && row_encoder::add_row(now); }
  bool add_changes(byte_span changes) noexcept {
    return !rejects(calls_++) && row_encoder::add_changes(changes);
  }

 private:
  std::size_t calls_ = 0;
};

class rejecting_recorder : public recorder<rejecting_encoder> {
 public:
  explicit rejecting_recorder(recorder<rejecting_encoder>&& opened) : recorder(std::move(opened)) {}
  bool push_changes(frame_stamp stamp, const crowd& now, const change_list& changed) {
    return push_packed(stamp, now, [&](mutable_byte_span room) noexcept {
      return tickreel::detail::pack_changes(now, changed, room);
    });
  }
};

}  // namespace

// Changes to a tick that is not in the reel are counted as lost, until a whole state arrives.
BOOST_AUTO_TEST_CASE(after_a_rejected_tick_the_next_push_is_whole) {
  const scratch_folder folder;
  const std::string path = folder / "crowd.reel";
  for (const std::size_t batch : {1u, 4u}) {
    auto encoder = tracks::row_encoder<crowd>::create({.min_change_row_bytes = 0});
    BOOST_REQUIRE(encoder);
    encoder->take_events();
    recorder_options options = short_chunks();
    options.ring_ticks = 8;
    options.cadence.keyframe_interval_ticks = 0;
    options.schema = to_bytes(schema_of<crowd>());
    const std::string file = path + std::to_string(batch);
    auto opened = recorder<rejecting_encoder>::open(file, rejecting_encoder(std::move(*encoder)), options);
    BOOST_REQUIRE(opened);
    rejecting_recorder out(std::move(*opened));
    auto now = std::make_unique<crowd>();
    std::vector<crowd> all;
    change_list changed(200);
    for (std::size_t i = 0; i < 80; ++i) {
      now->number = i;
      now->walkers[i * 7 % 200].y += 1;
      changed.mark(0, 0);
      changed.mark(i * 7 % 200, 1);
      BOOST_REQUIRE(out.push_changes(stamp_of(i), *now, changed));
      changed.clear();
      all.push_back(*now);
      if (i % batch == batch - 1) (void)out.pump();
    }
    const auto report = out.close();
    BOOST_REQUIRE(report);
    // Three, and the changes to each of them that waited already.
    BOOST_TEST(report->counters.lost >= 3u);
    BOOST_TEST(report->counters.lost <= 3 * batch);
    BOOST_TEST(ticks_of(file, all).size() == 80 - report->counters.lost);
  }
}

BOOST_AUTO_TEST_CASE(a_change_that_is_not_marked_is_missing_until_the_next_whole_state) {
  const scratch_folder folder;
  const std::string path = folder / "forgotten.reel";
  recorder_options options = short_chunks();
  options.cadence.keyframe_interval_ticks = 10;
  auto out = open_changes<crowd>(path, options, 0);
  BOOST_REQUIRE(out);
  auto now = std::make_unique<crowd>();
  change_list changed(200);
  for (std::size_t i = 0; i < 25; ++i) {
    now->number = i;
    changed.mark(0, member_number<crowd, &crowd::number>);
    if (i == 4) now->walkers[9].x = 77;
    BOOST_REQUIRE(out->push_changes(stamp_of(i), *now, changed));
    changed.clear();
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
  auto in = replay<crowd>(path);
  BOOST_REQUIRE(in);
  for (const auto& each : *in) {
    BOOST_TEST(each.state.number == each.tick);
    BOOST_TEST(each.state.walkers[9].x == (each.tick < 10 ? 0 : 77));
  }
}

// Both threads at full speed, with a ring that is often full.
BOOST_AUTO_TEST_CASE(a_writer_thread_makes_exact_ticks_of_changes) {
  const scratch_folder folder;
  const std::string path = folder / "threads.reel";
  recorder_options options;
  options.ring_ticks = 8;
  options.sync_each_chunk = false;
  options.seal_frames = 50;
  options.ticks_per_second = 1000;
  auto out = open_changes<crowd>(path, options, 0);
  BOOST_REQUIRE(out);
  auto now = std::make_unique<crowd>();
  change_list changed(200);
  // The world of a tick follows from its number.
  const auto walker_x = [](std::uint64_t tick, std::uint64_t walker) {
    return tick < walker ? 0 : static_cast<std::int32_t>((tick - walker) / 200 + 1);
  };
  std::uint64_t taken = 0;
  constexpr std::uint64_t ticks = 5'000;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    now->number = tick;
    now->walkers[tick % 200].x += 1;
    changed.mark(0, member_number<crowd, &crowd::number>);
    changed.mark(tick % 200, member_number<crowd, &crowd::walkers>);
    if (out->push_changes(*now, changed)) ++taken;
    changed.clear();
    if (tick % 64 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
  const auto report = out->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.written == taken);
  BOOST_TEST(report->counters.written + report->counters.dropped == ticks);
  auto in = replay<crowd>(path);
  BOOST_REQUIRE(in);
  std::uint64_t returned = 0;
  for (const auto& each : *in) {
    BOOST_REQUIRE(each.state.number == each.tick);
    for (std::uint64_t walker = 0; walker < 200; ++walker) {
      BOOST_REQUIRE(each.state.walkers[walker].x == walker_x(each.tick, walker));
    }
    ++returned;
  }
  BOOST_TEST(returned == taken);
  BOOST_TEST(returned + in->losses().missing_ticks() == ticks);
}

BOOST_AUTO_TEST_CASE(an_inherited_member_is_marked_by_the_struct_that_is_recorded) {
  const scratch_folder folder;
  const std::string path = folder / "shaft.reel";
  recorder_options options = short_chunks();
  options.cadence.keyframe_interval_ticks = 0;
  auto out = open_changes<mine_shaft>(path, options, 0);
  BOOST_REQUIRE(out);
  mine_shaft now;
  change_list changed(1);
  for (std::int32_t i = 0; i < 5; ++i) {
    now.ore = i;
    changed.mark(0, member_number<mine_shaft, &mine_shaft::ore>);
    BOOST_REQUIRE(out->push_changes(now, changed));
    changed.clear();
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
  auto in = replay<mine_shaft>(path);
  BOOST_REQUIRE(in);
  std::int32_t next = 0;
  for (const auto& each : *in) BOOST_TEST(each.state.ore == next++);
  BOOST_TEST(next == 5);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
