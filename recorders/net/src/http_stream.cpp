#include "http_stream.hpp"

#include <array>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <utility>

namespace tickreel::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;

constexpr std::uint32_t max_request_head_bytes = 8192;
constexpr std::size_t discarded_at_once = 4096;
// A response of a full arena arrives in one or two pieces. Each piece is a wait, which is expensive on a busy
// machine, most of all on Windows.
constexpr std::size_t received_at_once = 32768;

std::string_view view(beast::string_view text) noexcept {
  return {text.data(), text.size()};
}
beast::string_view as_beast(std::string_view text) noexcept {
  return {text.data(), text.size()};
}

// A handler of operations that also report their size.
auto without_size(io_handler done) {
  return [done = std::move(done)](io_error failed, std::size_t) { done(failed); };
}

}  // namespace

error http_failure(io_error from) noexcept {
  const auto make = [&](error_code code, const char* detail) {
    return fail(code, error::no_offset, detail).value();
  };
  if (from == beast::error::timeout) return make(error_code::timed_out, "no answer in time");
  if (from == asio::error::connection_refused) return make(error_code::connection_refused, "");
  if (from == http::error::body_limit || from == http::error::header_limit ||
      from == http::error::buffer_overflow) {
    return make(error_code::over_limit, "the answer is too long");
  }
  if (from == http::error::end_of_stream || from == http::error::partial_message) {
    return make(error_code::connection_lost, "closed before the answer was complete");
  }
  if (from.category() == http::make_error_code(http::error::bad_method).category()) {
    return make(error_code::bad_answer, "the answer is not HTTP");
  }
  error lost = make(error_code::connection_lost, "");
  if (from.category() == boost::system::system_category()) lost.system_error = from.value();
  return lost;
}

error web_socket_failure(io_error from) noexcept {
  const auto make = [](error_code code, const char* detail = "") {
    return fail(code, error::no_offset, detail).value();
  };
  if (from == asio::error::timed_out) return make(error_code::timed_out);
  if (from == asio::error::connection_refused) return make(error_code::connection_refused);
  if (from == websocket::error::closed || from == asio::error::eof) return make(error_code::connection_lost);
  if (from == websocket::error::message_too_big) return make(error_code::over_limit);
  if (from.category() == websocket::make_error_code(websocket::error::closed).category() ||
      from.category() == http::make_error_code(http::error::end_of_stream).category()) {
    return make(error_code::bad_answer, "no WebSocket server answers there");
  }
  error out = from_system_error(from.value());
  if (out.code == error_code::io_failed) out.code = error_code::connection_lost;
  return out;
}

struct http_stream::internals {
  explicit internals(asio::ip::tcp::socket socket) : tcp(std::move(socket)) {}

  [[nodiscard]] beast::tcp_stream& lowest() noexcept {
    return upgraded ? beast::get_lowest_layer(*upgraded) : tcp;
  }

  void upgrade(std::size_t max_message_bytes) {
    upgraded.emplace(std::move(tcp));
    beast::get_lowest_layer(*upgraded).expires_never();
    upgraded->read_message_max(max_message_bytes);
    buffer.clear();
  }

  void receive_response(std::size_t max_body_bytes, io_handler done) {
    is_receiving = true;
    std::string memory = response_parser ? std::move(response_parser->get().body()) : std::string();
    memory.clear();
    response_parser.emplace();
    response_parser->body_limit(max_body_bytes);
    response_parser->get().body() = std::move(memory);
    // The size of one read is limited by its capacity; by default it would stay at 512 bytes.
    buffer.reserve(received_at_once);
    http::async_read(tcp, buffer, *response_parser, without_size(std::move(done)));
  }

  beast::tcp_stream tcp;
  beast::flat_buffer buffer;
  std::optional<websocket::stream<beast::tcp_stream, false>> upgraded;

  std::optional<http::request_parser<http::empty_body>> request_parser;
  http::response<http::buffer_body> response;
  std::optional<http::response_serializer<http::buffer_body>> serializer;

  http::request<http::empty_body> request;
  std::optional<http::response_parser<http::string_body>> response_parser;
  bool is_receiving = false;
};

http_stream::http_stream(asio::ip::tcp::socket socket)
    : internals_(std::make_unique<internals>(std::move(socket))) {}
http_stream::~http_stream() = default;

asio::ip::tcp::socket& http_stream::socket() noexcept {
  return internals_->lowest().socket();
}

void http_stream::limit_time(std::optional<std::chrono::milliseconds> timeout) {
  if (!timeout) return internals_->tcp.expires_never();
  internals_->tcp.expires_after(*timeout);
}

void http_stream::close() noexcept {
  // Otherwise a WebSocket whose peer does not answer keeps the event loop running until its timeout.
  if (internals_->upgraded) {
    internals_->upgraded->set_option(websocket::stream_base::timeout{websocket::stream_base::none(),
                                                                     websocket::stream_base::none(), false});
  }
  internals_->lowest().close();
}

void http_stream::read_head(io_handler done) {
  auto& parser = internals_->request_parser;
  // Only the head is read; a body of any length is valid.
  parser.emplace();
  parser->body_limit(boost::none);
  parser->header_limit(max_request_head_bytes);
  http::async_read_header(internals_->tcp, internals_->buffer, *parser, without_size(std::move(done)));
}

request_head http_stream::head() const {
  const auto& from = internals_->request_parser->get();
  request_head out;
  out.request.method = view(from.method_string());
  out.request.target = view(from.target());
  out.request.path = out.request.target.substr(0, out.request.target.find('?'));
  out.request.range = view(from[http::field::range]);
  out.request.if_range = view(from[http::field::if_range]);
  out.request.wants_web_socket = websocket::is_upgrade(from);
  out.host = view(from[http::field::host]);
  out.origin = view(from[http::field::origin]);
  out.has_body = !internals_->request_parser->is_done();
  out.keeps_alive = from.keep_alive();
  return out;
}

void http_stream::begin_response(int status, std::span<const header_field> fields,
                                 std::optional<std::uint64_t> size, bool keeps_alive) {
  auto& response = internals_->response;
  response = {static_cast<http::status>(status), internals_->request_parser->get().version()};
  for (const header_field& each : fields) {
    if (!each.value.empty()) response.set(as_beast(each.name), as_beast(each.value));
  }
  if (size) response.content_length(*size);
  response.keep_alive(keeps_alive);
  internals_->serializer.emplace(response);
}

void http_stream::write_head(io_handler done) {
  http::async_write_header(internals_->tcp, *internals_->serializer, without_size(std::move(done)));
}

void http_stream::write_piece(std::string_view piece, bool is_last, io_handler done) {
  auto& body = internals_->response.body();
  // The serializer only reads from it.
  body.data = piece.empty() ? nullptr : const_cast<char*>(piece.data());
  body.size = piece.size();
  body.more = !is_last;
  http::async_write(internals_->tcp, *internals_->serializer,
                    [done = std::move(done)](io_error failed, std::size_t) {
                      done(failed == http::error::need_buffer ? io_error() : failed);
                    });
}

void http_stream::write_unframed(std::string_view head, byte_span bytes, io_handler done) {
  const std::array<asio::const_buffer, 2> both = {asio::buffer(head.data(), head.size()),
                                                  asio::buffer(bytes.data(), bytes.size())};
  asio::async_write(internals_->tcp, both, without_size(std::move(done)));
}

void http_stream::discard_some(std::function<void(io_error, std::size_t)> done) {
  internals_->buffer.clear();
  internals_->tcp.async_read_some(internals_->buffer.prepare(discarded_at_once), std::move(done));
}

void http_stream::connect(const endpoint_list& places, io_handler done) {
  internals_->buffer.clear();
  internals_->tcp.async_connect(places,
                                [done = std::move(done)](io_error failed, const auto&) { done(failed); });
}

void http_stream::get(const std::string& host, std::string_view target, std::size_t max_body_bytes,
                      io_handler done) {
  internals& in = *internals_;
  in.is_receiving = false;
  in.request = {http::verb::get, as_beast(target), 11};
  in.request.set(http::field::host, host);
  in.request.set(http::field::user_agent, "tickreel");
  in.request.set(http::field::accept, "application/json");
  http::async_write(in.tcp, in.request,
                    [&in, max_body_bytes, done = std::move(done)](io_error failed, std::size_t) mutable {
                      if (failed) return done(failed);
                      in.receive_response(max_body_bytes, std::move(done));
                    });
}

bool http_stream::has_received() const noexcept {
  return internals_->is_receiving &&
         (internals_->buffer.size() != 0 || internals_->response_parser->got_some());
}

bool http_stream::peer_keeps_alive() const noexcept {
  return internals_->response_parser->keep_alive();
}

int http_stream::status() const noexcept {
  return static_cast<int>(internals_->response_parser->get().result_int());
}

std::string_view http_stream::body() const noexcept {
  return internals_->response_parser->get().body();
}

void http_stream::accept_web_socket(std::size_t max_message_bytes, std::chrono::milliseconds idle_timeout,
                                    io_handler done) {
  internals_->upgrade(max_message_bytes);
  internals_->upgraded->auto_fragment(false);
  internals_->upgraded->set_option(websocket::stream_base::timeout{idle_timeout, idle_timeout, true});
  internals_->upgraded->async_accept(internals_->request_parser->get(), std::move(done));
}

void http_stream::ask_for_web_socket(std::size_t max_message_bytes, const std::string& host,
                                     io_handler done) {
  internals_->upgrade(max_message_bytes);
  internals_->upgraded->async_handshake(host, "/", std::move(done));
}

void http_stream::read_message(io_handler done) {
  if (!internals_->upgraded) return done(asio::error::not_connected);
  internals_->buffer.clear();
  internals_->upgraded->async_read(internals_->buffer, without_size(std::move(done)));
}

std::string http_stream::message() const {
  return beast::buffers_to_string(internals_->buffer.data());
}

void http_stream::write_message(byte_span bytes, bool is_text, io_handler done) {
  if (!internals_->upgraded) return done(asio::error::not_connected);
  internals_->upgraded->text(is_text);
  internals_->upgraded->async_write(asio::buffer(bytes.data(), bytes.size()), without_size(std::move(done)));
}

void http_stream::close_web_socket(std::uint16_t code, io_handler done) {
  if (!internals_->upgraded) return done(asio::error::not_connected);
  internals_->upgraded->async_close(websocket::close_reason(code), std::move(done));
}

std::uint16_t http_stream::close_code() const noexcept {
  return internals_->upgraded ? internals_->upgraded->reason().code : std::uint16_t{0};
}

}  // namespace tickreel::net
