// Events beside the ticks: typed on both sides, with their ticks, whatever happens in between.
#include <boost/test/unit_test.hpp>
#include <thread>

#include "allocation_counter.hpp"
#include "file_bytes.hpp"
#include "random.hpp"
#include "reel_damage.hpp"
#include "scratch_folder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(events_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct field {
  float x = 0;
};
TICKREEL_DESCRIBE(field, x);

enum class side : std::uint8_t { blue, orange };
struct goal {
  std::uint8_t player = 0;
  side by = side::blue;
  std::array<float, 3> from{};
  short_text<12> assist;
};
TICKREEL_DESCRIBE(goal, player, by, from, assist);
struct whistle {
  double since = 0;
};
TICKREEL_DESCRIBE(whistle, since);

namespace older {
struct goal {
  std::uint8_t player = 0;
  std::int32_t points = 7;
};
TICKREEL_DESCRIBE(goal, player, points);
}  // namespace older
namespace later {
struct goal {
  std::uint8_t player = 0;
};
TICKREEL_DESCRIBE(goal, player);
}  // namespace later
namespace other {
struct goal {
  float player = 0;
};
TICKREEL_DESCRIBE(goal, player);
}  // namespace other

struct large {
  std::array<std::uint8_t, 1000> bytes{};
};
TICKREEL_DESCRIBE(large, bytes);

recorder_options pumped(std::uint32_t seal_frames) {
  recorder_options options;
  options.ticks_per_second = 60;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;  // never by itself
  options.seal_frames = seal_frames;
  return options;
}

// 200 ticks; a goal in each tenth, a whistle in each thirtieth.
void play(recording<field>& out) {
  for (int tick = 0; tick < 200; ++tick) {
    BOOST_REQUIRE(out.push({static_cast<float>(tick)}));
    if (tick % 10 == 0) {
      BOOST_REQUIRE(out.event(goal{static_cast<std::uint8_t>(tick / 10), side::orange, {1, 2, 3}, "Ada"}));
    }
    if (tick % 30 == 0) BOOST_REQUIRE(out.event(whistle{tick / 60.0}));
    if (tick % 3 == 0) out.pump();
  }
}

void check_goals(replay_of<field>& in) {
  const auto goals = in.events<goal>();
  BOOST_REQUIRE(goals);
  BOOST_REQUIRE(goals->size() == 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    const auto& each = (*goals)[i];
    BOOST_TEST(each.tick == 10 * i);
    BOOST_TEST(each.time_us == static_cast<std::int64_t>(10 * i * 1'000'000 / 60));
    BOOST_TEST(each.event.player == i);
    BOOST_TEST((each.event.by == side::orange));
    BOOST_TEST(each.event.from[2] == 3);
    BOOST_TEST(each.event.assist.view() == "Ada");
  }
  BOOST_TEST(in.events<whistle>()->size() == 7u);
  BOOST_TEST(in.lost_events() == 0u);
}

}  // namespace

BOOST_AUTO_TEST_CASE(round_trip_with_their_ticks_live_and_compact) {
  scratch_folder folder;
  for (const bool compact : {false, true}) {
    const std::string path = folder / (compact ? "compact.reel" : "live.reel");
    auto out = record<field>(path, pumped(30));
    BOOST_REQUIRE(out);
    play(*out);
    const auto report = out->close({.compact = compact});
    BOOST_REQUIRE(report);
    BOOST_TEST(report->nothing_lost());
    BOOST_TEST(report->counters.stored_bytes == read_file(path).size());
    BOOST_TEST(!out->event(whistle{}));
    auto in = replay<field>(path);
    BOOST_REQUIRE(in);
    check_goals(*in);
    std::uint64_t ticks = 0;
    for (const auto& tick : *in) ticks += tick.state.x == static_cast<float>(tick.tick) ? 1u : 0u;
    BOOST_TEST(ticks == 200u);
  }
  BOOST_TEST(read_file(folder / "compact.reel").size() < read_file(folder / "live.reel").size());
}

BOOST_AUTO_TEST_CASE(follow_the_chunk_of_their_tick) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto out = record<field>(path, pumped(7));
  BOOST_REQUIRE(out);
  play(*out);
  BOOST_REQUIRE(out->close());
  auto source = reel::reader::open(path);
  BOOST_REQUIRE(source);
  std::uint64_t last_tick = 0;
  std::size_t events = 0;
  for (const auto& each : source->contents().records) {
    if (each.kind == reel::record_kind::chunk) last_tick = each.last_tick;
    if (each.kind != reel::record_kind::event || each.repeats()) continue;
    ++events;
    BOOST_TEST(each.first_tick <= last_tick);
    BOOST_TEST(each.first_tick + 14 > last_tick);
  }
  // Each kind is described before its first event and at the end.
  BOOST_TEST(events == 20u + 7u + 2u + 2u);
}

BOOST_AUTO_TEST_CASE(are_followed) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto out = record<field>(path, pumped(10));
  BOOST_REQUIRE(out);
  auto live = follow<field>(path);
  BOOST_REQUIRE(live);
  std::vector<std::uint64_t> seen;
  for (int tick = 0; tick < 100; ++tick) {
    out->push({});
    if (tick % 4 == 0) BOOST_REQUIRE(out->event(goal{static_cast<std::uint8_t>(tick), {}, {}, {}}));
    out->pump();
    BOOST_REQUIRE(live->refresh());
    const auto more = live->new_events<goal>();
    BOOST_REQUIRE(more);
    for (const auto& each : *more) {
      BOOST_TEST(each.event.player == each.tick);
      seen.push_back(each.tick);
    }
    BOOST_TEST(live->new_events<whistle>()->empty());
  }
  BOOST_TEST(seen.size() >= 23u);
  for (std::size_t i = 0; i < seen.size(); ++i) BOOST_TEST(seen[i] == 4 * i);
}

BOOST_AUTO_TEST_CASE(old_and_new_versions_share_common_members) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto out = record<field>(path, pumped(10));
  BOOST_REQUIRE(out);
  play(*out);
  BOOST_REQUIRE(out->close());
  auto in = replay<field>(path);
  BOOST_REQUIRE(in);
  const auto found = in->events<older::goal>();
  BOOST_REQUIRE(found);
  BOOST_REQUIRE(found->size() == 20u);
  BOOST_TEST(found->back().event.player == 19);
  BOOST_TEST(found->back().event.points == 7);
  const auto refused = in->events<other::goal>();
  BOOST_REQUIRE(!refused);
  BOOST_TEST(describe(refused.error()).find("player was recorded as u8 and is f32 now") != std::string::npos);
  BOOST_TEST(in->events<large>()->empty());
}

BOOST_AUTO_TEST_CASE(two_structs_of_one_name_are_distinguished) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto out = record<field>(path, pumped(10));
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 40; ++tick) {
    BOOST_REQUIRE(out->push({static_cast<float>(tick)}));
    out->event(goal{1, side::blue, {}, {}});
    out->event(later::goal{2});
    out->event(whistle{1});
    out->pump();
  }
  const auto report = out->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.events_lost == 40u);
  BOOST_REQUIRE(report->earlier_failure.has_value());
  BOOST_TEST(describe(*report->earlier_failure).find("are described as \"goal\"") != std::string::npos);
  auto in = replay<field>(path);
  BOOST_REQUIRE(in);
  BOOST_TEST(in->events<goal>()->size() == 40u);
  BOOST_TEST(in->events<whistle>()->size() == 40u);
}

// Older reels may contain both.
BOOST_AUTO_TEST_CASE(of_several_structs_of_one_name_the_matching_one_is_read) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto out = record<field>(path, pumped(10));
  BOOST_REQUIRE(out);
  BOOST_REQUIRE(out->push({0}));
  BOOST_TEST(out->event(goal{1, side::blue, {}, {}}));
  out->pump();
  recorder<tracks::row_encoder<field>>& bytes = *out;
  const byte_vector schema = to_bytes(schema_of<older::goal>());
  byte_vector description{std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0}};
  description.insert(description.end(), schema.begin(), schema.end());
  const auto event = to_component_bytes(older::goal{2, 3});
  for (int tick = 1; tick < 4; ++tick) {
    BOOST_REQUIRE(out->push({static_cast<float>(tick)}));
    const frame_stamp now{static_cast<std::uint64_t>(tick), tick * 16'667};
    if (tick == 1) BOOST_TEST(bytes.event(now, tracks::event_description_type, description));
    BOOST_TEST(bytes.event(now, tracks::first_own_event_type + 1, event));
    out->pump();
  }
  BOOST_REQUIRE(out->close());
  auto in = replay<field>(path);
  BOOST_REQUIRE(in);
  const auto goals = in->events<goal>();
  BOOST_REQUIRE(goals);
  BOOST_REQUIRE(goals->size() == 1u);
  BOOST_TEST((*goals)[0].event.player == 1);
  const auto olds = in->events<older::goal>();
  BOOST_REQUIRE(olds);
  BOOST_REQUIRE(olds->size() == 3u);
  BOOST_TEST((*olds)[2].event.points == 3);
  // Neither equals the current type.
  const auto changed = in->events<other::goal>();
  BOOST_REQUIRE(!changed);
  BOOST_TEST((changed.error().code == error_code::unsupported_operation));
}

BOOST_AUTO_TEST_CASE(mismatches_are_rejected_and_counted) {
  scratch_folder folder;
  auto out = record<field>(folder / "match.reel", pumped(10));
  BOOST_REQUIRE(out);
  out->push({});
  std::uint64_t refused = 0;
  for (int i = 0; i < 300; ++i) refused += out->event(large{}) ? 0u : 1u;
  BOOST_TEST(refused == 300 - tracks::event_queue::capacity);
  BOOST_TEST(out->counters().events_lost == refused);
  const auto report = out->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(!report->nothing_lost());
  auto in = replay<field>(folder / "match.reel");
  BOOST_REQUIRE(in);
  BOOST_TEST(in->events<large>()->size() == tracks::event_queue::capacity);
}

// Bytes of such a type would be read as a description, or as an event of another struct.
BOOST_AUTO_TEST_CASE(reserved_types_are_rejected) {
  scratch_folder folder;
  auto out = record<field>(folder / "match.reel", pumped(10));
  BOOST_REQUIRE(out);
  out->push({});
  byte_vector as_a_description(4);
  const byte_vector schema = to_bytes(schema_of<large>());
  as_a_description.insert(as_a_description.end(), schema.begin(), schema.end());
  BOOST_TEST(!out->event(tracks::event_description_type, as_a_description));
  BOOST_TEST(!out->event(tracks::first_own_event_type, as_a_description));
  BOOST_TEST(!out->event({0, 0}, 0xFFFFFFFFu, as_a_description));
  BOOST_TEST(out->counters().events_lost == 3u);
  BOOST_TEST(out->event(tracks::event_description_type - 1, as_a_description));
  BOOST_TEST(out->event(goal{7, {}, {}, {}}));
  BOOST_REQUIRE(out->close());
  auto in = replay<field>(folder / "match.reel");
  BOOST_REQUIRE(in);
  const auto goals = in->events<goal>();
  BOOST_REQUIRE(goals);
  BOOST_REQUIRE(goals->size() == 1u);
  BOOST_TEST(goals->front().event.player == 7);
}

BOOST_AUTO_TEST_CASE(cost_the_game_no_allocation) {
  scratch_folder folder;
  auto out = record<field>(folder / "match.reel", pumped(1000));
  BOOST_REQUIRE(out);
  bool taken = true;
  const std::uint64_t before = allocation_count_of_this_thread();
  for (int i = 0; i < 100; ++i) taken = out->push({}) && out->event(goal{}) && out->event(large{}) && taken;
  const std::uint64_t after = allocation_count_of_this_thread();
  BOOST_TEST(taken);
  if (counts_allocations) BOOST_TEST(after == before);
}

BOOST_AUTO_TEST_CASE(a_sink_from_the_start_has_all_and_a_late_one_can_read_its_part) {
  scratch_folder folder;
  std::vector<std::unique_ptr<reel::sink>> sinks;
  auto first = std::make_unique<reel::memory_sink>();
  const reel::memory_sink& all = *first;
  sinks.push_back(std::move(first));
  const std::string path = folder / "match.reel";
  auto out = record<field>(path, pumped(10), std::move(sinks));
  BOOST_REQUIRE(out);
  auto second = std::make_unique<reel::memory_sink>();
  const reel::memory_sink& late = *second;
  for (int tick = 0; tick < 100; ++tick) {
    if (tick == 50) out->add_sink(std::move(second));
    out->push({});
    BOOST_REQUIRE(out->event(goal{static_cast<std::uint8_t>(tick), {}, {}, {}}));
    out->pump();
  }
  out->pump();
  // Neither the end nor unfinished records.
  const byte_vector joined(late.bytes().begin(), late.bytes().end());
  const byte_vector file = read_file(path);
  BOOST_TEST((file == byte_vector(all.bytes().begin(), all.bytes().end())));
  write_file(folder / "late.reel", joined);
  auto in = replay<field>(folder / "late.reel");
  BOOST_REQUIRE(in);
  const auto goals = in->events<goal>();
  BOOST_REQUIRE(goals);
  BOOST_TEST(goals->size() >= 40u);
  BOOST_TEST((*goals)[0].event.player == (*goals)[0].tick);
}

// Events never change: each is returned as recorded or reported as lost.
BOOST_AUTO_TEST_CASE(damage_costs_events_and_is_reported) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto out = record<field>(path, pumped(30));
  BOOST_REQUIRE(out);
  play(*out);
  BOOST_REQUIRE(out->close());
  const byte_vector whole = read_file(path);
  auto random = seeded_random("events, damage");
  std::uint64_t shown = 0;
  for (int i = 0; i < 400; ++i) {
    byte_vector bytes = whole;
    bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
    write_file(folder / "damaged.reel", bytes);
    auto in = replay<field>(folder / "damaged.reel");
    if (!in) continue;
    const auto goals = in->events<goal>();
    BOOST_REQUIRE(goals);
    for (const auto& each : *goals) {
      BOOST_REQUIRE(each.event.player * 10u == each.tick);
      BOOST_REQUIRE(each.event.assist.view() == "Ada");
    }
    BOOST_REQUIRE((goals->size() == 20 || in->lost_events() > 0));
    shown += goals->size();
  }
  BOOST_TEST(shown > 7000u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
