// Any recording in memory. Reading it twice returns the same ticks. Of an undamaged one, random access and the viewer's reader
// return the ticks of the iteration, and its summaries count them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "tickreel/files/recording.hpp"
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
      check(found && *found && is_same(from, wanted));
    }
    if (at + 1 == count) continue;
    const auto next = from.next();
    check(next && *next && is_same(from, seen.ticks[at + 1]));
  }
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
  const seen_ticks again = read(from);
  check(again.ticks.size() == seen.ticks.size() && again.at_end == seen.at_end &&
        again.damaged == seen.damaged);
  for (std::size_t i = 0; i < seen.ticks.size(); ++i) {
    check(again.ticks[i].at.tick == seen.ticks[i].at.tick && again.ticks[i].state == seen.ticks[i].state);
  }
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
    // A replay counts the game's loops, also those in which nothing happened.
    check(summary->ticks == seen.ticks.size() || from.format() == "sc2replay");
  }
  check_random_access(from, seen, data[size / 2]);
  check_viewer(input, seen, data[size / 2]);
  return 0;
}
