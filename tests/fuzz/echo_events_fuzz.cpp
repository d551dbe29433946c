// Events of Echo VR: event records as stored in reels, and the detector with arbitrary rows of a reel. The first byte selects
// one.
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "tickreel/describe/component.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/echo/events.hpp"

using namespace tickreel;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_json(const echo::event& event) {
  std::string line;
  echo::append_json(event, 0, line);
  check(!line.empty() && line.front() == '{' && line.back() == '}' && line.find('\n') == std::string::npos);
  check(!echo::concerns(event, "nobody") || line.find("nobody") != std::string::npos);
}

// A parsed event of any version is written, read and written again to the same bytes.
void read_record(byte_span input) {
  const auto read = echo::read_event_record(input);
  if (!read) return;
  std::array<std::byte, echo::max_event_record_bytes> room;
  const std::size_t size = echo::write_event_record(read->what, read->number, room);
  check(size != 0);
  const auto back = echo::read_event_record(byte_span(room).first(size));
  check(back && back->number == read->number);
  std::array<std::byte, echo::max_event_record_bytes> again;
  check(echo::write_event_record(back->what, back->number, again) == size);
  check(std::memcmp(again.data(), room.data(), size) == 0);
  check_json(read->what);
}

struct checker final : echo::event_listener {
  std::uint64_t tick = 0;
  std::uint64_t found = 0;
  void happened(const echo::event& one) noexcept override {
    check(one.what.index() < echo::event_type_count && one.tick <= tick);
    std::array<std::byte, echo::max_event_record_bytes> room;
    const std::size_t size = echo::write_event_record(one, 0, room);
    check(size != 0 && echo::read_event_record(byte_span(room).first(size)).has_value());
    check_json(one);
    ++found;
  }
};

using recorded = echo::small_recorded_tick;

// A tick like in a match, as the bytes of its row.
byte_vector first_row() {
  const auto state = std::make_unique<echo::state>();
  echo::session& match = state->match;
  match.fields = ~std::uint64_t{0};
  match.sessionid.assign("A");
  match.map_name.assign("mpl_arena_a");
  match.game_status.assign("playing");
  match.game_clock = 300;
  match.team_count = 3;
  match.player_count = 4;
  match.teams[0].player_count = match.teams[1].player_count = 2;
  for (std::size_t i = 0; i < match.player_count; ++i) {
    echo::player& one = state->players[i];
    one.fields = 0x7FFFFFFF;
    one.userid = i + 1;
    one.playerid = static_cast<std::int32_t>(i);
    one.name.assign(std::string(1, static_cast<char>('a' + i)));
  }
  const auto row = std::make_unique<recorded>();
  echo::assign(*row, *state, {});
  byte_vector bytes;
  append_component(bytes, *row);
  return bytes;
}

// Every seven bytes: which bytes of the row change, how many ticks follow, and how many are lost in between.
void detect(byte_span input) {
  static const byte_vector first = first_row();
  byte_vector row = first;
  echo::event_detector detector;
  checker listener;
  const auto state = std::make_unique<echo::state>();
  std::uint64_t tick = 0;
  const auto byte = [&](std::size_t at) { return std::to_integer<std::uint32_t>(input[at]); };
  for (; input.size() >= 7 && tick < 2000; input = input.subspan(7)) {
    const std::size_t place = (byte(0) | byte(1) << 8) % row.size();
    const std::size_t count = std::min<std::size_t>(byte(2) % 9, row.size() - place);
    for (std::size_t i = 0; i < count; ++i) row[place + i] = input[3 + i % 2];
    const auto read = read_component<recorded>(row);
    if (!read) {
      // No reader would return it: the match continues unchanged.
      row = first;
      continue;
    }
    echo::assign(*state, *read);
    if (byte(6) % 8 == 1) detector.note_lost();
    if (byte(6) % 8 == 2) tick += byte(6);
    if (byte(6) % 32 == 3) detector.finish(listener);
    if (byte(6) % 32 == 11) detector.clear();
    for (std::uint32_t i = 0; i < byte(5) % 16; ++i) {
      listener.tick = tick;
      detector.see(tick++, *state, listener);
      state->recorded_time_ms += 33;
    }
  }
  detector.finish(listener);
  // One tick cannot have more events than this for all players.
  check(listener.found <= (tick + 1) * 1000);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const byte_span input = std::as_bytes(std::span(data + 1, size - 1));
  if (data[0] % 4 == 0) {
    read_record(input);
  } else {
    detect(input);
  }
  return 0;
}
