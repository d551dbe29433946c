// Events and comparisons of reels of described structs, without the structs.
#include <bit>
#include <boost/test/unit_test.hpp>

#include "file_bytes.hpp"
#include "scratch_folder.hpp"
#include "tickreel/files/compare.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/files/same_content.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/reel/writer.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(described_events_test)

namespace pitch {

struct ball {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(ball, x, y);
enum class side : std::uint8_t { blue, orange };
struct field {
  ball at;
  side owner = side::blue;
  tickreel::entities<ball, 2> spare;
};
TICKREEL_DESCRIBE(field, at, owner, spare);

// Large rows that change little: their chunks continue the one before.
struct stand {
  std::array<ball, 300> seats{};
};
TICKREEL_DESCRIBE(stand, seats);

struct goal {
  std::uint8_t player = 0;
  side by = side::blue;
  tickreel::short_text<12> type;
};
TICKREEL_DESCRIBE(goal, player, by, type);
struct speed {
  float value = 0;
};
TICKREEL_DESCRIBE(speed, value);
struct chat {
  tickreel::short_text<8> player;
};
TICKREEL_DESCRIBE(chat, player);

}  // namespace pitch

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct plan {
  int ticks = 60;
  int other_from = 1000;  // x is larger by one from there on
  int skipped = -1;       // a tick that is not recorded
  int scorer = 4;         // of the goal of tick 30
};

template <class T = pitch::field>
std::string recorded(const std::string& path, const plan& how = {}) {
  recorder_options options;
  options.ticks_per_second = 50;
  options.mode = threading::pumped;
  options.seal_frames = 20;
  auto out = record<T>(path, options);
  BOOST_REQUIRE(out);
  T now;
  for (int tick = 0; tick < how.ticks; ++tick) {
    if (tick == how.skipped) continue;
    if constexpr (requires { now.at; }) {
      now.at.x = static_cast<float>(tick + (tick >= how.other_from ? 1 : 0));
    } else {
      now.x = static_cast<float>(tick);
    }
    BOOST_REQUIRE(out->push({static_cast<std::uint64_t>(tick), tick * 20'000}, now));
    if (tick == 10) BOOST_REQUIRE(out->event(pitch::goal{3, pitch::side::orange, "late"}));
    if (tick == 20) BOOST_REQUIRE(out->event(pitch::chat{"Ada"}));
    if (tick == 30)
      BOOST_REQUIRE(out->event(pitch::goal{static_cast<std::uint8_t>(how.scorer), pitch::side::blue, {}}));
    if (tick == 40) BOOST_REQUIRE(out->event(7, as_bytes("raw")));
  }
  BOOST_REQUIRE(out->close());
  return path;
}

std::vector<std::string> events_of(const std::string& path, const files::event_query& query = {}) {
  auto in = files::open(path);
  BOOST_REQUIRE(in);
  std::vector<std::string> lines;
  const auto count = (*in)->events(query, [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  });
  BOOST_REQUIRE(count);
  BOOST_TEST(*count == lines.size());
  BOOST_TEST((*in)->losses().empty());
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(described_events)

BOOST_AUTO_TEST_CASE(are_printed_by_name_and_filtered) {
  scratch_folder folder;
  const std::string path = recorded(folder / "match.reel");
  const std::vector<std::string> all = {
      R"({"tick":10,"type":"goal","player":3,"by":"orange","type_":"late"})",
      R"({"tick":20,"type":"chat","player":"Ada"})",
      R"({"tick":30,"type":"goal","player":4,"by":"blue","type_":""})",
      R"({"tick":40,"type":"event","number":7,"content":"726177"})"};
  BOOST_TEST(events_of(path) == all, boost::test_tools::per_element());
  const auto only = [&](std::initializer_list<std::size_t> which, const files::event_query& query) {
    std::vector<std::string> wanted;
    for (const std::size_t each : which) wanted.push_back(all[each]);
    BOOST_TEST(events_of(path, query) == wanted, boost::test_tools::per_element());
  };
  only({0, 2}, {.types = {"goal"}});
  only({3}, {.types = {"event"}});
  only({1}, {.player = "Ada"});
  only({2}, {.player = "4"});
  only({}, {.player = "Bob"});
  only({1, 2}, {.from = files::moment::at_tick(11), .to = files::moment::at_tick(30)});
  only({2, 3}, {.from = files::moment::at_time(0.6)});
  auto in = files::open(path);
  const auto refused = (*in)->events({.types = {"foul"}}, [](std::string_view) { return true; });
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::invalid_argument));
  const auto about = (*in)->summarise();
  BOOST_REQUIRE(about);
  const auto reported_fact = std::find_if(about->facts.begin(), about->facts.end(),
                                          [](const files::fact& each) { return each.key == "event_types"; });
  BOOST_REQUIRE((reported_fact != about->facts.end()));
  BOOST_TEST(std::get<std::string>(reported_fact->value)
                 .starts_with("goal {player: u8, by: enumeration (blue = 0, orange = 1)"));
}

// Chunks that continue the one before are readable, although the search for events has passed it.
BOOST_AUTO_TEST_CASE(a_stopped_search_loses_no_tick_of_a_growing_reel) {
  scratch_folder folder;
  const std::string path = folder / "live.reel";
  recorder_options options;
  options.ticks_per_second = 50;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 20;
  options.schema = to_bytes(schema_of<pitch::stand>());
  auto encoder = tracks::row_encoder<pitch::stand>::create({.min_change_row_bytes = 0});
  BOOST_REQUIRE(encoder);
  auto out = recorder<tracks::row_encoder<pitch::stand>>::open(path, std::move(*encoder), options);
  BOOST_REQUIRE(out);
  pitch::stand now;
  const auto push = [&](int ticks) {
    for (; ticks > 0; --ticks, now.seats[7].x += 1) {
      BOOST_REQUIRE(out->push(now));
      (void)out->pump();
    }
  };
  push(30);
  BOOST_REQUIRE(out->event(7, as_bytes("raw")));
  push(30);
  auto live = *files::open(path, {.live = true});
  BOOST_TEST(live->events({}, [](std::string_view) { return false; }).value() == 1u);
  push(40);
  BOOST_REQUIRE(live->extend());
  std::uint64_t ticks = 0;
  while (live->next().value()) ++ticks;
  BOOST_TEST(ticks == 100u);
  for (const std::string& each : live->losses()) {
    BOOST_TEST(each.find("depend on") == std::string::npos, each);
  }
  const auto source = reel::reader::open(path);
  BOOST_REQUIRE(source);
  BOOST_TEST(std::ranges::count_if(source->contents().records, [](const reel::record_info& each) {
               return each.kind == reel::record_kind::chunk && !each.is_entrance();
             }) == 4);
}

// More late events than are buffered at a time: each is returned once, in tick order.
BOOST_AUTO_TEST_CASE(are_ordered_however_many_are_late) {
  scratch_folder folder;
  const std::string path = recorded(folder / "match.reel");
  constexpr std::uint32_t batches = 3;
  constexpr std::uint32_t in_batch = 100'000;
  reel::copy_options copying;
  copying.after_chunk = [&](std::optional<frame_stamp> previous, reel::writer& to) -> result<void> {
    if (previous) return {};
    for (std::uint32_t batch = 0; batch < batches; ++batch) {
      std::vector<reel::stamped_event> events;
      for (std::uint32_t i = 0; i < in_batch; ++i) {
        byte_vector bytes(4);
        tickreel::detail::store<std::endian::big>(bytes.data(), batch * in_batch + i);
        events.push_back({{i / 1000, i * 20}, 9, std::move(bytes)});
      }
      if (auto done = to.append_events(events); !done) return done;
    }
    return {};
  };
  BOOST_REQUIRE(reel::recover_into(path, folder / "late.reel", copying));
  auto in = files::open(folder / "late.reel");
  BOOST_REQUIRE(in);
  std::vector<bool> seen(std::size_t{batches} * in_batch);
  std::uint64_t last = 0;
  std::string last_content;
  bool in_order = true;
  bool once = true;
  const auto count = (*in)->events({.types = {"event"}}, [&](std::string_view line) {
    const std::string text(line);
    const std::uint64_t tick = std::stoull(text.substr(text.find(':') + 1));
    in_order = in_order && tick >= last;
    last = tick;
    if (text.find("\"number\":9,") == std::string::npos) return true;
    const auto number =
        static_cast<std::size_t>(std::stoul(text.substr(text.find("\"content\":\"") + 11, 8), nullptr, 16));
    once = once && number < seen.size() && !seen[number] && number % in_batch / 1000 == tick;
    if (number < seen.size()) seen[number] = true;
    return true;
  });
  BOOST_REQUIRE(count);
  BOOST_TEST(*count == seen.size() + 1);
  BOOST_TEST(in_order);
  BOOST_TEST(once);
}

BOOST_AUTO_TEST_CASE(survive_compaction_and_recovery) {
  scratch_folder folder;
  const std::string path = recorded(folder / "match.reel");
  const auto before = events_of(path);
  BOOST_REQUIRE(files::compact(path, folder / "compact.reel"));
  BOOST_TEST(events_of(folder / "compact.reel") == before, boost::test_tools::per_element());
  byte_vector bytes = read_file(path);
  bytes.resize(bytes.size() - 3);
  write_file(folder / "torn.reel", bytes);
  BOOST_REQUIRE(files::recover(folder / "torn.reel", folder / "whole.reel"));
  BOOST_TEST(events_of(folder / "whole.reel") == before, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(are_compared_with_those_of_a_copy) {
  scratch_folder folder;
  const auto at_one_time = [&](const std::string& path) {
    auto source = reel::reader::open(path);
    BOOST_REQUIRE(source);
    reel::header head = source->head();
    head.start_time_us = 1;
    auto out = reel::writer::create(folder / "made.reel", head);
    BOOST_REQUIRE(out);
    for (std::size_t number = 0; number < source->contents().records.size(); ++number) {
      const reel::record_info& info = source->contents().records[number];
      reel::record one;
      BOOST_REQUIRE(source->read(number, one));
      if (info.kind == reel::record_kind::index || info.kind == reel::record_kind::end) continue;
      BOOST_REQUIRE(out->append(info, one.payload));
    }
    BOOST_REQUIRE(out->finish());
    // Some systems cannot replace an open file.
    source = fail(error_code::wrong_state);
    out = fail(error_code::wrong_state);
    std::filesystem::rename(folder / "made.reel", path);
    return path;
  };
  const std::string path = at_one_time(recorded(folder / "match.reel"));
  const auto is_same_as = [&](const std::string& other) {
    const auto same = files::has_same_content(other, path);
    BOOST_REQUIRE(same);
    return *same;
  };
  BOOST_REQUIRE(files::compact(path, folder / "compact.reel"));
  BOOST_TEST(is_same_as(folder / "compact.reel"));
  BOOST_TEST(is_same_as(at_one_time(recorded(folder / "again.reel"))));
  BOOST_TEST(!is_same_as(at_one_time(recorded(folder / "value.reel", {.other_from = 59}))));
  BOOST_TEST(!is_same_as(at_one_time(recorded(folder / "tick.reel", {.skipped = 33}))));
  BOOST_TEST(!is_same_as(at_one_time(recorded(folder / "event.reel", {.scorer = 5}))));
}

BOOST_AUTO_TEST_CASE(without_their_description_are_reported) {
  scratch_folder folder;
  const std::string path = recorded(folder / "match.reel");
  byte_vector bytes = read_file(path);
  auto source = reel::reader::open(path);
  BOOST_REQUIRE(source);
  // All of kind goal, which is the first kind.
  reel::record record;
  std::size_t descriptions = 0;
  for (std::size_t number = 0; number < source->contents().records.size(); ++number) {
    const reel::record_info& info = source->contents().records[number];
    if (info.kind != reel::record_kind::event) continue;
    BOOST_REQUIRE(source->read(number, record));
    const auto event = reel::read_event(record.payload);
    if (event->type != tracks::event_description_type || event->bytes[0] != std::byte{0}) continue;
    ++descriptions;
    bytes[static_cast<std::size_t>(info.offset + info.bytes - 1)] ^= std::byte{1};
  }
  write_file(folder / "damaged.reel", bytes);
  auto in = files::open(folder / "damaged.reel");
  BOOST_REQUIRE(in);
  std::uint64_t named = 0;
  const auto count = (*in)->events({}, [&](std::string_view line) {
    if (line.find("\"chat\"") != std::string_view::npos) ++named;
    BOOST_TEST(line.find("\"goal\"") == std::string_view::npos);
    return true;
  });
  BOOST_REQUIRE(count);
  BOOST_TEST(*count == 4u);
  BOOST_TEST(named == 1u);
  // The records, and their cost.
  BOOST_TEST(descriptions >= 2u);
  BOOST_TEST((*in)->losses().size() == descriptions + 1);
  const auto verified = (*in)->verify();
  BOOST_REQUIRE(verified);
  BOOST_TEST(!verified->ok());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(described_comparison)

BOOST_AUTO_TEST_CASE(finds_the_tick_and_the_field) {
  scratch_folder folder;
  const std::string one = recorded(folder / "one.reel");
  BOOST_REQUIRE(files::compact(one, folder / "compact.reel"));
  const auto same = files::compare_described(one, folder / "compact.reel");
  BOOST_REQUIRE(same);
  BOOST_TEST(same->same());
  BOOST_TEST(same->ticks == 60u);
  const auto found = files::compare_described(one, recorded(folder / "two.reel", {.other_from = 33}));
  BOOST_REQUIRE(found);
  BOOST_TEST(!found->same());
  BOOST_REQUIRE(found->state.has_value());
  BOOST_TEST(found->state->tick == 33u);
  BOOST_TEST(found->state->field == "at.x");
  BOOST_TEST(found->state->first == "33");
  BOOST_TEST(found->state->second == "34");
}

BOOST_AUTO_TEST_CASE(distinguishes_nans_by_their_bits) {
  scratch_folder folder;
  const auto with = [&](const char* name, std::uint32_t bits) {
    recorder_options options;
    options.mode = threading::pumped;
    auto out = record<pitch::speed>(folder / name, options);
    BOOST_REQUIRE(out);
    BOOST_REQUIRE(out->push({std::bit_cast<float>(bits)}));
    BOOST_REQUIRE(out->close());
    return folder / name;
  };
  const std::string one = with("one.reel", 0x7fc00000u);
  BOOST_TEST(files::compare_described(one, with("same.reel", 0x7fc00000u)).value().same());
  const auto found = files::compare_described(one, with("other.reel", 0x7fc00001u)).value();
  BOOST_REQUIRE(found.state.has_value());
  BOOST_TEST(found.state->first == "NaN (0x7fc00000)");
  BOOST_TEST(found.state->second == "NaN (0x7fc00001)");
}

BOOST_AUTO_TEST_CASE(compact_accepts_no_name_of_another_format) {
  scratch_folder folder;
  const std::string one = recorded(folder / "one.reel");
  const auto refused = files::compact(one, folder / "one.butter");
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::invalid_argument));
  BOOST_TEST(!std::filesystem::exists(folder / "one.butter"));
  BOOST_TEST(files::compact(one, folder / "one.backup").has_value());
}

BOOST_AUTO_TEST_CASE(names_other_types_and_compares_common_members) {
  scratch_folder folder;
  const std::string one = recorded(folder / "one.reel");
  const std::string other = recorded<pitch::ball>(folder / "ball.reel");
  const auto found = files::compare_described(one, other);
  BOOST_REQUIRE(found);
  BOOST_TEST(!found->same());
  BOOST_TEST(!found->state);
  const std::vector<std::string> wanted = {"at.x is only in the first", "at.y is only in the first",
                                           "owner is only in the first"};
  BOOST_REQUIRE(found->schema.size() >= 3u);
  for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(found->schema[i] == wanted[i]);
  BOOST_TEST(found->schema.back() == "y is only in the second");
}

BOOST_AUTO_TEST_CASE(reports_ticks_that_one_lacks) {
  scratch_folder folder;
  const std::string one = recorded(folder / "one.reel", {.skipped = 12});
  const std::string two = recorded(folder / "two.reel", {.ticks = 50, .skipped = 13});
  const auto found = files::compare_described(one, two);
  BOOST_REQUIRE(found);
  BOOST_TEST(!found->same());
  BOOST_TEST(!found->state);
  BOOST_TEST(found->ticks == 48u);
  BOOST_REQUIRE(found->not_compared.size() == 2u);
  BOOST_TEST(found->not_compared[0].first_tick == 12u);
  BOOST_TEST(found->not_compared[0].end_tick == 13u);
  BOOST_TEST(found->not_compared[0].in_first);
  BOOST_TEST(!found->not_compared[0].in_second);
  BOOST_TEST(found->not_compared[1].in_second);
  BOOST_TEST(found->total[0] == 59u);
  BOOST_TEST(found->total[1] == 49u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
