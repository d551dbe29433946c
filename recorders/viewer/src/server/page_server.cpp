#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <chrono>
#include <exception>
#include <thread>
#include <unordered_set>
#include <utility>

#include "page_client.hpp"
#include "record_push.hpp"
#include "replies.hpp"
#include "shown_games.hpp"
#include "tickreel/net/listen.hpp"
#include "tickreel/viewer/server.hpp"

namespace tickreel::viewer {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::chrono::milliseconds accept_again_after{200};
constexpr std::string_view next_recording = "/recording-";

asked_target asked_by(const page_request& request) noexcept {
  return target_of({request.target().data(), request.target().size()});
}

}  // namespace

struct page_server::internals final : page_host {
  internals(page files, const server_options& with)
      : pages(std::move(files)), options(with), push(with), acceptor(context), again(context), sink(*this) {}
  ~internals() { stop(); }

  result<void> listen() {
    boost::system::error_code wrong;
    const auto address = asio::ip::make_address(options.address, wrong);
    if (wrong) return fail(error_code::invalid_argument, error::no_offset, "no address as numbers");
    called = {address != asio::ip::address_v4::loopback(), options.names};
    const auto opened = net::listen(acceptor, address, options.port, "listening for the page");
    if (!opened) return tl::unexpected<error>(opened.error());
    listens_on = *opened;
    return {};
  }

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

  reply answer_to(const page_request& request) override;
  std::optional<reply> take_socket(boost::beast::tcp_stream& stream, page_request request) override;
  void forget(page_client& gone) noexcept override { clients.erase(&gone); }
  [[nodiscard]] std::uint16_t port() const noexcept override { return listens_on; }
  [[nodiscard]] const net::served_names& names() const noexcept override { return called; }

  reply recording(const asked_target& asked, const page_request& request, std::size_t at);

  const page pages;
  const server_options options;
  shown_games games;
  std::unordered_set<page_client*> clients;  // before the context, which destroys those that are left
  record_push push;
  bool pushes = false;
  asio::io_context context;
  tcp::acceptor acceptor;
  asio::steady_timer again;
  pushing_sink sink;
  std::thread thread;
  std::uint16_t listens_on = 0;
  net::served_names called;
};

reply page_server::internals::answer_to(const page_request& request) {
  const asked_target asked = asked_by(request);
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return told(http::status::method_not_allowed, "only GET and HEAD");
  if (asked.path == "/favicon.ico") return {http::status::no_content};  // every browser asks
  if (asked.path == "/recording.json") {
    reply out;
    out.status = http::status::ok;
    out.type = "application/json";
    out.body = games.list_of(games.now(asked.game), pushes);
    return out;
  }
  if (asked.path == "/recording") return recording(asked, request, 0);
  // Behind the first: recording-2 and so on.
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
      reply out;
      out.status = http::status::ok;
      out.type = found->type;
      out.standing = found->bytes;
      return out;
    }
  }
  return told(http::status::not_found, "there is nothing of that name");
}

std::optional<reply> page_server::internals::take_socket(boost::beast::tcp_stream& stream,
                                                         page_request request) {
  const asked_target asked = asked_by(request);
  if (asked.path != "/live") return told(http::status::not_found, "there is nothing of that name");
  const auto asked_for = asked.of ? games.with(*asked.of) : games.now();
  if (!asked_for || (asked.of && *asked.of != asked_for->number))
    return told(http::status::gone, "another recording is shown now");
  if (!asked_for->live || !pushes) return told(http::status::not_found, "nothing is pushed here");
  push.join(std::move(stream), std::move(request), asked.have);
  return std::nullopt;
}

reply page_server::internals::recording(const asked_target& asked, const page_request& request,
                                        std::size_t at) {
  const auto asked_for = asked.of ? games.with(*asked.of) : games.now();
  if (!asked_for) return told(http::status::gone, "another recording is shown now");
  const shown& what = *asked_for;
  const auto range_header = request[http::field::range];
  const std::string_view header(range_header.data(), range_header.size());
  const auto nothing_new = [](std::uint64_t size) {
    reply out = told(http::status::range_not_satisfiable, "there is nothing behind that yet");
    out.range = "bytes */" + std::to_string(size);
    return out;
  };
  // It has moved. Who has the beginning has all that there is of it.
  if (asked.of && *asked.of != what.number) return nothing_new(0);
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
  if (games.is_replaced(what, *opened)) return told(http::status::gone, "another recording is shown now");
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

void page_server::internals::accept() {
  acceptor.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
    // One may have come in the moment in which the acceptor was closed.
    if (failed == asio::error::operation_aborted || !acceptor.is_open()) return;
    if (!failed && clients.size() + push.connections() < options.max_clients) {
      net::keep_from_children(socket);
      const auto client = std::make_shared<page_client>(std::move(socket), *this, options.longest_silence_ms);
      clients.insert(client.get());
      client->receive();
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
    for (page_client* each : clients) each->close();
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
  internals_->games.show(std::move(recordings), live, game);
}

void page_server::set_games(const std::vector<std::string>& names) {
  internals_->games.set_games(names);
}

void page_server::prefer(std::size_t game) {
  internals_->games.prefer(game);
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
  return internals_->listens_on;
}

void page_server::stop() noexcept {
  if (internals_) internals_->stop();
}

}  // namespace tickreel::viewer
