// Any recording. Reading it twice, and in pieces, returns the same ticks. Of an undamaged one, random access, the viewer's reader
// and a reader while it grows return the ticks of the iteration, and its summary counts them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/viewer/reader.hpp"

namespace {

using namespace tickreel;

constexpr std::size_t max_ticks = 48;

void check(bool holds) {
  if (!holds) std::abort();
}

struct seen_tick {
  files::tick_position at;
  std::string state;
};

bool is_same(const files::recording& now, const seen_tick& before) {
  std::string state;
  now.append_state(state);
  return now.position().tick == before.at.tick && now.position().time_ms == before.at.time_ms &&
         state == before.state;
}

struct seen_ticks {
  std::vector<seen_tick> ticks;
  bool at_end = false;
  bool damaged = false;
  bool has_echo_states = false;
};

// The first bytes of an input, given in pieces.
class growing final : public distant_bytes {
 public:
  growing(byte_span whole, std::size_t there) : whole_(whole), there_(there) {}
  void grow() { there_ = whole_.size(); }
  [[nodiscard]] std::uint64_t size() const noexcept override { return there_; }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override {
    const auto from = static_cast<std::size_t>(std::min<std::uint64_t>(offset, there_));
    const std::size_t count = std::min(into.size(), there_ - from);
    std::copy_n(whole_.begin() + static_cast<std::ptrdiff_t>(from), count, into.begin());
    return count;
  }

 private:
  byte_span whole_;
  std::size_t there_;
};

seen_ticks read(files::recording& from) {
  seen_ticks out;
  while (out.ticks.size() < max_ticks) {
    const auto more = from.next();
    out.damaged = !more;
    out.at_end = more && !*more;
    if (!more || !*more) break;
    out.ticks.push_back({from.position(), {}});
    from.append_state(out.ticks.back().state);
    out.has_echo_states = from.echo_state() != nullptr;
  }
  out.damaged = out.damaged || !from.losses().empty();
  return out;
}

bool rises(const seen_ticks& seen) {
  return std::adjacent_find(seen.ticks.begin(), seen.ticks.end(),
                            [](const seen_tick& one, const seen_tick& next) {
                              return next.at.tick <= one.at.tick;
                            }) == seen.ticks.end();
}

void check_random_access(files::recording& from, const seen_ticks& seen, std::size_t first) {
  const std::size_t count = seen.ticks.size();
  // Forwards, backwards and far, in an order that the input chooses.
  for (std::size_t number = 0, at = first % count; number < 8; ++number, at = (at * 7 + 3) % count) {
    const seen_tick& wanted = seen.ticks[at];
    if (number % 2 == 0) {
      const auto found = from.go_to(wanted.at.tick);
      check(found && *found && is_same(from, wanted));
    } else {
      check(from.seek(files::moment::at_tick(wanted.at.tick)).has_value());
      const auto found = from.next();
      check(found && *found && from.position().tick == wanted.at.tick);
      // After a search, recordings of orders add the orders to the state.
      check(!seen.has_echo_states || is_same(from, wanted));
    }
    if (at + 1 == count) continue;
    const auto next = from.next();
    check(next && *next && is_same(from, seen.ticks[at + 1]));
  }
}

void check_same(const seen_ticks& one, const seen_ticks& other) {
  check(one.ticks.size() == other.ticks.size() && one.at_end == other.at_end && one.damaged == other.damaged);
  for (std::size_t i = 0; i < one.ticks.size(); ++i) {
    check(one.ticks[i].at.tick == other.ticks[i].at.tick && one.ticks[i].state == other.ticks[i].state);
  }
}

void check_growing(byte_span input, const seen_ticks& seen, std::size_t there) {
  const auto bytes = std::make_shared<growing>(input, there);
  const auto opened = files::open(byte_source(bytes, {}), {.live = true});
  if (!opened || !(*opened)->extend()) return;
  seen_ticks grown = read(**opened);
  bytes->grow();
  check((*opened)->extend().has_value());
  const seen_ticks rest = read(**opened);
  grown.ticks.insert(grown.ticks.end(), rest.ticks.begin(), rest.ticks.end());
  check(grown.ticks.size() == seen.ticks.size());
  for (std::size_t i = 0; i < seen.ticks.size(); ++i) check(grown.ticks[i].at.tick == seen.ticks[i].at.tick);
}

void check_viewer(byte_span input, const seen_ticks& seen, std::size_t first) {
  viewer::reader reader;
  std::byte* const room = reader.room(input.size());
  check(room != nullptr);
  std::memcpy(room, input.data(), input.size());
  check(reader.open().find("\"ok\":true") != std::string::npos);
  for (std::size_t number = 0, at = first; number < 4; ++number, at = at * 5 + 1) {
    const seen_tick& wanted = seen.ticks[at % seen.ticks.size()];
    const std::string& line = reader.state(wanted.at.tick);
    check(line.find("\"tick\":" + std::to_string(wanted.at.tick)) != std::string::npos);
    check(line.find(wanted.state) != std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const byte_span input = std::as_bytes(std::span(data, size));
  const auto opened = files::open(input);
  if (!opened) return 0;
  files::recording& from = **opened;
  const seen_ticks seen = read(from);
  if (!from.rewind()) return 0;
  check_same(seen, read(from));
  const auto in_pieces = files::open(byte_source(std::make_shared<growing>(input, size), {}));
  check(in_pieces.has_value());
  check_same(seen, read(**in_pieces));
  if (!rises(seen)) {
    // Nothing finds a place in it.
    const auto verified = (from.verify)();
    check(verified && !verified->ok());
    return 0;
  }
  const auto summary = from.summarise();
  if (seen.damaged || seen.ticks.empty()) return 0;
  if (seen.at_end) {
    check(summary && summary->ticks >= seen.ticks.size());
    // Recordings of orders and events also count the ticks without a stored state.
    check(summary->ticks == seen.ticks.size() || !seen.has_echo_states);
  }
  check_random_access(from, seen, data[size / 2]);
  check_viewer(input, seen, data[size / 2]);
  if (seen.at_end) check_growing(input, seen, size * data[size / 2] / 255);
  return 0;
}
