#include "tickreel/echo_vr/api_server.hpp"

#include <chrono>
#include <mutex>
#include <utility>

#include "playback.hpp"
#include "tickreel/net/http_server.hpp"

namespace tickreel::echo_vr {
namespace {

// Playback advances even without requests, so that a late request does not have to catch up.
constexpr std::chrono::milliseconds advance_interval{20};

constexpr std::string_view in_the_lobby =
    R"({"err_description":"Endpoint is restricted in this match type","err_code":-6})";
constexpr std::string_view access_off = R"({"err_description":"API access is disabled","err_code":-2})";

}  // namespace

struct api_server::internals {
  internals(std::unique_ptr<files::echo_source> source, const serve_options& from)
      : options(from), show(std::move(source), from) {}

  ~internals() { stop(); }

  result<void> start() {
    net::http_server_options with;
    with.address = options.address;
    with.port = options.port;
    with.names = options.names;
    with.max_clients = options.max_clients;
    with.purpose = "listening for API clients";
    auto listening = net::http_server::listen(
        with, [this](const net::http_request& request, net::http_exchange& exchange) {
          exchange.respond(response_to(request));
        });
    if (!listening) return fail(listening.error());
    server = std::move(*listening);
    if (!options.wait_for_client) show.begin(std::chrono::steady_clock::now());
    server->repeat(advance_interval, [this] {
      show.advance(std::chrono::steady_clock::now());
      publish_status();
    });
    return server->start();
  }

  void publish_status() {
    const std::lock_guard lock(status_mutex);
    status = show.status();
    status.requests = requests;
    status.clients = server->clients();
    source_result = show.source_result();
  }

  net::http_response response_to(const net::http_request& request) {
    ++requests;
    net::http_response out;
    out.type.clear();
    const bool session = request.path == "/session";
    if (request.method != "GET" || (!session && request.path != "/player_bones")) return out;
    const auto json = [&](int status_code, std::string_view body) {
      out.status = status_code;
      if (!body.empty()) out.type = "application/json";
      out.body = body;
      return std::move(out);
    };
    if (options.api_disabled) return json(500, access_off);
    const auto now = std::chrono::steady_clock::now();
    if (session) show.begin(now);
    show.advance(now);
    switch (show.showing()) {
      case playback::scene::menu:
        return out;
      case playback::scene::lobby:
        return json(500, in_the_lobby);
      case playback::scene::match:
        break;
    }
    // A copy: the next tick may replace the text before it is sent.
    return json(200, session ? show.session_answer() : show.bones_answer());
  }

  void stop() noexcept {
    if (server) server->stop();
  }

  const serve_options options;
  std::uint64_t requests = 0;
  playback show;
  std::unique_ptr<net::http_server> server;

  mutable std::mutex status_mutex;
  serve_status status;
  result<void> source_result;
};

api_server::api_server(std::unique_ptr<internals> owned) noexcept : internals_(std::move(owned)) {}
api_server::api_server(api_server&&) noexcept = default;
api_server& api_server::operator=(api_server&&) noexcept = default;
api_server::~api_server() = default;

result<api_server> api_server::start(std::unique_ptr<files::echo_source> source, const serve_options& options,
                                     bool* failed_to_listen) {
  if (failed_to_listen != nullptr) *failed_to_listen = false;
  if (!source) return fail(error_code::invalid_argument, error::no_offset, "there is nothing to serve");
  if (!(options.speed > 0 && options.speed <= 1000)) {
    return fail(error_code::invalid_argument, error::no_offset, "speed must be above 0 and at most 1000");
  }
  try {
    auto made = std::make_unique<internals>(std::move(source), options);
    if (const result<void> ready = made->show.prepare(); !ready) return fail(ready.error());
    if (const result<void> started = made->start(); !started) {
      if (failed_to_listen != nullptr) *failed_to_listen = true;
      return fail(started.error());
    }
    return api_server(std::move(made));
  } catch (const std::bad_alloc&) {
    return fail(error_code::out_of_memory);
  }
}

std::uint16_t api_server::port() const noexcept {
  return internals_->server->port();
}

serve_status api_server::status() const {
  const std::lock_guard lock(internals_->status_mutex);
  return internals_->status;
}

result<void> api_server::source_result() const {
  const std::lock_guard lock(internals_->status_mutex);
  return internals_->source_result;
}

std::vector<std::string> api_server::losses() const {
  return internals_->show.losses();
}

void api_server::stop() noexcept {
  if (internals_) internals_->stop();
}

}  // namespace tickreel::echo_vr
