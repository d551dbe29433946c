// Real responses of the API, and the output of the reference .butter decoder for recordings.
#include <zlib.h>

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "json_equal.hpp"
#include "shared_data.hpp"
#include "tickreel/echo/json.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(real_answers_test)

using namespace tickreel;
using namespace tickreel::echo;

namespace {

std::string unzipped(const std::filesystem::path& path) {
  std::string text;
  gzFile file = gzopen(path.string().c_str(), "rb");
  BOOST_REQUIRE(file);
  char block[1 << 16];
  for (int size = 0; (size = gzread(file, block, sizeof block)) > 0;) {
    text.append(block, static_cast<std::size_t>(size));
  }
  BOOST_REQUIRE(gzclose(file) == Z_OK);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_real_response_round_trips) {
  if (test::shared_data("echo").empty()) return;
  json_parser parser;
  const auto out = std::make_unique<state>();
  int answers = 0;
  for (const auto& file : test::shared_files("echo", ".json")) {
    BOOST_TEST_CONTEXT(file.filename().string()) {
      const byte_vector bytes = test::read_file(file);
      const std::string_view json = as_text(bytes);
      const auto report = parser.parse_session(json, *out);
      BOOST_REQUIRE(report.has_value());
      BOOST_TEST(report->complete(), report->first.view());
      for (const number_style style : {number_style::shortest, number_style::game}) {
        std::string again;
        append_session_json(*out, json_shape::api, style, again);
        BOOST_TEST(test::json_difference(json, again) == "");
      }
      BOOST_TEST((classify_reply(200, json) == reply_kind::match));
      ++answers;
    }
  }
  BOOST_TEST(answers >= 7);
}

BOOST_AUTO_TEST_CASE(the_reference_decoders_model_is_reproduced) {
  const auto folder = test::shared_data("butter");
  if (folder.empty()) return;
  json_parser parser;
  simdjson::dom::parser dom;
  const auto out = std::make_unique<state>();
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    if (!name.ends_with(".decoded.json.gz")) continue;
    const std::string text = unzipped(file.path());
    int line_number = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      if (line.empty()) continue;
      const simdjson::dom::element frame = dom.parse(line);
      const std::string session = simdjson::minify(frame["session"]);
      const auto report = parser.parse_session(session, *out);
      BOOST_REQUIRE_MESSAGE(report && report->complete(), name);
      std::string again;
      append_session_json(*out, json_shape::model, number_style::shortest, again);
      BOOST_REQUIRE_EQUAL(test::json_difference(session, again), "");
      if (simdjson::dom::element bones; !frame["bones"].get(bones)) {
        const std::string bones_text = simdjson::minify(bones);
        const auto bones_report = parser.parse_bones(bones_text, *out);
        BOOST_REQUIRE_MESSAGE(bones_report && bones_report->complete(), name);
        std::string bones_again;
        append_bones_json(*out, json_shape::model, number_style::shortest, bones_again);
        BOOST_REQUIRE_EQUAL(test::json_difference(bones_text, bones_again), "");
      }
      ++line_number;
    }
    BOOST_TEST(line_number > 0, name);
    ++files;
  }
  BOOST_TEST(files >= 20);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
