#include <charconv>
#include <utility>

#include "record_push.hpp"
#include "replies.hpp"
#include "shown_games.hpp"
#include "tickreel/net/http_server.hpp"
#include "tickreel/viewer/server.hpp"

namespace tickreel::viewer {
namespace {

using net::http_request;
using net::http_response;
using net::text_response;

constexpr std::string_view content_security_policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self' blob:; "
    "connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";
constexpr std::string_view next_recording = "/recording-";

http_response ok(std::string_view type) {
  http_response out;
  out.status = 200;
  out.type = type;
  return out;
}

}  // namespace

struct page_server::internals {
  internals(page files, const server_options& with)
      : pages(std::move(files)), options(with), push(with), sink(*this) {}
  ~internals() { stop(); }

  result<void> listen() {
    net::http_server_options with;
    with.address = options.address;
    with.port = options.port;
    with.max_clients = options.max_clients;
    with.idle_timeout_ms = options.longest_silence_ms;
    with.names = options.names;
    with.content_security_policy = content_security_policy;
    with.purpose = "listening for the page";
    auto listening = net::http_server::listen(
        with,
        [this](const http_request& request, net::http_exchange& exchange) { answer(request, exchange); });
    if (!listening) return fail(listening.error());
    server = std::move(*listening);
    return {};
  }

  struct pushing_sink final : reel::sink {
    explicit pushing_sink(internals& to) noexcept : owner(to) {}
    result<void> accept_header(byte_span bytes) override {
      return hand_on(bytes, [to = &owner](shared_bytes header) {
        to->push.take_header(std::move(header));
        to->pushes = true;
      });
    }
    result<void> accept_record(const reel::record_info& info, byte_span bytes) override {
      return hand_on(bytes,
                     [to = &owner, info](const shared_bytes& record) { to->push.take_record(info, record); });
    }

   private:
    template <class Take>
    result<void> hand_on(byte_span bytes, Take take) {
      try {
        auto copy = std::make_shared<const byte_vector>(bytes.begin(), bytes.end());
        owner.server->post([copy = std::move(copy), take = std::move(take)] { take(copy); });
        return {};
      } catch (const std::bad_alloc&) {
        return fail(error_code::out_of_memory);
      }
    }
    internals& owner;
  };

  void answer(const http_request& request, net::http_exchange& exchange);
  http_response response_to(const http_request& request);
  http_response recording(const asked_target& asked, const http_request& request, std::size_t at);
  void join(const asked_target& asked, net::http_exchange& exchange);
  void stop() noexcept;

  const page pages;
  const server_options options;
  shown_games games;
  std::unique_ptr<net::http_server> server;
  record_push push;
  bool pushes = false;
  pushing_sink sink;
};

void page_server::internals::answer(const http_request& request, net::http_exchange& exchange) {
  if (request.wants_web_socket) return join(target_of(request.target), exchange);
  exchange.respond(response_to(request));
}

http_response page_server::internals::response_to(const http_request& request) {
  const asked_target asked = target_of(request.target);
  if (request.method != "GET" && request.method != "HEAD") {
    http_response out = text_response(405, "only GET and HEAD");
    out.allowed_methods = "GET, HEAD";
    return out;
  }
  if (asked.path == "/favicon.ico") {  // every browser requests it
    http_response out;
    out.status = 204;
    return out;
  }
  if (asked.path == "/recording.json") {
    http_response out = ok("application/json");
    out.body = games.list_of(games.now(asked.game), pushes);
    return out;
  }
  if (asked.path == "/recording") return recording(asked, request, 0);
  // After the first: recording-2 and so on.
  if (asked.path.starts_with(next_recording)) {
    const std::string_view digits = asked.path.substr(next_recording.size());
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (problem == std::errc{} && end == digits.data() + digits.size() && digits.front() != '0' && number > 1)
      return recording(asked, request, number - 1);
  }
  if (auto found = games.text_at(asked.path)) return std::move(*found);
  if (asked.path.starts_with('/')) {
    const std::string_view name = asked.path == "/" ? "index.html" : asked.path.substr(1);
    if (const page_file* const found = pages.find(name)) {
      http_response out = ok(found->type);
      out.static_body = found->bytes;
      return out;
    }
  }
  return text_response(404, "not found");
}

void page_server::internals::join(const asked_target& asked, net::http_exchange& exchange) {
  const auto refuse = [&](int status, std::string_view why) { exchange.respond(text_response(status, why)); };
  if (asked.path != "/live") return refuse(404, "not found");
  const auto asked_for = asked.of ? games.with(*asked.of) : games.now();
  if (!asked_for || (asked.of && *asked.of != asked_for->number))
    return refuse(410, "another recording is shown now");
  if (!asked_for->live || !pushes) return refuse(404, "nothing is pushed here");
  push.join(exchange, asked.have);
}

http_response page_server::internals::recording(const asked_target& asked, const http_request& request,
                                                std::size_t at) {
  const auto asked_for = asked.of ? games.with(*asked.of) : games.now();
  if (!asked_for) return text_response(410, "another recording is shown now");
  const shown& what = *asked_for;
  const std::string_view header = request.range;
  const auto nothing_new = [](std::uint64_t size) {
    http_response out = text_response(416, "the recording has no bytes after that yet");
    out.content_range = "bytes */" + std::to_string(size);
    return out;
  };
  // It was moved. A client that has the beginning has all of it.
  if (asked.of && *asked.of != what.number) return nothing_new(0);
  http_response out = ok("application/octet-stream");
  if (what.live && what.recordings.empty()) return header.empty() ? std::move(out) : nothing_new(0);
  if (at >= what.recordings.size()) return text_response(404, "there is no such recording");
  auto opened = file::open_for_reading(what.recordings[at].path);
  const auto size = opened ? opened->size() : result<std::uint64_t>(fail(opened.error()));
  if (!size) {
    // A reel is deleted after it was published.
    if (what.live && !header.empty()) return nothing_new(0);
    return text_response(404, "the recording cannot be read");
  }
  if (games.is_replaced(what, *opened)) return text_response(410, "another recording is shown now");
  const asked_range wanted = request.if_range.empty() ? range_of(header, *size) : range_of({}, *size);
  if (wanted.kind == range_kind::nothing) return nothing_new(*size);
  if (wanted.kind == range_kind::part) {
    out.status = 206;
    out.content_range = "bytes " + std::to_string(wanted.bytes.from) + "-" +
                        std::to_string(wanted.bytes.to - 1) + "/" + std::to_string(*size);
  }
  out.part = {std::move(*opened), wanted.bytes.from, wanted.bytes.to};
  return out;
}

void page_server::internals::stop() noexcept {
  if (!server) return;
  server->stop();
  push.release_all();
}

page_server::page_server(std::unique_ptr<internals> owned) noexcept : internals_(std::move(owned)) {}
page_server::page_server(page_server&&) noexcept = default;
page_server& page_server::operator=(page_server&&) noexcept = default;
page_server::~page_server() = default;

result<page_server> page_server::listen(page files, const server_options& options) {
  try {
    auto made = std::make_unique<internals>(std::move(files), options);
    if (const result<void> listening = made->listen(); !listening) return fail(listening.error());
    return page_server(std::move(made));
  } catch (const std::bad_alloc&) {
    return fail(error_code::out_of_memory);
  }
}

result<page_server> page_server::start(page files, const server_options& options) {
  auto listening = listen(std::move(files), options);
  if (!listening) return listening;
  if (const result<void> answering = listening->answer(); !answering) return fail(answering.error());
  return listening;
}

result<void> page_server::answer() {
  return internals_->server->start();
}

void page_server::show(std::vector<shown_recording> recordings, bool live, std::size_t game) {
  internals_->games.show(std::move(recordings), live, game);
}

void page_server::set_games(const std::vector<std::string>& names) {
  internals_->games.set_games(names);
}

void page_server::prefer(std::size_t game) {
  internals_->games.prefer(game);
}

void page_server::set_map(page_map map) {
  internals_->games.set_map(std::move(map));
}

void page_server::set_text(const std::string& path, const std::string& type, std::string text) {
  internals_->games.set_text(path, type, std::move(text));
}

void page_server::moved(shown_recording to, std::size_t game) {
  internals_->games.moved(std::move(to), game);
}

reel::sink& page_server::pushing() noexcept {
  return internals_->sink;
}

push_counters page_server::pushed() const noexcept {
  return internals_->push.counted();
}

std::uint16_t page_server::port() const noexcept {
  return internals_->server->port();
}

void page_server::stop() noexcept {
  if (internals_) internals_->stop();
}

}  // namespace tickreel::viewer
