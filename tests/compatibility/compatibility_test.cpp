// Every recording of a released version is read as that version read it.
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "reading.hpp"
#include "run_program.hpp"

namespace tickreel::test {

BOOST_AUTO_TEST_SUITE(compatibility_tests)
BOOST_AUTO_TEST_SUITE(compatibility_test)

namespace {

namespace fs = std::filesystem;

// Read together with the recording whose name they extend.
bool is_spool(const fs::path& file) {
  const auto ending = file.extension();
  return (ending == ".kf" || ending == ".ev" || ending == ".vo") &&
         fs::exists(fs::path(file).replace_extension());
}

std::vector<fs::path> released_versions() {
  std::vector<fs::path> folders;
  for (const auto& each : fs::directory_iterator(TICKREEL_KEPT_RECORDINGS)) {
    if (each.is_directory()) folders.push_back(each.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<std::string> recordings_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& each : fs::directory_iterator(folder)) {
    if (!is_spool(each.path())) names.push_back(each.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

known_keys keys_in(const fs::path& file) {
  known_keys keys;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) keys.insert(line);
  return keys;
}

// For a release: stores the program's output for recordings without stored expectations.
void note(const fs::path& recordings, const fs::path& expected) {
  BOOST_REQUIRE_MESSAGE(!fs::exists(expected), expected << " is there, and is never made again");
  fs::create_directories(expected);
  known_keys keys;
  std::ofstream readings(expected / "readings.ndjson", std::ios::binary);
  for (const std::string& name : recordings_in(recordings)) {
    readings << to_json(name, read_with_program(recordings / name, keys, true));
  }
  std::ofstream names(expected / "keys.txt", std::ios::binary);
  for (const std::string& key : keys) names << key << '\n';
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& each : texts) out += each + ' ';
  return out;
}

void compare(const std::string& name, const reading& now, const reading& then) {
  BOOST_TEST_CONTEXT(name) {
    BOOST_TEST(now.file_hash == then.file_hash, "the file is not the one that was released");
    BOOST_TEST(now.has_info >= then.has_info, "info fails");
    if (now.has_info && then.has_info) {
      BOOST_TEST(holds_all_of(now.info, then.info), "info: " << now.info << "\n was " << then.info);
    }
    BOOST_TEST(now.verified == then.verified, "verify's verdict");
    BOOST_TEST(now.ticks.lines == then.ticks.lines);
    BOOST_TEST(joined(now.ticks.sums) == joined(then.ticks.sums));
    // A version that supported no events in a format makes no statement about current events.
    if (then.events.lines != 0) {
      BOOST_TEST(now.events.lines == then.events.lines);
      BOOST_TEST(joined(now.events.sums) == joined(then.events.sums));
    }
    BOOST_TEST(now.recovered.lines == then.recovered.lines);
    BOOST_TEST(joined(now.recovered.sums) == joined(then.recovered.sums));
  }
}

BOOST_AUTO_TEST_CASE(recordings_of_released_versions_read_as_they_did) {
  const auto versions = released_versions();
  BOOST_REQUIRE(!versions.empty());
  for (const fs::path& folder : versions) {
    const fs::path recordings = folder / "recordings";
    const fs::path expected = folder / "expected";
    if (const char* wanted = std::getenv("TICKREEL_NOTE_RELEASE");
        wanted != nullptr && folder.filename() == wanted) {
      note(recordings, expected);
    }
    known_keys keys = keys_in(expected / "keys.txt");
    auto then = readings_from(expected / "readings.ndjson");
    // Intended changes since then.
    const fs::path changed =
        fs::path(TICKREEL_KEPT_RECORDINGS) / (folder.filename().string() + ".changed.ndjson");
    if (fs::exists(changed)) {
      for (auto& [name, reading] : readings_from(changed)) {
        BOOST_TEST_REQUIRE(then.contains(name),
                           name << " is in " << changed << " and not in readings.ndjson");
        BOOST_TEST(to_json(name, then[name]) != to_json(name, reading),
                   name << " reads as it did: take it out of " << changed);
        then[name] = std::move(reading);
      }
    }
    const auto names = recordings_in(recordings);
    BOOST_TEST(names.size() == then.size(), folder << ": not every recording is there, or expected");
    for (const std::string& name : names) {
      const auto known = then.find(name);
      BOOST_TEST_REQUIRE((known != then.end()), name << " is not in readings.ndjson, so nothing tries it");
      const reading now = read_with_program(recordings / name, keys, false);
      if (const char* wanted = std::getenv("TICKREEL_SHOW_READING"); wanted != nullptr && name == wanted) {
        std::cout << to_json(name, now);
      }
      compare(name, now, known->second);
    }
    std::cout << folder.filename().string() << ": " << names.size() << " recordings\n";
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::test
