// Values of the API that a file cannot store are reported while recording, and counted in the reel.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "file_bytes.hpp"
#include "support/match_driver.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/extra.hpp"
#include "tickreel/files/publish.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_recording_tests)
BOOST_AUTO_TEST_SUITE(left_out_test)

namespace {

using namespace test;

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

BOOST_AUTO_TEST_CASE(a_value_that_cannot_be_stored_is_reported_once_and_counted) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::butter, record_format::echoreplay}));
  const scripted_match match;
  for (std::uint32_t i = 0; i < 30; ++i) {
    (void)game.answer(with(session_text(match, i), "\"sessionid\"", "\"jetpack\":\"blue\",\"sessionid\""));
  }
  game.recorder().close();
  const match_status done = game.recorder().status();
  // The .echoreplay stores every word.
  BOOST_TEST(done.left_out == 30u);
  BOOST_TEST(done.total_frames == 30u);
  const auto omissions = game.events(event_kind::left_out);
  BOOST_REQUIRE_EQUAL(omissions.size(), 1u);
  BOOST_TEST(
      omissions[0].line.find("jetpack is known in no version of the game: \"blue\"") != std::string::npos,
      omissions[0].line);
  BOOST_TEST(ticks_in(folder.files(".echoreplay").at(0)).size() == 30u);
}

BOOST_AUTO_TEST_CASE(stored_original_text_is_not_a_loss) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::echoreplay, record_format::reel}));
  for (std::uint32_t i = 0; i < 5; ++i) {
    (void)game.answer(with(session_text({}, i), "\"sessionid\"", "\"jetpack\":1,\"sessionid\""));
  }
  game.recorder().close();
  BOOST_TEST(game.recorder().status().left_out == 0u);
  BOOST_TEST(game.events(event_kind::left_out).empty());
}

BOOST_AUTO_TEST_CASE(an_unpublished_reel_still_counts_them) {
  const temporary_folder folder;
  driver game(in(folder));
  std::uint32_t tick = 0;
  BOOST_REQUIRE(eventually([&] {
    (void)game.answer(with(session_text({}, tick++), "\"sessionid\"", "\"jetpack\":1,\"sessionid\""));
    return !game.events(event_kind::file_started).empty();
  }));
  for (int i = 0; i < 20; ++i) {
    (void)game.answer(with(session_text({}, tick++), "\"sessionid\"", "\"jetpack\":1,\"sessionid\""));
  }
  // As after a crash: a copy of the sealed part.
  const temporary_folder other;
  const auto copy = other.path() / "copy.reel";
  BOOST_REQUIRE(eventually([&] {
    write_file(copy, read_file(folder.files(".reel").at(0)));
    const auto opened = files::open(copy);
    return opened && (*opened)->summarise().value().ticks > 0;
  }));
  BOOST_REQUIRE(eventually([&] {
    write_file(copy, read_file(folder.files(".reel").at(0)));
    const auto opened = files::open(copy);
    return opened && !(*opened)->summarise().value().left_out.empty();
  }));
  const auto published = files::publish(copy, other.path() / "copy.butter");
  BOOST_REQUIRE(published.has_value());
  bool omissions = false;
  for (const std::string& each : published->lost)
    omissions = omissions || each.find("jetpack") != std::string::npos;
  BOOST_TEST(omissions);
  game.recorder().close();
}

BOOST_AUTO_TEST_CASE(invalid_bones_json_costs_the_skeletons_and_is_reported) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::butter, record_format::echoreplay}));
  scripted_match match;
  match.bones = true;
  for (std::uint32_t i = 0; i < 10; ++i) {
    const std::string bones = bones_text(match, i);
    (void)game.answer(session_text(match, i), i < 4 ? bones.substr(0, bones.size() / 2) : bones);
  }
  game.recorder().close();
  BOOST_TEST(game.recorder().status().left_out == 8u);  // in both files
  BOOST_REQUIRE_EQUAL(game.events(event_kind::left_out).size(), 1u);
  for (const char* extension : {".butter", ".echoreplay"}) {
    const auto opened = files::open(folder.files(extension).at(0));
    BOOST_REQUIRE(opened.has_value());
    BOOST_TEST((*opened)->verify().value().ok());
    BOOST_TEST(ticks_in(folder.files(extension)[0]).size() == 10u);
  }
}

// A reel contains all that was received; skeletons are optional, so missing ones are not damage.
BOOST_AUTO_TEST_CASE(missing_bones_are_a_note_in_a_reel) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::reel}));
  scripted_match match;
  match.bones = true;
  for (std::uint32_t i = 0; i < 10; ++i) {
    const std::string bones = bones_text(match, i);
    (void)game.answer(session_text(match, i), i == 4 ? bones.substr(0, bones.size() / 2) : bones, true);
  }
  game.recorder().close();
  const auto opened = files::open(folder.files(".reel").at(0));
  BOOST_REQUIRE(opened.has_value());
  const files::verification checked = (*opened)->verify().value();
  BOOST_TEST(checked.ok());
  BOOST_TEST(!checked.content_left_out);
  std::size_t notes = 0;
  for (const files::finding& each : checked.findings) {
    BOOST_TEST((each.level == files::severity::note), each.message);
    notes += each.message.find("bones could not be read") != std::string::npos ? 1u : 0u;
  }
  BOOST_TEST(notes == 1u);
  BOOST_TEST(((*opened)->summarise().value().health == files::health::whole));
  BOOST_TEST((*opened)->losses().empty());
}

BOOST_AUTO_TEST_CASE(values_too_long_for_a_line_are_counted) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::echoreplay}));
  const scripted_match match;
  const std::string padding = "\"filler\":\"" + std::string(200'000, 'x') + "\",\"sessionid\"";
  scripted_match with_bones;
  with_bones.bones = true;
  const std::string long_bones = with(bones_text(with_bones, 0), "\"user_bones\"",
                                      "\"filler\":\"" + std::string(162'000, 'x') + "\",\"user_bones\"");
  for (std::uint32_t i = 0; i < 10; ++i) {
    std::string session = session_text(match, i);
    if (i == 3) session = with(session, "\"sessionid\"", padding);
    (void)game.answer(session, i == 6 ? long_bones : std::string());
  }
  game.recorder().close();
  const match_status done = game.recorder().status();
  BOOST_TEST(done.dropped_ticks == 1u);
  BOOST_TEST(done.left_out == 1u);
  BOOST_TEST(ticks_in(folder.files(".echoreplay").at(0)).size() == 9u);
  BOOST_REQUIRE_EQUAL(game.events(event_kind::file_finished).size(), 1u);
  BOOST_TEST(game.events(event_kind::file_finished)[0].lost_ticks == 1u);
}

BOOST_AUTO_TEST_CASE(a_response_with_trailing_garbage_is_invalid) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::echoreplay}));
  for (std::uint32_t i = 0; i < 10; ++i) {
    std::string session = session_text({}, i);
    if (i == 5) session = with(session, "\"sessionid\"", "\"jetpack\":{no json],\"sessionid\"");
    (void)game.answer(session);
  }
  game.recorder().close();
  BOOST_TEST(ticks_in(folder.files(".echoreplay").at(0)).size() == 9u);
  BOOST_TEST(game.recorder().status().lost_polls == 1u);
}

BOOST_AUTO_TEST_CASE(values_that_a_butter_lacks_are_stored_beside_it_on_request) {
  const temporary_folder folder;
  match_options options = in(folder);
  options.extra = true;
  {
    driver game(options);
    for (std::uint32_t i = 0; i < 20; ++i) {
      (void)game.answer(with(session_text({}, i), "\"sessionid\"",
                             i < 10 ? "\"timers\":{\"overtime_timer\":1.5},\"sessionid\""
                                    : "\"timers\":{\"overtime_timer\":2.5},\"sessionid\""));
    }
    game.recorder().close();
  }
  const auto butter = folder.files(".butter").at(0);
  BOOST_REQUIRE(std::filesystem::exists(filesystem_path(files::extra_path(butter))));
  BOOST_REQUIRE(files::convert(file_path(butter), file_path(folder.path() / "back.reel")));
  auto back = files::open_echo(file_path(folder.path() / "back.reel"));
  BOOST_REQUIRE(back);
  const auto tick = std::make_unique<echo::state>();
  for (std::uint32_t i = 0; i < 20; ++i) {
    BOOST_REQUIRE(*(*back)->next(*tick));
    BOOST_TEST(tick->match.overtime_timer == (i < 10 ? 1.5f : 2.5f));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
