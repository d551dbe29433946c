#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <unordered_set>
#include <utility>

#include "record_push.hpp"
#include "replies.hpp"
#include "tickreel/files/growing_file.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/net/listen.hpp"
#include "tickreel/net/own_page.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/viewer/server.hpp"

namespace tickreel::viewer {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

constexpr std::uint64_t max_request_body_bytes = 4096;
constexpr std::uint32_t max_request_head_bytes = 8192;
constexpr std::size_t piece_bytes = 256u * 1024;
constexpr std::chrono::milliseconds accept_again_after{200};

constexpr std::string_view content_security_policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self' blob:; "
    "connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

// What there is to show, and what the page knows it by.
struct shown {
  std::size_t game = 0;  // of several
  std::vector<shown_recording> recordings;
  bool live = false;
  // In addresses; another one for whatever is another file, also of a program that was started again: a page
  // may still be open. Below 2^53.
  std::uint64_t number = std::uint64_t{std::random_device()()} << 20;
  std::uint64_t first_number = 0;  // of the same recording, when it has moved
};

// A recording's bytes from here to there.
struct piece_of_file {
  std::optional<file> from;
  byte_range bytes;
};

struct reply {
  http::status status = http::status::not_found;
  std::string_view type = "text/plain; charset=utf-8";
  std::string own_type = {};  // instead of that
  std::string body = {};
  std::string_view standing = {};  // instead of the body: lives as long as the server
  piece_of_file piece = {};
  std::string range = {};  // Content-Range
};

reply told(http::status status, std::string_view sentence) {
  reply out;
  out.status = status;
  out.body = std::string(sentence) + "\n";
  return out;
}

}  // namespace

struct page_server::internals {
  internals(page files, const server_options& with)
      : pages(std::move(files)), options(with), push(with), acceptor(context), again(context), sink(*this) {}
  ~internals() { stop(); }

  result<void> listen() {
    const auto opened =
        net::listen(acceptor, asio::ip::address_v4::loopback(), options.port, "listening for the page");
    if (!opened) return tl::unexpected<error>(opened.error());
    port = *opened;
    return {};
  }

  struct client;
  struct pushing_sink final : reel::sink {
    explicit pushing_sink(internals& to) noexcept : server(to) {}
    result<void> accept_header(byte_span bytes) override {
      return hand_on(bytes, [to = &server](shared_bytes header) {
        to->push.take_header(std::move(header));
        to->pushes = true;
      });
    }
    result<void> accept_record(const reel::record_info& info, byte_span bytes) override {
      return hand_on(
          bytes, [to = &server, info](const shared_bytes& record) { to->push.take_record(info, record); });
    }

   private:
    template <class Take>
    result<void> hand_on(byte_span bytes, Take take) {
      try {
        auto copy = std::make_shared<const byte_vector>(bytes.begin(), bytes.end());
        asio::post(server.context, [copy = std::move(copy), take = std::move(take)] { take(copy); });
        return {};
      } catch (const std::bad_alloc&) {
        return fail(error_code::out_of_memory);
      }
    }
    internals& server;
  };
  void accept();
  void stop() noexcept;

  // Of that game; of the one that is shown to those who do not say, where there is none of that number.
  [[nodiscard]] shown now(std::optional<std::uint64_t> game = std::nullopt) {
    const std::lock_guard lock(mutex);
    return games[game && *game < games.size() ? static_cast<std::size_t>(*game) : preferred];
  }
  // The one that had that number.
  [[nodiscard]] std::optional<shown> with(std::uint64_t number) {
    const std::lock_guard lock(mutex);
    const auto found = std::find_if(games.begin(), games.end(), [number](const shown& each) {
      return each.first_number <= number && number <= each.number;
    });
    return found == games.end() ? std::nullopt : std::optional(*found);
  }

  reply answer_to(const http::request<http::string_body>& request) {
    const asked_target asked = target_of({request.target().data(), request.target().size()});
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
      return told(http::status::method_not_allowed, "only GET and HEAD");
    }
    if (asked.path == "/favicon.ico") return {http::status::no_content};  // every browser asks
    if (asked.path == "/recording.json") {
      reply out;
      out.status = http::status::ok;
      out.type = "application/json";
      out.body = list_of(now(asked.game));
      return out;
    }
    if (asked.path == "/recording" || asked.path == "/recording-2") {
      return recording(asked, request, asked.path == "/recording" ? 0 : 1);
    }
    if (auto found = text_at(asked.path)) return std::move(*found);
    if (asked.path.starts_with('/')) {
      const std::string_view name = asked.path == "/" ? "index.html" : asked.path.substr(1);
      if (const page_file* const found = pages.find(name)) {
        reply out;
        out.status = http::status::ok;
        out.type = found->type;
        out.standing = found->bytes;
        return out;
      }
    }
    return told(http::status::not_found, "there is nothing of that name");
  }

  [[nodiscard]] std::optional<reply> text_at(std::string_view path) {
    const std::lock_guard lock(mutex);
    const auto found = texts.find(path);
    if (found == texts.end()) return std::nullopt;
    reply out;
    out.status = http::status::ok;
    out.own_type = found->second.first;
    out.body = found->second.second;
    return out;
  }

  static std::uint64_t size_of(const shown_recording& of) {
    const auto opened = file::open_for_reading(of.path);
    if (!opened) return 0;
    const auto size = opened->size();
    return size ? *size : 0;
  }

  // Why there is no WebSocket at that address; nothing: there is one.
  [[nodiscard]] std::optional<reply> refusal_of_push(const asked_target& asked) {
    const auto asked_for = asked.of ? with(*asked.of) : now();
    if (!asked_for || (asked.of && *asked.of != asked_for->number))
      return told(http::status::gone, "another recording is shown now");
    const shown& what = *asked_for;
    if (!what.live || !pushes) return told(http::status::not_found, "nothing is pushed here");
    return std::nullopt;
  }

  // Whether the file that is shown while it grows is another one than the last time. Pages that show the one
  // before are then told to begin anew. On the context's thread.
  bool is_replaced(const shown& what, const file& now) {
    if (!what.live || what.recordings.size() != 1) return false;
    const std::lock_guard lock(mutex);
    auto& [number, growing] = known_files[what.game];
    if (std::exchange(number, what.number) != what.number) growing = {};
    if (growing.takes(now)) return false;
    growing = {};
    shown& current = games[what.game];
    if (current.number == what.number) current.first_number = ++current.number;
    return true;
  }

  [[nodiscard]] std::string list_of(const shown& what) {
    std::string out;
    text::json_writer json(out);
    const auto describe = [&](const shown_recording& each, std::string_view address) {
      json.member("name", each.name).member("live", what.live).member("bytes", size_of(each));
      json.member("address", std::string(address) + "?of=" + std::to_string(what.number));
    };
    const shown_recording nothing;
    json.begin_object();
    describe(what.recordings.empty() ? nothing : what.recordings.front(), "recording");
    if (what.live && pushes) json.member("push", "live?of=" + std::to_string(what.number));
    json.key("recordings").begin_array();
    for (std::size_t at = 0; at < std::max<std::size_t>(1, what.recordings.size()); ++at) {
      json.begin_object();
      describe(what.recordings.empty() ? nothing : what.recordings[at],
               at == 0 ? "recording" : "recording-2");
      json.end_object();
    }
    json.end_array();
    append_games(what.game, json);
    json.end_object();
    return out;
  }

  void append_games(std::size_t asked, text::json_writer& json) {
    const std::lock_guard lock(mutex);
    if (names.empty()) return;
    json.member("game", asked).key("games").begin_array();
    for (std::size_t each = 0; each < names.size(); ++each) {
      json.begin_object().member("title", names[each]);
      json.member("state",
                  games[each].recordings.empty() ? "no match yet" : games[each].recordings.front().name);
      json.end_object();
    }
    json.end_array();
  }

  reply recording(const asked_target& asked, const http::request<http::string_body>& request,
                  std::size_t at) {
    const auto asked_for = asked.of ? with(*asked.of) : now();
    if (!asked_for) return told(http::status::gone, "another recording is shown now");
    const shown& what = *asked_for;
    const auto range_header = request[http::field::range];
    const std::string_view header(range_header.data(), range_header.size());
    const auto nothing_new = [&](std::uint64_t size) {
      reply out = told(http::status::range_not_satisfiable, "there is nothing behind that yet");
      out.range = "bytes */" + std::to_string(size);
      return out;
    };
    if (asked.of && *asked.of != what.number) {
      // It has moved. Who has the beginning has all that there is of it.
      return nothing_new(0);
    }
    reply out;
    out.type = "application/octet-stream";
    out.status = http::status::ok;
    if (what.live && what.recordings.empty()) return header.empty() ? std::move(out) : nothing_new(0);
    if (at >= what.recordings.size()) return told(http::status::not_found, "there is no such recording");
    auto opened = file::open_for_reading(what.recordings[at].path);
    const auto size = opened ? opened->size() : result<std::uint64_t>(fail(opened.error()));
    if (!size) {
      // A reel goes when it was laid out.
      if (what.live && !header.empty()) return nothing_new(0);
      return told(http::status::not_found, "the recording cannot be read");
    }
    if (is_replaced(what, *opened)) return told(http::status::gone, "another recording is shown now");
    const asked_range wanted =
        request.count(http::field::if_range) != 0 ? range_of({}, *size) : range_of(header, *size);
    if (wanted.kind == range_kind::nothing) return nothing_new(*size);
    if (wanted.kind == range_kind::part) {
      out.status = http::status::partial_content;
      out.range = "bytes " + std::to_string(wanted.bytes.from) + "-" + std::to_string(wanted.bytes.to - 1) +
                  "/" + std::to_string(*size);
    }
    out.piece.from.emplace(std::move(*opened));
    out.piece.bytes = wanted.bytes;
    return out;
  }

  const page pages;
  const server_options options;
  std::unordered_set<client*> clients;  // before the context, which destroys those that are left
  record_push push;
  bool pushes = false;
  asio::io_context context;
  tcp::acceptor acceptor;
  asio::steady_timer again;
  pushing_sink sink;
  std::thread thread;
  std::uint16_t port = 0;
  std::mutex mutex;  // what is below
  std::vector<shown> games = std::vector<shown>(1);
  std::size_t preferred = 0;
  std::vector<std::string> names;  // none where there is but one
  // Of each game's recording, with its number.
  std::map<std::size_t, std::pair<std::uint64_t, files::growing_file>> known_files;
  std::map<std::string, std::pair<std::string, std::string>, std::less<>> texts;  // type and text, by path
};

struct page_server::internals::client : std::enable_shared_from_this<client> {
  client(tcp::socket socket, internals& owner) : server(owner), stream(std::move(socket)) {
    server.clients.insert(this);
    boost::system::error_code ignored;
    (void)stream.socket().set_option(tcp::no_delay(true), ignored);
  }
  ~client() { server.clients.erase(this); }
  client(const client&) = delete;
  client& operator=(const client&) = delete;

  void limit_silence() { stream.expires_after(std::chrono::milliseconds(server.options.longest_silence_ms)); }

  void receive() {
    parser.emplace();
    parser->body_limit(max_request_body_bytes);
    parser->header_limit(max_request_head_bytes);
    limit_silence();
    http::async_read(stream, buffer, *parser,
                     [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                       if (!failed) self->answer();
                     });
  }

  void answer() {
    const http::request<http::string_body>& request = parser->get();
    const auto host = request[http::field::host];
    if (!net::is_own_host({host.data(), host.size()}, server.port)) {
      return send(told(http::status::forbidden, "this is no name of the viewer"));
    }
    if (beast::websocket::is_upgrade(request)) return upgrade();
    send(server.answer_to(request));
  }

  void upgrade() {
    const http::request<http::string_body>& request = parser->get();
    const auto origin = request[http::field::origin];
    if (!net::is_own_origin({origin.data(), origin.size()}, server.port)) {
      return send(told(http::status::forbidden, "this is no page of the viewer"));
    }
    const asked_target asked = target_of({request.target().data(), request.target().size()});
    if (asked.path != "/live") return send(told(http::status::not_found, "there is nothing of that name"));
    if (auto refused = server.refusal_of_push(asked)) return send(std::move(*refused));
    server.push.join(std::move(stream), parser->release(), asked.have);
  }

  void send(reply with) {
    const http::request<http::string_body>& request = parser->get();
    current = std::move(with);
    response = {current.status, request.version()};
    const auto set = [&](http::field name, std::string_view value) {
      response.set(name, beast::string_view(value.data(), value.size()));
    };
    set(http::field::content_type,
        current.own_type.empty() ? current.type : std::string_view(current.own_type));
    response.set("Content-Security-Policy",
                 beast::string_view(content_security_policy.data(), content_security_policy.size()));
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    // No other page may take a recording for a picture or a script of its own.
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    set(http::field::cache_control, "no-store");
    if (current.status == http::status::method_not_allowed) set(http::field::allow, "GET, HEAD");
    if (!current.range.empty()) set(http::field::content_range, current.range);
    if (current.piece.from) set(http::field::accept_ranges, "bytes");
    const std::string_view body =
        current.standing.empty() ? std::string_view(current.body) : current.standing;
    const std::uint64_t size =
        current.piece.from ? current.piece.bytes.to - current.piece.bytes.from : body.size();
    if (current.status != http::status::no_content) response.content_length(size);
    response.keep_alive(request.keep_alive());
    const bool bodiless = request.method() == http::verb::head;
    if (bodiless) current.piece.from.reset();
    left = bodiless ? std::string_view() : body;
    limit_silence();
    serializer.emplace(response);
    http::async_write_header(stream, *serializer,
                             [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                               if (!failed) self->go_on();
                             });
  }

  // The body, a piece at a time: however large the recording, a client takes one piece of memory, and each of
  // them has its time anew.
  void go_on() {
    if (current.piece.from) {
      byte_range& bytes = current.piece.bytes;
      if (bytes.from == bytes.to) return finish();
      piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, bytes.to - bytes.from)));
      const auto got = current.piece.from->read_at({piece.data(), piece.size()}, bytes.from);
      // The length is promised already.
      if (!got || *got != piece.size()) return stream.close();
      bytes.from += *got;
      return write({piece.data(), piece.size()});
    }
    if (left.empty()) return finish();
    const std::string_view next = left.substr(0, piece_bytes);
    left.remove_prefix(next.size());
    write(as_bytes(next));
  }

  void write(byte_span bytes) {
    limit_silence();
    asio::async_write(stream, asio::buffer(bytes.data(), bytes.size()),
                      [self = shared_from_this()](boost::system::error_code failed, std::size_t) {
                        if (!failed) self->go_on();
                      });
  }

  void finish() {
    current = {};
    piece = {};
    if (response.keep_alive()) receive();
  }

  internals& server;
  beast::tcp_stream stream;
  beast::flat_buffer buffer;
  std::optional<http::request_parser<http::string_body>> parser;
  http::response<http::empty_body> response;
  std::optional<http::response_serializer<http::empty_body>> serializer;
  reply current;
  std::string_view left;
  byte_vector piece;
};

void page_server::internals::accept() {
  acceptor.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
    // One may have come in the moment in which the acceptor was closed.
    if (failed == asio::error::operation_aborted || !acceptor.is_open()) return;
    if (!failed && clients.size() + push.connections() < options.max_clients) {
      net::keep_from_children(socket);
      std::make_shared<client>(std::move(socket), *this)->receive();
    }
    if (!failed) return accept();
    // Out of descriptors, most likely: asking again at once would only burn time.
    again.expires_after(accept_again_after);
    again.async_wait([this](boost::system::error_code stopped) {
      if (!stopped) accept();
    });
  });
}

void page_server::internals::stop() noexcept {
  if (!thread.joinable()) return;
  asio::post(context, [this] {
    boost::system::error_code ignored;
    (void)acceptor.close(ignored);
    again.cancel();
    for (client* each : clients) each->stream.close();
    push.close_all();
  });
  thread.join();
}

page_server::page_server(std::unique_ptr<internals> owned) noexcept : internals_(std::move(owned)) {}
page_server::page_server(page_server&&) noexcept = default;
page_server& page_server::operator=(page_server&&) noexcept = default;
page_server::~page_server() = default;

result<page_server> page_server::start(page files, const server_options& options) {
  try {
    auto made = std::make_unique<internals>(std::move(files), options);
    if (const result<void> listening = made->listen(); !listening) return fail(listening.error());
    made->accept();
    made->thread = std::thread([inside = made.get()] { inside->context.run(); });
    return page_server(std::move(made));
  } catch (const std::bad_alloc&) {
    return fail(error_code::out_of_memory);
  } catch (const std::exception&) {
    return fail(error_code::io_failed, error::no_offset, "the page's thread could not be started");
  }
}

void page_server::show(std::vector<shown_recording> recordings, bool live, std::size_t game) {
  const std::lock_guard lock(internals_->mutex);
  shown& now = internals_->games.at(game);
  now.recordings = std::move(recordings);
  now.live = live;
  now.first_number = ++now.number;
}

void page_server::set_games(const std::vector<std::string>& names) {
  const std::lock_guard lock(internals_->mutex);
  internals_->names = names;
  internals_->games.resize(std::max<std::size_t>(1, names.size()));
  for (std::size_t each = 0; each < internals_->games.size(); ++each) {
    shown& game = internals_->games[each];
    game.game = each;
    game.live = true;
    game.first_number = game.number;
  }
}

void page_server::prefer(std::size_t game) {
  const std::lock_guard lock(internals_->mutex);
  internals_->preferred = std::min(game, internals_->games.size() - 1);
}

void page_server::set_text(const std::string& path, const std::string& type, std::string text) {
  const std::lock_guard lock(internals_->mutex);
  internals_->texts[path] = {type, std::move(text)};
}

void page_server::moved(shown_recording to, std::size_t game) {
  const std::lock_guard lock(internals_->mutex);
  shown& now = internals_->games.at(game);
  now.recordings.assign(1, std::move(to));
  ++now.number;
}

reel::sink& page_server::pushing() noexcept {
  return internals_->sink;
}

push_counters page_server::pushed() const noexcept {
  return internals_->push.counted();
}

std::uint16_t page_server::port() const noexcept {
  return internals_->port;
}

void page_server::stop() noexcept {
  if (internals_) internals_->stop();
}

}  // namespace tickreel::viewer
