// The kept recordings of every format, and ways to ask a reader of the viewer about them.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/report_json.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/viewer/reader.hpp"

namespace viewer_reader_tests::kept_recordings {

using namespace tickreel;
using viewer::reader;

struct kept {
  std::string name;
  byte_vector bytes;
};

inline const std::vector<kept>& recordings() {
  static const std::vector<kept> all = [] {
    std::vector<kept> found;
    namespace fs = std::filesystem;
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(TICKREEL_KEPT_RECORDINGS)) {
      if (!each.is_regular_file() || each.path().parent_path().filename() != "recordings") continue;
      auto bytes = read_whole_file(file_path(each.path()), 1u << 26);
      if (bytes && files::open(*bytes)) found.push_back({each.path().filename().string(), std::move(*bytes)});
    }
    return found;
  }();
  return all;
}

inline bool give(reader& to, byte_span bytes) {
  std::byte* const place = to.room(bytes.size());
  BOOST_REQUIRE(place != nullptr);
  if (!bytes.empty()) std::memcpy(place, bytes.data(), bytes.size());
  return to.open().starts_with("{\"ok\":true");
}

inline std::uint64_t tick_of(std::string_view line) {
  BOOST_REQUIRE_MESSAGE(line.starts_with("{\"tick\":"), line.substr(0, 200));
  return std::stoull(std::string(line.substr(8, 20)));
}

struct line {
  std::uint64_t tick;
  std::string text;
};

inline std::vector<line> lines_of(files::recording& from) {
  std::vector<line> all;
  for (;;) {
    const auto more = from.next();
    if (!more || !*more) return all;
    line one{from.position().tick, {}};
    files::append_line_begin(from.position(), one.text);
    from.append_state(one.text);
    one.text += '}';
    all.push_back(std::move(one));
  }
}

// All lines by range(), as a page requests them.
inline std::vector<std::string> ranges_of(reader& from, std::uint64_t first, std::uint32_t at_once) {
  std::vector<std::string> all;
  for (std::uint64_t tick = first;;) {
    std::string_view answer = from.range(tick, at_once);
    if (answer.empty() || answer.starts_with("{\"error\"")) return all;
    BOOST_TEST(answer.size() <= (65u << 20));
    while (!answer.empty()) {
      const std::size_t end = std::min(answer.find('\n'), answer.size());
      all.emplace_back(answer.substr(0, end));
      answer.remove_prefix(std::min(end + 1, answer.size()));
    }
    tick = tick_of(all.back()) + 1;
  }
}

// Calls every function, and rejects results that a page could not parse.
inline void ask_everything(reader& of) {
  const auto check = [](const std::string& answer) {
    if (!text::is_json(answer)) BOOST_TEST(text::is_json(answer), answer.substr(0, 300));
  };
  for (const std::uint64_t tick : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    if (const std::string& answer = of.state(tick); !answer.empty()) check(answer);
  }
  (void)of.range(0, 50);
  (void)of.game_lines(0, 50);
  (void)of.events();
  check(of.verify());
  check(of.lost());
  check(of.fields());
  check(of.series("position[0]", 10));
  check(of.overview(10));
  check(of.positions(10));
  check(of.summary());
  check(of.series("session.disc.speed", 10));
  check(of.series("session.teams[0].players[1].disc_distance", 10));
}

// Bytes that a page reads piece by piece; it may stop supplying them.
class pieces final : public distant_bytes {
 public:
  explicit pieces(byte_span all) : all_(all) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return all_.size(); }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override {
    if (gone) return fail(error_code::io_failed, offset, "gone");
    const auto from = static_cast<std::size_t>(std::min<std::uint64_t>(offset, all_.size()));
    const std::size_t count = std::min(into.size(), all_.size() - from);
    if (count != 0) std::memcpy(into.data(), all_.data() + from, count);
    bytes_read += count;
    return count;
  }
  void grow(byte_span all) { all_ = all; }
  bool gone = false;
  std::uint64_t bytes_read = 0;

 private:
  byte_span all_;
};

}  // namespace viewer_reader_tests::kept_recordings
