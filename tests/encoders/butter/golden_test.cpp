#include <boost/test/unit_test.hpp>

#include "json_equal.hpp"
#include "recordings.hpp"
#include "round_trip.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo/time.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(encoders_butter_tests)
BOOST_AUTO_TEST_SUITE(golden_test)

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// One line of the golden files.
std::string model_line(const echo::state& state) {
  const auto time = echo::format_time(state.recorded_time_ms);
  std::string line = "{\"recorded_time\":\"" + std::string(time.data(), time.size()) + "\",\"session\":";
  echo::append_session_json(state, echo::json_shape::model, echo::number_style::shortest, line);
  std::string bones;
  echo::append_bones_json(state, echo::json_shape::model, echo::number_style::shortest, bones);
  if (!bones.empty()) line += ",\"bones\":" + bones;
  return line + "}";
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_file_decodes_as_with_the_reference_decoder) {
  const auto folder = test::shared_data("butter");
  if (folder.empty()) return;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".butter")) continue;
    const auto golden = folder / (name.substr(0, name.find('.')) + ".decoded.json.gz");
    if (!std::filesystem::exists(golden)) continue;
    BOOST_TEST_CONTEXT(name) {
      const std::vector<std::string> wanted = lines_of(test::unzipped(golden));
      const test::read_frames got = test::read_butter(test::read_file(entry.path()));
      BOOST_TEST(!got.ended_with, (got.ended_with ? describe(*got.ended_with) : ""));
      BOOST_REQUIRE_EQUAL(got.states.size(), wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        BOOST_REQUIRE_EQUAL(test::json_difference(wanted[i], model_line(got.states[i])), "");
      }
      ++files;
    }
  }
  BOOST_TEST(files >= 36u);
}

BOOST_AUTO_TEST_CASE(a_bone_player_who_joins_is_an_error_where_the_reference_decoder_throws) {
  const auto folder = test::shared_data("butter");
  if (folder.empty()) return;
  const byte_vector file = test::read_file(folder / "arena-bones-join.none.butter");
  const test::read_frames got = test::read_butter(file);
  BOOST_REQUIRE(got.ended_with.has_value());
  BOOST_TEST((got.ended_with->code == error_code::missing_keyframe));
  BOOST_TEST(got.states.size() > 0u);
  BOOST_TEST(got.states.size() < 30u);
}

// Given the first frame and then all players, the encoder writes the same head as the reference writer, except numbers and
// levels, which it takes from the last frame instead of the first.
BOOST_AUTO_TEST_CASE(heads_equal_those_of_the_reference_writer) {
  const auto folder = test::shared_data("butter");
  if (folder.empty()) return;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".none.butter") || name.find("-v1") != name.npos || name.find("-v2") != name.npos)
      continue;
    BOOST_TEST_CONTEXT(name) {
      const byte_vector known = test::read_file(entry.path());
      auto reader = butter::reader::open(known);
      BOOST_REQUIRE(reader.has_value());
      const butter::file_header& head = reader->head();
      const auto states = test::read_echoreplay(folder / (name.substr(0, name.find('.')) + ".echoreplay"));
      const test::written_file ours = test::write_butter(states, head.keyframe_interval_ticks);
      auto our_reader = butter::reader::open(ours.bytes);
      BOOST_REQUIRE(our_reader.has_value());
      // Up to the numbers; the rest is compared by value, without them.
      std::size_t names = 0;
      for (const butter::player_entry& player : head.players) names += player.name.size() + 1;
      const std::size_t same = 4 + head.client_name.size() + 1 + 16 + 4 + 1 + names + 8 * head.players.size();
      BOOST_TEST(std::ranges::equal(byte_span(known).first(same), byte_span(ours.bytes).first(same)));
      const butter::file_header& our_head = our_reader->head();
      BOOST_TEST(our_head.total_round_count == head.total_round_count);
      BOOST_TEST(our_head.blue_round_score == head.blue_round_score);
      BOOST_TEST(our_head.orange_round_score == head.orange_round_score);
      BOOST_TEST(our_head.private_match == head.private_match);
      BOOST_TEST(our_head.map_name == head.map_name);
      BOOST_TEST(our_reader->chunk_count() == reader->chunk_count());
      ++files;
    }
  }
  BOOST_TEST(files >= 18u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
