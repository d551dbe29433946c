#include "tick_line.hpp"

#include "console/console.hpp"
#include "console/stop_signal.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/files/state_stream.hpp"

namespace tickreel::cli {

bool write_tick(files::recording& from, std::string& line) {
  line.clear();
  if (const files::state_stream* const pieces = from.offers().pieces) {
    files::append_line_begin(from.position(), line);
    std::uint64_t written = 0;
    // Most ticks are small and fit.
    constexpr std::uint64_t long_tick_bytes = 1u << 20;
    return standard_output().write(line) && pieces->write_state([&](std::string_view piece) {
      written += piece.size();
      return (written < long_tick_bytes || !stop_requested()) && standard_output().write(piece);
    }) && standard_output().write("}\n");
  }
  files::append_tick(from, line);
  line += '\n';
  return standard_output().write(line);
}

}  // namespace tickreel::cli
