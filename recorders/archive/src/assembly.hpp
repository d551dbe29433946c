// What the broker has of a reel, and all of it as a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "tickreel/fleet/assembler.hpp"
#include "tickreel/fleet/broker.hpp"

namespace tickreel::archive {

// Microseconds since 1970-01-01, UTC.
inline std::int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

struct reel_state {
  bool known = false;  // the stream has something under the match's subject
  bool ended = false;  // told so, or the last that came is the end
  // Since the recorder was last heard of, by the broker's clock and ours; nothing where that is unknown.
  std::optional<std::int64_t> silent_us = std::nullopt;
  // The sequence behind the last record that came; nothing where the last is of another reel.
  std::optional<std::uint64_t> records = std::nullopt;
  std::int64_t newest_at_us = 0;  // when the stream took that, by its clock
};

// From the status and the last message: two small questions.
result<reel_state> look_at(fleet::broker& from, const fleet::match_subjects& subjects,
                           const fleet::archive_work& work);

// Everything that the stream has of the reel, in order, in a new file. With `take_what_there_is` holes are
// left out where nothing fills them; else it stops in front of the first.
result<fleet::assembled> assemble(fleet::broker& from, const fleet::match_subjects& subjects,
                                  const std::string& reel, const file_path& into, bool take_what_there_is,
                                  const std::function<bool()>& cancelled);

}  // namespace tickreel::archive
