#include "obs_control.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

#include "tickreel/icrep/digest.hpp"
#include "tickreel/net/websocket_client.hpp"
#include "tickreel/text/ascii.hpp"
#include "tickreel/text/base64.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/shown.hpp"

namespace tickreel::cli {

namespace {

constexpr std::chrono::milliseconds obs_look_interval{50};
constexpr std::size_t max_message_bytes = 1u << 20;

// Operation codes, docs/generated/protocol.md of obs-websocket.
constexpr std::int64_t op_hello = 0;
constexpr std::int64_t op_identify = 1;
constexpr std::int64_t op_identified = 2;
constexpr std::int64_t op_request = 6;
constexpr std::int64_t op_response = 7;
constexpr std::int64_t rpc_version = 1;
constexpr std::uint16_t close_authentication_failed = 4009;
constexpr std::int64_t status_output_running = 500;
constexpr std::int64_t status_output_not_running = 501;

constexpr const char* start_record = "StartRecord";
constexpr const char* stop_record = "StopRecord";
constexpr const char* save_replay = "SaveReplayBuffer";

std::string base64_of_sha256(const std::string& text) {
  const icrep::digest hash = icrep::sha256(as_bytes(text));
  std::string out;
  text::append_base64(hash, out);
  return out;
}

struct obs_response {
  bool done = false;
  std::int64_t code = 0;
  std::string comment;
};

// One connection for one request. A step that exceeds its timeout fails with timed_out.
class obs_connection {
 public:
  explicit obs_connection(const obs_options& options)
      : options_(options),
        socket_({.host = options.host,
                 .port = options.port,
                 .timeout = options.timeout,
                 .max_message_bytes = max_message_bytes}) {}

  // An error text if the request got no response.
  std::string request(const char* type, obs_response& out) {
    if (const auto connected = socket_.connect(); !connected) return describe_failure(connected.error());
    if (std::string wrong = identify(); !wrong.empty()) return wrong;
    std::string text;
    text::json_writer json(text);
    json.begin_object().member("op", op_request).key("d").begin_object();
    json.member("requestType", std::string_view(type)).member("requestId", "1").end_object().end_object();
    if (const auto written = socket_.write(text); !written) return describe_failure(written.error());
    // Events may come before the response.
    for (;;) {
      simdjson::dom::element message;
      if (std::string wrong = read(message); !wrong.empty()) return wrong;
      if (op_of(message) != op_response) continue;
      simdjson::dom::element status;
      if (message["d"]["requestStatus"].get(status) != simdjson::SUCCESS) return not_obs();
      std::string_view comment;
      if (status["result"].get(out.done) != simdjson::SUCCESS) return not_obs();
      if (status["code"].get(out.code) != simdjson::SUCCESS) return not_obs();
      if (status["comment"].get(comment) == simdjson::SUCCESS) out.comment = text::shown(comment);
      socket_.close();
      return {};
    }
  }

 private:
  std::string identify() {
    simdjson::dom::element hello;
    if (std::string wrong = read(hello); !wrong.empty()) return wrong;
    if (op_of(hello) != op_hello) return not_obs();
    std::string_view challenge, salt;
    const bool asks = hello["d"]["authentication"]["challenge"].get(challenge) == simdjson::SUCCESS &&
                      hello["d"]["authentication"]["salt"].get(salt) == simdjson::SUCCESS;
    if (asks && options_.password.empty()) return "OBS asks for a password; give it with --obs-password";
    std::string text;
    text::json_writer json(text);
    json.begin_object().member("op", op_identify).key("d").begin_object();
    json.member("rpcVersion", rpc_version).member("eventSubscriptions", std::int64_t{0});
    if (asks) {
      const std::string secret = base64_of_sha256(options_.password + std::string(salt));
      json.member("authentication", base64_of_sha256(secret + std::string(challenge)));
    }
    json.end_object().end_object();
    if (const auto written = socket_.write(text); !written) return describe_failure(written.error());
    simdjson::dom::element answer;
    if (std::string wrong = read(answer); !wrong.empty()) return wrong;
    return op_of(answer) == op_identified ? std::string() : not_obs();
  }

  std::string read(simdjson::dom::element& out) {
    const auto text = socket_.read();
    if (!text) return describe_failure(text.error());
    return parser_.parse(*text).get(out) == simdjson::SUCCESS ? std::string() : not_obs();
  }

  static std::int64_t op_of(const simdjson::dom::element& message) {
    std::int64_t op = -1;
    return message["op"].get(op) == simdjson::SUCCESS ? op : -1;
  }

  static std::string not_obs() { return "the server does not speak obs-websocket 5"; }

  std::string describe_failure(const error& failed) const {
    if (socket_.close_code() == close_authentication_failed) {
      return "OBS refused the password; give the one that OBS shows with --obs-password";
    }
    switch (failed.code) {
      case error_code::timed_out:
        return "OBS did not answer in time";
      case error_code::connection_refused:
        return "nothing listens at this address; start OBS and switch its WebSocket server on";
      case error_code::bad_answer:
        return not_obs();
      default:
        return "the connection failed: " + describe(failed);
    }
  }

  const obs_options& options_;
  net::websocket_client socket_;
  simdjson::dom::parser parser_;
};

}  // namespace

std::string read_obs_address(const std::string& text, obs_options& to) {
  const std::size_t colon = text.rfind(':');
  const std::string host = text.substr(0, colon);
  if (host.empty() || host.find_first_of(":/ ") != std::string::npos) {
    return text + " is not an address such as 127.0.0.1:4455";
  }
  to.host = host;
  if (colon == std::string::npos) return {};
  to.port = text::parse_number<std::uint16_t>(text.substr(colon + 1)).value_or(0);
  return to.port != 0 ? std::string() : text + " is not an address such as 127.0.0.1:4455";
}

obs_control::obs_control(const echo_vr::live_feed& feed, obs_options options)
    : feed_(feed), options_(std::move(options)), thread_([this] { run(); }) {}

obs_control::~obs_control() {
  (void)finish(std::chrono::milliseconds(0));
}

obs_report obs_control::finish(std::chrono::milliseconds wait_limit) {
  if (thread_.joinable()) {
    deadline_ns_ =
        (std::chrono::steady_clock::now() + wait_limit).time_since_epoch() / std::chrono::nanoseconds(1);
    ending_ = true;
    thread_.join();
  }
  return report_;
}

std::string obs_control::take_first_failure() {
  const std::scoped_lock lock(failure_mutex_);
  return std::exchange(first_failure_, {});
}

void obs_control::failed(std::string why) {
  ++report_.failed;
  report_.last_failure = std::move(why);
  const std::scoped_lock lock(failure_mutex_);
  if (!std::exchange(has_failed_, true)) first_failure_ = report_.last_failure;
}

bool obs_control::out_of_time() const {
  return ending_ &&
         std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1) >= deadline_ns_;
}

void obs_control::run() {
  while (true) {
    const bool last_look = ending_;
    collect();
    if (last_look && !playing_.empty()) {
      playing_.clear();
      want(stop_record);
    }
    while (!waiting_.empty() && !out_of_time()) send_next();
    if (last_look) break;
    std::this_thread::sleep_for(obs_look_interval);
  }
  for (; !waiting_.empty(); waiting_.pop_front()) failed("the recorder ended before OBS answered");
}

void obs_control::collect() {
  std::vector<echo_vr::live_event> events;
  (void)feed_.take(next_, events);
  for (const echo_vr::live_event& each : events) {
    if (std::holds_alternative<echo::match_started>(each.what.what)) {
      if (playing_.insert(each.target).second && playing_.size() == 1) want(start_record);
    } else if (std::holds_alternative<echo::match_ended>(each.what.what)) {
      if (playing_.erase(each.target) != 0 && playing_.empty()) want(stop_record);
    }
    const auto& types = options_.save_types;
    if (std::find(types.begin(), types.end(), each.what.what.index()) != types.end()) want(save_replay);
  }
}

void obs_control::want(const char* request) {
  if (request != save_replay && !options_.record) return;
  waiting_.push_back(request);
  if (waiting_.size() <= options_.max_waiting) return;
  waiting_.pop_front();
  failed("there were more requests than OBS accepted");
}

void obs_control::send_next() {
  const char* const request = waiting_.front();
  waiting_.pop_front();
  // A recording that the user started continues.
  if (request == stop_record && !records_) return;
  std::string wrong;
  obs_response response;
  for (int attempt = 0; attempt < options_.attempts && !(attempt != 0 && out_of_time()); ++attempt) {
    try {
      obs_connection to(options_);
      wrong = to.request(request, response);
    } catch (const std::exception& thrown) {
      wrong = thrown.what();
    }
    if (wrong.empty()) break;
  }
  if (!wrong.empty()) return failed(fmt::format("{}: {}", request, wrong));
  if (request == start_record) records_ = response.done;
  if (request == stop_record) records_ = false;
  const bool is_in_requested_state = (request == start_record && response.code == status_output_running) ||
                                     (request == stop_record && response.code == status_output_not_running);
  if (response.done || is_in_requested_state) {
    ++report_.done;
    return;
  }
  const char* const advice = request == save_replay && response.code == status_output_not_running
                                 ? "; start the replay buffer in OBS"
                                 : "";
  failed(fmt::format("{}: OBS refused with status {}{}{}{}", request, response.code,
                     response.comment.empty() ? "" : ": ", response.comment, advice));
}

}  // namespace tickreel::cli
