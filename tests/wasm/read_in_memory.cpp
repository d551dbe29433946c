#include "read_in_memory.hpp"

#include <memory>

#include "tickreel/butter/file.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/text/hex.hpp"
#include "tickreel/tracks/row_reader.hpp"

namespace {

using namespace tickreel;

void append_rows(byte_span recording, std::string& out) {
  auto rows = tracks::row_reader::open(byte_source(recording));
  if (!rows) {
    out += describe(rows.error()) + '\n';
    return;
  }
  for (const value_layout& each : values_of(rows->described())) out += each.name + ' ';
  out += '\n';
  tracks::row_view row;
  for (;;) {
    const auto more = rows->next(row);
    if (!more) out += describe(more.error()) + '\n';
    if (!more || !*more) return;
    out += std::to_string(row.stamp.tick) + ' ' + std::to_string(row.stamp.time_us) + ' ' +
           text::to_hex(row.bytes) + '\n';
  }
}

void append_frames(byte_span recording, std::string& out) {
  auto frames = butter::reader::open(recording);
  if (!frames) {
    out += describe(frames.error()) + '\n';
    return;
  }
  // One state is larger than the stack of WebAssembly.
  const auto now = std::make_unique<echo::state>();
  for (;;) {
    const auto more = frames->next(*now);
    if (!more) out += describe(more.error()) + '\n';
    if (!more || !*more) return;
    echo::append_session_json(*now, echo::json_shape::model, echo::number_style::shortest, out);
    echo::append_bones_json(*now, echo::json_shape::model, echo::number_style::shortest, out);
    out += '\n';
  }
}

}  // namespace

std::string read_in_memory(tickreel::byte_span recording) {
  std::string out;
  if (as_text(recording).starts_with("TICKREEL")) {
    append_rows(recording, out);
  } else {
    append_frames(recording, out);
  }
  return out;
}
