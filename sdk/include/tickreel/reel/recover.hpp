// Completes a reel after a crash, a full disk or a bad sector.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/writer.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

// The result. `found` is the reel before the recovery.
struct recovery {
  table_of_contents found;
  std::uint64_t ticks = 0;  // that are readable
  // All losses beyond those in gap records, in order, and their totals.
  std::vector<loss> losses;
  loss_totals totals;
  std::uint64_t unknown_gaps = 0;   // gap records between ticks without a number
  std::uint64_t cut_bytes = 0;      // after the last whole record
  std::uint64_t damaged_bytes = 0;  // between whole records
  std::uint64_t cut_ticks = 0;      // in a chunk that was being written, if its head is whole
  bool changed = false;             // false: it had its end, and nothing was written in place
  std::uint64_t bytes = 0;          // of the recovered reel
};

// Cuts the torn tail off and appends a gap record (gap_reason::recorder_died), index and end. A closed reel
// is not changed, so a second call has no effect; a killed recovery leaves a reel that can be recovered.
// Whole records never change: losses between them remain visible to every reader. in_use while a living
// recorder holds the reel. Every hash is checked.
result<recovery> recover_in_place(const file_path& path, system_calls& calls = system_calls::real());

// Writes the ticks of a reel into other chunks during a copy.
class chunk_rewriter {
 public:
  virtual ~chunk_rewriter() = default;
  // Whether the collected frames must be written before this frame.
  [[nodiscard]] virtual bool is_due(const frame& next) const noexcept = 0;
  // The next frame, in the order of the iterator: a run of frames starts with a keyframe.
  virtual result<void> add(const frame& next) = 0;
  // A frame that is not written, but that written frames may depend on.
  virtual result<void> pass_over(const frame& next) = 0;
  // Appends the collected frames as one chunk. Not called if there are none.
  virtual result<void> write(writer& out) = 0;
};

// Whether a decoder accepts a frame. It receives the frames in order, from a keyframe on.
using frame_check = std::function<bool(const frame&)>;

struct copy_options {
  bool overwrite = false;
  // A copy that would not be smaller than the input, or would lack a record of it, is not written;
  // recovery::changed is then false.
  bool only_if_smaller = false;
  // Added to the header of a copy that differs from the input.
  std::vector<metadata_entry> metadata = {};
  // Replaces the schema in the header of such a copy, unless it is empty.
  byte_vector schema = {};
  // Called periodically with bytes done and total bytes; false aborts with interrupted.
  std::function<bool(std::uint64_t, std::uint64_t)> progress = {};
  // A copy with any loss is not written either; recovery::changed is then false.
  bool only_if_whole = false;
  // Null: chunks stay unchanged, and a whole reel is copied byte for byte unless its events change.
  chunk_rewriter* rewriter = nullptr;
  // True for an event that is not copied. Empty: all are copied. Not with a rewriter.
  std::function<bool(const event&)> leaves_out = {};
  // Called after every chunk with its last tick, and finally without one: appends events to the copy. Not
  // with a rewriter.
  std::function<result<void>(std::optional<frame_stamp>, writer&)> after_chunk = {};
  // A frame that it rejects becomes a loss, like the deltas up to the next keyframe, which it does not receive. So does a
  // frame whose tick does not rise. It may receive all frames twice. Empty: frames are copied unchecked.
  frame_check accepts = {};
};

// Writes a new file, which appears whole or not at all; the input is only read. It contains every readable
// tick, every event, header update and gap, and for each loss a gap record with the number of ticks and the
// reason. Records are renumbered, so another recovery reports no more losses. already_exists if `output`,
// which may be the input, exists and may not be overwritten. A whole closed reel is copied.
result<recovery> recover_into(const file_path& path, const file_path& output,
                              const copy_options& options = {}, system_calls& calls = system_calls::real());

}  // namespace tickreel::reel
