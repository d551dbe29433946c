// .mcap files, what `cat` and `events` print of them, and conversions of them.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fixtures.hpp"
#include "mcap_bytes.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/report_json.hpp"

namespace tickreel::test {

// As `cat` and `events` print them.
struct printed {
  std::vector<std::string> ticks;
  std::vector<std::string> events;
  std::vector<std::string> losses;
};

inline printed print(files::recording& from) {
  printed out;
  if (from.offers().events != nullptr) {
    BOOST_REQUIRE(from.events({}, [&](std::string_view line) {
      out.events.emplace_back(line);
      return true;
    }));
  }
  BOOST_REQUIRE(from.rewind());
  for (;;) {
    const auto more = from.next();
    BOOST_REQUIRE(more);
    if (!*more) break;
    files::append_tick(from, out.ticks.emplace_back());
  }
  out.losses = from.losses();
  return out;
}

inline printed print(const std::filesystem::path& path) {
  const auto from = open_recording(path);
  return print(*from);
}

inline printed print_text(std::string_view file) {
  auto from = files::open(as_bytes(file));
  BOOST_REQUIRE_MESSAGE(from, (from ? "" : describe(from.error())));
  return print(**from);
}

inline files::conversion_report run_conversion(const std::filesystem::path& from,
                                               const std::filesystem::path& to, std::string_view format,
                                               files::conversion_options options = {}) {
  const auto how = files::find_conversion(from, format, !options.range.is_all());
  BOOST_REQUIRE_MESSAGE((how && *how != nullptr), from << " -> " << to);
  options.overwrite = true;
  auto report = (*how)->run(from, to, options);
  BOOST_REQUIRE_MESSAGE(report, from << (report ? "" : describe(report.error())));
  return *report;
}

inline std::string fact_of(const files::summary& of, std::string_view key) {
  for (const files::fact& each : of.facts) {
    if (each.key != key) continue;
    if (const auto* const text = std::get_if<std::string>(&each.value)) return *text;
    if (const auto* const number = std::get_if<std::int64_t>(&each.value)) return std::to_string(*number);
  }
  return {};
}

// Two topics of JSON and one of another encoding.
inline std::string messages_of_others() {
  mcap_bytes file;
  file.add(mcap_bytes::channel(1, "/pose") + mcap_bytes::channel(2, "tick") +
           mcap_bytes::channel(3, "/scan", "cdr"));
  file.add(mcap_bytes::message(1, 1'000'000'000, "{\"x\": 1,\n\t\"n\": \"a b\"}"));
  file.add(mcap_bytes::message(2, 1'000'000'000, "[1]"));
  file.add(mcap_bytes::message(3, 1'020'000'000, "\x01"));
  file.add(mcap_bytes::message(1, 1'050'000'000, "{\"x\":2}"));
  file.add(mcap_bytes::message(1, 1'050'000'000, "{\"x\":3}"));
  file.add(mcap_bytes::message(2, 1'040'000'000, "4"));
  file.add(mcap_bytes::attachment("note", "hello") + mcap_bytes::record(0x85, "unknown"));
  return file.finish();
}

inline const std::vector<std::string> ticks_of_others = {
    "{\"tick\":0,\"time_ms\":0,\"/pose\":{\"x\":1,\"n\":\"a b\"},\"tick_\":[1]}",
    "{\"tick\":1,\"time_ms\":50,\"/pose\":{\"x\":2}}",
    "{\"tick\":2,\"time_ms\":50,\"/pose\":{\"x\":3}}",
    "{\"tick\":3,\"time_ms\":40,\"tick_\":4}",
};

// The channel 1 of Tickreel's own ticks.
inline std::string tick_channel() {
  return mcap_bytes::schema(1, "tickreel.Tick") + mcap_bytes::channel(1, "/tick", "json", 1);
}

}  // namespace tickreel::test
