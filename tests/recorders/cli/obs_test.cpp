// OBS Studio, simulated by a WebSocket server: protocol version 5 of obs-websocket.
#include <simdjson.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fixtures.hpp"
#include "run_program.hpp"
#include "served_game.hpp"

BOOST_AUTO_TEST_SUITE(cli_record_tests)
BOOST_AUTO_TEST_SUITE(obs_test)

#ifndef _WIN32

namespace {

using namespace tickreel::test;
namespace beast = boost::beast;
using boost::asio::ip::tcp;

// The password, challenge and salt of the protocol's description, and their result.
constexpr const char* password_of_docs = "supersecretpassword";
constexpr const char* challenge_of_docs = "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY=";
constexpr const char* salt_of_docs = "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI=";
constexpr const char* authentication_of_docs = "1Ct943GAT+6YQUUX47Ia/ncufilbe6+oD6lY+5kaCu4=";

// Accepts connections one after the other until it is destroyed.
class fake_obs {
 public:
  // `save_status`: of SaveReplayBuffer, 100 for success.
  explicit fake_obs(bool asks_for_password, int save_status = 100)
      : asks_for_password_(asks_for_password),
        save_status_(save_status),
        acceptor_(context_, {boost::asio::ip::address_v4::loopback(), 0}),
        thread_([this] { run(); }) {}
  ~fake_obs() {
    ending_ = true;
    boost::system::error_code ignored;
    tcp::socket wake(context_);
    (void)wake.connect(acceptor_.local_endpoint(), ignored);
    thread_.join();
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }
  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void run() {
    while (!ending_) {
      tcp::socket socket(context_);
      boost::system::error_code failed;
      acceptor_.accept(socket, failed);
      if (failed || ending_) continue;
      try {
        serve(std::move(socket));
      } catch (const std::exception&) {
        continue;  // the client disconnected
      }
    }
  }

  void serve(tcp::socket socket) {
    beast::websocket::stream<tcp::socket> stream(std::move(socket));
    stream.accept();
    std::string hello = R"({"op":0,"d":{"obsWebSocketVersion":"5.1.0","rpcVersion":1)";
    if (asks_for_password_) {
      hello += std::string(R"(,"authentication":{"challenge":")") + challenge_of_docs + R"(","salt":")" +
               salt_of_docs + R"("})";
    }
    write(stream, hello + "}}");
    const std::string identify = read(stream);
    const std::string wanted = std::string("\"authentication\":\"") + authentication_of_docs + '"';
    if (asks_for_password_ && identify.find(wanted) == std::string::npos) {
      stream.close({beast::websocket::close_code(4009), "Authentication failed."});
      return;
    }
    write(stream, R"({"op":2,"d":{"negotiatedRpcVersion":1}})");
    for (;;) {
      simdjson::dom::parser parser;
      const std::string text = read(stream);
      const simdjson::dom::element request = parser.parse(text);
      const std::string_view type_text = request["d"]["requestType"];
      const std::string_view id_text = request["d"]["requestId"];
      const std::string type(type_text);
      const std::string id(id_text);
      {
        const std::lock_guard lock(mutex_);
        requests_.push_back(type);
      }
      const int status = type == "SaveReplayBuffer" ? save_status_ : 100;
      // An event may come before the response.
      write(stream, R"({"op":5,"d":{"eventType":"RecordStateChanged","eventIntent":64}})");
      write(stream, R"({"op":7,"d":{"requestType":")" + type + R"(","requestId":")" + id +
                        R"(","requestStatus":{"result":)" + (status == 100 ? "true" : "false") +
                        R"(,"code":)" + std::to_string(status) + "}}}");
    }
  }

  static void write(beast::websocket::stream<tcp::socket>& to, const std::string& text) {
    to.write(boost::asio::buffer(text));
  }
  static std::string read(beast::websocket::stream<tcp::socket>& from) {
    beast::flat_buffer buffer;
    from.read(buffer);
    return beast::buffers_to_string(buffer.data());
  }

  bool asks_for_password_;
  int save_status_;
  boost::asio::io_context context_;
  tcp::acceptor acceptor_;
  std::atomic<bool> ending_{false};
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

std::size_t saved(const outcome& said) {
  return count_of(R"("type":"throw")", said.out) + count_of(R"("type":"goal")", said.out);
}

// A recording and what OBS was asked for.
struct controlled {
  outcome said;
  std::vector<std::string> requests;
};

// Until there is a throw and `enough`: on a busy machine the recorder may not wait long enough for OBS.
template <typename Enough>
controlled record(const std::string& folder, bool asks_for_password, int save_status,
                  const std::vector<std::string>& more, Enough enough) {
  const served game({"--simulate", "--seed", "3", "--no-bones", "--match-seconds", "60", "--speed", "12",
                     "--wait", "--loop"});
  std::optional<fake_obs> obs;
  controlled made;
  made.said = record_until(
      [&](const outcome& said) { return saved(said) > 0 && enough(said, obs->requests()); },
      [&] {
        obs.emplace(asks_for_password, save_status);
        std::vector<std::string> words = {game.address(), "--out", folder, "--obs", obs->address()};
        words.insert(words.end(), more.begin(), more.end());
        return words;
      });
  made.requests = obs->requests();
  return made;
}

std::size_t saves_in(const std::vector<std::string>& requests) {
  return static_cast<std::size_t>(std::ranges::count(requests, "SaveReplayBuffer"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_match_is_recorded_and_goals_are_saved) {
  const scratch_folder folder;
  const auto [said, requests] =
      record(folder / "out", true, 100,
             {"--obs-password", password_of_docs, "--obs-record", "--obs-save", "goal,throw"},
             [](const outcome& one, const std::vector<std::string>& asked) {
               return !one.says("--obs") && saves_in(asked) == saved(one);
             });
  BOOST_TEST(!said.says("--obs"), said.err);
  BOOST_REQUIRE(requests.size() >= 3u);
  BOOST_TEST(requests.front() == "StartRecord");
  BOOST_TEST(requests.back() == "StopRecord");
  BOOST_TEST(saves_in(requests) == saved(said));
  BOOST_TEST(saves_in(requests) > 0u);
  BOOST_TEST(!said.says(password_of_docs));
}

BOOST_AUTO_TEST_CASE(an_error_of_obs_is_reported_and_costs_no_tick) {
  const scratch_folder folder;
  // Reported while it records.
  const auto is_reported = [](const outcome& one, const std::vector<std::string>&) {
    return count_of(R"("event":"obs_failed")", one.out) > 0;
  };
  const outcome said = record(folder / "a", false, 501, {"--obs-save", "throw"}, is_reported).said;
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.says("SaveReplayBuffer: OBS refused with status 501; start the replay buffer in OBS"),
             said.err);
  BOOST_TEST(count_of(R"("event":"obs_failed")", said.out) == 1u);
  const auto [wrong, requests] =
      record(folder / "b", true, 100, {"--obs-password", "wrong", "--obs-record"}, is_reported);
  BOOST_TEST(wrong.code == 3);
  BOOST_TEST(wrong.says("OBS refused the password"), wrong.err);
  BOOST_TEST(requests.empty());
}

BOOST_AUTO_TEST_CASE(invalid_addresses_are_wrong_usage) {
  for (const char* address : {":4455", "127.0.0.1:x", "127.0.0.1:0", "http://127.0.0.1:4455", "a b"}) {
    BOOST_TEST(run({"record", "echo", "127.0.0.1:1", "--no-config", "--duration", "0.1", "--obs", address,
                    "--obs-record"})
                       .code == 2,
               address);
  }
  const outcome nothing =
      run({"record", "echo", "127.0.0.1:1", "--no-config", "--duration", "0.1", "--obs", "127.0.0.1"});
  BOOST_TEST(nothing.code == 2);
  BOOST_TEST(nothing.says("--obs-record"), nothing.err);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
