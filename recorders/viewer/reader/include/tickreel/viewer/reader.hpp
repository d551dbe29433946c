// What a page asks of a recording: any format that tickreel reads, from memory. Every answer is text: JSON,
// or lines of it as the program prints them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/viewer/held_recording.hpp"

namespace tickreel::viewer {

struct live_watch;
class timeline;

// Ticks have the numbers that the recording gives them, which may have holes. An answer is valid until the
// next call. What goes wrong is answered too: {"error":{"code":..,"message":..,"offset":..}}. One thread at a
// time; memory does not grow with what is asked.
class reader {
 public:
  reader();
  ~reader();

  // Where the recording is to be copied to before open(); null when it is too large. Ends the one before.
  std::byte* room(std::uint64_t bytes) noexcept;
  // What is opened from now on is still being written: it can be extended, and is walked once however often.
  void set_live(bool live) noexcept { live_ = live; }
  // Where more of the same recording goes, which grew behind what is there, before extend().
  std::byte* append(std::uint64_t bytes) noexcept;
  // A recording that stays where it is, instead of room(): what open() looks at is asked for piece by piece,
  // and one that is too large for memory can be read. Ends the one before.
  void leave_outside(std::shared_ptr<distant_bytes> where);

  // {"ok":true,"info":{as `info --json`, without "file"},"ticks":..,"first_tick":..,"first_time_ms":..,
  // "last_time_ms":..} and "stage", the name of a files::stage, unless only a tick shows it; or
  // {"ok":false,"error":{..},"recoverable":..}: whether `recover` may save some of it; "elsewhere":true
  // before the error where a page's other reader opens it.
  const std::string& open();
  // The same recording has grown: {"ok":true}, and about() tells of it; all it costs is what came.
  // "other":true where it was cut or replaced. What cannot be extended is begun anew.
  const std::string& extend();
  // The same in two steps. begin() looks no further than the first tick: where how many there are takes a
  // walk over all of them, "whole" is false, "ticks" 0 and the last time that of the first. about() is what
  // open() would have answered.
  const std::string& begin();
  const std::string& about();

  // What has been learnt of where reading can begin, for another reader of the same recording, which then
  // finds any tick as fast: numbers with spaces. learn() takes what stands in text().
  const std::string& entrances();
  void learn(std::string_view known);

  // The line that `cat` prints for that tick, without its end; that of the next one where there is none of
  // that number; empty behind the last.
  const std::string& state(std::uint64_t tick);
  // Several, from there on, with a newline between them: at most `count`, and no more once they have 1 MB.
  const std::string& range(std::uint64_t from, std::uint32_t count);

  // What `events` prints; while it is being written, of those that nobody asked for before. A format without
  // events has none.
  const std::string& events();
  // What `verify --json` prints, without "file".
  const std::string&(verify)();
  // As about(), but from a look at every tick: what `info` says of the recording, its health above all.
  const std::string& summary();
  // {"losses":[sentences]}: what was passed over since the recording was last begun with.
  const std::string& lost();

  // [{"path":"session.disc.position[0]","unit":..,"meaning":..},..]: every number that ticks hold, by how to
  // walk to it in a tick's line; unit and meaning where the recording describes them. At most 4096, found in
  // ticks all over the recording; arrays of more than 64 are left out.
  const std::string& fields();
  // {"ticks":[..],"time_ms":[..],"min":[..],"max":[..]} of one of them, over at most `points` stretches of
  // equally many ticks; each begins at its tick. null where none of its ticks has the number. Of Echo VR also
  // of session.disc.speed and, of a player, .speed and .disc_distance, which are computed.
  const std::string& series(std::string_view path, std::uint32_t points);
  // For a timeline: {"times":[[tick,time_ms,clock or null],..],"gaps":[[tick,time_ms,until_ms,missing ticks],
  // ..],"more_gaps":how many more,"keyframes":[ticks],"score":[[tick,blue,orange],..],"possession":[[tick,
  // "blue"],..],"losses":[sentences]}. Of times and keyframes about `points`.
  const std::string& overview(std::uint32_t points);
  // Where players were: {"players":[{"name","team"},..],"samples":[[tick,player,x,y,z],..]}, at most
  // `points`.
  const std::string& positions(std::uint32_t points);

  // Room for the text that series() is given; until the next call.
  char* text_room(std::uint32_t bytes);
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] const std::string& answer() const noexcept { return answer_; }

 private:
  const std::string& look_on();
  const std::string& tell_other();
  const std::string& watched_about();
  const std::string& watched_overview();
  const std::string& watched_events();
  const std::string& tell_overview(const timeline& line, const std::vector<std::string>& losses);
  const std::string& refuse(const error& what);
  const std::string& refuse_file(const error& what);
  // What is asked at the beginning, of a summary of the recording.
  const std::string& tell(const files::summary& about, bool whole);
  // Goes to that tick or the one behind it. False behind the last.
  result<bool> go_to(std::uint64_t tick);
  result<bool> next();
  // Appends the line of the tick at hand.
  result<void> append_line();
  result<void> append_members(std::string& out);
  void forget_place() noexcept { placed_ = false; }
  [[nodiscard]] byte_source source() const;

  // Shows every tick from the first on, until `see` returns false.
  result<void> walk(const std::function<bool()>& see);

  held_recording bytes_;
  std::shared_ptr<distant_bytes> outside_;  // in place of bytes_, where there is one
  std::unique_ptr<files::recording> open_;
  std::string answer_;
  std::string text_;
  std::uint64_t first_tick_ = 0;
  std::int64_t first_ms_ = 0;
  bool whole_ = false;  // what about() says has been told
  std::uint64_t ticks_ = 0;
  bool live_ = false;     // what is opened next
  bool extends_ = false;  // what is open
  std::unique_ptr<live_watch> watch_;
  bool placed_ = false;  // next() has gone to a tick, which position() is of
};

}  // namespace tickreel::viewer
