#include "page_client.hpp"

#include <algorithm>
#include <boost/asio/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <utility>

namespace tickreel::viewer {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::uint64_t max_request_body_bytes = 4096;
constexpr std::uint32_t max_request_head_bytes = 8192;
constexpr std::size_t piece_bytes = 256u * 1024;

constexpr std::string_view content_security_policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self' blob:; "
    "connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

}  // namespace

page_client::page_client(asio::ip::tcp::socket socket, page_host& host, std::uint32_t longest_silence_ms)
    : host_(host), longest_silence_ms_(longest_silence_ms), stream_(std::move(socket)) {
  boost::system::error_code ignored;
  (void)stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
}

page_client::~page_client() {
  host_.forget(*this);
}

void page_client::receive() {
  parser_.emplace();
  parser_->body_limit(max_request_body_bytes);
  parser_->header_limit(max_request_head_bytes);
  limit_silence();
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                     if (!failed) self->answer();
                   });
}

void page_client::close() {
  stream_.close();
}

void page_client::limit_silence() {
  stream_.expires_after(std::chrono::milliseconds(longest_silence_ms_));
}

void page_client::answer() {
  const page_request& request = parser_->get();
  const auto host = request[http::field::host];
  if (!net::is_own_host({host.data(), host.size()}, host_.port(), host_.names()))
    return send(told(http::status::forbidden, "this is no name of the viewer"));
  if (beast::websocket::is_upgrade(request)) return upgrade();
  send(host_.answer_to(request));
}

void page_client::upgrade() {
  const auto origin = parser_->get()[http::field::origin];
  const auto host = parser_->get()[http::field::host];
  if (!net::is_own_origin({origin.data(), origin.size()}, {host.data(), host.size()}, host_.port(),
                          host_.names()))
    return send(told(http::status::forbidden, "this is no page of the viewer"));
  if (auto refused = host_.take_socket(stream_, parser_->get())) send(std::move(*refused));
}

void page_client::send(reply with) {
  const page_request& request = parser_->get();
  current_ = std::move(with);
  response_ = {current_.status, request.version()};
  const auto set = [this](auto name, std::string_view value) {
    response_.set(name, beast::string_view(value.data(), value.size()));
  };
  set(http::field::content_type,
      current_.own_type.empty() ? current_.type : std::string_view(current_.own_type));
  set("Content-Security-Policy", content_security_policy);
  set("X-Content-Type-Options", "nosniff");
  set("Referrer-Policy", "no-referrer");
  // No other page may take a recording for a picture or a script of its own.
  set("Cross-Origin-Resource-Policy", "same-origin");
  set(http::field::cache_control, "no-store");
  if (current_.status == http::status::method_not_allowed) set(http::field::allow, "GET, HEAD");
  if (!current_.range.empty()) set(http::field::content_range, current_.range);
  if (current_.piece.from) set(http::field::accept_ranges, "bytes");
  const std::string_view body =
      current_.standing.empty() ? std::string_view(current_.body) : current_.standing;
  const byte_range& bytes = current_.piece.bytes;
  const std::uint64_t size = current_.piece.from ? bytes.to - bytes.from : body.size();
  if (current_.status != http::status::no_content) response_.content_length(size);
  response_.keep_alive(request.keep_alive());
  const bool bodiless = request.method() == http::verb::head;
  if (bodiless) current_.piece.from.reset();
  left_ = bodiless ? std::string_view() : body;
  limit_silence();
  serializer_.emplace(response_);
  http::async_write_header(stream_, *serializer_,
                           [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                             if (!failed) self->go_on();
                           });
}

// The body, a piece at a time: however large the recording, a client takes one piece of memory, and each of
// them has its time anew.
void page_client::go_on() {
  if (current_.piece.from) {
    byte_range& bytes = current_.piece.bytes;
    if (bytes.from == bytes.to) return finish();
    piece_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, bytes.to - bytes.from)));
    const auto got = current_.piece.from->read_at({piece_.data(), piece_.size()}, bytes.from);
    // The length is promised already.
    if (!got || *got != piece_.size()) return stream_.close();
    bytes.from += *got;
    return write({piece_.data(), piece_.size()});
  }
  if (left_.empty()) return finish();
  const std::string_view next = left_.substr(0, piece_bytes);
  left_.remove_prefix(next.size());
  write(as_bytes(next));
}

void page_client::write(byte_span bytes) {
  limit_silence();
  asio::async_write(stream_, asio::buffer(bytes.data(), bytes.size()),
                    [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                      if (!failed) self->go_on();
                    });
}

void page_client::finish() {
  current_ = {};
  piece_ = {};
  if (response_.keep_alive()) receive();
}

}  // namespace tickreel::viewer
