// record<T>, replay<T>, follow<T>.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <limits>

#include "file_bytes.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "worlds.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(simple_level_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using namespace std::chrono_literals;

struct point {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(point, x, y);

recorder_options at_60_hertz() {
  recorder_options options;
  options.ticks_per_second = 60;
  options.seal_interval_ms = 1'000'000;  // never by itself
  return options;
}

template <class T>
std::vector<component_bytes<T>> all_states(replay_of<T>& in) {
  std::vector<component_bytes<T>> states;
  for (const auto& tick : in) states.push_back(to_component_bytes(tick.state));
  BOOST_REQUIRE(!in.failure());
  return states;
}

auto record_in_short_chunks(const std::string& path) {
  auto options = at_60_hertz();
  options.mode = threading::pumped;
  options.seal_frames = 10;
  return record<point>(path, options);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_three_lines) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto out = record<point>(path, {.ticks_per_second = 60});
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 600; ++tick) BOOST_REQUIRE(out->push({static_cast<float>(tick) / 4, -1}));
  const auto report = out->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->nothing_lost());

  auto in = replay<point>(path);
  BOOST_REQUIRE(in);
  BOOST_TEST(in->size() == 600u);
  BOOST_REQUIRE(in->at(417));
  BOOST_TEST(in->at(417)->x == 104.25f);
  BOOST_TEST(in->at(417)->y == -1);
  BOOST_TEST(in->at(0)->x == 0);
  BOOST_TEST(in->at(599)->x == 149.75f);
  BOOST_TEST((in->at(600).error().code == error_code::out_of_range));
  BOOST_TEST(in->at(6.5s)->x == 97.5f);
  BOOST_TEST(in->at(0s)->x == 0);
  BOOST_TEST(in->at(1h)->x == 149.75f);
  BOOST_TEST((in->at(-1s).error().code == error_code::out_of_range));
  // NaN and infinity are not times.
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const double wrong : {nan, infinite, -infinite, 1e300}) {
    BOOST_TEST((in->at(std::chrono::duration<double>(wrong)).error().code == error_code::invalid_argument));
  }
  BOOST_TEST(in->last()->tick == 599u);
  for (int twice = 0; twice < 2; ++twice) {
    std::uint64_t next = 0;
    for (const auto& tick : *in) {
      BOOST_REQUIRE(tick.tick == next);
      BOOST_REQUIRE(tick.state.x == static_cast<float>(next) / 4);
      ++next;
    }
    BOOST_TEST(next == 600u);
  }
}

BOOST_AUTO_TEST_CASE(every_kind_of_member_round_trips_bit_for_bit) {
  scratch_folder folder;
  const std::string path = folder / "rich.reel";
  auto random = seeded_random("simple level");
  std::vector<component_bytes<rich_world>> pushed;
  auto options = at_60_hertz();
  options.mode = threading::pumped;
  options.seal_frames = 1 + static_cast<std::uint32_t>(random() % 90);
  auto out = record<rich_world>(path, options);
  BOOST_REQUIRE(out);
  rich_world world;
  for (int tick = 0; tick < 500; ++tick) {
    advance(world, random);
    BOOST_REQUIRE(out->push(world));
    pushed.push_back(to_component_bytes(world));
    if (tick % 7 == 0) out->pump();
  }
  BOOST_REQUIRE(out->close());
  auto in = replay<rich_world>(path);
  BOOST_REQUIRE(in);
  BOOST_TEST((all_states(*in) == pushed));
  for (int i = 0; i < 200; ++i) {
    const std::size_t tick = random() % pushed.size();
    const auto state = in->at(tick);
    BOOST_REQUIRE(state);
    BOOST_REQUIRE((to_component_bytes(*state) == pushed[tick]));
  }
  BOOST_TEST(in->described().root().name == "rich_world");
  BOOST_TEST(in->differences().empty());
}

BOOST_AUTO_TEST_CASE(lost_ticks_are_not_returned) {
  scratch_folder folder;
  const std::string path = folder / "holes.reel";
  auto options = at_60_hertz();
  options.mode = threading::pumped;
  options.ring_ticks = 16;
  options.seal_frames = 5;
  auto out = record<point>(path, options);
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 40; ++tick) (void)out->push({static_cast<float>(tick), 0});
  out->pump();
  for (int tick = 0; tick < 4; ++tick) BOOST_TEST(out->push({100, 0}));
  BOOST_REQUIRE(out->close());
  auto in = replay<point>(path);
  BOOST_REQUIRE(in);
  BOOST_TEST(in->at(15)->x == 15);
  BOOST_TEST((in->at(20).error().code == error_code::out_of_range));
  BOOST_TEST(in->at(40)->x == 100);
  BOOST_TEST(all_states(*in).size() == 20u);
  BOOST_TEST(in->losses().gap_ticks == 24u);
  BOOST_TEST(in->losses().ticks == 0u);
  BOOST_TEST(in->losses().missing_ticks() == 24u);
}

// A caller that shows the recording at a time gets no state in place of one that is lost.
BOOST_AUTO_TEST_CASE(after_the_end_the_last_state_applies_unless_ticks_are_lost) {
  using namespace std::chrono_literals;
  scratch_folder folder;
  const auto is_lost_after_the_end = [](auto in) {
    BOOST_REQUIRE(in);
    const auto last = in->last();
    BOOST_REQUIRE(last);
    BOOST_TEST(in->at(std::chrono::microseconds(last->time_us))->x == last->state.x);
    const auto later = in->at(1h);
    if (later) BOOST_TEST(later->x == last->state.x);
    if (!later) BOOST_TEST((later.error().code == error_code::out_of_range));
    return !later.has_value();
  };
  // The ring was full at the end.
  auto options = at_60_hertz();
  options.mode = threading::pumped;
  options.ring_ticks = 16;
  auto full = record<point>(folder / "full.reel", options);
  BOOST_REQUIRE(full);
  for (int tick = 0; tick < 40; ++tick) (void)full->push({static_cast<float>(tick), 0});
  BOOST_REQUIRE(full->close());
  BOOST_TEST(is_lost_after_the_end(replay<point>(folder / "full.reel")));

  const std::string path = folder / "whole.reel";
  auto out = record_in_short_chunks(path);
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 30; ++tick) {
    out->push({static_cast<float>(tick), 0});
    out->pump();
  }
  BOOST_REQUIRE(out->close());
  BOOST_TEST(!is_lost_after_the_end(replay<point>(path)));
  const byte_vector bytes = read_file(path);
  const auto source = reel::reader::open(path);
  BOOST_REQUIRE(source);
  const auto records = source->contents().records;
  BOOST_REQUIRE((records[2].kind == reel::record_kind::chunk && records[3].kind == reel::record_kind::index));
  const auto end_of = [](const reel::record_info& info) {
    return static_cast<std::size_t>(info.offset + info.bytes);
  };
  // The last chunk is damaged: its ticks are lost, not those of the chunk before.
  byte_vector damaged = bytes;
  damaged[end_of(records[2]) - 1] ^= std::byte{1};
  write_file(folder / "damaged.reel", damaged);
  BOOST_TEST(is_lost_after_the_end(replay<point>(folder / "damaged.reel")));
  BOOST_TEST(replay<point>(folder / "damaged.reel")->last()->tick == 19u);
  // Nothing but the index is missing.
  byte_vector unindexed = bytes;
  unindexed.erase(unindexed.begin() + static_cast<std::ptrdiff_t>(end_of(records[2])),
                  unindexed.begin() + static_cast<std::ptrdiff_t>(end_of(records[3])));
  write_file(folder / "unindexed.reel", unindexed);
  BOOST_TEST(!is_lost_after_the_end(replay<point>(folder / "unindexed.reel")));
  // A crash between two records, and in one. A live reel is as long as it is at the moment.
  write_file(folder / "open.reel", byte_span(bytes).first(end_of(records[1])));
  BOOST_TEST(!is_lost_after_the_end(replay<point>(folder / "open.reel")));
  write_file(folder / "torn.reel", byte_span(bytes).first(end_of(records[2]) - 1));
  BOOST_TEST(is_lost_after_the_end(replay<point>(folder / "torn.reel")));
  BOOST_TEST(!is_lost_after_the_end(follow<point>(folder / "torn.reel")));
  write_file(folder / "recovered.reel", byte_span(bytes).first(end_of(records[2]) - 1));
  BOOST_REQUIRE(reel::recover_in_place(folder / "recovered.reel"));
  BOOST_TEST(is_lost_after_the_end(replay<point>(folder / "recovered.reel")));
}

BOOST_AUTO_TEST_CASE(followers_get_the_end) {
  using namespace std::chrono_literals;
  scratch_folder folder;
  const std::string path = folder / "live.reel";
  auto out = record_in_short_chunks(path);
  BOOST_REQUIRE(out);
  auto live = follow<point>(path);
  BOOST_REQUIRE(live);
  BOOST_TEST(live->refresh(1ms).value() == 0u);
  BOOST_TEST(!live->ended());
  for (int tick = 0; tick < 10; ++tick) out->push({static_cast<float>(tick), 0});
  out->pump();
  // Available ticks are returned without waiting, and after the end there is no wait.
  BOOST_TEST(live->refresh(24h).value() > 0u);
  BOOST_TEST(!live->ended());
  BOOST_REQUIRE(out->close());
  BOOST_TEST(live->refresh(24h).value() > 0u);
  BOOST_TEST(live->ended());
  BOOST_TEST(live->refresh(24h).value() == 0u);
  BOOST_TEST(!live->trouble());
}

BOOST_AUTO_TEST_CASE(an_unknown_address_scheme_names_the_missing_part) {
  const auto none = follow<point>("nats://host:4222/league/match");
  BOOST_REQUIRE(!none);
  BOOST_TEST((none.error().code == error_code::unsupported_operation));
  BOOST_TEST(describe(none.error()).find("include tickreel/fleet/follow.hpp") != std::string::npos);
  BOOST_TEST(describe(none.error()).find("link tickreel::fleet") != std::string::npos);
  for (const char* const file : {"a/b.reel", "C:/x.reel", "C://x.reel", "./nats://host", "://", ""}) {
    BOOST_TEST(!reel::is_address(file), file);
  }
  BOOST_TEST((follow<point>("./nats://host").error().code == error_code::not_found));
}

BOOST_AUTO_TEST_CASE(a_recording_is_followed_while_it_grows_and_read_after_a_crash) {
  scratch_folder folder;
  const std::string path = folder / "live.reel";
  auto out = record_in_short_chunks(path);
  BOOST_REQUIRE(out);
  auto live = follow<point>(path);
  BOOST_REQUIRE(live);
  BOOST_TEST((live->last().error().code == error_code::out_of_range));
  std::uint64_t seen = 0;
  for (int tick = 0; tick < 95; ++tick) {
    out->push({static_cast<float>(tick), 0});
    out->pump();
    BOOST_REQUIRE(live->refresh());
    for (;;) {
      const auto next = live->next();
      BOOST_REQUIRE(next);
      if (!*next) break;
      BOOST_REQUIRE((*next)->tick == seen);
      BOOST_REQUIRE((*next)->state.x == static_cast<float>(seen));
      ++seen;
    }
    BOOST_REQUIRE(seen == static_cast<std::uint64_t>((tick + 1) / 10 * 10));
  }
  BOOST_TEST(live->last()->tick == 89u);
  // A file as a crash leaves it.
  const byte_vector bytes = read_file(path);
  const std::string left = folder / "left.reel";
  write_file(left, bytes);
  auto in = replay<point>(left);
  BOOST_REQUIRE(in);
  BOOST_TEST(all_states(*in).size() == 90u);
  BOOST_TEST(in->at(89)->x == 89);
}

namespace {
struct older_point {
  float x = 0;
  std::int32_t gone = 3;
};
TICKREEL_DESCRIBE(older_point, x, gone);
struct other_point {
  std::int32_t x = 0;
};
TICKREEL_DESCRIBE(other_point, x);
struct lost_point {
  std::array<float, 3> a{}, b{};
};
TICKREEL_DESCRIBE(lost_point, a, b);
TICKREEL_DECLARE(lost_point, (b, same_as("c")));
}  // namespace

BOOST_AUTO_TEST_CASE(old_and_new_structs_share_common_members) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto out = record<older_point>(path, at_60_hertz());
  BOOST_REQUIRE(out);
  out->push({2.5f, 9});
  BOOST_REQUIRE(out->close());
  auto in = replay<point>(path);
  BOOST_REQUIRE(in);
  BOOST_TEST(in->at(0)->x == 2.5f);
  BOOST_TEST(in->at(0)->y == 0);
  BOOST_REQUIRE(in->differences().size() == 2u);
  BOOST_TEST(describe(in->differences()[0]) == "y was not recorded");
  BOOST_TEST(describe(in->differences()[1]) == "gone was recorded and no longer exists");
  const auto refused = replay<other_point>(path);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(describe(refused.error()).find("x was recorded as f32 and is i32 now") != std::string::npos);
}

namespace {
struct declared_point {
  float fine = 0, coarse = 0;
  std::optional<std::int32_t> target, again;
};
TICKREEL_DESCRIBE(declared_point, fine, coarse, target, again);
TICKREEL_DECLARE(declared_point, (fine, decimals(12)), (coarse, tolerance(1e-12)),
                 (again, same_as("target")));
// Rows that are long and related to others: a reader needs several times their size in memory.
struct long_point {
  std::array<std::int16_t, 16000> a{}, b{};
};
TICKREEL_DESCRIBE(long_point, a, b);
TICKREEL_DECLARE(long_point, (b, relative_to("a")));
}  // namespace

BOOST_AUTO_TEST_CASE(every_valid_declaration_is_accepted) {
  scratch_folder folder;
  const std::string path = folder / "declared.reel";
  auto out = record<declared_point>(path, at_60_hertz());
  BOOST_REQUIRE(out);
  for (int i = 0; i < 20; ++i) BOOST_REQUIRE(out->push({0.1f, 0.3f, i, i}));
  BOOST_REQUIRE(out->close());
  auto in = replay<declared_point>(path);
  BOOST_REQUIRE(in);
  const auto state = in->at(7);
  BOOST_REQUIRE(state);
  BOOST_TEST(state->fine == 0.1f);
  BOOST_TEST(state->coarse == 0.3f);
  BOOST_TEST(state->again.value() == 7);
}

BOOST_AUTO_TEST_CASE(no_block_exceeds_the_readers_limit) {
  scratch_folder folder;
  const std::string path = folder / "long.reel";
  auto options = at_60_hertz();
  options.mode = threading::pumped;
  options.seal_bytes = 48u << 20;
  auto out = record<long_point>(path, options);
  BOOST_REQUIRE(out);
  auto now = std::make_unique<long_point>();
  for (int i = 0; i < 700; ++i) {
    now->a[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(i);
    BOOST_REQUIRE(out->push(*now));
    out->pump();
  }
  BOOST_REQUIRE(out->close());
  auto in = replay<long_point>(path);
  BOOST_REQUIRE(in);
  std::uint64_t ticks = 0;
  for (const auto& tick : *in) ticks += tick.state.a[0] == 0 ? 1u : 0u;
  BOOST_TEST(!in->failure());
  BOOST_TEST(ticks == 700u);
}

BOOST_AUTO_TEST_CASE(a_lost_chunk_affects_only_its_own_ticks) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto options = at_60_hertz();
  options.mode = threading::pumped;
  options.seal_frames = 60;
  auto out = record<point>(path, options);
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 300; ++tick) {
    out->push({static_cast<float>(tick), 0});
    out->pump();
  }
  BOOST_REQUIRE(out->close());
  auto source = reel::reader::open(path);
  BOOST_REQUIRE(source);
  for (const std::size_t lost : {std::size_t{0}, std::size_t{2}}) {
    for (const bool head : {true, false}) {
      byte_vector bytes = read_file(path);
      const auto& record = source->contents().records[lost];
      bytes[static_cast<std::size_t>(record.offset + (head ? 6 : record.bytes - 10))] ^= std::byte{1};
      const std::string damaged = folder / "damaged.reel";
      write_file(damaged, bytes);
      for (const bool indexed : {true, false}) {
        if (!indexed) write_file(damaged, byte_span(bytes).first(bytes.size() - 1));
        auto in = replay<point>(damaged);
        BOOST_REQUIRE(in);
        for (std::uint64_t tick = 0; tick < 300; ++tick) {
          const bool there = tick / 60 != lost;
          BOOST_REQUIRE(in->at(tick).has_value() == there);
          const auto state = in->at(std::chrono::microseconds(tick * 1'000'000 / 60 + 10));
          if (there && tick % 60 != 59) BOOST_REQUIRE(state);
          if (!there) BOOST_REQUIRE(!state);
          if (state) BOOST_REQUIRE(state->x == static_cast<float>(tick));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(invalid_options_are_rejected_at_the_start) {
  scratch_folder folder;
  const auto wrong = record<lost_point>(folder / "a.reel", at_60_hertz());
  BOOST_REQUIRE(!wrong);
  BOOST_TEST((wrong.error().code == error_code::invalid_argument));
  // By names, not by column numbers.
  BOOST_TEST(describe(wrong.error()).find("the relation declared for \"") != std::string::npos,
             describe(wrong.error()));
  BOOST_TEST((replay<point>(folder / "none.reel").error().code == error_code::not_found));
  BOOST_REQUIRE(record<point>(folder / "b.reel", at_60_hertz()));
  BOOST_TEST((record<point>(folder / "b.reel", at_60_hertz()).error().code == error_code::already_exists));
}

// Whatever is damaged: returned ticks equal the recorded ones, and the rest is reported.
BOOST_AUTO_TEST_CASE(damage_never_changes_a_tick) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto random = seeded_random("simple level, damage");
  auto options = at_60_hertz();
  options.seal_frames = 9;
  auto out = record<rich_world>(path, options);
  BOOST_REQUIRE(out);
  rich_world world;
  std::vector<component_bytes<rich_world>> pushed;
  for (int tick = 0; tick < 100; ++tick) {
    advance(world, random);
    out->push(world);
    pushed.push_back(to_component_bytes(world));
  }
  BOOST_REQUIRE(out->close());
  const byte_vector whole = read_file(path);
  std::uint64_t shown = 0;
  for (int i = 0; i < 300; ++i) {
    byte_vector bytes = whole;
    if (i % 3 == 0) {
      bytes.resize(random() % bytes.size());
    } else {
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
    }
    const std::string damaged = folder / "damaged.reel";
    write_file(damaged, bytes);
    auto in = replay<rich_world>(damaged);
    if (!in) continue;
    std::uint64_t ticks = 0;
    for (const auto& tick : *in) {
      BOOST_REQUIRE(tick.tick < pushed.size());
      BOOST_REQUIRE((to_component_bytes(tick.state) == pushed[tick.tick]));
      ++ticks;
    }
    BOOST_REQUIRE(!in->failure());
    if (i % 3 != 0) BOOST_REQUIRE(ticks + in->losses().ticks == pushed.size());
    shown += ticks;
    const std::uint64_t any = random() % pushed.size();
    const auto state = in->at(any);
    if (state) BOOST_REQUIRE((to_component_bytes(*state) == pushed[any]));
  }
  BOOST_TEST(shown > 10'000u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
