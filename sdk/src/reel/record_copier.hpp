// Copies the items of a reel to a writer, record by record where the content allows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "checked_stream.hpp"
#include "gathered_frames.hpp"
#include "tickreel/reel/recover.hpp"

namespace tickreel::reel {

// Reports progress; false if the copy must stop with interrupted.
[[nodiscard]] inline bool may_continue(const copy_options& options, std::uint64_t done,
                                       const table_of_contents& found) {
  return !options.progress || options.progress(done, found.file_bytes);
}

// The gap for the ticks of a torn tail is not written with the other losses, but at the end of a copy.
[[nodiscard]] inline bool is_torn_tail(const loss& lost) noexcept {
  return lost.cause == loss_cause::torn_record;
}

// Records whose items are all returned are copied unchanged; the others are written with the returned items, and losses of
// ticks as gap records. The arguments must outlive it. Every call fails with the errors of the reel, the writer and its sink.
class record_copier {
 public:
  record_copier(reader& from, writer& to, const copy_options& options)
      : from_(from), to_(to), options_(options) {}

  // The next item of `walk`, which iterates over the whole reel. Fails with interrupted if the caller stops the copy.
  result<void> take(const checked_stream& walk, const item& next);
  // No more items follow.
  result<void> finish();

 private:
  result<void> rewrite(const checked_stream& walk, const item& next);
  result<void> flush();
  result<void> copy(const checked_stream& walk, const item& next);
  result<void> copy_frame(const checked_stream& walk, const item& next);
  result<void> flush_frames();
  result<void> after_chunk(const std::optional<frame_stamp>& last);
  result<void> take(const loss& lost);
  result<void> copy(const record_info& info);

  reader& from_;
  writer& to_;
  const copy_options& options_;
  std::optional<std::uint32_t> copied_;
  std::optional<std::uint32_t> frames_of_;  // the chunk of the last frame
  gathered_frames frames_;                  // of a chunk that is not copied unchanged
  byte_vector bytes_;
  std::vector<stamped_event> events_;  // of a rewritten chunk
  std::size_t event_bytes_ = 0;
  std::uint64_t gathered_ = 0;
};

}  // namespace tickreel::reel
