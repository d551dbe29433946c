// The server with a browser, and with malicious clients.
#include "tickreel/viewer/server.hpp"

#include <simdjson.h>

#include <boost/test/unit_test.hpp>

#include "draws.hpp"
#include "eventually.hpp"
#include "odd_name.hpp"
#include "served_page.hpp"

BOOST_AUTO_TEST_SUITE(viewer_tests)
BOOST_AUTO_TEST_SUITE(server_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using viewer::page_server;

struct served {
  scratch_folder folder;
  viewer::page files = stand_in_page(folder);
  std::string recording = folder / odd_name("match <&>.reel");
  page_server server = start({});

  page_server start(const viewer::server_options& options) const {
    auto started = page_server::start(files, options);
    BOOST_REQUIRE(started.has_value());
    return std::move(*started);
  }
  void show(std::string_view bytes, bool live = false) {
    write_text(recording, bytes);
    server.show({{recording, "match <&>.reel"}}, live);
  }
  [[nodiscard]] http_answer get(const std::string& target, const std::string& more = {}) const {
    return ask(server.port(), target, more);
  }
  // The address of the first recording.
  [[nodiscard]] std::string address() const {
    simdjson::dom::parser parser;
    const std::string list = get("/recording.json").body;
    return "/" + std::string(std::string_view(parser.parse(list)["recordings"].at(0)["address"]));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(server, served)

BOOST_AUTO_TEST_CASE(a_map_is_listed_and_served) {
  show("recording");
  BOOST_TEST(get("/map").status == 404);
  simdjson::dom::parser parser;
  BOOST_TEST(bool(parser.parse(get("/recording.json").body)["map"].error()));
  const std::string picture("\x89PNG\0<&>", 8);
  server.set_map({"a \"<b>.png", "-1 -2 3 4", "it may be another", picture});
  BOOST_TEST((get("/map").body == picture));
  const std::string list = get("/recording.json").body;
  const simdjson::dom::element map = parser.parse(list)["map"];
  BOOST_TEST(std::string_view(map["name"]) == "a \"<b>.png");
  BOOST_TEST(std::string_view(map["edges"]) == "-1 -2 3 4");
  BOOST_TEST(std::string_view(map["doubt"]) == "it may be another");
}

BOOST_AUTO_TEST_CASE(other_addresses_are_served_if_requested) {
  const page_server open = start({.address = "0.0.0.0", .names = {"league.example"}});
  const std::string port = std::to_string(open.port());
  const auto status_for = [&](const std::string& host) {
    return ask(open.port(), "/", {}, "GET", host).status;
  };
  for (const std::string& good : {"127.0.0.1:" + port, "192.168.7.7:" + port, std::string("league.example")})
    BOOST_TEST(status_for(good) == 200, good);
  for (const std::string& bad :
       {"evil.example:" + port, std::string("192.168.7.7"), std::string("league.example.evil")})
    BOOST_TEST(status_for(bad) == 403, bad);
  const page_server elsewhere = start({.address = "127.0.0.2"});
  BOOST_TEST(elsewhere.port() != 0);
  // Unchanged; only names of this machine.
  const std::string by_address = "192.168.7.7:" + std::to_string(server.port());
  BOOST_TEST(ask(server.port(), "/", {}, "GET", by_address).status == 403);
  const auto wrong = page_server::start(files, {.address = "localhost"});
  BOOST_TEST((!wrong && wrong.error().code == error_code::invalid_argument));
}

// Several times the connection limit, with no request or only a part of one.
BOOST_AUTO_TEST_CASE(silent_connections_do_not_block_others) {
  const page_server small = start({.max_clients = 16});
  boost::asio::io_context context;
  std::vector<boost::asio::ip::tcp::socket> silent;
  for (int each = 0; each < 100; ++each) {
    silent.emplace_back(context).connect({boost::asio::ip::address_v4::loopback(), small.port()});
    boost::system::error_code closed;
    if (each % 2 == 0) boost::asio::write(silent.back(), boost::asio::buffer("GET / HT", 8), closed);
  }
  for (int each = 0; each < 10; ++each) BOOST_TEST(ask(small.port(), "/").status == 200);
}

BOOST_AUTO_TEST_CASE(the_pages_files_have_a_policy) {
  for (const auto& [target, type] :
       {std::pair("/", "text/html"), std::pair("/index.html", "text/html"),
        std::pair("/app.js", "text/javascript"), std::pair("/app.css", "text/css"),
        std::pair("/reader.wasm", "application/wasm")}) {
    const http_answer answer = get(target);
    BOOST_TEST(answer.status == 200, target);
    BOOST_TEST(answer.head.find(std::string("Content-Type: ") + type) != std::string::npos, answer.head);
    BOOST_TEST(answer.head.find(
                   "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval';") !=
               std::string::npos);
    BOOST_TEST(answer.head.find("X-Content-Type-Options: nosniff") != std::string::npos);
    BOOST_TEST(answer.head.find("Access-Control") == std::string::npos);
  }
  BOOST_TEST(get("/reader.wasm").body == std::string_view("\0asm\1\0\0\0", 8));
}

BOOST_AUTO_TEST_CASE(nothing_else_is_served) {
  show("bytes");
  write_text(folder / "secret", "secret");
  for (const char* target :
       {"/secret", "/../secret", "/./index.html", "//index.html", "/%2e%2e/secret", "/recording/../secret",
        "/match%20%3C&%3E.reel", "/recording-3", "/recording-2", "/etc/passwd", "/index.html/", "/APP.JS",
        "index.html", "http://127.0.0.1/secret", "*"}) {
    const http_answer answer = get(target);
    BOOST_TEST((answer.status == 404 || answer.status == 400 || answer.status == 0),
               target << " " << answer.status);
    BOOST_TEST(answer.body.find("secret") == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(other_names_and_methods_are_rejected) {
  show("bytes");
  for (const char* host : {"evil.example", "evil.example:80", "127.0.0.1", "localhost:1", "[::1]:80"}) {
    for (const char* target : {"/", "/recording", "/recording.json"}) {
      const http_answer answer = ask(server.port(), target, {}, "GET", host);
      BOOST_TEST(answer.status == 403, host);
      BOOST_TEST(answer.body.find("bytes") == std::string::npos);
    }
  }
  BOOST_TEST(ask(server.port(), "/", {}, "GET", "localhost:" + std::to_string(server.port())).status == 200);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"}) {
    const http_answer answer = ask(server.port(), "/recording", "Content-Length: 0\r\n", method);
    BOOST_TEST(answer.status == 405, method);
    BOOST_TEST(answer.head.find("Allow: GET, HEAD") != std::string::npos);
  }
  const http_answer head = ask(server.port(), "/recording", {}, "HEAD");
  BOOST_TEST(head.status == 200);
  BOOST_TEST(head.head.find("Content-Length: 5") != std::string::npos);
  BOOST_TEST(head.body.empty());
}

BOOST_AUTO_TEST_CASE(two_servers_cannot_share_a_port) {
  const auto second = page_server::start(files, {.port = server.port()});
  BOOST_REQUIRE(!second.has_value());
  BOOST_TEST((second.error().code == error_code::address_in_use));
}

BOOST_AUTO_TEST_CASE(a_recording_in_ranges_is_the_recording) {
  test::draws random(__func__);
  std::string bytes;
  while (bytes.size() < 900'000) bytes += static_cast<char>(random.below(256));
  show(bytes);
  BOOST_TEST((get("/recording").body == bytes));
  for (int round = 0; round < 40; ++round) {
    const std::size_t from = random.below(bytes.size());
    const std::size_t to = from + random.below(bytes.size() - from);
    const http_answer part =
        get("/recording", "Range: bytes=" + std::to_string(from) + "-" + std::to_string(to) + "\r\n");
    BOOST_TEST(part.status == 206);
    BOOST_TEST((part.body == bytes.substr(from, to - from + 1)));
    BOOST_TEST(part.head.find("Content-Range: bytes " + std::to_string(from) + "-" + std::to_string(to) +
                              "/900000") != std::string::npos);
  }
  BOOST_TEST(get("/recording", "Range: bytes=900000-\r\n").status == 416);
  // Without a validator that the file is unchanged, all of it.
  BOOST_TEST(get("/recording", "Range: bytes=5-6\r\nIf-Range: \"x\"\r\n").status == 200);
}

BOOST_AUTO_TEST_CASE(a_growing_file_that_is_truncated_or_replaced_gets_a_new_address) {
  show("the beginning", true);
  const std::string first = address();
  const auto status_after = [&](const std::string& target, int bytes) {
    return get(target, "Range: bytes=" + std::to_string(bytes) + "-\r\n").status;
  };
  BOOST_TEST(get(first).status == 200);
  write_text(recording, "the beginning and more");
  BOOST_TEST(status_after(first, 13) == 206);
  BOOST_TEST(address() == first);
  // Another reel with that name, which is longer already.
  write_text(recording, "another beginning and much more");
  BOOST_TEST(status_after(first, 22) == 410);
  const std::string second = address();
  BOOST_TEST(second != first);
  BOOST_TEST(get(second).body == "another beginning and much more");
  BOOST_TEST(status_after(first, 22) == 410);
  write_text(recording, "another beg");
  BOOST_TEST(status_after(second, 31) == 410);
  const std::string third = address();
  BOOST_TEST(get(third).body == "another beg");
  // Removed means finished.
  std::filesystem::remove(recording);
  BOOST_TEST(status_after(third, 11) == 416);
  BOOST_TEST(address() == third);
}

BOOST_AUTO_TEST_CASE(of_several_games_each_has_its_own_recording) {
  server.set_games({"127.0.0.1:6721", "two <b>"});
  const std::string other = folder / "other.reel";
  write_text(recording, "one");
  write_text(other, "of two");
  simdjson::dom::parser parser;
  std::string text;
  const auto list = [&](const std::string& query) -> simdjson::dom::element {
    text = get("/recording.json" + query).body;
    return parser.parse(text);
  };
  const auto address_of = [&](const std::string& query) {
    return "/" + std::string(std::string_view(list(query)["address"]));
  };
  BOOST_TEST(std::string_view(list("?game=1")["games"].at(1)["title"]) == "two <b>");
  BOOST_TEST(std::string_view(list("?game=1")["games"].at(1)["state"]) == "no match yet");
  BOOST_TEST(std::uint64_t(list("?game=1")["game"]) == 1u);
  BOOST_TEST(bool(list("?game=1")["live"]));
  const std::string waiting = address_of("?game=1");
  BOOST_TEST(get(waiting).body.empty());
  server.show({{recording, "one.reel"}}, true, 0);
  // A match of one game does not affect another game.
  BOOST_TEST(address_of("?game=1") == waiting);
  const std::string first = address_of("?game=0");
  server.show({{other, "other.reel"}}, true, 1);
  server.prefer(1);
  BOOST_TEST(get(waiting).status == 410);
  BOOST_TEST(get(first).body == "one");
  BOOST_TEST(get(address_of("?game=1")).body == "of two");
  BOOST_TEST(std::string_view(list("?game=1")["games"].at(0)["state"]) == "one.reel");
  for (const char* const odd :
       {"", "?game=", "?game=7", "?game=-1", "?game=18446744073709551616", "?game=0&of=1"}) {
    BOOST_TEST(std::string_view(list(odd)["name"]) == "other.reel", odd);
  }
  // The next match, and the new address of the last one.
  server.show({{other, "next.reel"}}, true, 0);
  BOOST_TEST(get(first).status == 410);
  const std::string next = address_of("?game=0");
  server.moved({recording, "next.butter"}, 0);
  BOOST_TEST(get(next, "Range: bytes=6-\r\n").status == 416);
  BOOST_TEST(get(address_of("?game=0")).body == "one");
  BOOST_TEST(std::string_view(list("?game=1")["name"]) == "other.reel");
}

BOOST_AUTO_TEST_CASE(the_list_names_the_shown_recording) {
  show("12345");
  simdjson::dom::parser parser;
  std::string text = get("/recording.json").body;
  simdjson::dom::element list = parser.parse(text);
  BOOST_TEST(std::string_view(list["name"]) == "match <&>.reel");
  BOOST_TEST(bool(list["live"]) == false);
  BOOST_TEST(std::uint64_t(list["bytes"]) == 5u);
  const std::string other = folder / "other";
  write_text(other, "other");
  server.show({{recording, "a"}, {other, "b"}}, false);
  text = get("/recording.json").body;
  list = parser.parse(text);
  BOOST_TEST(simdjson::dom::array(list["recordings"]).size() == 2u);
  BOOST_TEST(get("/" + std::string(std::string_view(list["recordings"].at(1)["address"]))).body == "other");
}

BOOST_AUTO_TEST_CASE(a_growing_recording_and_then_another) {
  show("abc", true);
  const std::string first = address();
  BOOST_TEST(get(first).body == "abc");
  BOOST_TEST(get(first, "Range: bytes=3-\r\n").status == 416);
  std::ofstream(recording, std::ios::binary | std::ios::app) << "def";
  const http_answer more = get(first, "Range: bytes=3-1000\r\n");
  BOOST_TEST(more.status == 206);
  BOOST_TEST(more.body == "def");
  // It was published: clients that have the beginning wait, new ones get the file.
  const std::string finished = folder / "match.butter";
  write_text(finished, "a finished file that is longer");
  std::filesystem::remove(recording);
  BOOST_TEST(get(first, "Range: bytes=6-\r\n").status == 416);
  server.moved({finished, "match.butter"});
  BOOST_TEST(get(first, "Range: bytes=6-\r\n").status == 416);
  BOOST_TEST(address() != first);
  BOOST_TEST(get(address()).body == "a finished file that is longer");
  // The next match.
  show("next", true);
  BOOST_TEST(get(first, "Range: bytes=6-\r\n").status == 410);
  BOOST_TEST(get(address()).body == "next");
}

BOOST_AUTO_TEST_CASE(before_the_first_match_there_is_no_recording) {
  server.show({}, true);
  const http_answer nothing = get(address());
  BOOST_TEST(nothing.status == 200);
  BOOST_TEST(nothing.body.empty());
  BOOST_TEST(get(address(), "Range: bytes=0-\r\n").status == 416);
  server.show({{folder / "gone", "gone"}}, false);
  BOOST_TEST(get("/recording").status == 404);
}

BOOST_AUTO_TEST_CASE(a_client_that_reads_nothing_blocks_no_one) {
  show(std::string(40'000'000, 'x'));
  boost::asio::io_context context;
  boost::asio::ip::tcp::socket idle(context), slow(context);
  idle.connect({boost::asio::ip::address_v4::loopback(), server.port()});
  slow.connect({boost::asio::ip::address_v4::loopback(), server.port()});
  boost::asio::write(slow, boost::asio::buffer("GET /recording HTTP/1.1\r\nHost: 127.0.0.1:" +
                                               std::to_string(server.port()) + "\r\n\r\n"));
  BOOST_TEST(get("/app.css").status == 200);
  // A file that is truncated while it is sent: the connection ends before the announced length.
  std::filesystem::resize_file(recording, 10);
  std::string all;
  boost::system::error_code ended;
  boost::asio::read(slow, boost::asio::dynamic_buffer(all), ended);
  BOOST_TEST(all.size() < 40'000'000u);
  server.stop();  // does not wait for the idle one
}

BOOST_AUTO_TEST_CASE(a_silent_client_is_dropped_and_too_many_are_rejected) {
  page_server strict = start({.max_clients = 2, .longest_silence_ms = 1500});
  boost::asio::io_context context;
  std::vector<boost::asio::ip::tcp::socket> idle;
  for (int each = 0; each < 5; ++each) {
    idle.emplace_back(context);
    idle.back().connect({boost::asio::ip::address_v4::loopback(), strict.port()});
  }
  for (auto& each : idle) {
    char byte = 0;
    boost::system::error_code ended;
    BOOST_TEST(each.read_some(boost::asio::buffer(&byte, 1), ended) == 0u);
    BOOST_TEST(ended.failed());
  }
  // A client that stands still for as long before its request is dropped, too: then it asks again.
  BOOST_TEST(eventually([&] {
    try {
      return ask(strict.port(), "/").status == 200;
    } catch (const boost::system::system_error&) {
      return false;
    }
  }));
}

BOOST_AUTO_TEST_CASE(invalid_requests_end_only_their_connection) {
  test::draws random(__func__);
  for (int round = 0; round < 60; ++round) {
    boost::asio::io_context context;
    boost::asio::ip::tcp::socket socket(context);
    socket.connect({boost::asio::ip::address_v4::loopback(), server.port()});
    std::string bytes = round % 2 == 0 ? "GET / HTTP/1.1\r\n" : "";
    for (std::uint64_t left = random.below(20'000); left > 0; --left)
      bytes += static_cast<char>(random.below(256));
    boost::system::error_code ended;
    boost::asio::write(socket, boost::asio::buffer(bytes), ended);
    socket.shutdown(boost::asio::ip::tcp::socket::shutdown_send, ended);
    std::string all;
    boost::asio::read(socket, boost::asio::dynamic_buffer(all), ended);
    BOOST_TEST(all.find("200 OK") == std::string::npos);
  }
  BOOST_TEST(get("/").status == 200);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
