#include "tickreel/net/http_server.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <exception>
#include <list>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "listen.hpp"
#include "tickreel/net/own_page.hpp"

namespace tickreel::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using clock = std::chrono::steady_clock;

// After a failure: accepting again immediately would only use the processor.
constexpr std::chrono::milliseconds accept_retry_interval{200};
// A body is discarded for so long, and so much of it, that the response gets through.
constexpr std::chrono::seconds body_timeout{2};
constexpr std::size_t max_discarded_bytes = 64u << 10;
constexpr std::uint32_t max_request_head_bytes = 8192;
constexpr std::size_t piece_bytes = 256u << 10;
constexpr std::size_t max_incoming_message_bytes = 1024;

bool is_out_of_descriptors(const boost::system::error_code& why) noexcept {
  return why == boost::system::errc::too_many_files_open ||
         why == boost::system::errc::too_many_files_open_in_system;
}

std::string_view view(beast::string_view text) noexcept {
  return {text.data(), text.size()};
}
beast::string_view as_beast(std::string_view text) noexcept {
  return {text.data(), text.size()};
}

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
        names{options.address != http_server_options{}.address, options.names},
        handle(std::move(to_call)),
        acceptor(context),
        accept_timer(context) {}

  struct connection;
  class web_socket;
  struct repeated {
    repeated(asio::io_context& context, std::chrono::milliseconds every, std::function<void()> to_call)
        : timer(context), interval(every), call(std::move(to_call)) {}
    asio::steady_timer timer;
    std::chrono::milliseconds interval;
    std::function<void()> call;
  };

  result<void> listen();
  void accept();
  [[nodiscard]] bool make_room();
  [[nodiscard]] bool replace_one();
  void run(repeated& each);
  void stop() noexcept;

  const http_server_options options;
  const served_names names;
  const handler handle;
  // Declared before the context, whose destructor destroys the remaining connections.
  std::unordered_set<connection*> connections;
  std::unordered_set<web_socket*> web_sockets;
  asio::io_context context;
  tcp::acceptor acceptor;
  asio::steady_timer accept_timer;
  std::list<repeated> timers;
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
    boost::system::error_code ignored;
    (void)stream.socket().set_option(tcp::no_delay(true), ignored);
  }
  ~connection() override { server.connections.erase(this); }

  void receive() {
    // Only the head is read; a body of any length is valid.
    parser.emplace();
    parser->body_limit(boost::none);
    parser->header_limit(max_request_head_bytes);
    is_idle = true;
    idle_since = clock::now();
    limit_silence();
    http::async_read_header(stream, buffer, *parser,
                            [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                              if (!failed) self->answer();
                            });
  }

  void limit_silence() { stream.expires_after(std::chrono::milliseconds(server.options.idle_timeout_ms)); }

  void answer() {
    is_idle = false;
    has_sent_request = true;
    const http::request<http::empty_body>& request = parser->get();
    has_body = !parser->is_done();
    if (!is_own(request)) {
      return respond(text_response(403, "this server answers to other names and pages only"));
    }
    http_request asked;
    asked.method = view(request.method_string());
    asked.target = view(request.target());
    asked.path = asked.target.substr(0, asked.target.find('?'));
    asked.range = view(request[http::field::range]);
    asked.if_range = view(request[http::field::if_range]);
    asked.wants_web_socket = websocket::is_upgrade(request);
    server.handle(asked, *this);
  }

  [[nodiscard]] bool is_own(const http::request<http::empty_body>& request) const {
    const std::string_view host = view(request[http::field::host]);
    const std::string_view origin = view(request[http::field::origin]);
    return is_own_host(host, server.port, server.names) &&
           is_own_origin(origin, host, server.port, server.names);
  }

  void respond(http_response with) override {
    const http::request<http::empty_body>& request = parser->get();
    current = std::move(with);
    left = current.static_body.empty() ? std::string_view(current.body) : current.static_body;
    response = {static_cast<http::status>(current.status), request.version()};
    const auto set = [this](auto name, std::string_view value) {
      if (!value.empty()) response.set(name, as_beast(value));
    };
    if (current.status != 204) {
      set(http::field::content_type, current.type);
      response.content_length(current.part ? current.part->end - current.part->begin : left.size());
    }
    set("Content-Security-Policy", server.options.content_security_policy);
    set("X-Content-Type-Options", "nosniff");
    set("Referrer-Policy", "no-referrer");
    // No other page may use what is served as a picture or script of its own.
    set("Cross-Origin-Resource-Policy", "same-origin");
    set(http::field::cache_control, "no-store");
    set(http::field::allow, current.allowed_methods);
    set(http::field::content_range, current.content_range);
    set(http::field::retry_after, current.retry_after_s);
    if (current.part) set(http::field::accept_ranges, "bytes");
    // Bytes after an unread body are not a request.
    response.keep_alive(request.keep_alive() && !has_body);
    serializer.emplace(response);
    if (request.method() == http::verb::head) {
      limit_silence();
      http::async_write_header(stream, *serializer, on_written(true));
      return;
    }
    send_next_piece();
  }

  // One piece of a file is in memory, and each piece has the full time limit.
  void send_next_piece() {
    auto& body = response.body();
    if (current.part) {
      auto& part = *current.part;
      piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, part.end - part.begin)));
      const auto got = part.from.read_at({piece.data(), piece.size()}, part.begin);
      // The length was already sent, so a truncated file ends the connection.
      if (!got || *got != piece.size()) return stream.close();
      part.begin += *got;
      body.data = piece.data();
      body.size = piece.size();
      body.more = part.begin != part.end;
    } else {
      const std::string_view next = left.substr(0, piece_bytes);
      left.remove_prefix(next.size());
      // The serializer only reads from it.
      body.data = next.empty() ? nullptr : const_cast<char*>(next.data());
      body.size = next.size();
      body.more = !left.empty();
    }
    limit_silence();
    http::async_write(stream, *serializer, on_written(!body.more));
  }

  std::function<void(boost::system::error_code, std::size_t)> on_written(bool is_last) {
    return [self = shared_from_this(), is_last](boost::system::error_code failed, std::size_t) {
      if (failed && failed != http::error::need_buffer) return;
      if (!is_last) return self->send_next_piece();
      self->current = {};
      self->piece = {};
      if (self->response.keep_alive()) return self->receive();
      self->finish();
    };
  }

  // Closing while the client still sends a body would discard the response that it has not read.
  void finish() {
    boost::system::error_code ignored;
    (void)stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
    if (!has_body) return;
    stream.expires_after(body_timeout);
    discard_body();
  }
  void discard_body() {
    buffer.clear();
    stream.async_read_some(buffer.prepare(4096),
                           [self = shared_from_this()](boost::system::error_code failed, std::size_t bytes) {
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
  void write(byte_span bytes, bool, std::function<void(bool)> done) override {
    limit_silence();
    const std::array<asio::const_buffer, 2> both = {asio::buffer(event_head),
                                                    asio::buffer(bytes.data(), bytes.size())};
    asio::async_write(
        stream, both,
        [self = shared_from_this(), done = std::move(done)](boost::system::error_code failed, std::size_t) {
          self->event_head.clear();
          done(!failed);
        });
  }
  void close(std::uint16_t) override { stream.close(); }
  void drop() noexcept override { stream.close(); }

  void open_web_socket(std::function<void(std::shared_ptr<open_stream>)> opened,
                       std::function<void()> on_closed) override;

  internals& server;
  beast::tcp_stream stream;
  beast::flat_buffer buffer;
  std::optional<http::request_parser<http::empty_body>> parser;
  http::response<http::buffer_body> response;
  std::optional<http::response_serializer<http::buffer_body>> serializer;
  http_response current;
  std::string_view left;  // of a body that is text
  byte_vector piece;      // of one that is a file
  std::string event_head;
  std::size_t discarded_bytes = 0;
  bool has_body = false;
  bool has_sent_request = false;
  bool is_idle = false;
  clock::time_point idle_since;
};

class http_server::internals::web_socket final : public open_stream,
                                                 public std::enable_shared_from_this<web_socket> {
 public:
  web_socket(connection& from, std::function<void()> on_closed)
      : server_(from.server),
        request_(from.parser->get()),
        stream_(std::move(from.stream)),
        on_closed_(std::move(on_closed)) {
    server_.web_sockets.insert(this);
  }
  ~web_socket() override { server_.web_sockets.erase(this); }

  void accept(std::function<void(std::shared_ptr<open_stream>)> opened) {
    const std::chrono::milliseconds silence(server_.options.idle_timeout_ms);
    beast::get_lowest_layer(stream_).expires_never();  // it has timers of its own
    stream_.set_option(websocket::stream_base::timeout{silence, silence, true});
    stream_.read_message_max(max_incoming_message_bytes);
    stream_.auto_fragment(false);
    stream_.async_accept(
        request_, [self = shared_from_this(), opened = std::move(opened)](boost::system::error_code failed) {
          if (failed) return;
          self->is_open_ = true;
          opened(self);
          self->receive();
        });
  }

  void write(byte_span bytes, bool is_text, std::function<void(bool)> done) override {
    stream_.text(is_text);
    stream_.async_write(
        asio::buffer(bytes.data(), bytes.size()),
        [self = shared_from_this(), done = std::move(done)](boost::system::error_code failed, std::size_t) {
          if (failed) self->end();
          done(!failed);
        });
  }
  void close(std::uint16_t code) override {
    if (!is_open_) return;
    stream_.async_close(websocket::close_reason(code),
                        [self = shared_from_this()](boost::system::error_code) { self->end(); });
  }
  void drop() noexcept override {
    on_closed_ = nullptr;
    end();
  }

 private:
  // Answers pings, and notices when the peer goes.
  void receive() {
    stream_.async_read(incoming_, [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
      if (failed) return self->end();
      self->incoming_.clear();
      self->receive();
    });
  }
  void end() noexcept {
    is_open_ = false;
    beast::get_lowest_layer(stream_).close();
    if (const auto closed = std::exchange(on_closed_, nullptr)) closed();
  }

  internals& server_;
  const http::request<http::empty_body> request_;
  websocket::stream<beast::tcp_stream, false> stream_;  // without compression, which is never offered
  beast::flat_buffer incoming_;
  std::function<void()> on_closed_;
  bool is_open_ = false;
};

void http_server::internals::connection::open_web_socket(
    std::function<void(std::shared_ptr<open_stream>)> opened, std::function<void()> on_closed) {
  std::make_shared<web_socket>(*this, std::move(on_closed))->accept(std::move(opened));
}

result<void> http_server::internals::listen() {
  boost::system::error_code wrong;
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
  acceptor.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
    // A connection may have arrived while the acceptor was closed.
    if (failed == asio::error::operation_aborted || !acceptor.is_open()) return;
    if (!failed && make_room()) {
      keep_from_children(socket);
      std::make_shared<connection>(std::move(socket), *this)->receive();
    }
    // Without a free descriptor, the waiting connection gets that of another.
    if (!failed || (is_out_of_descriptors(failed) && replace_one())) return accept();
    accept_timer.expires_after(accept_retry_interval);
    accept_timer.async_wait([this](boost::system::error_code stopped) {
      if (!stopped && !is_stopping) accept();
    });
  });
}

// Idle connections must not block new ones.
bool http_server::internals::make_room() {
  return connections.size() + web_sockets.size() < max_clients || replace_one();
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

void http_server::internals::run(repeated& each) {
  if (is_stopping) return;
  each.call();
  each.timer.expires_after(each.interval);
  each.timer.async_wait([this, &each](boost::system::error_code stopped) {
    if (!stopped) run(each);
  });
}

void http_server::internals::stop() noexcept {
  if (!thread.joinable()) return;
  asio::post(context, [this] {
    is_stopping = true;
    boost::system::error_code ignored;
    (void)acceptor.close(ignored);
    accept_timer.cancel();
    for (repeated& each : timers) each.timer.cancel();
    for (connection* each : connections) each->stream.close();
    // drop() may release the stream, which leaves the set.
    const std::vector<web_socket*> open(web_sockets.begin(), web_sockets.end());
    for (web_socket* each : open) each->drop();
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
    for (internals::repeated& each : inside->timers) inside->run(each);
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
  return internals_->connections.size() + internals_->web_sockets.size();
}

}  // namespace tickreel::net
