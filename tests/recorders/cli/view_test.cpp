// tickreel view and report as scripts use them.
#include <simdjson.h>

#ifndef _WIN32
#include <unistd.h>
#endif

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "fixtures.hpp"
#include "landlock.hpp"
#include "odd_name.hpp"
#include "run_program.hpp"
#include "served_game.hpp"
#include "served_page.hpp"

BOOST_AUTO_TEST_SUITE(cli_view_tests)
BOOST_AUTO_TEST_SUITE(view_test)

namespace {

using namespace tickreel::test;

constexpr const char* match_name = "match <b>.butter";

struct with_match {
  scratch_folder folder;
  scratch_folder page;
  std::string match = folder / odd_name(match_name);

  with_match() {
    write_match(match);
    (void)stand_in_page(page);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(report, with_match)

BOOST_AUTO_TEST_CASE(writes_a_page_and_overwrites_nothing) {
  const std::string out = folder / "r.html";
  const outcome made = run({"report", match, "-o", out});
  BOOST_TEST(made.code == 0, made.err);
  BOOST_TEST(made.out.find("1 match") != std::string::npos);
  const std::string page_text = text_of_file(out);
  BOOST_TEST(page_text.find("<h2>Players</h2>") != std::string::npos);
  const outcome again = run({"report", match, "-o", out});
  BOOST_TEST(again.code == 1);
  BOOST_TEST(again.says("r.html"));
  BOOST_TEST(text_of_file(out) == page_text);
  BOOST_TEST(run({"report", match, match, "-o", out, "--force"}).code == 0);
  BOOST_TEST(text_of_file(out).find("match-2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(mistakes) {
  BOOST_TEST(run({"report", match}).code == 2);
  BOOST_TEST(run({"report", "-o", folder / "r.html"}).code == 2);
  // Never the recording itself.
  const outcome self = run({"report", match, "-o", match, "--force"});
  BOOST_TEST(self.code == 2);
  BOOST_TEST(self.says("input and output are the same file"));
  BOOST_TEST(run({"info", match}).code == 0);
  BOOST_TEST(run({"report", folder / "none", "-o", folder / "r.html"}).code == 1);
  std::ofstream(folder / "x") << "no recording";
  BOOST_TEST(run({"report", match, folder / "x", "-o", folder / "r.html"}).code == 1);
  BOOST_TEST(!std::filesystem::exists(folder / "r.html"));
  BOOST_TEST(run({"report", match, "-o", folder.path().string()}).code == 2);
  BOOST_TEST(run({"report", match, "-o", "/no/such/folder/r.html"}).code == 1);
#ifdef __linux__
  BOOST_TEST(run({"report", match, "-o", "/dev/full", "--force"}).code == 2);
#endif
}

BOOST_AUTO_TEST_CASE(losses_are_reported) {
  write_match(folder / "m.echoreplay");
  const std::string text = text_of_plain(folder, folder / "m.echoreplay");
  const std::string cut = folder / "cut.echoreplay";
  write_text(cut, std::string_view(text).substr(0, text.size() / 2));
  const outcome reported = run({"report", cut, "-o", folder / "r.html"});
  BOOST_TEST(reported.code == 3);
  BOOST_TEST(reported.says("cut.echoreplay"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(view, with_match)

BOOST_AUTO_TEST_CASE(mistakes) {
  const auto with_page = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--no-open", "--page", page.path().string()});
    words.insert(words.begin(), "view");
    return run(words);
  };
  BOOST_TEST(run({"view"}).code == 2);
  const outcome too_many = with_page({match, match, match});
  BOOST_TEST(too_many.code == 2);
  BOOST_TEST(too_many.says(".rec"));
  BOOST_TEST(with_page({match, match, "--follow"}).code == 2);
  BOOST_TEST(with_page({match, "--port", "70000"}).code == 2);
  BOOST_TEST(with_page({match, match, "--html", folder / "one.html"}).code == 2);
  BOOST_TEST(with_page({match, "--html", match, "--force"}).code == 2);
  BOOST_TEST(with_page({folder / "none"}).code == 1);
  std::ofstream(folder / "x") << "no recording";
  BOOST_TEST(with_page({folder / "x"}).code == 1);
  // An arena needs no map.
  std::ofstream(folder / "map.png") << "\x89PNG";
  const outcome arena = with_page({match, "--map", folder / "map.png"});
  BOOST_TEST(arena.code == 1);
  BOOST_TEST(arena.says("no ground"));
  const outcome nowhere = run({"view", match, "--page", folder.path().string()});
  BOOST_TEST(nowhere.code == 1);
  BOOST_TEST(nowhere.says("index.html"));
}

BOOST_AUTO_TEST_CASE(one_file_with_everything) {
  const std::string out = folder / "one.html";
  const std::vector<std::string> words = {"view", match, "--html", out, "--page", page.path().string()};
  BOOST_TEST(run(words).code == 0);
  const std::string html = text_of_file(out);
  BOOST_TEST(html.find("data-name=\"" + odd_name_in_page(match_name) + '"') != std::string::npos);
  BOOST_TEST(run(words).code == 1);
  BOOST_TEST(text_of_file(out) == html);
  BOOST_TEST(html.find("data-spoiler-free") == std::string::npos);
  std::vector<std::string> hidden = words;
  hidden.insert(hidden.end(), {"--force", "--spoiler-free"});
  BOOST_TEST(run(hidden).code == 0);
  BOOST_TEST(text_of_file(out).find("\" data-spoiler-free>") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_page_is_written_of_a_reel_whose_header_is_unreadable) {
  const std::string reel = folder / "m.reel";
  write_match(reel);
  tickreel::byte_vector bytes = read_file(reel);
  bytes[20] ^= std::byte{1};
  write_file(reel, bytes);
  const outcome written = run({"view", reel, "--html", folder / "reel.html", "--page", page.path().string()});
  BOOST_TEST(written.code == 1);
  BOOST_TEST(written.says("m.reel: "), written.err);
  BOOST_TEST(!std::filesystem::exists(folder / "reel.html"));
}

BOOST_AUTO_TEST_CASE(losses_in_one_file_are_reported) {
  const std::string whole = text_of_file(match);
  const std::string cut = folder / "cut.butter";
  write_text(cut, std::string_view(whole).substr(0, whole.size() / 2));
  const outcome cat = run({"cat", cut});
  BOOST_TEST(cat.code == 3);
  const outcome written = run({"view", cut, "--html", folder / "cut.html", "--page", page.path().string()});
  BOOST_TEST(written.code == 3);
  BOOST_TEST(written.err == cat.err);
  BOOST_TEST(std::filesystem::exists(folder / "cut.html"));
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(serves_the_named_recording) {
  const served at({match, match, "--no-open", "--page", page.path().string()}, {"view"});
  const std::size_t colon = at.address().find(':');
  const auto port = static_cast<std::uint16_t>(std::stoi(at.address().substr(colon + 1)));
  BOOST_TEST(ask(port, "/").body == stand_in_html);
  BOOST_TEST((ask(port, "/recording").body == text_of_file(match)));
  simdjson::dom::parser parser;
  const std::string list = ask(port, "/recording.json").body;
  const simdjson::dom::element said = parser.parse(list);
  BOOST_TEST(std::string_view(said["name"]) == odd_name(match_name));
  BOOST_TEST(simdjson::dom::array(said["recordings"]).size() == 2u);
  BOOST_TEST(!bool(said["live"]));
  const outcome taken =
      run({"view", match, "--no-open", "--port", std::to_string(port), "--page", page.path().string()});
  BOOST_TEST(taken.code == 1);
  BOOST_TEST(taken.says(std::to_string(port)));
}

#ifdef __linux__
// A file outside of the folder cannot be read, even if a link in the folder leads to it.
BOOST_AUTO_TEST_CASE(the_server_reads_nothing_outside_of_the_folder, *with_landlock) {
  const served at({match, "--no-open", "--page", page.path().string()}, {"view"});
  const auto port = static_cast<std::uint16_t>(std::stoi(at.address().substr(at.address().find(':') + 1)));
  BOOST_TEST((ask(port, "/recording").body == text_of_file(match)));
  const scratch_folder outside;
  std::filesystem::rename(match, outside / "match");
  std::filesystem::create_symlink(outside / "match", match);
  BOOST_TEST(text_of_file(match).size() > 0u);
  BOOST_TEST(ask(port, "/recording").status == 404);
  BOOST_TEST(text_of_file("/proc/" + at.process() + "/status").find("NoNewPrivs:\t1") != std::string::npos);
}
#endif

BOOST_AUTO_TEST_CASE(several_paths_and_without_spoilers) {
  const std::string walk = std::string(TICKREEL_KEPT_RECORDINGS) + "/0.1.0/recordings/walk.rec";
  const served at({walk, walk, walk, "--spoiler-free", "--no-open", "--page", page.path().string()},
                  {"view"});
  BOOST_TEST(at.address().find("/#spoiler-free") != std::string::npos);
  const auto port = static_cast<std::uint16_t>(std::stoi(at.address().substr(at.address().find(':') + 1)));
  const std::string list = ask(port, "/recording.json").body;
  for (const char* path : {"recording?", "recording-2?", "recording-3?"})
    BOOST_TEST(list.find(path) != std::string::npos, path);
  for (const char* path : {"/recording", "/recording-2", "/recording-3"})
    BOOST_TEST((ask(port, path).body == text_of_file(walk)), path);
  for (const char* path : {"/recording-1", "/recording-0", "/recording-03", "/recording-4", "/recording-",
                           "/recording-3x", "/recording-99999999999999999999"})
    BOOST_TEST(ask(port, path).status == 404, path);
}

BOOST_AUTO_TEST_CASE(a_reel_that_does_not_exist_yet_is_waited_for) {
  const std::string reel = folder / "new.reel";
  write_text(reel, "");
  const served at({reel, "--follow", "--no-open", "--page", page.path().string()}, {"view"});
  const auto port = static_cast<std::uint16_t>(std::stoi(at.address().substr(at.address().find(':') + 1)));
  BOOST_TEST(ask(port, "/recording").body.empty());
  write_match(folder / "m.reel");
  write_text(reel, text_of_file(folder / "m.reel"));
  BOOST_TEST((ask(port, "/recording", "Range: bytes=0-\r\n").body == text_of_file(reel)));
  BOOST_TEST(ask(port, "/recording.json").body.find("\"live\":true") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_buffer_has_no_match_to_show) {
  const outcome said =
      run({"record", "echo", "--view", "8080", "--buffer", "5m", "--out", folder / "out", "127.0.0.1:1"});
  BOOST_TEST(said.code == 2);
  BOOST_TEST(said.says("--view: a --buffer"));
}

// A free port below those that systems choose themselves: no other test takes it meanwhile.
std::uint16_t free_low_port() {
  boost::asio::io_context context;
  for (unsigned each = 0; each < 8000; ++each) {
    const auto port = static_cast<std::uint16_t>(20'000 + (static_cast<unsigned>(::getpid()) + each) % 8000);
    boost::asio::ip::tcp::acceptor free(context, boost::asio::ip::tcp::v4());
    boost::system::error_code failed;
    free.bind({boost::asio::ip::address_v4::loopback(), port}, failed);
    if (!failed) return port;
  }
  BOOST_FAIL("no port from 20000 to 27999 is free");
  return 0;
}

BOOST_AUTO_TEST_CASE(a_match_is_shown_during_recording) {
  const served game({"--simulate", "--seed", "3", "--players", "1", "--loop"});
  const std::uint16_t port = free_low_port();
  const served recorder({"--out", folder / "out", "--no-bones", "--view", std::to_string(port), "--view-page",
                         page.path().string(), game.address()},
                        {"record", "echo"});
  // Its reel as it grows, without repetition: the file starts with the first records.
  simdjson::dom::parser parser;
  std::string first, address;
  BOOST_REQUIRE(eventually([&] {
    const std::string list = ask(port, "/recording.json").body;
    const simdjson::dom::element said = parser.parse(list);
    BOOST_REQUIRE(bool(said["live"]));
    address = "/" + std::string(std::string_view(said["address"]));
    first = ask(port, address).body;
    return first.size() >= 2000u;
  }));
  std::string more;
  BOOST_REQUIRE(eventually([&] {
    const http_answer answer = ask(port, address, "Range: bytes=" + std::to_string(first.size()) + "-\r\n");
    BOOST_REQUIRE((answer.status == 206 || answer.status == 416));
    if (answer.status == 206) more = answer.body;
    return !more.empty();
  }));
  write_text(folder / "seen.reel", first + more);
  BOOST_TEST(!all_states(folder / "seen.reel").empty());
}
#endif

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
