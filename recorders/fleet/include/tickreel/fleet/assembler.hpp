// Puts a reel together again from its messages, in whatever order and however often they come.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/fleet/message.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/reel/sink.hpp"
#include "tickreel/result.hpp"

namespace tickreel {
class file;
}

namespace tickreel::fleet {

struct assembler_options {
  // What may wait for something before it. With more than that the assembler is full(): give_up_hole().
  std::size_t most_waiting_records = 4096;
  std::size_t most_waiting_bytes = 64u << 20;
  reel::limits limits = {};
  // Takes a place in the middle: the header, then the last header update before and the first chunk with a
  // keyframe from which on everything comes; nothing older, which a gap says. For watchers. Without it: all
  // records from the first on.
  bool joins_late = false;
  // Gets, as well, what the file got: must outlive the assembler. What it answers is not asked for.
  reel::sink* also = nullptr;
};

struct assembled {
  std::uint64_t records = 0;       // written
  std::uint64_t bytes = 0;         // of the file
  std::uint64_t doubles = 0;       // messages that said again what is here
  std::uint64_t refused = 0;       // that are no whole record of this reel: a wrong hash, another header
  std::uint64_t other_reels = 0;   // of other reels
  std::uint64_t lost_records = 0;  // given up
  std::uint64_t waiting_records = 0;
  std::uint64_t waiting_bytes = 0;
  std::optional<std::uint64_t> missing;  // the sequence that everything waits for, while something waits
  bool has_header = false;
  bool ended = false;  // the end record is written
};

// Writes a file that is a reel at every moment: header, then whole records in the order of their sequence.
// From the first record on, or the first chunk of one that joined late, it is byte for byte the recorder's.
// Every record's hash is checked before it is written. Knows no clock: how long to wait for what is missing
// is its caller's business. One thread at a time.
class assembler {
 public:
  // Of the reel with that id. The file is made new: already_exists, in_use, or the system's refusal.
  static result<assembler> create(const file_path& path, std::string reel,
                                  const assembler_options& options = {});
  assembler(assembler&&) noexcept;
  assembler& operator=(assembler&&) noexcept;
  ~assembler();

  // Takes a message. Fails where the file cannot be written (take it again later), with over_limit when it is
  // full(), and not for a message that is wrong: that is counted. Returns how many records were written.
  result<std::size_t> take(const message_head& head, byte_span body);
  // Leaves out what is missing and goes on with what waits behind it; returns how many records were written.
  // The reel's readers tell the hole with its ticks.
  result<std::size_t> give_up_hole();
  // With joins_late: begin with this sequence, whatever may come before it. Before the first record.
  void begin_at(std::uint32_t sequence) noexcept;

  [[nodiscard]] bool full() const noexcept;
  // The first sequence that is not written.
  [[nodiscard]] std::uint64_t next_sequence() const noexcept;
  [[nodiscard]] const assembled& counted() const noexcept;
  // What is written survives a power cut.
  result<void> sync();
  result<void> close();

 private:
  struct state;
  explicit assembler(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::fleet
