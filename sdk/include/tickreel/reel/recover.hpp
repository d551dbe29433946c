// From what a crash, a full disk or a bad sector left to a reel with an end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/writer.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

// What was found and done. `found` is the reel as it was.
struct recovery {
  table_of_contents found;
  std::uint64_t ticks = 0;  // that can be shown
  // Everything that is lost beyond what gap records already said, in order, and together.
  std::vector<loss> losses;
  loss_totals totals;
  std::uint64_t cut_bytes = 0;      // behind the last whole record
  std::uint64_t damaged_bytes = 0;  // between whole records
  std::uint64_t cut_ticks = 0;      // in a chunk that was being written, where its head tells
  bool changed = false;             // false: it had its end; nothing was written in place
  std::uint64_t bytes = 0;          // of the recovered reel
};

// Cuts the torn tail off and appends a gap record (gap_reason::recorder_died), index and end. A closed reel
// is left alone, so doing it twice is doing it once; being killed on the way leaves a reel that can be
// recovered. Whole records never change: what is lost between them stays to be seen by every reader. in_use
// while a living recorder holds the reel. Every hash is checked.
result<recovery> recover_in_place(const file_path& path, system_calls& calls = system_calls::real());

// Puts the ticks of a reel into other chunks while it is copied.
class chunk_rewriter {
 public:
  virtual ~chunk_rewriter() = default;
  // What was gathered is a chunk of its own before this frame.
  [[nodiscard]] virtual bool is_due(const frame& next) const noexcept = 0;
  // The next frame, in the order of the walk: a run of them starts with a keyframe.
  virtual result<void> add(const frame& next) = 0;
  // A frame that is not to be written, and that those which are may stand on.
  virtual result<void> pass_over(const frame& next) = 0;
  // Appends what was gathered, as one chunk. Not called when nothing was.
  virtual result<void> write(writer& out) = 0;
};

struct copy_options {
  bool overwrite = false;
  // A copy that would not be smaller than the input, or would lack a record of it, is not written:
  // recovery::changed is false then.
  bool only_if_smaller = false;
  // Added to the header of a copy that is not the same as the input.
  std::vector<metadata_entry> metadata = {};
  // Replaces the schema in the header of such a copy, unless it is empty.
  byte_vector schema = {};
  // Called now and then with bytes done and bytes in all; false gives up with interrupted.
  std::function<bool(std::uint64_t, std::uint64_t)> progress = {};
  // A copy that would lack anything is not written either; recovery::changed is false then.
  bool only_if_whole = false;
  // Null: chunks stay as they are, and a whole reel is copied byte for byte unless its events change.
  chunk_rewriter* rewriter = nullptr;
  // True for an event that stays behind. Empty: none does. Not with a rewriter.
  std::function<bool(const event&)> leaves_out = {};
  // Called behind every chunk with its last tick, and once more, with none, behind everything: appends events
  // to the copy. Not with a rewriter.
  std::function<result<void>(std::optional<frame_stamp>, writer&)> behind_chunk = {};
};

// Into a new file, which appears whole or not at all; the input is only read. Every tick that can be shown,
// every event, header update and gap, and in the place of each loss a gap record that says how many ticks and
// why. Its records are numbered anew, so what was recovered once has nothing more to tell. already_exists
// when `output` is there and may not be overwritten, which may also be the input. A whole closed reel is
// copied.
result<recovery> recover_into(const file_path& path, const file_path& output,
                              const copy_options& options = {}, system_calls& calls = system_calls::real());

}  // namespace tickreel::reel
