#include "tickreel/net/websocket_client.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <optional>
#include <utility>

#include "http_stream.hpp"

namespace tickreel::net {

struct websocket_client::connection {
  explicit connection(websocket_options chosen)
      : options(std::move(chosen)), stream(boost::asio::ip::tcp::socket(context)) {}

  // Runs one asynchronous operation to its end.
  template <class Begin>
  io_error await(Begin&& begin) {
    std::optional<io_error> outcome;
    begin([&](io_error failed) { outcome = failed; });
    context.restart();
    context.run_for(options.timeout);
    if (outcome) return *outcome;
    stream.close();
    context.restart();
    context.run();
    return boost::asio::error::timed_out;
  }

  websocket_options options;
  boost::asio::io_context context;
  http_stream stream;
};

namespace {

result<void> outcome_of(io_error failed) {
  if (failed) return tl::unexpected<error>(web_socket_failure(failed));
  return {};
}

}  // namespace

websocket_client::websocket_client(websocket_options options)
    : connection_(std::make_unique<connection>(std::move(options))) {}

websocket_client::~websocket_client() = default;

result<void> websocket_client::connect() {
  connection& to = *connection_;
  io_error failed;
  boost::asio::ip::tcp::resolver resolver(to.context);
  const std::string port = std::to_string(to.options.port);
  const auto found = resolver.resolve(to.options.host, port, failed);
  if (failed) return fail(error_code::name_not_resolved);
  const endpoint_list places(found.begin(), found.end());
  failed = to.await([&](io_handler then) { to.stream.connect(places, std::move(then)); });
  if (failed) return outcome_of(failed);
  const std::string host = to.options.host + ':' + port;
  return outcome_of(to.await([&](io_handler then) {
    to.stream.ask_for_web_socket(to.options.max_message_bytes, host, std::move(then));
  }));
}

result<void> websocket_client::write(std::string_view text) {
  connection& to = *connection_;
  return outcome_of(
      to.await([&](io_handler then) { to.stream.write_message(as_bytes(text), true, std::move(then)); }));
}

result<std::string> websocket_client::read() {
  connection& from = *connection_;
  const auto read =
      outcome_of(from.await([&](io_handler then) { from.stream.read_message(std::move(then)); }));
  if (!read) return fail(read.error());
  return from.stream.message();
}

void websocket_client::close() {
  constexpr std::uint16_t normal = 1000;  // RFC 6455, 7.4.1
  connection& to = *connection_;
  (void)to.await([&](io_handler then) { to.stream.close_web_socket(normal, std::move(then)); });
}

std::uint16_t websocket_client::close_code() const noexcept {
  return connection_->stream.close_code();
}

}  // namespace tickreel::net
