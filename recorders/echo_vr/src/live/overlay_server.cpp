#include "tickreel/echo_vr/overlay_server.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>

#include "overlay_page.hpp"
#include "tickreel/net/http_server.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::echo_vr {
namespace {

// A closed connection is detected by the next write to it.
constexpr std::chrono::seconds max_silence{5};

constexpr std::string_view content_security_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

net::http_response ok(std::string_view type, std::string body) {
  net::http_response out;
  out.status = 200;
  out.type = type;
  out.body = std::move(body);
  return out;
}

net::http_response only_by(std::string_view method) {
  net::http_response out;
  out.status = 405;
  out.allowed_methods = method;
  return out;
}

net::http_response response_to(const saved_clips& done) {
  std::string body;
  text::json_writer json(body);
  json.begin_object().key("clips").begin_array();
  for (const saved_clip& each : done.clips) {
    json.begin_object().member("target", each.target).member("file", each.path.utf8());
    json.member("ticks", each.ticks).end_object();
  }
  json.end_array();
  if (!done.failure.empty()) json.member("error", done.failure);
  json.end_object();
  net::http_response out = ok("application/json", std::move(body));
  if (done.clips.empty()) out.status = done.is_busy ? 503 : 409;
  if (done.is_busy) out.retry_after_s = "1";
  return out;
}

}  // namespace

struct overlay_server::internals {
  internals(const live_feed& from, const overlay_options& with) : feed(from), options(with) {}
  ~internals() { stop(); }

  struct follower;

  result<void> start();
  void answer(const net::http_request& request, net::http_exchange& exchange);
  [[nodiscard]] net::http_response page_at(std::string_view path) const;
  void check_feed();
  void send_newest();
  void stop() noexcept;

  const live_feed& feed;
  const overlay_options options;
  std::unique_ptr<net::http_server> server;
  std::unordered_set<std::shared_ptr<follower>> followers;  // nothing else owns them between two messages
  std::chrono::steady_clock::time_point sent_at;
  std::uint64_t seen_changes = 0;
  std::string newest;        // one message of the stream
  std::uint64_t number = 0;  // of the newest one
};

// A client of the event stream. It skips messages that a newer one replaced, so at most one waits.
struct overlay_server::internals::follower : std::enable_shared_from_this<follower> {
  follower(internals& to, std::shared_ptr<net::open_stream> opened)
      : overlay(to), stream(std::move(opened)) {}

  void send_newest() {
    if (is_writing || sent_number == overlay.number) return;
    sent_number = overlay.number;
    outgoing = overlay.newest;
    is_writing = true;
    stream->write(as_bytes(outgoing), true, [self = shared_from_this()](bool sent) {
      self->is_writing = false;
      if (sent) return self->send_newest();
      self->stream->drop();
      self->overlay.followers.erase(self);
    });
  }

  internals& overlay;
  std::shared_ptr<net::open_stream> stream;
  std::string outgoing;
  std::uint64_t sent_number = 0;
  bool is_writing = false;
};

result<void> overlay_server::internals::start() {
  net::http_server_options with;
  with.port = options.port;
  with.max_clients = options.max_clients;
  with.content_security_policy = content_security_policy;
  with.purpose = "listening for the overlay";
  auto listening = net::http_server::listen(
      with,
      [this](const net::http_request& request, net::http_exchange& exchange) { answer(request, exchange); });
  if (!listening) return fail(listening.error());
  server = std::move(*listening);
  server->repeat(std::chrono::milliseconds(options.interval_ms), [this] { check_feed(); });
  return server->start();
}

void overlay_server::internals::answer(const net::http_request& request, net::http_exchange& exchange) {
  if (request.path == "/clip" && options.ask_for_clip) {
    if (request.method != "POST") return exchange.respond(only_by("POST"));
    return options.ask_for_clip(
        [respond = exchange.respond_later()](const saved_clips& done) { respond(response_to(done)); });
  }
  if (request.method != "GET") return exchange.respond(only_by("GET"));
  if (request.target != "/live") return exchange.respond(page_at(request.path));
  const auto each = std::make_shared<follower>(*this, exchange.stream_events());
  followers.insert(each);
  each->send_newest();
}

net::http_response overlay_server::internals::page_at(std::string_view path) const {
  if (path == "/") return ok("text/html; charset=utf-8", std::string(overlay_html));
  if (path == "/overlay.css") return ok("text/css; charset=utf-8", std::string(overlay_css));
  if (path == "/overlay.js") return ok("text/javascript; charset=utf-8", std::string(overlay_js));
  if (path == "/state") {
    std::string list = "[";
    for (const live_score& each : feed.standings()) {
      if (list.size() > 1) list += ',';
      append_json(each, list);
    }
    return ok("application/json", list + ']');
  }
  net::http_response out;
  if (path == "/favicon.ico") out.status = 204;  // every browser requests it
  return out;
}

void overlay_server::internals::send_newest() {
  ++number;
  sent_at = std::chrono::steady_clock::now();
  const auto all = followers;  // a failed one leaves the set
  for (const auto& each : all) each->send_newest();
}

void overlay_server::internals::check_feed() {
  if (const std::uint64_t changes = feed.changes(); changes != seen_changes || newest.empty()) {
    seen_changes = changes;
    const std::vector<live_score> all = feed.standings();
    std::string message = "data: ";
    append_json(all.empty() ? live_score{} : all.front(), message);
    message += "\n\n";
    if (message != newest) {
      newest = std::move(message);
      send_newest();
    }
  }
  if (std::chrono::steady_clock::now() - sent_at >= max_silence) send_newest();
}

void overlay_server::internals::stop() noexcept {
  if (!server) return;
  server->stop();
  followers.clear();
}

overlay_server::overlay_server(std::unique_ptr<internals> owned) noexcept : internals_(std::move(owned)) {}
overlay_server::overlay_server(overlay_server&&) noexcept = default;
overlay_server& overlay_server::operator=(overlay_server&&) noexcept = default;
overlay_server::~overlay_server() = default;

result<overlay_server> overlay_server::start(const live_feed& feed, const overlay_options& options) {
  if (options.interval_ms == 0) {
    return fail(error_code::invalid_argument, error::no_offset, "the interval must be above 0");
  }
  try {
    auto made = std::make_unique<internals>(feed, options);
    if (const result<void> started = made->start(); !started) return fail(started.error());
    return overlay_server(std::move(made));
  } catch (const std::bad_alloc&) {
    return fail(error_code::out_of_memory);
  }
}

std::uint16_t overlay_server::port() const noexcept {
  return internals_->server->port();
}

void overlay_server::stop() noexcept {
  if (internals_) internals_->stop();
}

}  // namespace tickreel::echo_vr
