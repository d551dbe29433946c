#include "tickreel/echoreplay/line.hpp"

#include "tickreel/echo/time.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::echoreplay {

namespace {

std::string_view without_trailing_cr(std::string_view text) noexcept {
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

void append_columns(std::int64_t recorded_time_ms, std::string_view session, std::string_view bones,
                    bool has_bones_column, std::string& out) {
  const auto time = echo::format_time(recorded_time_ms);
  out.append(time.data(), time.size());
  out += '\t';
  out += session;
  if (has_bones_column) {
    out += '\t';
    out += bones;
  }
  out += "\r\n";
}

std::uint64_t offset_in_line(std::uint64_t offset, std::string_view text, std::string_view column) noexcept {
  if (offset == error::no_offset) return offset;
  return offset + static_cast<std::uint64_t>(column.data() - text.data());
}

void add(echo::parse_report& to, const echo::parse_report& from) noexcept {
  to.unknown_fields += from.unknown_fields;
  to.wrong_types += from.wrong_types;
  to.cut_texts += from.cut_texts;
  to.dropped_players += from.dropped_players;
  to.repeated_fields += from.repeated_fields;
  to.replaced_texts += from.replaced_texts;
  to.missing_parts += from.missing_parts;
  if (to.first.empty()) to.first = from.first;
}

}  // namespace

result<line> split_line(std::string_view text) noexcept {
  text = without_trailing_cr(text);
  const std::size_t first_tab = text.find('\t');
  if (first_tab == std::string_view::npos) {
    return fail(error_code::malformed, text.size(), "a line without a second column");
  }
  // Some files begin with a byte order mark.
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  std::string_view time_text = text.substr(0, first_tab);
  if (time_text.starts_with(byte_order_mark)) time_text.remove_prefix(byte_order_mark.size());
  const auto time = echo::parse_time(time_text);
  if (!time) return fail(error_code::malformed, 0, "a line that does not start with a time");

  line columns;
  columns.recorded_time_ms = *time;
  const std::string_view rest = text.substr(first_tab + 1);
  const std::size_t second_tab = rest.find('\t');
  columns.session = rest.substr(0, second_tab);
  const std::size_t brace = columns.session.find_first_not_of(' ');
  if (brace == std::string_view::npos || columns.session[brace] != '{') {
    return fail(error_code::malformed, first_tab + 1, "a session column that is not a JSON object");
  }
  columns.session.remove_prefix(brace);
  if (second_tab != std::string_view::npos) {
    columns.has_bones_column = true;
    columns.bones = rest.substr(second_tab + 1);
    // Some writers add one leading space.
    columns.bones.remove_prefix(std::min(columns.bones.find_first_not_of(' '), columns.bones.size()));
  }
  return columns;
}

result<echo::parse_report> parse_line(std::string_view text, echo::json_parser& parser, echo::state& out,
                                      echo::omission_listener* left_out) {
  const auto columns = split_line(text);
  if (!columns) return fail(columns.error());
  auto report = parser.parse_session(columns->session, out, left_out);
  if (!report) {
    error at_line = report.error();
    at_line.offset = offset_in_line(at_line.offset, text, columns->session);
    return fail(at_line);
  }
  // The parser skips unknown values, but the column is passed on whole.
  if (!text::has_json_grammar(columns->session)) {
    return fail(error_code::bad_json, offset_in_line(0, text, columns->session), "not JSON throughout");
  }
  out.recorded_time_ms = columns->recorded_time_ms;
  out.bones = echo::bones_kind::absent;
  out.bone_player_count = 0;
  if (columns->bones.empty()) return report;
  if (const auto bones = parser.parse_bones(columns->bones, out, left_out);
      bones && text::has_json_grammar(columns->bones)) {
    add(*report, *bones);
  } else {
    out.bones = echo::bones_kind::absent;
    out.bone_player_count = 0;
    ++report->wrong_types;
    if (report->first.empty()) report->first.assign("bones");
    if (left_out != nullptr) {
      left_out->left_out(
          {echo::omission_kind::unreadable_bones, "bones", echo::beginning_of(columns->bones)});
    }
  }
  return report;
}

void append_line(std::int64_t recorded_time_ms, std::string_view session, std::string_view bones,
                 std::string& out) {
  append_columns(recorded_time_ms, session, bones, !bones.empty(), out);
}

void append_line(const line& from, std::string& out) {
  append_columns(from.recorded_time_ms, from.session, from.bones, from.has_bones_column, out);
}

void append_line(const echo::state& from, std::string& out) {
  const auto time = echo::format_time(from.recorded_time_ms);
  out.append(time.data(), time.size());
  out += '\t';
  echo::append_session_json(from, echo::json_shape::api, echo::number_style::shortest, out);
  if (from.bones != echo::bones_kind::absent) {
    out += '\t';
    echo::append_bones_json(from, echo::json_shape::api, echo::number_style::shortest, out);
  }
  out += "\r\n";
}

}  // namespace tickreel::echoreplay
