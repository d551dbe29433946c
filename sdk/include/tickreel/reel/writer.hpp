// Writes a reel: builds records and passes the same bytes to the file and to every sink.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/reel/sink.hpp"
#include "tickreel/result.hpp"

namespace tickreel {
class file;
class system_calls;
}  // namespace tickreel

namespace tickreel::reel {

class reader;
struct table_of_contents;

// One thread at a time. The file is written first: sinks receive what the file accepted.
class writer {
 public:
  // Creates the file and writes the header: already_exists, in_use, or the error of the system; on failure no
  // file remains. A zstd dictionary in `codec` is stored in the header's metadata.
  static result<writer> create(const file_path& path, header head, const codec_options& codec,
                               system_calls& calls);
  static result<writer> create(const file_path& path, header head, const codec_options& codec = {});
  // Appends to a reel that has no end yet, after the last record of `contents`. `out` is the file of that
  // reel, or a copy of its whole records, ending there; without it, call add_sink() next; that sink receives
  // no header. `contents` has the offsets as they are in `out`; its records are the first ones of `from`.
  // Lasting events whose repetition is due are repeated immediately, the others at their usual time.
  static result<writer> resume(std::optional<file> out, reader& from, const table_of_contents& contents,
                               const codec_options& codec);
  // Without a file; call add_sink() next.
  static result<writer> create_without_file(header head, const codec_options& codec = {});

  writer(writer&&) noexcept;
  writer& operator=(writer&&) noexcept;
  // Without finish() the reel has no end record, as after a crash.
  ~writer();

  // Compresses `payload` and appends a record of the kind, flags, ticks, times and frames in `about`; the
  // other fields are set here and returned. On failure the file keeps its previous end. A payload that
  // compression does not shrink is stored uncompressed.
  result<record_info> append(const record_info& about, byte_span payload);
  // Appends a record of another reel unchanged, with that reel's codec and length; not checked. Only for
  // reels with the same dictionary.
  result<record_info> append_stored(const record_info& about, byte_span stored);
  // The same for small kinds.
  result<record_info> append_gap(const gap& lost, frame_stamp first, frame_stamp last);
  // `needed_later`: see record_flags.
  result<record_info> append_event(frame_stamp stamp, std::uint32_t type, byte_span bytes,
                                   bool needed_later = false);
  // The same for several events, in as few records as possible: small ones share one, in the order of their
  // ticks. Sorts `events`.
  result<void> append_events(std::vector<stamped_event>& events);

  // After this everything appended survives a power cut.
  result<void> sync();

  // Writes index and end record, syncs, closes. Nothing can be appended then. If the end cannot be written,
  // the file stays open: call finish() again, or abandon().
  result<void> finish();
  // Closes the file without an end and releases its lock; recovery can then complete it.
  void abandon() noexcept;
  // Closes and removes the file.
  void discard() noexcept;

  // Sends the header immediately, and records from the next append on.
  void add_sink(std::unique_ptr<sink> receiver);

  [[nodiscard]] std::uint64_t bytes() const noexcept;
  // The number of sinks that failed and were disabled, and the last error of one.
  [[nodiscard]] std::size_t failed_sinks() const noexcept;
  [[nodiscard]] const std::optional<error>& sink_failure() const noexcept;

 private:
  struct state;
  explicit writer(std::unique_ptr<state> owned) noexcept;
  static result<writer> make(header&& head, const codec_options& codec);
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::reel
