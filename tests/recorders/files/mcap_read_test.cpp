// .mcap files as recordings: those that Tickreel writes, and those of other programs.
#include <algorithm>
#include <cstdlib>

#include "every_format.hpp"
#include "mcap_bytes.hpp"
#include "mcap_core.hpp"
#include "mcap_files.hpp"
#include "random.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/files/start_time.hpp"

BOOST_AUTO_TEST_SUITE(files_mcap_tests)
BOOST_AUTO_TEST_SUITE(mcap_read_test)

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(events_are_filtered) {
  const scratch_folder folder;
  write_match(folder.path() / "match.butter");
  (void)run_conversion(folder.path() / "match.butter", folder.path() / "match.mcap", "mcap");
  (void)run_conversion(folder.path() / "match.mcap", folder.path() / "match.reel", "reel");
  const auto source = open_recording(folder.path() / "match.butter");
  const auto types = open_recording(folder.path() / "match.mcap")->event_types();
  BOOST_REQUIRE((types && !types->empty()));
  for (const char* name : {"match.mcap", "match.reel"}) {
    const auto from = open_recording(folder.path() / name);
    const auto lines = [](files::recording& of, const files::event_query& query) {
      std::vector<std::string> out;
      const auto given = of.events(query, [&](std::string_view line) {
        out.emplace_back(line);
        return true;
      });
      BOOST_REQUIRE(given);
      BOOST_TEST(*given == out.size());
      return out;
    };
    for (const std::string& type : *types) {
      BOOST_TEST((lines(*from, {.types = {type}}) == lines(*source, {.types = {type}})), type);
    }
    const files::event_query part = {.from = files::moment::at_tick(10), .to = files::moment::at_tick(40)};
    BOOST_TEST((lines(*from, part) == lines(*source, part)));
    const auto unknown = from->events({.types = {"no such type"}}, [](std::string_view) { return true; });
    BOOST_TEST((!unknown && unknown.error().code == error_code::invalid_argument));
    const std::size_t all = lines(*from, {}).size();
    for (const char* const player : {"no such player", "987654321"}) {
      std::size_t given = 0;
      const auto refused = from->events({.player = player}, [&](std::string_view) { return ++given != 0; });
      BOOST_TEST((!refused && refused.error().code == error_code::invalid_argument));
      BOOST_TEST(describe(refused.error()).find("no player of that name") != std::string::npos);
      BOOST_TEST(given == 0u);
    }
    // A player without an event of the type is known; of an .mcap also one without any event.
    const auto about = source->summarise();
    BOOST_REQUIRE(about);
    for (const files::player_summary& each : about->players) {
      const bool is_met = !lines(*source, {.player = each.name}).empty();
      if (!is_met && from->format() != "mcap") continue;
      BOOST_TEST(from->events({.types = {types->front()}, .player = each.name},
                              [](std::string_view) { return true; })
                     .has_value());
    }
    std::size_t calls = 0;
    BOOST_TEST(from->events({}, [&](std::string_view) { return ++calls < 2; }).value() ==
               std::min<std::size_t>(2, all));
  }
}

BOOST_AUTO_TEST_CASE(messages_of_equal_times_are_a_tick) {
  const std::string file = messages_of_others();
  const printed out = print_text(file);
  BOOST_TEST((out.ticks == ticks_of_others));
  BOOST_TEST(out.events.empty());
  BOOST_REQUIRE(out.losses.size() == 1u);
  BOOST_TEST(out.losses[0].find("1 message of topic /scan (encoding cdr), the first at offset ") == 0u);
  auto from = files::open(as_bytes(file));
  const auto about = (*from)->summarise();
  BOOST_REQUIRE(about);
  BOOST_TEST(about->ticks == 4u);
  BOOST_TEST((about->health == files::health::whole));
  BOOST_TEST(about->left_out.size() == 1u);
  BOOST_TEST(fact_of(*about, "attachments") == "1");
  BOOST_TEST(fact_of(*about, "unknown_records") == "1");
  BOOST_TEST(fact_of(*about, "start_time_us") == "1000000");
  const auto verified = (*from)->verify();
  BOOST_REQUIRE(verified);
  BOOST_TEST((verified->ok() && verified->content_left_out));
  BOOST_REQUIRE((*from)->seek(files::moment::at_tick(2)));
  BOOST_REQUIRE((*from)->next().value());
  BOOST_TEST((*from)->position().tick == 2u);
}

BOOST_AUTO_TEST_CASE(messages_that_are_not_json_are_counted) {
  mcap_bytes file;
  file.add(mcap_bytes::channel(1, "/a") + mcap_bytes::message(1, 1, "{}") +
           mcap_bytes::message(1, 2, "{\"x\":"));
  file.add(mcap_bytes::message(1, 3, "\"\xff\"") + mcap_bytes::message(1, 4, "") +
           mcap_bytes::message(1, 5, "1\n2"));
  const printed out = print_text(file.finish());
  BOOST_TEST(out.ticks.size() == 1u);
  BOOST_REQUIRE(out.losses.size() == 1u);
  BOOST_TEST(out.losses[0].find("4 messages left out") == 0u, out.losses[0]);
  // Ticks of Tickreel that another program changed.
  mcap_bytes own;
  own.add(tick_channel());
  for (const char* tick :
       {"{\"tick\":4,\"time_ms\":7,\"a\":1}", "{\"tick\":5,\"time_ms\":9}", "{\"time_ms\":9}",
        "{\"tick\":-1,\"time_ms\":9}", "{\"tick\":6,\"time_ms\":9.5,\"a\":1}", "[]"}) {
    own.add(mcap_bytes::message(1, 1, tick));
  }
  const printed ticks = print_text(own.finish());
  BOOST_REQUIRE(ticks.ticks.size() == 2u);
  BOOST_TEST(ticks.ticks[0] == "{\"tick\":4,\"time_ms\":7,\"a\":1}");
  BOOST_REQUIRE(ticks.losses.size() == 1u);
  BOOST_TEST(ticks.losses[0].find("4 messages left out") == 0u);
}

BOOST_AUTO_TEST_CASE(a_start_without_a_date_is_unknown) {
  mcap_bytes dated;
  dated.add(mcap_bytes::channel(1, "/a") + mcap_bytes::message(1, 1'750'000'000'123'456'789, "1"));
  const std::string file = dated.finish();
  const auto about = (*files::open(as_bytes(file)))->summarise();
  BOOST_TEST((files::start_time_ms(*about) == 1'750'000'000'123));
  const std::string others = messages_of_others();
  BOOST_TEST(!files::start_time_ms(*(*files::open(as_bytes(others)))->summarise()).has_value());
}

BOOST_AUTO_TEST_CASE(no_changed_bit_is_silent) {
  const scratch_folder folder;
  write_file(folder.path() / "walk.rec", a_walk());
  (void)run_conversion(folder.path() / "walk.rec", folder.path() / "walk.mcap", "mcap");
  const byte_vector own = read_file(folder.path() / "walk.mcap");
  auto random = seeded_random("mcap bits");
  for (const std::string& file : {std::string(as_text(own)), messages_of_others()}) {
    const printed whole = print_text(file);
    for (int round = 0; round < 300; ++round) {
      const std::size_t bit = random() % (file.size() * 8);
      std::string changed = file;
      changed[bit / 8] = static_cast<char>(static_cast<unsigned char>(changed[bit / 8]) ^ (1u << bit % 8));
      auto from = files::open(as_bytes(changed));
      if (!from) continue;
      BOOST_TEST_CONTEXT("bit " << bit) {
        BOOST_TEST((print(**from).losses != whole.losses));
        const auto verified = (*from)->verify();
        BOOST_TEST((verified && !verified->ok()));
      }
    }
  }
}

// A chunk may begin with a message of /scene, which other programs write, too.
BOOST_AUTO_TEST_CASE(a_damaged_first_chunk_does_not_hide_the_writer) {
  const std::string channels = tick_channel() + mcap_bytes::channel(2, "/scene");
  std::string damaged = mcap_bytes::chunk(channels + mcap_bytes::message(1, 1, "{\"tick\":1,\"time_ms\":0}"));
  damaged[damaged.size() - 3] ^= 1;
  mcap_bytes file;
  file.add(damaged).add(mcap_bytes::chunk(channels + mcap_bytes::message(2, 2, "{}") +
                                          mcap_bytes::message(1, 2, "{\"tick\":994,\"time_ms\":7,\"a\":1}")));
  const printed out = print_text(file.finish());
  BOOST_TEST(out.losses.size() == 1u);
  BOOST_REQUIRE(out.ticks.size() == 1u);
  BOOST_TEST(out.ticks[0] == "{\"tick\":994,\"time_ms\":7,\"a\":1}");
}

BOOST_AUTO_TEST_CASE(events_with_values_that_parsers_reject_are_filtered) {
  mcap_bytes own;
  own.add(mcap_bytes::schema(1, "tickreel.Event") + mcap_bytes::channel(1, "/events", "json", 1));
  for (const char* rest : {"\"\\ud800\"", "123456789012345678901234567890", "1e999", "[{\"player\":7}]"}) {
    own.add(mcap_bytes::message(
        1, 1, std::string("{\"tick\":3,\"x\":") + rest + ",\"type\":\"goal\",\"by\":\"Bob\"}"));
  }
  own.add(mcap_bytes::message(1, 1, "{\"tick\":4,\"type\":\"stun\",\"by\":\"goal\"}"));
  const std::string file = own.finish();
  const auto from = files::open(as_bytes(file));
  BOOST_REQUIRE(from);
  const auto count = [&](const files::event_query& query) {
    return (*from)->events(query, [](std::string_view) { return true; }).value();
  };
  BOOST_TEST(count({}) == 5u);
  BOOST_TEST(count({.types = {"goal"}}) == 4u);
  BOOST_TEST(count({.player = "Bob"}) == 4u);
  BOOST_TEST(count({.player = "7"}) == 1u);
  BOOST_TEST(count({.to = files::moment::at_tick(3)}) == 4u);
}

BOOST_AUTO_TEST_CASE(limits_of_a_tick_are_those_of_every_reader) {
  const scratch_folder folder;
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  mcap_bytes file;
  file.add(mcap_bytes::channel(1, "/a") + mcap_bytes::channel(2, std::string(5000, 't')) +
           mcap_bytes::channel(3, "tick") + mcap_bytes::channel(4, "tick_"));
  file.add(mcap_bytes::message(1, 0, nested(1023)) + mcap_bytes::message(1, 1, nested(1024)));
  file.add(mcap_bytes::message(2, 2, "1") + mcap_bytes::message(3, 3, "1") + mcap_bytes::message(4, 3, "2"));
  file.add(mcap_bytes::message(1, UINT64_MAX, "4"));
  const auto path = folder.path() / "a.mcap";
  write_file(path, as_bytes(file.finish()));
  const printed out = print(path);
  BOOST_REQUIRE(out.ticks.size() == 3u);
  BOOST_TEST(out.ticks[1] == "{\"tick\":1,\"time_ms\":0,\"tick_\":1,\"tick__\":2}");
  BOOST_TEST(out.ticks[2] == "{\"tick\":2,\"time_ms\":18446744073709,\"/a\":4}");
  BOOST_REQUIRE(out.losses.size() == 2u);
  BOOST_TEST(out.losses[0].find("1 message left out") == 0u, out.losses[0]);
  BOOST_TEST(out.losses[1].size() < 300u);
  for (const char* to : {"a.reel", "b.mcap"}) {
    (void)run_conversion(path, folder.path() / to, to[0] == 'a' ? "reel" : "mcap");
    const auto copy = open_recording(folder.path() / to);
    BOOST_TEST((copy->verify()->ok() && print(*copy).ticks == out.ticks), to);
  }
  // A tick without members is JSON, too.
  mcap_bytes own;
  own.add(tick_channel() + mcap_bytes::message(1, 1, "{\"tick\":5,\"time_ms\":9}"));
  BOOST_TEST((print_text(own.finish()).ticks == std::vector<std::string>{"{\"tick\":5,\"time_ms\":9}"}));
}

BOOST_AUTO_TEST_CASE(reading_without_ticks_can_be_interrupted) {
  const scratch_folder folder;
  mcap_bytes file;
  file.add(mcap_bytes::channel(1, "/scan", "cdr"));
  for (int at = 0; at < 5000; ++at) file.add(mcap_bytes::message(1, 1, "x"));
  const auto path = folder.path() / "a.mcap";
  write_file(path, as_bytes(file.finish()));
  const files::monitor stop{.cancelled = [] { return true; }};
  const auto from = open_recording(path);
  const auto about = from->summarise(stop);
  BOOST_TEST((!about && about.error().code == error_code::interrupted));
  const auto verified = from->verify(stop);
  BOOST_TEST((!verified && verified.error().code == error_code::interrupted));
  const auto report = files::recover(path, folder.path() / "b.mcap", {.watch = stop});
  BOOST_TEST((!report && report.error().code == error_code::interrupted));
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(files_of_mcap_core_are_read, *with_mcap_core) {
  const scratch_folder folder;
  const mcap_core_folder writer("write.mjs");
  std::vector<std::string> first;
  for (const char* layout : {"none", "zstd", "unchunked"}) {
    const std::string path = folder / (std::string(layout) + ".mcap");
    BOOST_REQUIRE(std::system(("node '" + writer.script() + "' " + layout + " '" + path + "'").c_str()) == 0);
    const printed out = print(path);
    BOOST_REQUIRE(out.ticks.size() == 23u);
    BOOST_TEST(
        out.ticks[2] ==
        "{\"tick\":2,\"time_ms\":100,\"/pose\":{\"x\":2,\"name\":\"a b\"},\"/state \\\"a\\\"\":[2,null]}");
    BOOST_TEST(out.ticks[22] == "{\"tick\":22,\"time_ms\":975,\"/pose\":{\"x\":102}}");
    // One message is not JSON, four have another encoding.
    BOOST_TEST(out.losses.size() == 2u);
    if (first.empty()) first = out.ticks;
    BOOST_TEST((out.ticks == first));
    const auto report = run_conversion(path, folder / "out.reel", "reel");
    BOOST_TEST((print(folder / "out.reel").ticks == first));
    BOOST_TEST((report.lost == out.losses));
    BOOST_TEST(report.left_out.size() == 1u);  // the attachment
  }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
