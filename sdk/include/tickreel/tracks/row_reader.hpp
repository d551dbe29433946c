// Random access to the ticks of a reel of described structs, by number or time, and iteration in order.
// replay<T> is built on it; tools that know no struct use it directly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/result.hpp"
#include "tickreel/tracks/event_reader.hpp"
#include "tickreel/tracks/row_decoder.hpp"

namespace tickreel {
class byte_source;
}

namespace tickreel::tracks {

struct row_view {
  frame_stamp stamp;
  byte_span bytes;  // until the next call
};

// One thread at a time.
class row_reader {
 public:
  // Fails as reel::reader does; unsupported_operation for a reel of another encoder, unsupported_version for
  // another version of it. `live`: the reel is still being recorded, and an incomplete end is not a loss.
  static result<row_reader> open(const file_path& path, bool live = false);
  static result<row_reader> open(const byte_source& from, bool live = false);

  row_reader(row_reader&&) noexcept;
  row_reader& operator=(row_reader&&) noexcept;
  ~row_reader();

  [[nodiscard]] const reel::header& head() const noexcept;
  [[nodiscard]] const reel::table_of_contents& contents() const noexcept;
  [[nodiscard]] const schema& described() const noexcept;

  // The tick with that number: out_of_range if it was not recorded, or is lost.
  result<row_view> at_tick(std::uint64_t tick);
  // The last tick that is not after that time, in microseconds since the start of the recording. After the end of
  // the recording, or while a live one has no newer tick, that is its last tick. out_of_range before the first
  // tick, and if ticks between that one and that time are or may be lost, which a gap, damage or missing records
  // show.
  result<row_view> at_time(std::int64_t time_us);
  // The last readable tick, also if later ones are lost.
  result<row_view> last();

  // The next tick in order, independent of the other calls. False at the end; during a recording call it
  // again after refresh(). Skips lost ticks, which totals() counts.
  result<bool> next(row_view& out);
  // Restarts at the first tick.
  void rewind() noexcept;
  // The losses that next() skipped.
  [[nodiscard]] const reel::loss_totals& totals() const noexcept;
  [[nodiscard]] const std::vector<reel::loss>& skipped_losses() const noexcept;
  [[deprecated("skipped_losses")]] const std::vector<reel::loss>& passed_over() const noexcept {
    return skipped_losses();
  }

  // The events, from the first on. This reader must outlive the result, and may be moved.
  [[nodiscard]] event_reader events() const;

  // Reads what was recorded since the last call; returns the number of new records.
  result<std::size_t> refresh();

 private:
  struct state;
  explicit row_reader(std::unique_ptr<state> owned) noexcept;
  static result<row_reader> start(result<reel::reader> source, bool live);
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::tracks
