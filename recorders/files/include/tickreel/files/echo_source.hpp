// Where Echo VR ticks come from: a recording of any format that holds them, or the simulator.
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

// What a source could not give, so far. All zero for a recording without fault.
struct source_losses {
  // Of an .echoreplay, or of a reel that keeps its text: no time, or no JSON behind it.
  std::uint64_t skipped_lines = 0;
  std::uint64_t first_skipped_line = 0;    // counted from 1
  std::uint64_t first_skipped_offset = 0;  // error::no_offset for a reel
  const char* first_skipped_reason = "";
  std::uint64_t lines_without_text = 0;  // of those, the ones that nobody gets to see
  // Of a reel: the state is there, the line that it came in is not. Of those lines that were asked for.
  std::uint64_t missing_lines = 0;
  std::uint64_t first_missing_line = 0;  // the tick's number
  bool marked_missing_lines = false;     // the file was made without them and says so: it is not damaged
  std::uint64_t error_replies = 0;       // lines that hold an answer of the game, but no match; not a fault
  std::uint64_t lost_ticks = 0;          // of a reel, as far as they can be counted
  std::vector<std::string> places;       // where they are and why, as sentences
  bool damaged = false;  // the reel lacks more than its gap records say, or the archive is not just cut
  std::uint64_t damaged_places = 0;  // passed over, see echo_options::tolerant
  std::uint64_t torn_bytes = 0;      // behind the last whole record, chunk or line
  // Ticks that were given and may have been changed: a checksum is wrong that stands for all of them.
  std::uint64_t doubtful_ticks = 0;
  bool begins_late = false;     // of a reel whose first ticks came before whoever kept it; a place names them
  std::uint64_t begins_at = 0;  // with that tick
  std::uint64_t ticks_before = 0;  // 0 where nobody knows
  bool cut_short = false;          // the file stops before its own end; what came before it was given
  bool being_recorded = false;     // that is why
  // What a recorder left out of the game's answers, as the reel says.
  echo::omission_tally unrecorded;
  // What the answers in the recording hold and a state has no place for, and bones that cannot be read.
  echo::omission_tally left_out;
  // The recorder counted those: the file holds all that it received, and bones among them never came.
  bool counted_by_recorder = false;
  [[nodiscard]] bool any() const noexcept {
    return cut_short || !places.empty() || !unrecorded.empty() || !left_out.empty() ||
           missing_lines + skipped_lines + lost_ticks + damaged_places + torn_bytes + doubtful_ticks != 0;
  }
};

// For those who take the game's own words from a source that keeps them: what has no place in a state is not
// lost to them, bones that cannot be read are. Bones that the recorder never got are lost to nobody.
[[nodiscard]] source_losses losses_of_words(source_losses losses);

// Each of them for people: "3 lines that cannot be read, the first is line 7".
[[nodiscard]] std::vector<std::string> sentences(const source_losses& losses);

// Gives ticks one after the other. One thread at a time; memory does not grow with the recording.
class echo_source {
 public:
  virtual ~echo_source() = default;

  // The next tick into `out`. False at the end. After an error the source is at its end.
  virtual result<bool> next(echo::state& out) = 0;

  // The API's own text of the tick that next() gave last, where the recording kept it; else empty. Valid
  // until the next call.
  [[nodiscard]] virtual std::string_view session_json() const noexcept { return {}; }
  [[nodiscard]] virtual std::string_view bones_json() const noexcept { return {}; }
  // Whether session_json() is there for every tick.
  [[nodiscard]] virtual bool keeps_words() const noexcept { return false; }

  // The whole line of an .echoreplay that it stood in, without its end; else empty. Valid likewise.
  [[nodiscard]] virtual std::string_view source_line() const noexcept { return {}; }

  // Byte for byte, where the source has the text: what stood between the line before and that tick's and
  // holds no tick; its line with whatever ended it; and after the last tick what stood behind. Valid
  // likewise.
  [[nodiscard]] virtual std::string_view text_before() const noexcept { return {}; }
  [[nodiscard]] virtual std::string_view whole_line() const noexcept { return {}; }
  [[nodiscard]] virtual std::string_view text_behind() const noexcept { return {}; }
  // Whether lines that hold no tick belong to what the source gives, as those of a reel do that was made of a
  // text: they were kept on purpose. In a text itself they are what cannot be read.
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

  // What the recording says it was cut from, where it is a clip and its format has room for that; else empty.
  [[nodiscard]] virtual std::string_view cut_from() const noexcept { return {}; }

  // Every tick of the recording may have been changed, as far as is known by now: see
  // source_losses::doubtful_ticks. It stays so.
  [[nodiscard]] virtual bool is_doubtful() const noexcept { return false; }

  // The number of the tick that next() gave last, where a recording numbers its own; others count.
  [[nodiscard]] virtual std::optional<std::uint64_t> tick_number() const noexcept { return std::nullopt; }
  // Ticks that were passed over up to here, and lines of which no text is left, as far as they can be
  // counted. Where it numbers its ticks, numbers_losses() says whether those numbers count them too.
  [[nodiscard]] virtual std::uint64_t lost_so_far() const noexcept { return 0; }
  [[nodiscard]] virtual bool numbers_losses() const noexcept { return false; }
  // Gives `to` the record of every event that the recorder kept, when next() passes it; an empty function
  // ends that. False where none were kept: they are to be found in the ticks.
  virtual bool give_event_records(std::function<void(byte_span)> to) {
    (void)to;
    return false;
  }
  // Whoever reads on has no use for skeletons: where that spares work, ticks come without. To be said before
  // a rewind().
  virtual void leave_bones_out(bool left_out) { (void)left_out; }

  // Back to the first tick.
  virtual result<void> rewind() = 0;

  // What was passed over up to here.
  [[nodiscard]] virtual source_losses losses() const { return {}; }

  // How far next() has come, in bytes of the file, and the file's size; 0 of 0 where there is no file.
  [[nodiscard]] virtual std::uint64_t bytes_done() const noexcept { return 0; }
  [[nodiscard]] virtual std::uint64_t bytes_total() const noexcept { return 0; }
};

struct echo_options {
  // Undo the known .butter writer's defects where the file holds the information.
  bool repair = false;
  // Of an .echoreplay whose archive is damaged, and of a .butter with `repair`: skip damage where later ticks
  // can still be read, and count what was lost, instead of failing.
  bool tolerant = false;
  // See open_options::live.
  bool live = false;
};

// A .butter, an .echoreplay (zipped or plain) or a reel of either; told by content, not by name. A file that
// merely stops too early gives what it has, and losses() say so. Of a reel and of a .butter every tick is
// returned that can be shown, and losses() name the others; damage inside an .echoreplay is an error unless
// `tolerant`. not_recognised for anything else, unsupported_operation for a recording of another game. Files
// are read piece by piece.
result<std::unique_ptr<echo_source>> open_echo(const file_path& path, const echo_options& options = {});
// The same for a recording in memory, which must outlive the source.
result<std::unique_ptr<echo_source>> open_echo(byte_span recording, const echo_options& options = {});
// The same wherever it lies.
result<std::unique_ptr<echo_source>> open_echo(const byte_source& from, const echo_options& options = {});

}  // namespace tickreel::files
