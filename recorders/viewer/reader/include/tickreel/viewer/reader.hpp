// Answers a page's requests about a recording of any format, in memory. Every answer is text: JSON, or lines
// of it as the program prints them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/viewer/recording_buffer.hpp"

namespace tickreel::viewer {

struct live_watch;
class timeline;

// Ticks have the numbers of the recording, which may have gaps. An answer is valid until the next call.
// Errors are answers, too: {"error":{"code":..,"message":..,"offset":..}}. One thread at a time; memory does
// not grow with the number of requests.
class reader {
 public:
  reader();
  ~reader();

  // The buffer into which the recording is copied before open(); null if it is too large. Closes the previous
  // one.
  std::byte* room(std::uint64_t bytes) noexcept;
  // Recordings opened after this call are still being written: they can be extended, and each tick is scanned
  // once.
  void set_live(bool live) noexcept { live_ = live; }
  // The buffer for the bytes that the recording grew by, before extend().
  std::byte* append(std::uint64_t bytes) noexcept;
  // A recording outside of memory, instead of room(): open() requests the parts that it needs, so that
  // recordings larger than memory can be read. Closes the previous one.
  void leave_outside(std::shared_ptr<distant_bytes> where);

  // {"ok":true,"info":{as `info --json`, without "file"},"ticks":..,"first_tick":..,"first_time_ms":..,
  // "last_time_ms":..}, "title": the format's title, and "stage", the name of a files::stage, unless that depends on a tick; or
  // {"ok":false,"error":{..},"recoverable":..}: whether `recover` may save some of it; "elsewhere":
  // "others.wasm" before the error where another of a page's readers opens it.
  const std::string& open();
  // The recording has grown: {"ok":true}; about() then includes the new part. The cost depends on the new
  // part only. "other":true if it was truncated or replaced. Recordings that cannot be extended are reopened.
  const std::string& extend();
  // The same in two steps. begin() reads no further than the first tick: if the number of ticks needs a scan,
  // "whole" is false, "ticks" 0 and the last time that of the first. about() returns what open() would have
  // returned.
  const std::string& begin();
  const std::string& about();

  // The known positions at which reading can begin, for another reader of the same recording: numbers
  // separated by spaces. learn() reads them from text().
  const std::string& entrances();
  void learn(std::string_view known);

  // The line that `cat` prints for that tick, without its end; that of the next tick if there is none with
  // that number; empty after the last.
  const std::string& state(std::uint64_t tick);
  // Several lines from there, separated by newlines: at most `count`, and none after 1 MB.
  const std::string& range(std::uint64_t from, std::uint32_t count);

  // As range(), of Echo VR: the lines that an .echoreplay of these ticks has, without their ends, each after its
  // tick and a tab. unsupported_operation for other recordings.
  const std::string& game_lines(std::uint64_t from, std::uint32_t count);

  // The output of `events`; for a live recording only events not returned before. A format without events has
  // none. After an error in the middle, the last line is {"error":..}.
  const std::string& events();
  // The output of `verify --json`, without "file".
  const std::string&(verify)();
  // Like about(), but after reading every tick: all facts of `info`, in particular the health.
  const std::string& summary();
  // {"losses":[sentences]}: the data skipped since the recording was last read from its begin.
  const std::string& lost();

  // [{"path":"session.disc.position[0]","unit":..,"meaning":..},..]: every number in ticks, by its path in a
  // tick's line; unit and meaning where they are known. At most 4096, found in ticks all over
  // the recording; arrays of more than 64 are skipped.
  const std::string& fields();
  // {"ticks":[..],"time_ms":[..],"min":[..],"max":[..]} of one of them, over at most `points` stretches of
  // equally many ticks; each begins at its tick. null if none of its ticks has the number. For Echo VR also
  // session.disc.speed and, for players, .speed and .disc_distance, which are computed.
  const std::string& series(std::string_view path, std::uint32_t points);
  // For a timeline: {"times":[[tick,time_ms,clock or null],..],"gaps":[[tick,time_ms,until_ms,missing ticks],
  // ..],"more_gaps":how many more,"keyframes":[ticks],"score":[[tick,blue,orange],..],"possession":[[tick,
  // "blue"],..],"losses":[sentences]}. Of times and keyframes about `points`.
  const std::string& overview(std::uint32_t points);
  // Positions of players: {"players":[{"name","team"},..],"samples":[[tick,player,x,y,z],..]}, at most
  // `points`.
  const std::string& positions(std::uint32_t points);

  // Of a map file of a game in place of the recording, which must not be open: "left bottom right top" in map units, a
  // tab, files::ground_picture::doubt and a newline, then the ground as a .bmp file. `played`: "map_file map_size", the
  // recording's facts.
  const std::string& ground(std::string_view played);

  // The buffer for the argument of series(); valid until the next call.
  char* text_room(std::uint32_t bytes);
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] const std::string& answer() const noexcept { return answer_; }

 private:
  const std::string& look_on();
  const std::string& answer_replaced();
  const std::string& watched_about();
  const std::string& watched_overview();
  const std::string& watched_events();
  const std::string& answer_overview(const timeline& line, const std::vector<std::string>& losses);
  const std::string& refuse(const error& what);
  const std::string& refuse_file(const error& what);
  // Facts from the recording's summary for the first answer.
  const std::string& tell(const files::summary& about, bool whole);
  // Seeks to that tick or the next one. Returns false after the last.
  result<bool> go_to(std::uint64_t tick);
  result<bool> next();
  const std::string& several(std::uint64_t from, std::uint32_t count, result<void> (reader::*append_one)());
  // Appends the line of the current tick.
  result<void> append_line();
  result<void> append_game_line();
  result<void> append_members(std::string& out);
  void forget_place() noexcept { placed_ = false; }
  [[nodiscard]] byte_source source() const;

  // Calls `see` for every tick from the first, until it returns false.
  result<void> walk(const std::function<bool()>& see);

  recording_buffer bytes_;
  std::shared_ptr<distant_bytes> outside_;  // replaces bytes_, if set
  std::unique_ptr<files::recording> open_;
  std::string answer_;
  std::string text_;
  std::uint64_t first_tick_ = 0;
  std::int64_t first_ms_ = 0;
  bool whole_ = false;  // the facts of about() were returned
  std::uint64_t ticks_ = 0;
  bool live_ = false;     // the recording that is opened next
  bool extends_ = false;  // the open recording
  std::unique_ptr<live_watch> watch_;
  bool placed_ = false;  // next() has advanced to the tick of position()
};

}  // namespace tickreel::viewer
