// Compares the output of `cat` for a .butter with the format's reference decoder, field by field.
#include <simdjson.h>

#include <map>

#include "fixtures.hpp"
#include "tickreel/codec/codec.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(golden_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
namespace dom = simdjson::dom;

// The first path at which the two differ; empty if they are equal. Numbers are equal if their values are, however they are
// written.
std::string difference(dom::element want, dom::element got, const std::string& path) {
  const auto both = [&](auto is) { return is(want) && is(got); };
  if (both([](dom::element e) { return e.is_number(); })) {
    return double(want) == double(got) ? "" : path;
  }
  if (want.type() != got.type()) return path + " (type)";
  switch (want.type()) {
    case dom::element_type::ARRAY: {
      const dom::array a = want;
      const dom::array b = got;
      if (a.size() != b.size()) return path + " (size)";
      auto other = b.begin();
      std::size_t index = 0;
      for (const dom::element each : a) {
        const std::string found = difference(each, *other, path + "[" + std::to_string(index++) + "]");
        if (!found.empty()) return found;
        ++other;
      }
      return "";
    }
    case dom::element_type::OBJECT: {
      const dom::object a = want;
      const dom::object b = got;
      std::map<std::string_view, dom::element> others;
      for (const auto field : b) others.emplace(field.key, field.value);
      if (others.size() != a.size()) return path + " (keys)";
      for (const auto field : a) {
        const auto other = others.find(field.key);
        if (other == others.end()) return path + "." + std::string(field.key) + " (absent)";
        const std::string found = difference(field.value, other->second, path + "." + std::string(field.key));
        if (!found.empty()) return found;
      }
      return "";
    }
    case dom::element_type::STRING:
      return std::string_view(want) == std::string_view(got) ? "" : path;
    case dom::element_type::BOOL:
      return bool(want) == bool(got) ? "" : path;
    default:
      return "";
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(cat_equals_the_reference_decoder) {
  const auto folder = shared_data("butter");
  if (folder.empty()) return;
  std::size_t files = 0;
  for (const auto& entry : shared_files("butter", ".butter")) {
    const std::string name = entry.filename().string();
    const auto golden = folder / (name.substr(0, name.find('.')) + ".decoded.json.gz");
    if (!std::filesystem::exists(golden)) continue;
    ++files;
    BOOST_TEST_CONTEXT(name) {
      byte_vector text;
      BOOST_REQUIRE(decompressor().decompress(codec_id::gzip, read_file(golden), 1u << 30, text));
      std::string_view lines = as_text(text);
      const std::vector<std::string> states = all_states(entry);
      std::size_t tick = 0;
      dom::parser want_parser;
      dom::parser got_parser;
      for (; !lines.empty() && tick < states.size(); ++tick) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        const dom::element want = want_parser.parse(line.data(), line.size());
        const dom::element got = got_parser.parse("{" + states[tick] + "}");
        const std::string where = difference(want, got, "tick " + std::to_string(tick));
        BOOST_REQUIRE_MESSAGE(where.empty(), where);
      }
      BOOST_TEST(lines.empty());
      BOOST_TEST(tick == states.size());
      // A second read of a tick uses the keyframe index of the first reading.
      const auto again = open_recording(entry);
      BOOST_REQUIRE(again->summarise());
      for (const std::size_t place : {states.size() - 1, states.size() / 2, std::size_t{0}}) {
        BOOST_REQUIRE(again->seek(files::moment::at_tick(place)));
        BOOST_REQUIRE(again->next().value());
        std::string state;
        again->append_state(state);
        BOOST_TEST(state == states[place], "tick " << place);
      }
    }
  }
  BOOST_TEST(files > 20u);
}

BOOST_AUTO_TEST_CASE(cat_prints_the_original_text_of_an_echoreplay) {
  const scratch_folder folder;
  const auto path = folder.path() / "x.echoreplay";
  const std::string padding(400, ' ');
  const std::string session = "{\"sessionid\":\"A\", \"new_in_2031\":[1, 2 ,3]" + padding + "}";
  write_file(path, "2022/07/16 20:04:58.159\t" + session + "\t {\"user_bones\":[],\"err_code\":0}\r\n");
  const auto states = all_states(path);
  BOOST_REQUIRE(states.size() == 1u);
  BOOST_TEST(states[0] == "\"recorded_time\":\"2022/07/16 20:04:58.159\",\"session\":" + session +
                              ",\"bones\":{\"user_bones\":[],\"err_code\":0}");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
