#include "tickreel/echo_vr/api_server.hpp"

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_set>
#include <utility>

#include "event_loop_internals.hpp"
#include "playback.hpp"
#include "tickreel/net/listen.hpp"

namespace tickreel::echo_vr {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

// A client that is silent for so long is gone.
constexpr std::chrono::seconds longest_silence{60};
constexpr std::uint64_t max_request_body_bytes = 64u << 10;
// The source is kept up with time even when nobody asks, so that a late request does not have to.
constexpr std::chrono::milliseconds advance_interval{20};

constexpr std::string_view in_the_lobby =
    R"({"err_description":"Endpoint is restricted in this match type","err_code":-6})";
constexpr std::string_view access_off = R"({"err_description":"API access is disabled","err_code":-2})";

struct answer {
  http::status status = http::status::not_found;
  std::string_view body;
};

}  // namespace

struct api_server::internals {
  internals(std::unique_ptr<files::echo_source> source, const serve_options& from)
      : options(from),
        show(std::move(source), from),
        acceptor(loop.inside().context),
        ticker(loop),
        accept_again(loop) {}

  ~internals() { stop(); }

  result<void> listen() {
    boost::system::error_code failed;
    const asio::ip::address address = asio::ip::make_address(options.address, failed);
    if (failed) {
      return fail(error_code::invalid_argument, error::no_offset,
                  "the address to serve on is not an IP address");
    }
    const auto opened = net::listen(acceptor, address, options.port, "listening for API clients");
    if (!opened) return tl::unexpected<error>(opened.error());
    port = *opened;
    return {};
  }

  void run() {
    if (!options.wait_for_client) show.begin(std::chrono::steady_clock::now());
    accept();
    keep_up();
    thread = std::thread([this] { loop.run(); });
  }

  void keep_up() {
    const auto now = std::chrono::steady_clock::now();
    show.advance(now);
    publish_status();
    ticker.at(now + advance_interval, [this] { keep_up(); });
  }

  void publish_status() {
    const std::lock_guard lock(status_mutex);
    status = show.status();
    status.requests = requests;
    status.clients = clients.size();
    source_result = show.source_result();
  }

  struct client;
  void accept();

  answer answer_to(const http::request<http::string_body>& request) {
    ++requests;
    const std::string_view target(request.target().data(), request.target().size());
    const std::string_view path = target.substr(0, target.find('?'));
    const bool session = path == "/session";
    if (request.method() != http::verb::get || (!session && path != "/player_bones")) return {};
    if (options.api_disabled) return {http::status::internal_server_error, access_off};
    const auto now = std::chrono::steady_clock::now();
    if (session) show.begin(now);
    show.advance(now);
    switch (show.showing()) {
      case playback::scene::menu:
        return {};
      case playback::scene::lobby:
        return {http::status::internal_server_error, in_the_lobby};
      case playback::scene::match:
        break;
    }
    return {http::status::ok, session ? show.session_answer() : show.bones_answer()};
  }

  void stop() noexcept;

  serve_options options;
  // Before the loop, which destroys the clients that are left.
  std::uint64_t requests = 0;
  std::unordered_set<client*> clients;
  event_loop loop;
  playback show;
  tcp::acceptor acceptor;
  loop_timer ticker;
  loop_timer accept_again;
  std::thread thread;
  std::uint16_t port = 0;

  mutable std::mutex status_mutex;
  serve_status status;
  result<void> source_result;
};

// One client, as long as it stays. Its handlers own it; they run on the server's loop only.
struct api_server::internals::client : std::enable_shared_from_this<client> {
  client(tcp::socket socket, internals& to) : server(to), stream(std::move(socket)) {
    server.clients.insert(this);
    boost::system::error_code ignored;
    (void)stream.socket().set_option(tcp::no_delay(true), ignored);
  }
  ~client() { server.clients.erase(this); }

  void receive() {
    parser.emplace();
    parser->body_limit(max_request_body_bytes);
    stream.expires_after(longest_silence);
    http::async_read(stream, buffer, *parser,
                     [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                       if (!failed) self->send();
                     });
  }

  void send() {
    const http::request<http::string_body>& request = parser->get();
    const answer to_send = server.answer_to(request);
    // A message of its own: the next tick may replace the text before it is sent. Its memory is used again.
    std::string body = std::move(response.body());
    body.assign(to_send.body);
    response = {to_send.status, request.version(), std::move(body)};
    if (!to_send.body.empty()) response.set(http::field::content_type, "application/json");
    response.keep_alive(request.keep_alive());
    response.prepare_payload();
    stream.expires_after(longest_silence);
    http::async_write(stream, response,
                      [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                        if (!failed) self->sent();
                      });
  }

  void sent() {
    if (response.keep_alive()) {
      receive();
    } else {
      boost::system::error_code ignored;
      (void)stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
    }
  }

  internals& server;
  beast::tcp_stream stream;
  beast::flat_buffer buffer;
  std::optional<http::request_parser<http::string_body>> parser;
  http::response<http::string_body> response;
};

void api_server::internals::accept() {
  acceptor.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
    if (failed == asio::error::operation_aborted) return;
    if (!failed && clients.size() < options.max_clients) {
      net::keep_from_children(socket);
      std::make_shared<client>(std::move(socket), *this)->receive();
    }
    if (failed) {
      // Out of descriptors, most likely: asking again at once would only burn time.
      accept_again.at(std::chrono::steady_clock::now() + advance_interval, [this] { accept(); });
    } else {
      accept();
    }
  });
}

void api_server::internals::stop() noexcept {
  if (!thread.joinable()) return;
  loop.post([this] {
    // With these gone nothing is left to wait for, and the loop ends.
    ticker.cancel();
    accept_again.cancel();
    boost::system::error_code ignored;
    (void)acceptor.close(ignored);
    for (client* each : clients) each->stream.close();
  });
  thread.join();
}

api_server::api_server(std::unique_ptr<internals> owned) noexcept : internals_(std::move(owned)) {}
api_server::api_server(api_server&&) noexcept = default;
api_server& api_server::operator=(api_server&&) noexcept = default;
api_server::~api_server() = default;

result<api_server> api_server::start(std::unique_ptr<files::echo_source> source,
                                     const serve_options& options) {
  if (!source) return fail(error_code::invalid_argument, error::no_offset, "there is nothing to serve");
  if (!(options.speed > 0 && options.speed <= 1000)) {
    return fail(error_code::invalid_argument, error::no_offset, "speed must be above 0 and at most 1000");
  }
  try {
    auto made = std::make_unique<internals>(std::move(source), options);
    if (const result<void> ready = made->show.prepare(); !ready) return fail(ready.error());
    if (const result<void> listening = made->listen(); !listening) return fail(listening.error());
    made->run();
    return api_server(std::move(made));
  } catch (const std::bad_alloc&) {
    return fail(error_code::out_of_memory);
  } catch (const std::exception&) {
    return fail(error_code::io_failed, error::no_offset, "the API server's thread could not be started");
  }
}

std::uint16_t api_server::port() const noexcept {
  return internals_->port;
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
