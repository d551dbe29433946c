// Values that no tick of a recording contains are reported by every reader.
#include "fixtures.hpp"
#include "tickreel/echo/omissions.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "tickreel/files/compare.hpp"
#include "tickreel/files/publish.hpp"
#include "tickreel/files/recover.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(left_out_test)

using namespace tickreel;

namespace {

struct plain_match {
  test::scratch_folder folder;
  std::string path = folder / "m.echoreplay";
  std::string text;

  plain_match() {
    files::convert_options plain;
    plain.codec = codec_options{.codec = codec_id::none};
    test::write_match(path, plain, test::short_match(true));
    const byte_vector bytes = test::read_file(path);
    text = as_text(bytes);
  }
  // In line `number`, from 0.
  void replace(int number, const std::string& from, const std::string& to) {
    std::size_t at = 0;
    for (; number > 0; --number) at = text.find('\n', at) + 1;
    at = text.find(from, at);
    BOOST_REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    test::write_file(path, text);
  }
  void insert_before(int number, const std::string& what) {
    std::size_t at = 0;
    for (; number > 0; --number) at = text.find('\n', at) + 1;
    text.insert(at, what);
    test::write_file(path, text);
  }

  [[nodiscard]] files::summary info() const { return test::open_recording(path)->summarise().value(); }
  [[nodiscard]] files::verification verify() const { return test::open_recording(path)->verify().value(); }
  [[nodiscard]] files::convert_report convert(const char* name) const {
    files::convert_options options;
    options.overwrite = true;
    auto report = files::convert(file_path(path), folder / name, options);
    BOOST_REQUIRE(report.has_value());
    return *report;
  }
};

bool says(const std::vector<std::string>& all, std::string_view what) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& each) { return each.find(what) != std::string::npos; });
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_complete_match_leaves_nothing_out, plain_match) {
  BOOST_TEST(info().left_out.empty());
  BOOST_TEST(!verify().content_left_out);
  BOOST_TEST(!convert("x.butter").lossy_source());
}

BOOST_FIXTURE_TEST_CASE(a_value_is_reported_with_its_path, plain_match) {
  replace(3, "\"points\":", "\"points\":3.5,\"was\":");
  const std::string value =
      "stats.points is not of the type or range that is known, and counts as absent: 3.5";
  BOOST_TEST(says(info().left_out, value));
  BOOST_TEST(says(info().left_out, "tick 3 (line 4 at offset "));
  BOOST_TEST(says(info().left_out, "stats.was is known in no version of the game"));
  const files::verification checked = verify();
  BOOST_TEST(checked.ok());
  BOOST_TEST(checked.content_left_out);
  const files::convert_report made = convert("x.butter");
  BOOST_TEST(made.lossy_source());
  BOOST_TEST(says(sentences(made.losses), value));
  // If the original text is stored, nothing is lost.
  BOOST_TEST(!convert("x.echoreplay").lossy_source());
  const files::convert_report reel = convert("x.reel");
  BOOST_TEST(!reel.lossy_source());
  auto again = files::convert(file_path(folder / "x.reel"), folder / "y.butter");
  BOOST_REQUIRE(again.has_value());
  BOOST_TEST(says(sentences(again->losses), value));
}

// A .butter has a disc only on known maps.
BOOST_FIXTURE_TEST_CASE(a_butter_of_an_unknown_map_loses_the_disc, plain_match) {
  BOOST_TEST(!convert("x.butter").lossy_source());
  for (std::size_t at = 0; (at = text.find("mpl_arena_a", at)) != std::string::npos; ++at)
    text.replace(at, 11, "mpl_arena_z");
  test::write_file(path, text);
  const files::convert_report made = convert("x.butter");
  BOOST_TEST(made.lossy_source());
  BOOST_TEST(says(sentences(made.losses),
                  "the disc and the last score of " + std::to_string(made.ticks) + " ticks from tick 0 on"));
  BOOST_TEST(says(sentences(made.losses), "\"mpl_arena_z\""));
  BOOST_TEST(!convert("x.reel").lossy_source());
  BOOST_TEST(!convert("x.echoreplay").lossy_source());
  const auto recovered = files::recover(file_path(folder / "x.reel"), folder / "recovered.butter");
  BOOST_REQUIRE(recovered.has_value());
  BOOST_TEST(
      says(recovered->lost, "the disc and the last score of " + std::to_string(made.ticks) + " ticks"));
  const auto compared = files::compare_echo(file_path(path), folder / "x.butter");
  BOOST_REQUIRE(compared.has_value());
  BOOST_TEST(compared->different == made.ticks);
  BOOST_TEST(compared->state->field.starts_with("disc."));
  BOOST_TEST(compared->state->second == "absent");
  // From the middle on: the number is that of the source.
  text.replace(text.find("mpl_arena_z"), 11, "mpl_arena_a");
  test::write_file(path, text);
  const files::convert_report late = convert("x.butter");
  BOOST_TEST(says(sentences(late.losses), " ticks from tick 1 on"));
}

BOOST_FIXTURE_TEST_CASE(unreadable_bones_are_damage, plain_match) {
  const std::uint64_t ticks = info().ticks;
  for (const std::string& broken :
       {std::string("<html>busy</html>"), std::string("{\"user_bones\":[{\"bone_t\":[0.5")}) {
    plain_match other;
    std::size_t tab = other.text.find('\t', other.text.find('\t') + 1);
    const std::size_t end = other.text.find("\r\n", tab);
    other.text.replace(tab + 1, end - tab - 1, broken);
    test::write_file(other.path, other.text);
    const files::summary about = other.info();
    BOOST_TEST((about.health == files::health::damaged));
    BOOST_TEST(about.ticks == ticks);
    BOOST_TEST(says(about.left_out, broken.substr(0, 12)));
    BOOST_TEST(!other.verify().ok());
    BOOST_TEST(other.convert("x.butter").lossy_source());
    BOOST_TEST(other.convert("x.echoreplay").lossy_source());
    // The output of `cat` is still JSON.
    for (const std::string& each : test::all_states(other.path)) {
      BOOST_TEST(each.find(broken) == std::string::npos);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_reel_stores_its_omissions, plain_match) {
  std::string broken = text;
  for (int line = 0; line < 2; ++line) {
    std::size_t at = 0;
    for (int i = 0; i < line; ++i) at = broken.find('\n', at) + 1;
    const std::size_t tab = broken.find('\t', broken.find('\t', at) + 1);
    broken.replace(tab + 1, broken.find("\r\n", tab) - tab - 1, "<html>busy</html>");
  }
  test::write_file(path, broken);
  BOOST_TEST(convert("x.reel").lossy_source());
  constexpr const char* counted = "2 times bones could not be read";
  const auto reported_omissions = test::open_recording(folder / "x.reel")->summarise().value().left_out;
  BOOST_TEST(says(reported_omissions, counted));
  BOOST_TEST(!says(reported_omissions, "at least"));
  const auto copied = files::recover(folder / "x.reel", folder / "y.reel", {});
  BOOST_REQUIRE(copied.has_value());
  BOOST_TEST(says(copied->lost, std::string("while recording, ") + counted));
  // Without an end record, more may have been left out than is reported.
  byte_vector dead = test::read_file(folder / "x.reel");
  dead.pop_back();
  test::write_file(folder / "dead.reel", dead);
  const std::string at_least = std::string("at least ") + counted;
  BOOST_TEST(says(test::open_recording(folder / "dead.reel")->summarise().value().left_out, at_least));
}

BOOST_FIXTURE_TEST_CASE(invalid_json_in_unread_parts_of_a_session_is_reported, plain_match) {
  const std::uint64_t ticks = info().ticks;
  replace(2, "\"sessionid\"", "\"jetpack\":{no json],\"sessionid\"");
  BOOST_TEST(info().ticks == ticks - 1);
  BOOST_TEST(!verify().ok());
  BOOST_TEST(convert("x.butter").losses.skipped_lines == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_hole_of_zeros_is_reported_and_the_following_tick_is_returned, plain_match) {
  const std::uint64_t ticks = info().ticks;
  insert_before(5, std::string(70'000, '\0'));
  BOOST_TEST(info().ticks == ticks);
  BOOST_TEST((info().health == files::health::damaged));
  BOOST_TEST(!verify().ok());
  const files::convert_report made = convert("x.echoreplay");
  BOOST_TEST(made.ticks == ticks);
  BOOST_TEST(says(sentences(made.losses), "a run of zeros"));
}

BOOST_FIXTURE_TEST_CASE(an_endless_line_is_reported, plain_match) {
  const std::uint64_t ticks = info().ticks;
  insert_before(5, std::string(echoreplay::default_line_limit_bytes + 10, '\0'));
  BOOST_TEST(info().ticks == ticks - 1);
  BOOST_TEST(!verify().ok());
  BOOST_TEST(says(sentences(convert("x.butter").losses), "longer than any line"));
  // Nothing except one line.
  const std::string first = text.substr(0, text.find('\t') + 2);
  test::write_file(path, first + std::string(9u << 20, 'x'));
  BOOST_TEST(info().ticks == 0u);
  BOOST_TEST((info().health == files::health::damaged));
  BOOST_TEST(!verify().ok());
}

BOOST_FIXTURE_TEST_CASE(values_that_a_butter_cannot_store_are_reported_by_every_writer, plain_match) {
  const std::uint64_t fields = convert("x.butter").left_out.unsupported_fields;
  BOOST_REQUIRE(fields != 0u);
  (void)convert("x.reel");
  // Publishing a reel of columns uses the same conversion.
  const auto saved = files::recover(file_path(folder / "x.reel"), folder / "y.butter");
  BOOST_REQUIRE(saved.has_value());
  BOOST_TEST(
      says(saved->left_out, std::to_string(fields) + " fields of the game's answers cannot be stored"));
  BOOST_TEST(saved->lost.empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
