// Any tick of a reel of described structs, by number or time, and all of them in order. What replay<T> stands
// on; tools that know no struct use it as it is.
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
  // What reel::reader refuses; unsupported_operation for a reel of another encoder, unsupported_version for
  // one of another version. `live`: it is still being recorded, and what is incomplete at its end is not
  // there yet.
  static result<row_reader> open(const file_path& path, bool live = false);
  static result<row_reader> open(const byte_source& from, bool live = false);

  row_reader(row_reader&&) noexcept;
  row_reader& operator=(row_reader&&) noexcept;
  ~row_reader();

  [[nodiscard]] const reel::header& head() const noexcept;
  [[nodiscard]] const reel::table_of_contents& contents() const noexcept;
  [[nodiscard]] const schema& described() const noexcept;

  // The tick with that number: out_of_range when it was not recorded, or is lost.
  result<row_view> at_tick(std::uint64_t tick);
  // The last tick that is not after that time, in microseconds since the recording began. out_of_range before
  // the first.
  result<row_view> at_time(std::int64_t time_us);
  // The last tick there is.
  result<row_view> last();

  // The next in order, whatever the other calls did. False at the end; while it is recorded call again after
  // refresh(). Passes over what is lost, which totals() counts.
  result<bool> next(row_view& out);
  // Begins again with the first.
  void rewind() noexcept;
  // What next() passed over up to here.
  [[nodiscard]] const reel::loss_totals& totals() const noexcept;
  [[nodiscard]] const std::vector<reel::loss>& passed_over() const noexcept;

  // The events beside the rows, from the first on. This must outlive it, and may be moved.
  [[nodiscard]] event_reader events() const;

  // Looks at what was recorded since; returns the number of new records.
  result<std::size_t> refresh();

 private:
  struct state;
  explicit row_reader(std::unique_ptr<state> owned) noexcept;
  static result<row_reader> start(result<reel::reader> source, bool live);
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::tracks
