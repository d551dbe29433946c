#include "tickreel/net/websocket_client.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <optional>
#include <utility>

namespace tickreel::net {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using asio_error = boost::system::error_code;

result<void> outcome_of(const asio_error& failed) {
  if (!failed) return {};
  if (failed == asio::error::timed_out) return fail(error_code::timed_out);
  if (failed == asio::error::connection_refused) return fail(error_code::connection_refused);
  if (failed == websocket::error::closed || failed == asio::error::eof)
    return fail(error_code::connection_lost);
  if (failed == websocket::error::message_too_big) return fail(error_code::over_limit);
  if (failed.category() == websocket::make_error_code(websocket::error::closed).category() ||
      failed.category() == beast::http::make_error_code(beast::http::error::end_of_stream).category()) {
    return fail(error_code::bad_answer, error::no_offset, "no WebSocket server answers there");
  }
  error out = from_system_error(failed.value());
  if (out.code == error_code::io_failed) out.code = error_code::connection_lost;
  return fail(out);
}

}  // namespace

struct websocket_client::connection {
  explicit connection(websocket_options chosen) : options(std::move(chosen)), stream(context) {}

  // Runs one asynchronous operation to its end.
  template <class Begin>
  asio_error await(Begin&& begin) {
    std::optional<asio_error> outcome;
    begin([&](asio_error failed, auto&&...) { outcome = failed; });
    context.restart();
    context.run_for(options.timeout);
    if (outcome) return *outcome;
    beast::get_lowest_layer(stream).close();
    context.restart();
    context.run();
    return asio::error::timed_out;
  }

  websocket_options options;
  asio::io_context context;
  websocket::stream<beast::tcp_stream, false> stream;  // without compression, which is never asked for
  beast::flat_buffer buffer;
};

websocket_client::websocket_client(websocket_options options)
    : connection_(std::make_unique<connection>(std::move(options))) {}

websocket_client::~websocket_client() = default;

result<void> websocket_client::connect() {
  connection& to = *connection_;
  asio_error failed;
  tcp::resolver resolver(to.context);
  const std::string port = std::to_string(to.options.port);
  const auto places = resolver.resolve(to.options.host, port, failed);
  if (failed) return fail(error_code::name_not_resolved);
  failed =
      to.await([&](auto then) { beast::get_lowest_layer(to.stream).async_connect(places, std::move(then)); });
  if (failed) return outcome_of(failed);
  to.stream.read_message_max(to.options.max_message_bytes);
  const std::string host = to.options.host + ':' + port;
  return outcome_of(to.await([&](auto then) { to.stream.async_handshake(host, "/", std::move(then)); }));
}

result<void> websocket_client::write(std::string_view text) {
  connection& to = *connection_;
  return outcome_of(to.await(
      [&](auto then) { to.stream.async_write(asio::buffer(text.data(), text.size()), std::move(then)); }));
}

result<std::string> websocket_client::read() {
  connection& from = *connection_;
  from.buffer.clear();
  const auto read =
      outcome_of(from.await([&](auto then) { from.stream.async_read(from.buffer, std::move(then)); }));
  if (!read) return fail(read.error());
  return beast::buffers_to_string(from.buffer.data());
}

void websocket_client::close() {
  connection& to = *connection_;
  (void)to.await([&](auto then) { to.stream.async_close(websocket::close_code::normal, std::move(then)); });
}

std::uint16_t websocket_client::close_code() const noexcept {
  return connection_->stream.reason().code;
}

}  // namespace tickreel::net
