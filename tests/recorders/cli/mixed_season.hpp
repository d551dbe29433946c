// A season of every format with its index, which tickreel query reads.
#pragma once

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "every_format.hpp"
#ifndef _WIN32
#include "fake_s3.hpp"
#endif
#include "query_rows.hpp"
#include "random.hpp"
#include "reel_damage.hpp"
#include "taken.hpp"
#include "tickreel/library/sqlite.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::test {

struct indexed_token {
  float x = 0;
};
TICKREEL_DESCRIBE(indexed_token, x);
struct indexed_bell {
  std::uint8_t count = 0;
};
TICKREEL_DESCRIBE(indexed_bell, count);

// Events without a time, equal ones, and late ones.
inline void write_bells(const std::string& path) {
  auto out = record<indexed_token>(path, short_chunks());
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 60; ++tick) {
    BOOST_REQUIRE(out->push({static_cast<float>(tick)}));
    for (int each = 0; each < tick % 3; ++each) BOOST_REQUIRE(out->event(indexed_bell{7}));
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
}

// Every format, copies of which are damaged, truncated, or followed by other bytes.
struct mixed_season {
  scratch_folder folder;
  std::string season = folder / "season";
  std::string index = folder / "index.db";
  // The folder, or a store with the same.
  std::string address = season;
  std::vector<std::filesystem::path> sound;
#ifndef _WIN32
  std::optional<fake_s3> s3;

  // Objects instead of files.
  void move_to_store() {
    s3.emplace();
    s3->set_environment();
    address = "s3://bucket/season";
    for (const auto& each : std::filesystem::directory_iterator(season)) put(each.path().filename().string());
  }
  void put(const std::string& name) {
    s3->put("season/" + name, text_of_file(std::filesystem::path(season) / name));
  }
#endif

  explicit mixed_season(std::mt19937_64& random) {
    const scratch_folder made;
    auto files = fixtures(made);
    write_bells(made / "bells.reel");
    files.emplace_back(made / "bells.reel");
    std::filesystem::create_directory(season);
    for (const auto& each : files) {
      const auto place = std::filesystem::path(season) / each.filename();
      std::filesystem::copy_file(each, place);
      sound.push_back(place);
      byte_vector bytes = read_file(each);
      const auto copy = [&](const char* prefix) {
        return place.parent_path() / (prefix + place.filename().string());
      };
      byte_vector cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() * 2 / 3));
      write_file(copy("cut-"), cut);
      byte_vector longer = bytes;
      longer.resize(bytes.size() + 5, std::byte{'x'});
      write_file(copy("longer-"), longer);
      for (int wrong = 0; wrong < 3; ++wrong) bytes[random() % bytes.size()] ^= std::byte{0x55};
      write_file(copy("wrong-"), bytes);
    }
    write_file(std::filesystem::path(season) / "notes.txt", "no recording");
  }
  void scan(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words = {"library", "scan", address, "--db", index};
    words.insert(words.end(), options.begin(), options.end());
    BOOST_REQUIRE(run(words).code == 0);
  }
  [[nodiscard]] outcome with_index(const std::string& sql,
                                   std::vector<std::string> options = {"--json"}) const {
    options.insert(options.end(), {"--library", "--db", index});
    return run_query(sql, {address}, options);
  }
  void compare(const std::string& sql) const {
    const outcome by_files = run_query(sql, {address}, {"--json"});
    const outcome by_index = with_index(sql);
    BOOST_TEST(by_index.code == by_files.code, sql);
    BOOST_TEST(by_index.out == by_files.out, sql);
    BOOST_TEST(by_index.err == by_files.err, sql);
  }
  // The number of files whose rows come from the index.
  [[nodiscard]] std::size_t from_index(const std::string& sql = "SELECT count(*) FROM events") const {
    std::size_t out = 0;
    for (const cells& each : rows_of(with_index(sql, {"--explain", "--csv"}).out))
      out += each[2] == "index" ? 1u : 0u;
    return out;
  }
};

inline void change_time(const std::filesystem::path& of) {
  std::filesystem::last_write_time(of, std::filesystem::last_write_time(of) + std::chrono::seconds(2));
}

}  // namespace tickreel::test
