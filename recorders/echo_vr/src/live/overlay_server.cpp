#include "tickreel/echo_vr/overlay_server.hpp"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "net/event_loop_internals.hpp"
#include "overlay_page.hpp"
#include "tickreel/net/listen.hpp"
#include "tickreel/net/own_page.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::echo_vr {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

constexpr std::chrono::seconds longest_silence{60};
// A client that is gone shows when something is sent to it.
constexpr std::chrono::seconds longest_quiet{5};
// A body is passed over for so long, and so much of it, that the answer gets through.
constexpr std::chrono::seconds longest_body{2};
constexpr std::size_t max_request_body_bytes = 64u << 10;
constexpr std::uint32_t max_request_head_bytes = 8192;

constexpr std::string_view content_security_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

struct page {
  http::status status = http::status::not_found;
  std::string_view type = "text/plain";
  std::string body = {};
  std::string_view allowed = {};  // methods, where another was used
  bool later = false;             // the same may work in a second
};

page answer_of(const saved_clips& done) {
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
  const bool saved = !done.clips.empty();
  const http::status otherwise = done.is_busy ? http::status::service_unavailable : http::status::conflict;
  return {saved ? http::status::ok : otherwise, "application/json", std::move(body), {}, done.is_busy};
}

}  // namespace

struct overlay_server::internals {
  internals(const live_feed& from, const overlay_options& with)
      : feed(from), options(with), acceptor(loop.inside().context), ticker(loop), accept_again(loop) {}
  ~internals() { stop(); }

  struct client;
  // Clips come when they are saved, and the server may be gone by then.
  struct way_back {
    std::mutex mutex;
    internals* server = nullptr;
  };
  void ask_for_clip(const std::shared_ptr<client>& asker);

  result<void> listen() {
    const auto opened =
        net::listen(acceptor, asio::ip::address_v4::loopback(), options.port, "listening for the overlay");
    if (!opened) return tl::unexpected<error>(opened.error());
    port = *opened;
    return {};
  }

  void run() {
    back->server = this;
    look();
    accept();
    thread = std::thread([this] { loop.run(); });
  }

  void accept();
  void look();
  void tell();
  void stop() noexcept;

  page answer_to(const http::request<http::empty_body>& request) {
    const std::string_view target(request.target().data(), request.target().size());
    const std::string_view path = target.substr(0, target.find('?'));
    if (path == "/clip" && options.ask_for_clip) {
      return {http::status::method_not_allowed, "text/plain", {}, "POST"};
    }
    if (request.method() != http::verb::get) {
      return {http::status::method_not_allowed, "text/plain", {}, "GET"};
    }
    if (path == "/") return {http::status::ok, "text/html; charset=utf-8", std::string(overlay_html)};
    if (path == "/overlay.css")
      return {http::status::ok, "text/css; charset=utf-8", std::string(overlay_css)};
    if (path == "/overlay.js")
      return {http::status::ok, "text/javascript; charset=utf-8", std::string(overlay_js)};
    if (path == "/favicon.ico") return {http::status::no_content};  // every browser asks
    if (path != "/state") return {};
    std::string list = "[";
    for (const live_standing& each : feed.standings()) {
      if (list.size() > 1) list += ',';
      append_json(each, list);
    }
    return {http::status::ok, "application/json", list + ']'};
  }

  const live_feed& feed;
  const overlay_options options;
  std::unordered_set<client*> clients;  // before the loop, which destroys those that are left
  event_loop loop;
  tcp::acceptor acceptor;
  std::unordered_set<std::shared_ptr<client>> followers;  // nothing else keeps those that wait for news
  std::unordered_map<std::uint64_t, std::shared_ptr<client>> askers;  // of clips
  std::uint64_t last_question = 0;
  loop_timer ticker;
  loop_timer accept_again;
  std::shared_ptr<way_back> back = std::make_shared<way_back>();
  std::thread thread;
  std::uint16_t port = 0;
  std::chrono::steady_clock::time_point told_at;
  std::uint64_t seen = 0;  // changes of the feed
  std::string newest;      // one message of the stream
  std::uint64_t number = 0;
};

struct overlay_server::internals::client : std::enable_shared_from_this<client> {
  client(tcp::socket socket, internals& to) : server(to), stream(std::move(socket)) {
    server.clients.insert(this);
    boost::system::error_code ignored;
    (void)stream.socket().set_option(tcp::no_delay(true), ignored);
  }
  ~client() { server.clients.erase(this); }

  void receive() {
    parser.emplace();
    // Only the head is read; a body of any length is nobody's fault.
    parser->body_limit(boost::none);
    parser->header_limit(max_request_head_bytes);
    stream.expires_after(longest_silence);
    http::async_read_header(stream, buffer, *parser,
                            [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                              if (!failed) self->send();
                            });
  }

  void send() {
    const http::request<http::empty_body>& request = parser->get();
    has_body = !parser->is_done();
    const auto host = request[http::field::host];
    const auto origin = request[http::field::origin];
    if (!net::is_own_host({host.data(), host.size()}, server.port) ||
        !net::is_own_origin({origin.data(), origin.size()}, {host.data(), host.size()}, server.port)) {
      return answer({http::status::forbidden, "text/plain", "this is no name of the overlay\n"});
    }
    if (request.method() == http::verb::get && request.target() == "/live") return follow();
    const std::string_view target(request.target().data(), request.target().size());
    const bool is_clip = target.substr(0, target.find('?')) == "/clip" && server.options.ask_for_clip;
    if (is_clip && request.method() == http::verb::post) {
      stream.expires_after(longest_silence);
      return server.ask_for_clip(shared_from_this());
    }
    answer(server.answer_to(request));
  }

  void answer(page with) {
    const http::request<http::empty_body>& request = parser->get();
    response = {with.status, request.version(), std::move(with.body)};
    response.set(http::field::content_type, {with.type.data(), with.type.size()});
    response.set("Content-Security-Policy", {content_security_policy.data(), content_security_policy.size()});
    response.set("X-Content-Type-Options", "nosniff");
    response.set(http::field::cache_control, "no-store");
    if (!with.allowed.empty()) response.set(http::field::allow, {with.allowed.data(), with.allowed.size()});
    if (with.later) response.set(http::field::retry_after, "1");
    // What comes behind a body that was not read is nobody's request.
    response.keep_alive(request.keep_alive() && !has_body);
    response.prepare_payload();
    stream.expires_after(longest_silence);
    http::async_write(stream, response,
                      [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                        if (failed) return;
                        if (self->response.keep_alive()) return self->receive();
                        if (self->has_body) self->pass_over_body();
                      });
  }

  // Closing on what somebody still sends would take the answer away from him.
  void pass_over_body() {
    boost::system::error_code ignored;
    (void)stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream.expires_after(longest_body);
    pass_over_more();
  }
  void pass_over_more() {
    buffer.clear();
    stream.async_read_some(buffer.prepare(4096),
                           [self = shared_from_this()](boost::system::error_code failed, std::size_t bytes) {
                             self->passed_over += bytes;
                             if (!failed && self->passed_over < max_request_body_bytes)
                               self->pass_over_more();
                           });
  }

  // From here on it only listens.
  void follow() {
    outgoing =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n";
    server.followers.insert(shared_from_this());
    sent_number = server.number;
    outgoing += server.newest;
    write();
  }

  void write() {
    writing = true;
    stream.expires_after(longest_silence);
    asio::async_write(stream, asio::buffer(outgoing),
                      [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                        self->writing = false;
                        if (failed) return self->leave();
                        self->go_on();
                      });
  }

  void leave() {
    stream.close();
    server.followers.erase(shared_from_this());
  }

  // What came meanwhile is skipped but for the newest: a slow client has one message waiting at most.
  void go_on() {
    if (writing || sent_number == server.number) return;
    sent_number = server.number;
    outgoing = server.newest;
    write();
  }

  internals& server;
  beast::tcp_stream stream;
  beast::flat_buffer buffer;
  std::optional<http::request_parser<http::empty_body>> parser;
  http::response<http::string_body> response;
  bool has_body = false;
  std::size_t passed_over = 0;
  std::string outgoing;
  std::uint64_t sent_number = 0;
  bool writing = false;
};

void overlay_server::internals::ask_for_clip(const std::shared_ptr<client>& asker) {
  const std::uint64_t question = ++last_question;
  askers.emplace(question, asker);
  options.ask_for_clip([way = back, question](const saved_clips& done) {
    const std::lock_guard lock(way->mutex);
    if (way->server == nullptr) return;
    way->server->loop.post([to = way->server, question, reply = answer_of(done)] {
      const auto waiting = to->askers.extract(question);
      if (!waiting.empty()) waiting.mapped()->answer(reply);
    });
  });
}

void overlay_server::internals::accept() {
  acceptor.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
    if (failed == asio::error::operation_aborted) return;
    if (!failed && clients.size() < options.max_clients) {
      net::keep_from_children(socket);
      std::make_shared<client>(std::move(socket), *this)->receive();
    }
    if (failed) {
      // Out of descriptors, most likely: asking again at once would only burn time.
      accept_again.at(std::chrono::steady_clock::now() + std::chrono::milliseconds(options.interval_ms),
                      [this] { accept(); });
    } else {
      accept();
    }
  });
}

void overlay_server::internals::tell() {
  ++number;
  told_at = std::chrono::steady_clock::now();
  for (const auto& each : followers) each->go_on();
}

void overlay_server::internals::look() {
  if (const std::uint64_t changes = feed.changes(); changes != seen || newest.empty()) {
    seen = changes;
    const std::vector<live_standing> all = feed.standings();
    std::string message = "data: ";
    append_json(all.empty() ? live_standing{} : all.front(), message);
    message += "\n\n";
    if (message != newest) {
      newest = std::move(message);
      tell();
    }
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - told_at >= longest_quiet) tell();
  ticker.at(now + std::chrono::milliseconds(options.interval_ms), [this] { look(); });
}

void overlay_server::internals::stop() noexcept {
  if (!thread.joinable()) return;
  {
    const std::lock_guard lock(back->mutex);
    back->server = nullptr;
  }
  loop.post([this] {
    // With these gone nothing is left to wait for, and the loop ends.
    ticker.cancel();
    accept_again.cancel();
    boost::system::error_code ignored;
    (void)acceptor.close(ignored);
    for (client* each : clients) each->stream.close();
    followers.clear();
    askers.clear();
  });
  thread.join();
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
    if (const result<void> listening = made->listen(); !listening) return fail(listening.error());
    made->run();
    return overlay_server(std::move(made));
  } catch (const std::bad_alloc&) {
    return fail(error_code::out_of_memory);
  } catch (const std::exception&) {
    return fail(error_code::io_failed, error::no_offset, "the overlay's thread could not be started");
  }
}

std::uint16_t overlay_server::port() const noexcept {
  return internals_->port;
}

void overlay_server::stop() noexcept {
  if (internals_) internals_->stop();
}

}  // namespace tickreel::echo_vr
