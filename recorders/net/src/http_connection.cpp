#include "tickreel/net/http_connection.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>

#include "event_loop_internals.hpp"
#include "http_stream.hpp"
#include "tickreel/net/own_page.hpp"

namespace tickreel::net {

namespace asio = boost::asio;
using asio::ip::tcp;

struct http_connection::internals : std::enable_shared_from_this<internals> {
  internals(event_loop& loop, std::string to, std::uint16_t at_port, const http_limits& bounds)
      : host(std::move(to)),
        port(at_port),
        limits(bounds),
        resolver(loop.inside().context),
        lookup_timer(loop.inside().context),
        stream(tcp::socket(loop.inside().context)) {}

  void begin(std::string_view path, answer_function to_call) {
    call = std::move(to_call);
    target = path;
    reused = connected;
    if (connected) {
      send();
    } else {
      open();
    }
  }

  void open() {
    close();
    if (!endpoints.empty()) {
      connect();
      return;
    }
    io_error not_an_address;
    const asio::ip::address address = asio::ip::make_address(host, not_an_address);
    if (!not_an_address) {
      endpoints.emplace_back(address, port);
      connect();
    } else {
      look_up();
    }
  }

  // Cancelling does not interrupt a lookup, so the timeout is reported without waiting for its end.
  void look_up() {
    const std::uint64_t number = ++lookup;
    lookup_timer.expires_after(std::chrono::milliseconds(limits.connect_timeout_ms));
    lookup_timer.async_wait([self = shared_from_this(), number](io_error failed) {
      if (failed || number != self->lookup) return;
      ++self->lookup;
      self->report(fail(error_code::timed_out, error::no_offset, "looking up the host name"));
    });
    if (lookup_under_way) return;  // its result will serve this request, too
    lookup_under_way = true;
    resolver.async_resolve(
        host, std::to_string(port),
        [self = shared_from_this()](io_error failed, const auto& found) { self->looked_up(failed, found); });
  }

  void looked_up(io_error failed, const tcp::resolver::results_type& found) {
    lookup_under_way = false;
    if (!failed) {
      for (const auto& entry : found) endpoints.push_back(entry.endpoint());
    }
    ++lookup;
    lookup_timer.cancel();
    if (!call || connected) return;
    if (endpoints.empty()) {
      report(fail(error_code::name_not_resolved, error::no_offset, "no such host"));
    } else {
      connect();
    }
  }

  void connect() {
    stream.limit_time(std::chrono::milliseconds(limits.connect_timeout_ms));
    stream.connect(endpoints, [self = shared_from_this()](io_error failed) {
      if (failed) {
        self->endpoints.clear();  // a name may resolve to another address next time
        return self->report(tl::unexpected<error>(http_failure(failed)));
      }
      io_error ignored;
      (void)self->stream.socket().set_option(tcp::no_delay(true), ignored);
      self->connected = true;
      self->send();
    });
  }

  void send() {
    stream.limit_time(std::chrono::milliseconds(limits.answer_timeout_ms));
    stream.get(host_text(host, port), target, limits.max_body_bytes,
               [self = shared_from_this()](io_error failed) {
                 if (failed) return self->broken(failed);
                 if (!self->stream.peer_keeps_alive()) self->close();
                 self->report(http_answer{self->stream.status(), self->stream.body()});
               });
  }

  void broken(io_error why) {
    const error failure = http_failure(why);
    // An idle connection may have been closed at any time; only a new one shows the state of the target.
    const bool was_idle = reused && !stream.has_received() && failure.code != error_code::timed_out;
    close();
    reused = false;
    if (was_idle && call) {
      open();
    } else {
      report(tl::unexpected<error>(failure));
    }
  }

  void close() {
    stream.close();
    connected = false;
  }

  void report(const result<http_answer>& answer) {
    stream.limit_time(std::nullopt);
    if (!call) return;
    const answer_function now = std::exchange(call, nullptr);
    now(answer);
  }

  const std::string host;
  const std::uint16_t port;
  const http_limits limits;
  tcp::resolver resolver;
  asio::steady_timer lookup_timer;
  http_stream stream;
  endpoint_list endpoints;
  std::string target;
  answer_function call;
  std::uint64_t lookup = 0;
  bool lookup_under_way = false;
  bool connected = false;
  bool reused = false;
};

http_connection::http_connection(event_loop& loop, std::string host, std::uint16_t port,
                                 const http_limits& limits)
    : internals_(std::make_shared<internals>(loop, std::move(host), port, limits)) {}

http_connection::~http_connection() {
  internals_->call = nullptr;
  internals_->resolver.cancel();
  internals_->lookup_timer.cancel();
  internals_->close();
}

void http_connection::get(std::string_view path, answer_function call) {
  internals_->begin(path, std::move(call));
}

}  // namespace tickreel::net
