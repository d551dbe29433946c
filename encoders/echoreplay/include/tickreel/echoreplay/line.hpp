// One line of an .echoreplay: time TAB session JSON [TAB bones JSON].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/echo/json.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echoreplay {

// The three columns, pointing into the line.
struct line {
  std::int64_t recorded_time_ms = 0;
  std::string_view session;
  std::string_view bones;  // empty when the column is missing or empty
  bool has_bones_column = false;
};

// Splits a line without its end (a trailing CR is accepted). malformed with an offset inside the line if
// there is no time, no second column or no '{' at its start.
result<line> split_line(std::string_view text) noexcept;

// Parses both columns, which must be JSON as a whole, including values that a state cannot store. An
// unreadable bones column counts as absent, and is in the report as a wrong type named "bones". bad_json,
// with its offset in the line if known, if the session is unreadable; `out` is then unspecified but valid.
// `left_out` receives values that a state cannot store, also an unreadable bones column.
result<echo::parse_report> parse_line(std::string_view text, echo::json_parser& parser, echo::state& out,
                                      echo::omission_listener* left_out = nullptr);

// Appends "time TAB session [TAB bones] CR LF". No bones column if `bones` is empty.
void append_line(std::int64_t recorded_time_ms, std::string_view session, std::string_view bones,
                 std::string& out);
// The same, with an empty bones column if `from` has one.
void append_line(const line& from, std::string& out);
// The state as JSON in the API's form, with the shortest numbers that parse to the same floats. A bones
// column unless the bones are absent.
void append_line(const echo::state& from, std::string& out);

// Readers skip short session columns, which are error replies. 300 is the shorter of the two limits in use.
inline constexpr std::size_t shortest_session = 300;

// Far above any line of a game (a full pair of responses has 40 kB).
inline constexpr std::size_t default_line_limit_bytes = std::size_t{4} << 20;

// Splits a text that arrives in blocks into lines, holding at most one line.
//
//   splitter.feed(block);
//   while (auto next = splitter.next()) ...;     until it returns nothing, then feed again
//   splitter.finish();                           the last line may lack its end, as after a crash
//   while (auto next = splitter.next()) ...;
//
// Not thread-safe. Allocates only for lines that span blocks, never beyond the limit.
class line_splitter {
 public:
  explicit line_splitter(std::size_t line_limit_bytes = default_line_limit_bytes)
      : line_limit_bytes_(line_limit_bytes) {}

  // `block` must stay valid until next() returned nothing. wrong_state before that and after finish().
  result<void> feed(std::string_view block) noexcept;
  void finish() noexcept { finished_ = true; }

  // The next line without its LF or CR LF, valid until the next call of any function; lines may be empty.
  // Nothing: feed more, or after finish() the end. over_limit, with the offset of the line in the text, for a
  // line that is too long; the next call continues after it.
  std::optional<result<std::string_view>> next();

  // The offset of the last line in the text, and whether it had an end.
  [[nodiscard]] std::uint64_t line_offset() const noexcept { return line_offset_; }
  [[nodiscard]] bool line_was_ended() const noexcept { return line_was_ended_; }
  // The end of the last line: LF, CR LF, nothing, or the CR of a text that ends there.
  [[nodiscard]] std::string_view line_end() const noexcept { return line_end_; }

 private:
  std::optional<result<std::string_view>> take(std::string_view text, bool ended) noexcept;

  std::size_t line_limit_bytes_;
  std::string_view block_;
  std::string pending_;  // the line's part from earlier blocks
  std::uint64_t consumed_ = 0;
  std::uint64_t line_offset_ = 0;
  std::uint64_t next_line_offset_ = 0;
  bool line_was_ended_ = false;
  std::string_view line_end_;
  bool pending_was_returned_ = false;
  bool too_long_ = false;
  bool finished_ = false;
};

}  // namespace tickreel::echoreplay
