// Lines of an .echoreplay stored beside rows of states: any lines with any states round-trip byte for byte; with damaged records,
// at worst a line is missing.
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "tickreel/echo/json.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "tickreel/echoreplay/line_keeper.hpp"
#include "tickreel/echoreplay/line_shape.hpp"

using namespace tickreel;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

// The state that a reader makes of the line; a line without a tick keeps the previous state.
void read(std::string_view line, echo::state& to) {
  static echo::json_parser parser;
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  (void)echoreplay::parse_line(line, parser, to);
}

struct kept_line {
  std::string text;
  echo::line_reference how;
  std::vector<byte_vector> events;
  std::unique_ptr<echo::state> state;
};

void restore(const std::vector<kept_line>& lines) {
  echoreplay::line_restorer back;
  for (const kept_line& each : lines) {
    const echoreplay::line_events beside = back.take(each.events);
    std::string out;
    if (each.how.kind == echo::line_kind::missing) continue;
    check(back.append_line(each.how, *each.state, beside.patch, out) && out == each.text);
  }
}

void restore_damaged(std::vector<kept_line> lines, byte_span damage) {
  for (std::size_t i = 0; i + 4 <= damage.size(); i += 4) {
    auto& one = lines[std::to_integer<std::size_t>(damage[i]) % lines.size()];
    if (one.events.empty()) continue;
    auto& event = one.events[std::to_integer<std::size_t>(damage[i + 1]) % one.events.size()];
    if (event.empty()) continue;
    const auto place = std::to_integer<std::size_t>(damage[i + 2]);
    if (place % 16 == 15) {
      event.resize(place % event.size());
    } else {
      event[place % event.size()] = damage[i + 3];
    }
  }
  echoreplay::line_restorer back;
  for (const kept_line& each : lines) {
    const echoreplay::line_events beside = back.take(each.events);
    std::string out;
    const bool made = back.append_line(each.how, *each.state, beside.patch, out);
    check(made || out.empty());
  }
}

}  // namespace

// The first byte gives the amount of damage, taken from the end of the input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const byte_span input = std::as_bytes(std::span(data + 1, size - 1));
  const std::size_t damaged = std::min<std::size_t>(data[0], input.size() - 1);
  const byte_span damage = input.last(damaged);
  std::string_view text = as_text(input.first(input.size() - damaged));

  echoreplay::line_keeper keeper;
  std::vector<kept_line> lines;
  const auto state = std::make_unique<echo::state>();
  std::string before;
  while (!text.empty() && lines.size() < 8) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string line(text.substr(0, end));
    text.remove_prefix(end);
    // As a reader does: lines without ticks precede the next tick.
    if (line[0] == '#') {
      before += line;
      continue;
    }
    read(line, *state);
    kept_line one{line, keeper.keep(before, line, *state), keeper.events(),
                  std::make_unique<echo::state>(*state)};
    if (one.how.kind != echo::line_kind::missing && keeper.not_kept() == 0) {
      echoreplay::line_restorer alone;
      check(alone.take(one.events).before == before);
    }
    before.clear();
    lines.push_back(std::move(one));
  }
  if (lines.empty()) return 0;
  keeper.keep_end(before);
  echoreplay::line_restorer end;
  check(end.take(keeper.events()).after == before);
  restore(lines);
  restore_damaged(std::move(lines), damage);

  // Bytes that are read as a shape or as a patch although they are neither.
  const std::string whole(as_text(input));
  echoreplay::line_values values;
  values.take(*state);
  if (auto shape = echoreplay::line_shape::from_text(whole)) {
    check(shape->text() == whole);
    std::string out;
    const bool made = shape->append_line(values, std::size_t{1} << 12, out);
    check((made || out.empty()) && out.size() <= std::size_t{1} << 12);
  }
  std::string out;
  const std::string from(as_text(input.first(input.size() / 2)));
  (void)echoreplay::apply_line_patch(from, damage, std::size_t{1} << 16, out);
  check(out.size() <= std::size_t{1} << 16);
  const std::string to(as_text(input.subspan(input.size() / 2)));
  out.clear();
  check(echoreplay::apply_line_patch(from, echoreplay::line_patch(from, to), whole.size(), out).has_value() &&
        out == to);
  return 0;
}
