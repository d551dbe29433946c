// Sources of Echo VR ticks: recordings of any format that contains them, and the simulator.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/echo/omissions.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel {
class byte_source;
}

namespace tickreel::files {

// Losses of a source up to now. All zero for an intact recording.
struct source_losses {
  // Lines of an .echoreplay, or of a reel that keeps its text, without a time or without JSON after it.
  std::uint64_t skipped_lines = 0;
  std::uint64_t first_skipped_line = 0;    // counted from 1
  std::uint64_t first_skipped_offset = 0;  // error::no_offset for a reel
  const char* first_skipped_reason = "";
  std::uint64_t lines_without_text = 0;  // of those, lines whose text is not available either
  // Ticks of a reel whose state is stored but whose line, which was requested, is not.
  std::uint64_t missing_lines = 0;
  std::uint64_t first_missing_line = 0;  // the tick's number
  bool marked_missing_lines = false;     // the file declares that it stores no lines: it is not damaged
  std::uint64_t error_replies = 0;  // lines with a response of the game that contains no match; not an error
  std::uint64_t lost_ticks = 0;     // of a reel, as far as they can be counted
  std::vector<std::string> places;  // positions and reasons, as sentences
  bool damaged = false;  // the reel lacks more than its gap records report, or the archive is not merely
                         // truncated
  std::uint64_t damaged_places = 0;  // skipped, see echo_options::tolerant
  std::uint64_t torn_bytes = 0;      // after the last complete record, chunk or line
  // Ticks that were returned but may have been changed: a checksum over all of them is wrong.
  std::uint64_t doubtful_ticks = 0;
  bool begins_late = false;  // a reel of a subscriber that joined after the first ticks; `places` names them
  std::uint64_t begins_at = 0;     // its first tick
  std::uint64_t ticks_before = 0;  // 0 if unknown
  bool cut_short = false;          // the file ends before its own end; the ticks before that were returned
  // Where the file, or its last complete record, ends then; error::no_offset if unknown.
  std::uint64_t ends_at = error::no_offset;
  bool being_recorded = false;  // the reason for that
  // Content of responses that the recorder could not store, as the reel reports it.
  echo::omission_tally unrecorded;
  // Content of the recorded responses that a state cannot store, and unreadable bones.
  echo::omission_tally left_out;
  // The recorder counted those: the file contains everything that it received, and the bones among them never
  // arrived.
  bool counted_by_recorder = false;
  [[nodiscard]] bool any() const noexcept {
    return cut_short || !places.empty() || !unrecorded.empty() || !left_out.empty() ||
           missing_lines + skipped_lines + lost_ticks + damaged_places + torn_bytes + doubtful_ticks != 0;
  }
};

// The losses for callers that copy the responses' text from a source that keeps it. Content that a state
// cannot store is then not lost; unreadable bones are. Bones that the recorder never received are not
// counted.
[[nodiscard]] source_losses losses_of_source_text(source_losses losses);

// Each loss as a sentence: "3 lines that cannot be read, the first is line 7".
[[nodiscard]] std::vector<std::string> sentences(const source_losses& losses);

// Returns ticks one by one. One thread at a time; memory does not grow with the recording.
class echo_source {
 public:
  virtual ~echo_source() = default;

  // Reads the next tick into `out`. False at the end. After an error the source is at its end.
  virtual result<bool> next(echo::state& out) = 0;

  // The API's text of the current tick, if the recording keeps it; else empty. Valid until the next call.
  [[nodiscard]] virtual std::string_view session_json() const noexcept { return {}; }
  [[nodiscard]] virtual std::string_view bones_json() const noexcept { return {}; }
  // Whether session_json() is available for every tick.
  [[nodiscard]] virtual bool keeps_source_text() const noexcept { return false; }

  // The .echoreplay line of the current tick, without its line end; else empty. Valid until the next call.
  [[nodiscard]] virtual std::string_view source_line() const noexcept { return {}; }

  // If the source has the text, byte for byte: the text between the previous line and that of the current
  // tick, which contains no tick; the line with its line end; and, after the last tick, the remaining text.
  // Valid until the next call.
  [[nodiscard]] virtual std::string_view text_before() const noexcept { return {}; }
  [[nodiscard]] virtual std::string_view whole_line() const noexcept { return {}; }
  [[nodiscard]] virtual std::string_view text_after() const noexcept { return {}; }
  // Whether lines without a tick are content of the source, as in a reel that was made from a text and keeps
  // them on purpose. In a text itself such lines are unreadable lines.
  [[nodiscard]] virtual bool restores_text() const noexcept { return false; }

  // The frame of the tick that next() returned last, as the newest version of .butter stores it, for writers that
  // keep frames. Valid until the next call. Without bytes where kept_frame_header() is empty.
  struct frame {
    byte_span bytes;
    bool keyframe = false;
  };
  [[nodiscard]] virtual frame kept_frame() const noexcept { return {}; }
  // The header that all frames need, as butter::encoder::write_header() writes it; empty: frames are not kept.
  [[nodiscard]] virtual byte_vector kept_frame_header() { return {}; }

  // The same for a .tape: its header, and the record of the tick, without their lengths. The record is empty where the file
  // lost one before.
  [[nodiscard]] virtual byte_span kept_capture_header() const noexcept { return {}; }
  [[nodiscard]] virtual byte_span kept_record() const noexcept { return {}; }

  // The origin that a clip records, if its format can store one; else empty.
  [[nodiscard]] virtual std::string_view cut_from() const noexcept { return {}; }

  // True once the source knows that every tick may have been changed: see source_losses::doubtful_ticks. It
  // stays true.
  [[nodiscard]] virtual bool is_doubtful() const noexcept { return false; }

  // The number of the current tick, if the recording numbers its ticks; otherwise callers count.
  [[nodiscard]] virtual std::optional<std::uint64_t> tick_number() const noexcept { return std::nullopt; }
  // Losses up to now. For a source that numbers its ticks, numbers_losses() says whether those numbers include the
  // counted ones.
  struct loss_count {
    std::uint64_t ticks = 0;   // skipped ticks, and lines whose text is lost
    std::uint64_t places = 0;  // where an unknown number of ticks is lost
  };
  [[nodiscard]] virtual loss_count lost_to_date() const noexcept { return {}; }
  [[nodiscard]] virtual bool numbers_losses() const noexcept { return false; }
  // Passes the record of each recorded event to `to` when next() reaches it; an empty function ends that.
  // False if the recording stores no events: they must be derived from the ticks.
  virtual bool give_event_records(std::function<void(byte_span)> to) {
    (void)to;
    return false;
  }
  // The caller does not need bones: sources that save work by it return ticks without them. Takes effect at
  // the next rewind().
  virtual void leave_bones_out(bool left_out) { (void)left_out; }

  // Returns to the first tick.
  virtual result<void> rewind() = 0;

  // Losses up to now.
  [[nodiscard]] virtual source_losses losses() const { return {}; }

  // Bytes of the file that next() has read, and the file's size; both 0 without a file.
  [[nodiscard]] virtual std::uint64_t bytes_done() const noexcept { return 0; }
  [[nodiscard]] virtual std::uint64_t bytes_total() const noexcept { return 0; }
};

struct echo_options {
  // Reverse the known defects of the .butter writer where the file contains the information.
  bool repair = false;
  // For a damaged .echoreplay archive, and for a .butter with `repair`: skip damage if later ticks can be
  // read, and count the losses, instead of failing.
  bool tolerant = false;
  // See open_options::live.
  bool live = false;
};

// Opens a .butter, an .echoreplay (zipped or plain) or a reel of either, detected by content, not by name. A
// truncated file returns what it contains, and losses() reports it. Of a reel and of a .butter every readable
// tick is returned, and losses() reports the others; damage inside an .echoreplay is an error unless
// `tolerant`. Errors: not_recognised for other files, unsupported_operation for a recording of another game.
// Files are read in pieces.
result<std::unique_ptr<echo_source>> open_echo(const file_path& path, const echo_options& options = {});
// The same for a recording in memory, which must outlive the source.
result<std::unique_ptr<echo_source>> open_echo(byte_span recording, const echo_options& options = {});
// The same for any source of bytes.
result<std::unique_ptr<echo_source>> open_echo(const byte_source& from, const echo_options& options = {});

}  // namespace tickreel::files
