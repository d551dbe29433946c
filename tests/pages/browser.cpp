#include "browser.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "tickreel/text/json.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace tickreel::test {

namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using tcp = boost::asio::ip::tcp;
using text::json_writer;
using steady = std::chrono::steady_clock;

// Only a failure takes longer: machines under load start a browser in several seconds.
constexpr std::chrono::seconds time_limit{60};

std::string program_in_path(const char* variable, std::initializer_list<const char*> names) {
  if (const char* given = std::getenv(variable)) return ::access(given, X_OK) == 0 ? given : "";
  const char* path = std::getenv("PATH");
  for (const char* name : names) {
    for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();) {
      const std::size_t colon = rest.find(':');
      const std::string each = std::string(rest.substr(0, colon)) + '/' + name;
      if (::access(each.c_str(), X_OK) == 0) return each;
      rest = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
    }
  }
  return "";
}

[[noreturn]] void give_up(const std::string& why) {
  throw std::runtime_error("browser: " + why);
}

void append_pointer(text::json_writer& json, screen_point to, int duration_ms) {
  json.begin_object()
      .member("type", "pointerMove")
      .member("duration", duration_ms)
      .member("origin", "viewport");
  json.member("x", to.x).member("y", to.y).end_object();
}

void append_step(text::json_writer& json, std::string_view type, std::string_view name, const auto& value) {
  json.begin_object().member("type", type).member(name, value).end_object();
}

}  // namespace

std::optional<browser_programs> find_browser_programs() {
  browser_programs found{
      .chromium = program_in_path("TICKREEL_CHROMIUM", {"chromium", "chromium-browser", "google-chrome"}),
      .chromedriver = program_in_path("TICKREEL_CHROMEDRIVER", {"chromedriver"})};
  if (found.chromium.empty() || found.chromedriver.empty()) return std::nullopt;
  return found;
}

// chromedriver on a free port of its choice, in a separate process group.
class browser::driver_process {
 public:
  explicit driver_process(const std::string& program) {
    int ends[2];
    if (::pipe(ends) != 0) give_up("no pipe");
    child_ = ::fork();
    if (child_ < 0) give_up("no process");
    if (child_ == 0) {
      (void)::setpgid(0, 0);
#ifdef __linux__
      // A killed test leaves no driver running; a browser ends with its driver's pipe.
      (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      ::execl(program.c_str(), program.c_str(), "--port=0", static_cast<char*>(nullptr));
      ::_exit(127);
    }
    (void)::setpgid(child_, child_);
    ::close(ends[1]);
    out_ = ends[0];
    (void)::fcntl(out_, F_SETFD, FD_CLOEXEC);
    port_ = read_port();
  }
  driver_process(const driver_process&) = delete;
  driver_process& operator=(const driver_process&) = delete;
  ~driver_process() {
    ::kill(-child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    ::close(out_);
  }
  [[nodiscard]] unsigned short port() const noexcept { return port_; }

 private:
  // "ChromeDriver was started successfully on port 34567."
  unsigned short read_port() const {
    constexpr std::string_view before = "successfully on port ";
    std::string said;
    const auto deadline = steady::now() + time_limit;
    while (steady::now() < deadline) {
      pollfd waiting{.fd = out_, .events = POLLIN, .revents = 0};
      if (::poll(&waiting, 1, 1000) <= 0) continue;
      char piece[256];
      const ::ssize_t count = ::read(out_, piece, sizeof piece);
      if (count <= 0) break;
      said.append(piece, static_cast<std::size_t>(count));
      const std::size_t at = said.find(before);
      if (at != std::string::npos && said.find('\n', at) != std::string::npos)
        return static_cast<unsigned short>(std::stoi(said.substr(at + before.size())));
    }
    give_up("chromedriver did not start; it said: " + said);
  }

  ::pid_t child_ = -1;
  int out_ = -1;
  unsigned short port_ = 0;
};

browser::browser(const browser_programs& programs)
    : driver_(std::make_unique<driver_process>(programs.chromedriver)) {
  std::string body;
  text::json_writer json(body);
  json.begin_object().key("capabilities").begin_object().key("alwaysMatch").begin_object();
  json.member("browserName", "chrome").key("goog:loggingPrefs").begin_object().member("browser", "ALL");
  json.end_object().key("goog:chromeOptions").begin_object().member("binary", programs.chromium);
  json.key("args").begin_array();
  // Root and containers have no sandbox and little shared memory. No host name resolves.
  for (const char* each : {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                           "--remote-debugging-pipe", "--no-first-run", "--window-size=1200,1000",
                           "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"})
    json.value(each);
  json.value("--user-data-dir=" + profile_.path().string());
  json.end_array().end_object().end_object().end_object().end_object();
  session_ = std::string(call("POST", "/session", body)["sessionId"]);
}

browser::~browser() {
  try {
    call("DELETE", "/session/" + session_, "");
  } catch (const std::exception&) {
    // The driver is ended, whether it has answered or not.
  }
}

simdjson::dom::element browser::call(std::string_view verb, const std::string& path,
                                     const std::string& body) {
  boost::asio::io_context loop;
  beast::tcp_stream stream(loop);
  http::request<http::string_body> request(http::string_to_verb({verb.data(), verb.size()}), path, 11);
  request.set(http::field::host, "127.0.0.1");
  request.set(http::field::content_type, "application/json; charset=utf-8");
  request.body() = body;
  request.prepare_payload();
  beast::flat_buffer room;
  http::response_parser<http::string_body> answer;
  answer.body_limit(64u << 20);
  beast::error_code problem = boost::asio::error::timed_out;
  stream.expires_after(time_limit);
  stream.async_connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), driver_->port()),
                       [&](beast::error_code failed) {
                         problem = failed;
                         if (failed) return;
                         http::async_write(stream, request, [&](beast::error_code refused, std::size_t) {
                           problem = refused;
                           if (refused) return;
                           http::async_read(stream, room, answer,
                                            [&](beast::error_code broken, std::size_t) { problem = broken; });
                         });
                       });
  loop.run();
  if (problem) give_up(path + ": " + problem.message());
  simdjson::dom::element document;
  if (parser_.parse(answer.get().body()).get(document) != simdjson::SUCCESS)
    give_up(path + ": no JSON: " + answer.get().body());
  const simdjson::dom::element value = document["value"];
  if (answer.get().result() != http::status::ok)
    give_up(path + " " + body.substr(0, 200) + ": " + std::string(std::string_view(value["message"])));
  return value;
}

simdjson::dom::element browser::in_session(const std::string& path, const std::string& body) {
  return call("POST", "/session/" + session_ + path, body);
}

void browser::open(const std::string& file) {
  std::string body;
  text::json_writer(body)
      .begin_object()
      .member("url", file.starts_with("http://") ? file : "file://" + file)
      .end_object();
  in_session("/url", body);
  wait_until("document.readyState == 'complete'");
}

void browser::resize(int width, int height) {
  std::string body;
  text::json_writer(body).begin_object().member("width", width).member("height", height).end_object();
  in_session("/window/rect", body);
}

simdjson::dom::element browser::ask(std::string_view expression) {
  std::string body;
  text::json_writer json(body);
  json.begin_object().member("script", "return " + std::string(expression));
  json.key("args").begin_array().end_array().end_object();
  return in_session("/execute/sync", body);
}

std::string browser::text(std::string_view expression) {
  return std::string(std::string_view(ask(expression)));
}

double browser::number(std::string_view expression) {
  return ask(expression).get_double();
}

bool browser::truth(std::string_view expression) {
  return ask("!!(" + std::string(expression) + ")");
}

void browser::wait_until(std::string_view expression) {
  const auto deadline = steady::now() + time_limit;
  while (!truth(expression)) {
    if (steady::now() > deadline) give_up("never: " + std::string(expression));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void browser::press(std::initializer_list<std::string_view> keys, std::string_view held) {
  std::string body;
  text::json_writer json(body);
  json.begin_object().key("actions").begin_array().begin_object();
  json.member("type", "key").member("id", "keyboard").key("actions").begin_array();
  if (!held.empty()) append_step(json, "keyDown", "value", held);
  for (const std::string_view each : keys) {
    append_step(json, "keyDown", "value", each);
    append_step(json, "keyUp", "value", each);
  }
  if (!held.empty()) append_step(json, "keyUp", "value", held);
  json.end_array().end_object().end_array().end_object();
  in_session("/actions", body);
}

void browser::drag(screen_point from, screen_point to) {
  std::string body;
  text::json_writer json(body);
  json.begin_object().key("actions").begin_array().begin_object();
  json.member("type", "pointer").member("id", "mouse").key("actions").begin_array();
  append_pointer(json, from, 0);
  append_step(json, "pointerDown", "button", 0);
  append_pointer(json, to, 60);
  append_step(json, "pointerUp", "button", 0);
  json.end_array().end_object().end_array().end_object();
  in_session("/actions", body);
}

screen_point browser::middle_of(const std::string& selector) {
  std::string quoted;
  text::append_json_text(selector, quoted);
  const simdjson::dom::element place =
      ask("(one => { one.scrollIntoView({block: 'center'}); const at = one.getBoundingClientRect(); return "
          "[Math.round(at.x + at.width / 2), Math.round(at.y + at.height / 2)] })(document.querySelector(" +
          quoted + "))");
  return {place.at(0).get_double(), place.at(1).get_double()};
}

void browser::click(const std::string& selector) {
  const screen_point at = middle_of(selector);
  drag(at, at);
}

std::vector<std::string> browser::complaints() {
  std::vector<std::string> all;
  for (const simdjson::dom::element each : in_session("/se/log", R"({"type":"browser"})").get_array())
    all.push_back(std::string(std::string_view(each["level"])) + ": " +
                  std::string(std::string_view(each["message"])));
  return all;
}

}  // namespace tickreel::test
