#include "tickreel/net/http_server.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <list>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "http_stream.hpp"
#include "listen.hpp"
#include "repeating_timer.hpp"
#include "tickreel/net/own_page.hpp"

namespace tickreel::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using clock = std::chrono::steady_clock;

// After a failure: accepting again immediately would only use the processor.
constexpr std::chrono::milliseconds accept_retry_interval{200};
// A body is discarded for so long, and so much of it, that the response gets through.
constexpr std::chrono::seconds body_timeout{2};
constexpr std::size_t max_discarded_bytes = 64u << 10;
constexpr std::size_t piece_bytes = 256u << 10;
constexpr std::size_t max_incoming_message_bytes = 1024;

}  // namespace

http_response text_response(int status, std::string_view sentence) {
  http_response out;
  out.status = status;
  out.body.append(sentence).append("\n");
  return out;
}

struct http_server::internals : std::enable_shared_from_this<internals> {
  internals(const http_server_options& with, handler to_call)
      : options(with),
        idle_timeout(options.idle_timeout_ms),
        names{options.address != http_server_options{}.address, options.names},
        handle(std::move(to_call)),
        acceptor(context),
        accept_timer(context) {}

  struct connection;
  result<void> listen();
  void accept();
  [[nodiscard]] bool make_room();
  [[nodiscard]] bool replace_one();
  void stop() noexcept;

  const http_server_options options;
  const std::chrono::milliseconds idle_timeout;
  const served_names names;
  const handler handle;
  // Declared before the context, whose destructor destroys the remaining connections.
  std::unordered_set<connection*> connections;
  asio::io_context context;
  tcp::acceptor acceptor;
  asio::steady_timer accept_timer;
  std::list<repeating_timer> timers;
  std::unordered_map<std::uint64_t, std::shared_ptr<connection>> deferred;  // by number
  std::uint64_t last_deferred = 0;
  bool is_stopping = false;
  std::thread thread;
  std::uint16_t port = 0;
  std::size_t max_clients = 0;
};

// A connection lives as long as an operation on it, a stream that its owner keeps, or a response that is due.
struct http_server::internals::connection final : http_exchange,
                                                  open_stream,
                                                  std::enable_shared_from_this<connection> {
  connection(tcp::socket socket, internals& to) : server(to), stream(std::move(socket)) {
    server.connections.insert(this);
    io_error ignored;
    (void)stream.socket().set_option(tcp::no_delay(true), ignored);
  }
  ~connection() override { server.connections.erase(this); }

  void receive() {
    is_idle = true;
    idle_since = clock::now();
    limit_silence();
    stream.read_head([self = shared_from_this()](io_error failed) {
      if (!failed) self->answer();
    });
  }

  void limit_silence() { stream.limit_time(server.idle_timeout); }

  void answer() {
    is_idle = false;
    has_sent_request = true;
    head = stream.head();
    const bool is_own = is_own_host(head.host, server.port, server.names) &&
                        is_own_origin(head.origin, head.host, server.port, server.names);
    if (!is_own) return respond(text_response(403, "this server answers to other names and pages only"));
    server.handle(head.request, *this);
  }

  void respond(http_response with) override {
    current = std::move(with);
    left = current.static_body.empty() ? std::string_view(current.body) : current.static_body;
    const bool has_content = current.status != 204;
    const header_field fields[] = {
        {"Content-Type", has_content ? std::string_view(current.type) : std::string_view()},
        {"Content-Security-Policy", server.options.content_security_policy},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        // No other page may use what is served as a picture or script of its own.
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
        {"Allow", current.allowed_methods},
        {"Content-Range", current.content_range},
        {"Retry-After", current.retry_after_s},
        {"Accept-Ranges", current.part ? "bytes" : ""},
    };
    std::optional<std::uint64_t> size;
    if (has_content) size = current.part ? current.part->end - current.part->begin : left.size();
    // Bytes after an unread body are not a request.
    stays_open = head.keeps_alive && !head.has_body;
    stream.begin_response(current.status, fields, size, stays_open);
    if (head.request.method == "HEAD") {
      limit_silence();
      return stream.write_head(on_written(true));
    }
    send_next_piece();
  }

  // One piece of a file is in memory, and each piece has the full time limit.
  void send_next_piece() {
    std::string_view next = left.substr(0, piece_bytes);
    bool is_last = next.size() == left.size();
    if (current.part) {
      auto& part = *current.part;
      piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, part.end - part.begin)));
      const auto got = part.from.read_at({piece.data(), piece.size()}, part.begin);
      // The length was already sent, so a truncated file ends the connection.
      if (!got || *got != piece.size()) return stream.close();
      part.begin += *got;
      next = as_text(piece);
      is_last = part.begin == part.end;
    } else {
      left.remove_prefix(next.size());
    }
    limit_silence();
    stream.write_piece(next, is_last, on_written(is_last));
  }

  io_handler on_written(bool is_last) {
    return [self = shared_from_this(), is_last](io_error failed) {
      if (failed) return;
      if (!is_last) return self->send_next_piece();
      self->current = {};
      self->piece = {};
      if (self->stays_open) return self->receive();
      self->finish();
    };
  }

  // Closing while the client still sends a body would discard the response that it has not read.
  void finish() {
    io_error ignored;
    (void)stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
    if (!head.has_body) return;
    stream.limit_time(body_timeout);
    discard_body();
  }
  void discard_body() {
    stream.discard_some([self = shared_from_this()](io_error failed, std::size_t bytes) {
      self->discarded_bytes += bytes;
      if (!failed && self->discarded_bytes < max_discarded_bytes) self->discard_body();
    });
  }

  deferred_response respond_later() override {
    const std::uint64_t number = ++server.last_deferred;
    server.deferred.emplace(number, shared_from_this());
    return [of = server.weak_from_this(), number](http_response with) {
      const auto owner = of.lock();
      if (!owner) return;
      asio::post(owner->context, [to = owner.get(), number, with = std::move(with)]() mutable {
        const auto waiting = to->deferred.extract(number);
        if (!waiting.empty()) waiting.mapped()->respond(std::move(with));
      });
    };
  }

  std::shared_ptr<open_stream> stream_events() override {
    event_head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n";
    return shared_from_this();
  }

  void open_web_socket(std::function<void(std::shared_ptr<open_stream>)> opened,
                       std::function<void()> call_when_closed) override {
    is_web_socket = true;
    on_closed = std::move(call_when_closed);
    stream.accept_web_socket(max_incoming_message_bytes, server.idle_timeout,
                             [self = shared_from_this(), opened = std::move(opened)](io_error failed) {
                               if (failed) return;
                               self->is_open = true;
                               opened(self);
                               self->receive_message();
                             });
  }
  // Answers pings, and notices when the peer goes.
  void receive_message() {
    stream.read_message([self = shared_from_this()](io_error failed) {
      if (failed) return self->end();
      self->receive_message();
    });
  }

  void write(byte_span bytes, bool is_text, std::function<void(bool)> done) override {
    auto on_sent = [self = shared_from_this(), done = std::move(done)](io_error failed) {
      self->event_head.clear();
      if (failed && self->is_web_socket) self->end();
      done(!failed);
    };
    if (is_web_socket) return stream.write_message(bytes, is_text, std::move(on_sent));
    limit_silence();
    stream.write_unframed(event_head, bytes, std::move(on_sent));
  }
  void close(std::uint16_t code) override {
    if (!is_web_socket) return stream.close();
    if (is_open) stream.close_web_socket(code, [self = shared_from_this()](io_error) { self->end(); });
  }
  void drop() noexcept override {
    on_closed = nullptr;
    end();
  }
  void end() noexcept {
    is_open = false;
    stream.close();
    if (const auto closed = std::exchange(on_closed, nullptr)) closed();
  }

  internals& server;
  http_stream stream;
  request_head head;
  http_response current;
  std::string_view left;  // of a body that is text
  byte_vector piece;      // of one that is a file
  std::string event_head;
  std::function<void()> on_closed;  // of a WebSocket
  std::size_t discarded_bytes = 0;
  bool stays_open = false;  // after the response
  bool has_sent_request = false;
  bool is_idle = false;
  bool is_web_socket = false;
  bool is_open = false;  // a WebSocket whose handshake is complete
  clock::time_point idle_since;
};

result<void> http_server::internals::listen() {
  io_error wrong;
  const auto address = asio::ip::make_address(options.address, wrong);
  if (wrong) {
    return fail(error_code::invalid_argument, error::no_offset,
                "the address to listen on is not an IP address");
  }
  const auto opened = net::listen(acceptor, address, options.port, options.purpose);
  if (!opened) return tl::unexpected<error>(opened.error());
  port = *opened;
  max_clients = allowed_clients(options.max_clients);
  return {};
}

void http_server::internals::accept() {
  acceptor.async_accept([this](io_error failed, tcp::socket socket) {
    // A connection may have arrived while the acceptor was closed.
    if (failed == asio::error::operation_aborted || !acceptor.is_open()) return;
    if (!failed && make_room()) {
      keep_from_children(socket);
      std::make_shared<connection>(std::move(socket), *this)->receive();
    }
    // Without a free descriptor, the waiting connection gets that of another.
    const bool has_none = failed == boost::system::errc::too_many_files_open ||
                          failed == boost::system::errc::too_many_files_open_in_system;
    if (!failed || (has_none && replace_one())) return accept();
    accept_timer.expires_after(accept_retry_interval);
    accept_timer.async_wait([this](io_error stopped) {
      if (!stopped && !is_stopping) accept();
    });
  });
}

// Idle connections must not block new ones.
bool http_server::internals::make_room() {
  return connections.size() < max_clients || replace_one();
}

bool http_server::internals::replace_one() {
  connection* replaced = nullptr;
  const auto latest = clock::now() - std::chrono::milliseconds(options.replaceable_after_ms);
  for (connection* const each : connections) {
    const bool is_replaceable = each->is_idle && each->stream.socket().is_open() &&
                                (!each->has_sent_request || each->idle_since <= latest);
    if (!is_replaceable) continue;
    if (replaced == nullptr || std::pair(each->has_sent_request, each->idle_since) <
                                   std::pair(replaced->has_sent_request, replaced->idle_since)) {
      replaced = each;
    }
  }
  if (replaced == nullptr) return false;
  replaced->stream.close();
  return true;
}

void http_server::internals::stop() noexcept {
  if (!thread.joinable()) return;
  asio::post(context, [this] {
    is_stopping = true;
    io_error ignored;
    (void)acceptor.close(ignored);
    accept_timer.cancel();
    for (repeating_timer& each : timers) each.cancel();
    // drop() may release others, which then leave the set.
    std::vector<std::shared_ptr<connection>> open;
    for (connection* each : connections) open.push_back(each->shared_from_this());
    for (const auto& each : open) each->drop();
    deferred.clear();
    // Without these, run() has nothing to wait for and returns.
  });
  thread.join();
}

http_server::http_server(std::shared_ptr<internals> owned) noexcept : internals_(std::move(owned)) {}
http_server::~http_server() {
  stop();
}

result<std::unique_ptr<http_server>> http_server::listen(const http_server_options& options, handler handle) {
  auto made = std::make_shared<internals>(options, std::move(handle));
  if (const result<void> listening = made->listen(); !listening) return fail(listening.error());
  return std::unique_ptr<http_server>(new http_server(std::move(made)));
}

void http_server::repeat(std::chrono::milliseconds interval, std::function<void()> call) {
  internals_->timers.emplace_back(internals_->context, interval, std::move(call));
}

result<void> http_server::start() {
  internals* const inside = internals_.get();
  asio::post(inside->context, [inside] {
    for (repeating_timer& each : inside->timers) each.start();
    inside->accept();
  });
  try {
    inside->thread = std::thread([inside] { inside->context.run(); });
  } catch (const std::exception&) {
    return fail(error_code::io_failed, error::no_offset, "the server's thread could not be started");
  }
  return {};
}

void http_server::post(std::function<void()> call) {
  asio::post(internals_->context, std::move(call));
}

void http_server::stop() noexcept {
  internals_->stop();
}

std::uint16_t http_server::port() const noexcept {
  return internals_->port;
}

std::size_t http_server::clients() const noexcept {
  return internals_->connections.size();
}

}  // namespace tickreel::net
