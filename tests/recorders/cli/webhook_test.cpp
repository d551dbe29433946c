// Posts of webhooks, and the behaviour if the receiver rejects them.
#include <simdjson.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <mutex>
#include <optional>
#include <thread>

#include "fixtures.hpp"
#include "run_program.hpp"
#include "served_game.hpp"
#include "tickreel/counted.hpp"

BOOST_AUTO_TEST_SUITE(cli_record_tests)
BOOST_AUTO_TEST_SUITE(webhook_test)

#ifndef _WIN32

namespace {

using namespace tickreel::test;

// Accepts one post per connection; answers the first `refusals` with `refusal`.
class post_box {
 public:
  post_box(std::size_t refusals, std::string refusal)
      : refusals_(refusals),
        refusal_(std::move(refusal)),
        acceptor_(context_, {boost::asio::ip::address_v4::loopback(), 0}),
        thread_([this] { run(); }) {}
  ~post_box() {
    ending_ = true;
    boost::asio::ip::tcp::socket wake_up(context_);
    boost::system::error_code ignored;
    wake_up.connect(acceptor_.local_endpoint(), ignored);
    thread_.join();
  }
  [[nodiscard]] std::string address() const {
    return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/secret-token";
  }
  [[nodiscard]] std::vector<std::string> bodies() const {
    const std::lock_guard lock(mutex_);
    return bodies_;
  }

 private:
  void run() {
    while (true) {
      boost::asio::ip::tcp::socket socket(context_);
      boost::system::error_code failed;
      acceptor_.accept(socket, failed);
      if (failed || ending_) return;
      boost::asio::streambuf buffer;
      const std::size_t size = boost::asio::read_until(socket, buffer, "\r\n\r\n", failed);
      if (failed) continue;
      const std::string head(boost::asio::buffers_begin(buffer.data()),
                             boost::asio::buffers_begin(buffer.data()) + static_cast<std::ptrdiff_t>(size));
      buffer.consume(size);
      const std::size_t at = head.find("Content-Length: ");
      const std::size_t length = at == std::string::npos ? 0 : std::stoul(head.substr(at + 16));
      if (buffer.size() < length) {
        boost::asio::read(socket, buffer, boost::asio::transfer_exactly(length - buffer.size()), failed);
      }
      const std::lock_guard lock(mutex_);
      bodies_.emplace_back(boost::asio::buffers_begin(buffer.data()),
                           boost::asio::buffers_end(buffer.data()));
      const std::string status = bodies_.size() <= refusals_ ? refusal_ : "204 No Content";
      boost::asio::write(
          socket,
          boost::asio::buffer("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
          failed);
    }
  }

  std::size_t refusals_;
  std::string refusal_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::atomic<bool> ending_{false};
  mutable std::mutex mutex_;
  std::vector<std::string> bodies_;
  std::thread thread_;
};

std::size_t happened(const outcome& said) {
  return count_of(R"("type":"throw")", said.out) + count_of(R"("type":"goal")", said.out);
}

// A recording and what the server got of it.
struct posted {
  outcome said;
  std::vector<std::string> bodies;
};

// Until there is an event and `enough`: on a busy machine the recorder may not wait long enough for the server.
template <typename Enough>
posted record(const std::string& folder, std::size_t refusals, const std::string& refusal, Enough enough) {
  const served game({"--simulate", "--seed", "3", "--no-bones", "--match-seconds", "60", "--speed", "12",
                     "--wait", "--loop"});
  std::optional<post_box> box;
  posted made;
  made.said = record_until(
      [&](const outcome& said) {
        made.bodies = box->bodies();
        return happened(said) > 0 && enough(said, made.bodies.size());
      },
      [&] {
        box.emplace(refusals, refusal);
        return std::vector<std::string>{game.address(),     "--out",     folder, "--webhook", box->address(),
                                        "--webhook-events", "throw,goal"};
      });
  made.bodies = box->bodies();
  return made;
}

bool was_all_posted(const outcome& said, std::size_t) {
  return !said.says(" posted, ");
}

std::string none_of(std::size_t events) {
  return "0 events were posted, " + tickreel::counted(events, "was not", "were not");
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_event_is_posted_and_retried_after_an_error) {
  const scratch_folder folder;
  const auto [said, bodies] = record(folder / "out", 1, "503 Service Unavailable", was_all_posted);
  BOOST_TEST(!said.says(" posted, "), said.err);
  BOOST_TEST(happened(said) > 0u);
  BOOST_TEST(bodies.size() == happened(said) + 1);
  BOOST_REQUIRE(bodies.size() > 1u);
  BOOST_TEST(bodies[0] == bodies[1]);
  for (const std::string& each : bodies) {
    simdjson::dom::parser parser;
    simdjson::dom::element body;
    BOOST_REQUIRE_MESSAGE(parser.parse(each).get(body) == simdjson::SUCCESS, each);
    BOOST_TEST(!std::string_view(body["content"]).empty());
    BOOST_TEST(std::string_view(body["id"]).size() == 16u);
    BOOST_TEST(body["allowed_mentions"]["parse"].get_array().value().size() == 0u);
    const std::string_view type = body["what"]["type"];
    BOOST_TEST((type == "throw" || type == "goal"));
  }
}

// Longer than the recording and its waiting time at the end.
BOOST_AUTO_TEST_CASE(a_retry_delay_of_the_server_is_respected_at_the_end) {
  const scratch_folder folder;
  const auto [said, bodies] =
      record(folder / "out", 1, "429 Too Many Requests\r\nRetry-After: 7", was_all_posted);
  BOOST_TEST(!said.says(" posted, "), said.err);
  BOOST_TEST(happened(said) > 0u);
  BOOST_TEST(bodies.size() == happened(said) + 1);
}

BOOST_AUTO_TEST_CASE(a_retry_delay_that_exceeds_the_end_is_not_shortened) {
  const scratch_folder folder;
  const auto [said, bodies] =
      record(folder / "out", 1, "429 Too Many Requests\r\nRetry-After: 600",
             [](const outcome& one, std::size_t) { return one.says("HTTP status 429"); });
  BOOST_TEST(bodies.size() == 1u);
  BOOST_TEST(said.says(none_of(happened(said)) + ": HTTP status 429"), said.err);
}

BOOST_AUTO_TEST_CASE(undelivered_posts_are_counted_and_the_address_stays_secret) {
  const scratch_folder folder;
  const std::string failed_event = R"({"event":"webhook_failed","message":"HTTP status 404"})";
  const auto [said, bodies] =
      record(folder / "out", 1000, "404 Not Found", [&](const outcome& one, std::size_t posts) {
        return count_of(failed_event, one.out) > 0 && posts == happened(one);
      });
  BOOST_TEST(said.code == 3);
  const std::size_t events = happened(said);
  BOOST_TEST(bodies.size() == events);  // none is retried
  BOOST_TEST(said.says(none_of(events) + ": HTTP status 404"), said.err);
  // Once, and not only at the end.
  BOOST_TEST(count_of("an event could not be posted: HTTP status 404", said.err) == 1u, said.err);
  BOOST_TEST(count_of(failed_event, said.out) == 1u);
  BOOST_TEST(said.out.find(failed_event) < said.out.find(R"("event":"file_finished")"));
  BOOST_TEST(!said.says("secret"));
  BOOST_TEST(said.out.find("secret") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_redirect_is_reported) {
  const scratch_folder folder;
  const auto [said, bodies] =
      record(folder / "out", 1000, "301 Moved Permanently",
             [](const outcome& one, std::size_t) { return one.says("HTTP status 301"); });
  BOOST_TEST(said.says("HTTP status 301: redirects are not followed"), said.err);
}

BOOST_AUTO_TEST_CASE(invalid_addresses_and_events_are_wrong_usage) {
  const auto refused = [](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"record", "echo", "127.0.0.1:1", "--no-config", "--duration", "0.1"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  for (const char* const address :
       {"file:///etc/passwd", "http://", "http://127.0.0.1:99999/secret", "http://127.0.0.1:x/secret",
        "http://127.0.0.1:1/secret token", "http://secret host/"}) {
    const outcome wrong = refused({"--webhook", address});
    BOOST_TEST(wrong.code == 2, address);
    BOOST_TEST(wrong.says("--webhook"), wrong.err);
    BOOST_TEST(!wrong.says("secret"), wrong.err);
  }
  const outcome said = refused({"--webhook", "http://127.0.0.1:1/", "--webhook-events", "gaol"});
  BOOST_TEST(said.code == 2);
  BOOST_TEST(said.says("did you mean 'goal'?"), said.err);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
