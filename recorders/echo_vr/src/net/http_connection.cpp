#include "http_connection.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "event_loop_internals.hpp"

namespace tickreel::echo_vr {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

// A response of a full arena arrives in one or two pieces. Each piece is a wait, which is expensive on a busy
// machine, most of all on Windows.
constexpr std::size_t bytes_at_once = 32768;

error as_error(boost::system::error_code from) noexcept {
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

}  // namespace

struct http_connection::internals : std::enable_shared_from_this<internals> {
  internals(event_loop& loop, target to, const http_limits& bounds)
      : context(loop.inside().context),
        where(std::move(to)),
        limits(bounds),
        resolver(context),
        lookup_timer(context),
        stream(context) {
    request.version(11);
    request.method(http::verb::get);
    request.set(http::field::host, to_text(where));
    request.set(http::field::user_agent, "tickreel");
    request.set(http::field::accept, "application/json");
  }

  void begin(std::string_view path, answer_function to_call) {
    call = std::move(to_call);
    request.target({path.data(), path.size()});
    reused = connected;
    receiving = false;
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
    boost::system::error_code not_an_address;
    const asio::ip::address address = asio::ip::make_address(where.host, not_an_address);
    if (!not_an_address) {
      endpoints.emplace_back(address, where.port);
      connect();
    } else {
      look_up();
    }
  }

  // Cancelling does not interrupt a lookup, so the timeout is reported without waiting for its end.
  void look_up() {
    const std::uint64_t number = ++lookup;
    lookup_timer.expires_after(std::chrono::milliseconds(limits.connect_timeout_ms));
    lookup_timer.async_wait([self = shared_from_this(), number](boost::system::error_code failed) {
      if (failed || number != self->lookup) return;
      ++self->lookup;
      self->report(fail(error_code::timed_out, error::no_offset, "looking up the host name"));
    });
    if (lookup_under_way) return;  // its result will serve this request, too
    lookup_under_way = true;
    resolver.async_resolve(where.host, std::to_string(where.port),
                           [self = shared_from_this()](boost::system::error_code failed, const auto& found) {
                             self->looked_up(failed, found);
                           });
  }

  void looked_up(boost::system::error_code failed, const tcp::resolver::results_type& found) {
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
    stream.expires_after(std::chrono::milliseconds(limits.connect_timeout_ms));
    stream.async_connect(endpoints,
                         [self = shared_from_this()](boost::system::error_code failed, const auto&) {
                           if (failed) {
                             self->endpoints.clear();  // a name may resolve to another address next time
                             self->report(tl::unexpected<error>(as_error(failed)));
                             return;
                           }
                           boost::system::error_code ignored;
                           self->stream.socket().set_option(tcp::no_delay(true), ignored);
                           self->connected = true;
                           self->send();
                         });
  }

  void send() {
    stream.expires_after(std::chrono::milliseconds(limits.answer_timeout_ms));
    http::async_write(stream, request,
                      [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                        if (failed) {
                          self->broken(failed);
                        } else {
                          self->receive();
                        }
                      });
  }

  void receive() {
    receiving = true;
    std::string memory = parser ? std::move(parser->get().body()) : std::string();
    memory.clear();
    parser.emplace();
    parser->body_limit(limits.max_body_bytes);
    parser->get().body() = std::move(memory);
    // The size of one read is limited by its capacity; by default it would stay at 512 bytes.
    buffer.reserve(bytes_at_once);
    http::async_read(stream, buffer, *parser,
                     [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                       if (failed) {
                         self->broken(failed);
                       } else {
                         self->received();
                       }
                     });
  }

  void received() {
    if (!parser->keep_alive()) close();
    const auto& message = parser->get();
    report(http_answer{static_cast<int>(message.result_int()), message.body()});
  }

  void broken(boost::system::error_code why) {
    const bool is_without_response = !receiving || (buffer.size() == 0 && !parser->got_some());
    close();
    // An idle connection may have been closed at any time; only a new one shows the state of the target.
    const bool was_idle = reused && is_without_response && why != beast::error::timeout;
    reused = false;
    receiving = false;
    if (was_idle && call) {
      open();
    } else {
      report(tl::unexpected<error>(as_error(why)));
    }
  }

  void close() {
    stream.close();
    buffer.clear();
    connected = false;
  }

  void report(const result<http_answer>& answer) {
    stream.expires_never();
    if (!call) return;
    const answer_function now = std::exchange(call, nullptr);
    now(answer);
  }

  asio::io_context& context;
  target where;
  http_limits limits;
  tcp::resolver resolver;
  asio::steady_timer lookup_timer;
  beast::tcp_stream stream;
  beast::flat_buffer buffer;
  std::vector<tcp::endpoint> endpoints;
  http::request<http::empty_body> request;
  std::optional<http::response_parser<http::string_body>> parser;
  answer_function call;
  std::uint64_t lookup = 0;
  bool lookup_under_way = false;
  bool connected = false;
  bool reused = false;
  bool receiving = false;
};

http_connection::http_connection(event_loop& loop, target where, const http_limits& limits)
    : internals_(std::make_shared<internals>(loop, std::move(where), limits)) {}

http_connection::~http_connection() {
  internals_->call = nullptr;
  internals_->resolver.cancel();
  internals_->lookup_timer.cancel();
  internals_->close();
}

void http_connection::get(std::string_view path, answer_function call) {
  internals_->begin(path, std::move(call));
}

}  // namespace tickreel::echo_vr
