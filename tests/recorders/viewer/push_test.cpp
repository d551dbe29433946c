// Watchers over WebSockets, of which one never reads.
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <iterator>
#include <optional>
#include <thread>

#include "../../sdk/reel/random_reel.hpp"
#include "eventually.hpp"
#include "random.hpp"
#include "served_page.hpp"
#include "tickreel/reel/stored_record.hpp"
#include "tickreel/viewer/server.hpp"

BOOST_AUTO_TEST_SUITE(viewer_tests)
BOOST_AUTO_TEST_SUITE(push_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using viewer::page_server;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::asio::ip::tcp;

struct message {
  bool text = false;
  byte_vector bytes;
};

// A page, as far as the server needs one.
class watcher {
 public:
  explicit watcher(std::uint16_t port) : port_(port) {}

  // 101, or the status of the rejection.
  unsigned join(const std::string& target = "/live", const std::string& origin = {}, std::string host = {},
                int receive_buffer = 0) {
    tcp::socket& socket = ws_.next_layer();
    socket.open(tcp::v4());
    if (receive_buffer > 0) socket.set_option(boost::asio::socket_base::receive_buffer_size(receive_buffer));
    socket.connect({boost::asio::ip::address_v4::loopback(), port_});
    ws_.set_option(websocket::stream_base::decorator([origin](websocket::request_type& request) {
      if (!origin.empty()) request.set(beast::http::field::origin, origin);
    }));
    ws_.read_message_max(0);
    if (host.empty()) host = "127.0.0.1:" + std::to_string(port_);
    websocket::response_type response;
    boost::system::error_code failed;
    ws_.handshake(response, host, target, failed);
    return response.result_int();
  }
  // Nothing if the connection ended.
  std::optional<message> read() {
    beast::flat_buffer buffer;
    boost::system::error_code failed;
    ws_.read(buffer, failed);
    if (failed) return std::nullopt;
    const auto* const from = static_cast<const std::byte*>(buffer.data().data());
    return message{ws_.got_text(), byte_vector(from, from + buffer.size())};
  }
  [[nodiscard]] unsigned close_code() const { return ws_.reason().code; }

 private:
  std::uint16_t port_;
  boost::asio::io_context context_;
  websocket::stream<tcp::socket> ws_{context_};
};

// A reel with incompressible records, as they are written.
class pushed_reel : public reel::sink {
 public:
  explicit pushed_reel(const viewer::server_options& options) : files_(stand_in_page(folder_)) {
    auto started = page_server::start(files_, options);
    BOOST_REQUIRE(started);
    server.emplace(std::move(*started));
    reel::header head;
    head.encoder_name = "random";
    auto made = reel::writer::create_without_file(head, {});
    BOOST_REQUIRE(made);
    writer_.emplace(std::move(*made));
  }

  void begin() {
    struct here final : reel::sink {
      explicit here(pushed_reel& of) : to(of) {}
      result<void> accept_header(byte_span bytes) override { return to.accept_header(bytes); }
      result<void> accept_record(const reel::record_info& info, byte_span bytes) override {
        return to.accept_record(info, bytes);
      }
      pushed_reel& to;
    };
    server->show({{folder_ / "match.reel", "match.reel"}}, true);
    writer_->add_sink(std::make_unique<here>(*this));
    BOOST_REQUIRE(eventually([&] {
      return ask(server->port(), "/recording.json").body.find(R"("push":"live?of=)") != std::string::npos;
    }));
  }
  void chunk(bool keyframe, std::size_t size) {
    byte_vector payload(size + 64);
    byte_writer to(payload);
    byte_vector bytes(size);
    for (std::byte& each : bytes) each = static_cast<std::byte>(random_());
    write_leb128(to, 0);
    write_leb128(to, 0);
    write_leb128(to, bytes.size() * 2 + (keyframe ? 1 : 0));
    to.bytes(bytes);
    payload.resize(to.size());
    reel::record_info about;
    about.frames = 1;
    about.flags = keyframe ? reel::starts_with_keyframe : 0;
    about.first_tick = about.last_tick = ++tick_;
    BOOST_REQUIRE(writer_->append(about, payload));
  }
  void update() {
    reel::record_info about;
    about.kind = reel::record_kind::header_update;
    BOOST_REQUIRE(writer_->append(about, random_bytes(random_, 100)));
  }
  void event(bool needed_later) {
    BOOST_REQUIRE(writer_->append_event({tick_, 0}, 7, random_bytes(random_, 100), needed_later));
  }
  void finish() { BOOST_REQUIRE(writer_->finish()); }
  // All accepted records are on their way.
  void settle() {
    BOOST_REQUIRE(eventually([&] { return server->pushed().records == records.size(); }));
  }

  result<void> accept_header(byte_span bytes) override {
    header.assign(bytes.begin(), bytes.end());
    return server->pushing().accept_header(bytes);
  }
  result<void> accept_record(const reel::record_info& info, byte_span bytes) override {
    records.emplace_back(bytes.begin(), bytes.end());
    return server->pushing().accept_record(info, bytes);
  }
  [[nodiscard]] byte_vector all() const {
    byte_vector out = header;
    for (const byte_vector& each : records) out.insert(out.end(), each.begin(), each.end());
    return out;
  }

  byte_vector header;
  std::vector<byte_vector> records;
  std::optional<page_server> server;

 private:
  scratch_folder folder_;
  viewer::page files_;
  std::optional<reel::writer> writer_;
  std::mt19937_64 random_ = seeded_random("push");
  std::uint64_t tick_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_watcher_that_never_reads_lags_alone) {
  // Nor does stop(), at the end, wait until it has been silent for too long.
  pushed_reel reel({.longest_silence_ms = 3'600'000, .max_push_queue_bytes = 1u << 20});
  reel.begin();
  watcher fast(reel.server->port());
  watcher slow(reel.server->port());
  BOOST_TEST(fast.join() == 101u);
  BOOST_TEST(slow.join("/live", {}, {}, 16384) == 101u);
  BOOST_REQUIRE(eventually([&] { return reel.server->pushed().watchers == 2; }));
  byte_vector got;
  std::atomic<std::size_t> came{0};
  std::thread reading([&] {
    while (const auto next = fast.read()) {
      if (next->text) break;  // it was dropped, too
      got.insert(got.end(), next->bytes.begin(), next->bytes.end());
      ++came;
    }
  });
  const auto more = [&](std::size_t number) {
    if (number % 7 == 0) reel.update();
    reel.chunk(number % 4 == 0, 200'000);
    return eventually([&] { return came == reel.records.size() + 1; });
  };
  bool in_time = true;
  std::size_t number = 0;
  while (in_time && reel.server->pushed().drops < 2 && number < 2000) in_time = more(number++);
  for (int each = 0; each < 3 && in_time; ++each) in_time = more(number++);
  BOOST_TEST(in_time);
  BOOST_TEST(reel.server->pushed().drops >= 2u);
  reel.finish();
  in_time = in_time && eventually([&] { return came == reel.records.size() + 1; });

  // Now the other one reads.
  const auto check = reel::record_check::create(reel.header);
  BOOST_REQUIRE(check);
  const auto first = slow.read();
  BOOST_REQUIRE(first);
  BOOST_TEST((first->bytes == reel.header));
  byte_vector bytes = first->bytes;
  std::uint64_t reported_dropped = 0;
  std::uint64_t taken = 0;
  bool begins = false;  // again
  bool ended = false;
  while (!ended) {
    const auto next = slow.read();
    BOOST_REQUIRE(next);
    if (next->text) {
      const std::string text(reinterpret_cast<const char*>(next->bytes.data()), next->bytes.size());
      BOOST_REQUIRE(text.starts_with("{\"dropped\":"));
      reported_dropped += std::stoull(text.substr(11));
      begins = true;
      continue;
    }
    const auto info = check->whole(next->bytes);
    BOOST_REQUIRE(info.has_value());
    BOOST_TEST((next->bytes == reel.records.at(info->sequence)));
    bytes.insert(bytes.end(), next->bytes.begin(), next->bytes.end());
    ended = info->kind == reel::record_kind::end;
    if (begins && info->kind == reel::record_kind::header_update) continue;  // was among the dropped
    if (begins) BOOST_TEST((ended || (info->flags & reel::starts_with_keyframe) != 0));
    begins = false;
    ++taken;
  }
  BOOST_TEST(reported_dropped > 0u);
  BOOST_TEST(reported_dropped == reel.server->pushed().dropped_records);
  BOOST_TEST(taken + reported_dropped == reel.records.size());
  const auto opened = reel::reader::from_memory(bytes);
  BOOST_TEST(opened.has_value());
  reel.server->stop();
  reading.join();
  BOOST_TEST((got == reel.all()));
}

BOOST_AUTO_TEST_CASE(a_late_watcher_begins_with_the_last_keyframe) {
  pushed_reel reel({});
  reel.begin();
  reel.update();
  reel.chunk(true, 1000);
  reel.update();
  reel.chunk(false, 1000);
  reel.chunk(true, 1000);
  reel.chunk(false, 1000);
  reel.settle();
  watcher late(reel.server->port());
  BOOST_TEST(late.join() == 101u);
  reel.chunk(false, 1000);
  std::vector<byte_vector> got;
  for (int each = 0; each < 5; ++each) {
    auto next = late.read();
    BOOST_REQUIRE(next);
    got.push_back(std::move(next->bytes));
  }
  const std::vector<byte_vector> wanted = {reel.header, reel.records[2], reel.records[4], reel.records[5],
                                           reel.records[6]};
  BOOST_TEST((got == wanted));
}

// It also has the lasting events that later ticks depend on; other earlier records are reported as left out.
BOOST_AUTO_TEST_CASE(a_late_watcher_has_what_later_ticks_depend_on) {
  pushed_reel reel({});
  reel.begin();
  reel.update();
  reel.chunk(true, 1000);
  reel.event(true);
  reel.event(false);
  reel.update();
  reel.event(true);
  reel.chunk(true, 1000);
  reel.event(true);
  reel.settle();
  watcher late(reel.server->port());
  BOOST_TEST(late.join() == 101u);
  std::vector<byte_vector> got;
  byte_vector all;
  for (int each = 0; each < 7; ++each) {
    auto next = late.read();
    BOOST_REQUIRE(next);
    all.insert(all.end(), next->bytes.begin(), next->bytes.end());
    got.push_back(std::move(next->bytes));
  }
  // Header, event, the gap, update, event, chunk, event.
  BOOST_TEST((got[1] == reel.records[2]));
  BOOST_TEST((got[3] == reel.records[4]));
  BOOST_TEST((got[4] == reel.records[5]));
  BOOST_TEST((got[5] == reel.records[6]));
  BOOST_TEST((got[6] == reel.records[7]));
  const auto opened = reel::reader::from_memory(all);
  BOOST_REQUIRE(opened);
  BOOST_TEST(opened->contents().begins_at == 3u);
  BOOST_TEST(opened->contents().missing_records == 0u);
}

BOOST_AUTO_TEST_CASE(a_watcher_with_the_beginning_gets_the_following_records) {
  pushed_reel reel({.max_push_kept_bytes = 10'000});
  reel.begin();
  for (int each = 0; each < 30; ++each) reel.chunk(each % 5 == 0, 1000);
  reel.settle();
  const byte_vector before = reel.all();
  // Also for a record that was only partly read.
  for (const std::size_t have : {before.size(), before.size() - 1, before.size() - 3333}) {
    watcher next(reel.server->port());
    BOOST_TEST(next.join("/live?have=1&of=x") == 101u);  // not understood: from the keyframe on
    watcher page(reel.server->port());
    const std::string list = ask(reel.server->port(), "/recording.json").body;
    const std::size_t at = list.find("live?of=");
    const std::string address = "/" + list.substr(at, list.find('"', at) - at);
    BOOST_TEST(page.join(address + "&have=" + std::to_string(have)) == 101u);
    reel.chunk(false, 1000);
    const byte_vector all = reel.all();
    byte_vector got;
    while (got.size() < all.size() - have) {
      const auto piece = page.read();
      BOOST_REQUIRE(piece);
      got.insert(got.end(), piece->bytes.begin(), piece->bytes.end());
    }
    BOOST_TEST((got == byte_vector(all.begin() + static_cast<std::ptrdiff_t>(have), all.end())));
    watcher old(reel.server->port());
    BOOST_TEST(old.join(address + "&have=0") == 101u);
    BOOST_TEST(!old.read().has_value());
    BOOST_TEST(old.close_code() == 4001u);
    watcher other(reel.server->port());
    BOOST_TEST(other.join("/live?of=1") == 410u);
  }
}

BOOST_AUTO_TEST_CASE(only_the_servers_own_pages) {
  pushed_reel reel({});
  const auto joins = [&](const std::string& target, const std::string& origin, const std::string& host = {}) {
    return watcher(reel.server->port()).join(target, origin, host);
  };
  BOOST_TEST(joins("/live", {}) == 404u);  // nothing is pushed yet
  reel.begin();
  const std::string port = std::to_string(reel.server->port());
  BOOST_TEST(joins("/live", "http://127.0.0.1:" + port) == 101u);
  BOOST_TEST(joins("/live", "http://localhost:" + port, "localhost:" + port) == 101u);
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), "https://127.0.0.1:" + port,
        "http://127.0.0.1:" + port + ".evil.example", std::string("http://127.0.0.1")}) {
    BOOST_TEST(joins("/live", origin) == 403u, origin);
  }
  BOOST_TEST(joins("/live", {}, "evil.example:" + port) == 403u);
  BOOST_TEST(joins("/", {}) == 404u);
  BOOST_TEST(joins("/recording", {}) == 404u);
  // Every disconnected watcher is released.
  BOOST_TEST(eventually([&] { return reel.server->pushed().watchers == 0; }));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
