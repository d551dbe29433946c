// Every recording that there is, read by the C ABI: the same lines as `tickreel cat` and `tickreel events`.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "run_program.hpp"
#include "tickreel.h"

namespace tickreel::test {
namespace {

// Whether the whole recording could be read, as the program's exit code says.
struct c_lines {
  std::string text;
  bool is_whole = false;
};

c_lines lines_of(tickreel_recording* in) {
  c_lines out;
  tickreel_text line{};
  BOOST_REQUIRE_EQUAL(tickreel_lines_before(in, &line), TICKREEL_OK);
  out.text.append(line.data, line.bytes);
  std::int32_t code = TICKREEL_OK;
  while ((code = tickreel_next(in, nullptr)) == TICKREEL_OK) {
    if (tickreel_tick_json(in, &line) != TICKREEL_OK) return out;
    out.text.append(line.data, line.bytes);
    out.text += '\n';
  }
  if (code != TICKREEL_END) return out;
  BOOST_REQUIRE_EQUAL(tickreel_lines_after(in, &line), TICKREEL_OK);
  out.text.append(line.data, line.bytes);
  BOOST_REQUIRE_EQUAL(tickreel_losses(in, &line), TICKREEL_OK);
  out.is_whole = std::string_view(line.data, line.bytes) == "[]";
  return out;
}

int32_t add_line(void* user, const char* json, size_t bytes) {
  static_cast<std::string*>(user)->append(json, bytes).append("\n");
  return 0;
}

std::vector<std::string> files_below(const std::filesystem::path& folder) {
  std::vector<std::string> out;
  for (const auto& each : std::filesystem::recursive_directory_iterator(folder)) {
    if (each.is_regular_file()) out.push_back(each.path().string());
  }
  std::ranges::sort(out);
  return out;
}

// Returns how many of the files are recordings.
std::size_t compare_all(const std::vector<std::string>& files) {
  std::size_t recordings = 0;
  for (const std::string& file : files) {
    tickreel_recording* in = nullptr;
    const std::int32_t opened = tickreel_open(file.c_str(), nullptr, &in);
    BOOST_TEST_CONTEXT(file) {
      const outcome cat = run({"cat", file});
      if (opened != TICKREEL_OK) {
        BOOST_TEST(cat.code == 1);
        BOOST_TEST(!cat.err.empty());
        continue;
      }
      ++recordings;
      const c_lines lines = lines_of(in);
      BOOST_TEST((lines.text == cat.out));
      BOOST_TEST((cat.code == 0) == lines.is_whole);

      std::string events;
      BOOST_REQUIRE_EQUAL(tickreel_rewind(in), TICKREEL_OK);
      const std::int32_t code = tickreel_events(in, nullptr, &add_line, &events);
      const outcome printed = run({"events", file});
      BOOST_TEST((printed.code == 1) == (code != TICKREEL_OK));
      BOOST_TEST((events == printed.out));
      tickreel_recording_free(in);
    }
  }
  return recordings;
}

BOOST_AUTO_TEST_SUITE(recordings_test)

BOOST_AUTO_TEST_CASE(reads_recordings_of_earlier_versions_as_cat_does) {
  BOOST_TEST(compare_all(files_below(TICKREEL_KEPT_RECORDINGS)) >= 10u);
}

BOOST_AUTO_TEST_CASE(reads_shared_recordings_as_cat_does) {
  const auto folder = shared_data("");
  if (folder.empty()) return;
  BOOST_TEST(compare_all(files_below(folder)) >= 80u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tickreel::test
