// Restores a reel from its messages, which may arrive in any order and repeatedly.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "tickreel/bytes/span.hpp"
#include "tickreel/fleet/message.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/reel/sink.hpp"
#include "tickreel/result.hpp"

namespace tickreel::fleet {

struct assembler_options {
  // Limits of the records that wait for an earlier one. Beyond them take() fails: give_up_hole(), or take_past_holes().
  std::size_t max_waiting_records = 4096;
  std::size_t max_waiting_bytes = 64u << 20;
  reel::limits limits = {};
  // Joins in the middle: writes the header, the last header update and the records from the first chunk with
  // a keyframe; a gap record stands for the earlier ones. For live viewers. Without it: all records from the
  // first.
  bool joins_late = false;
  // The match of the reel: refuses a header that is not that of the reel's id.
  std::optional<match_subjects> match = {};
  // Also receives the written records; must outlive the assembler. Its results are ignored.
  reel::sink* also = nullptr;
};

struct assembled {
  std::uint64_t records = 0;       // written
  std::uint64_t bytes = 0;         // of the file
  std::uint64_t doubles = 0;       // duplicate messages
  std::uint64_t refused = 0;       // not a valid record of this reel: wrong hash or another header
  std::uint64_t malformed = 0;     // messages without a valid head
  std::uint64_t other_reels = 0;   // of other reels
  std::uint64_t lost_records = 0;  // skipped holes
  std::uint64_t waiting_records = 0;
  std::uint64_t waiting_bytes = 0;
  std::optional<std::uint64_t> missing;  // the sequence that others wait for, if any
  bool has_header = false;
  bool ended = false;  // the end record is written
};

// Writes a file that is a valid reel at every moment: the header, then complete records in the order of their
// sequence. From the first record, or the first chunk after a late join, it is byte for byte the recorder's.
// Checks every record's hash before writing. Has no clock: the caller decides how long to wait for missing
// records. One thread at a time.
class assembler {
 public:
  // For the reel with that id. Creates the file: fails with already_exists, in_use or the system's error.
  static result<assembler> create(const file_path& path, std::string reel,
                                  const assembler_options& options = {});
  assembler(assembler&&) noexcept;
  assembler& operator=(assembler&&) noexcept;
  ~assembler();

  // Takes a message. Fails if the file cannot be written (retry the message later), or with over_limit when
  // no more records may wait. Invalid messages are counted, without an error, and change nothing else. Returns the
  // number of records written.
  result<std::size_t> take(const message_head& head, byte_span body);
  // Counts a message without a valid head.
  void note_malformed() noexcept;
  // Skips missing records and continues with those that wait for them; returns the number of records written.
  // Readers of the reel report the hole with its ticks. Does nothing before the header.
  result<std::size_t> give_up_hole();
  // As take(), and gives up holes until the message fits. over_limit only without the header.
  result<std::size_t> take_past_holes(const message_head& head, byte_span body);
  // With joins_late: begins with this sequence, whatever records precede it. Call it before the first record.
  void begin_at(std::uint32_t sequence) noexcept;

  [[nodiscard]] const assembled& counted() const noexcept;
  result<void> close();

 private:
  struct state;
  explicit assembler(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::fleet
