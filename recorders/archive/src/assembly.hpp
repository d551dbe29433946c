// The records that the broker has of a reel, and their assembly to a file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "spool.hpp"
#include "tickreel/fleet/assembler.hpp"
#include "tickreel/fleet/broker.hpp"

namespace tickreel::archive {

struct reel_state {
  bool known = false;  // the stream has messages under the match's subject
  bool ended = false;  // according to the status, or the last message is the end
  // Time since the recorder's last message, by the broker's clock and ours; no value if unknown.
  std::optional<std::int64_t> silent_us = std::nullopt;
  // The sequence after the last received record; no value if the last message is of another reel.
  std::optional<std::uint64_t> records = std::nullopt;
  std::int64_t newest_at_us = 0;  // when the stream stored that, by its clock
};

// From the status and the last message: two small requests.
result<reel_state> look_at(fleet::broker& from, const fleet::match_subjects& subjects,
                           const fleet::archive_work& work);

// Writes all records of the reel in the stream, in order, to a new file. With `take_what_there_is` it skips
// holes that stay open; otherwise it stops before the first. Sets `source`
// for the error: the file or the broker.
result<fleet::assembled> assemble(fleet::broker& from, const fleet::match_subjects& subjects,
                                  const std::string& reel, const file_path& into, bool take_what_there_is,
                                  const std::function<bool()>& cancelled, failure_source& source);

}  // namespace tickreel::archive
