#include "tickreel/echoreplay/encoder.hpp"

#include <algorithm>
#include <cstring>

#include "tickreel/echo/time.hpp"
#include "tickreel/echoreplay/line.hpp"

namespace tickreel::echoreplay {

namespace {

std::string_view without_outer_space(std::string_view body) noexcept {
  constexpr std::string_view white_space = " \t\r\n";
  const std::size_t start = body.find_first_not_of(white_space);
  if (start == std::string_view::npos) return {};
  return body.substr(start, body.find_last_not_of(white_space) + 1 - start);
}

void copy_on_one_line(char* to, std::string_view body) noexcept {
  std::transform(body.begin(), body.end(), to,
                 [](char c) { return c == '\n' || c == '\r' || c == '\t' ? ' ' : c; });
}

}  // namespace

void append_answers(std::int64_t time_ms, std::string_view session_body, std::string_view bones_body,
                    bool with_bones_column, std::string& out) {
  session_body = without_outer_space(session_body);
  bones_body = with_bones_column ? without_outer_space(bones_body) : std::string_view{};
  append_line({.recorded_time_ms = time_ms,
               .session = session_body,
               .bones = bones_body,
               .has_bones_column = with_bones_column},
              out);
  // The positions of the bodies, from the end: before CR LF, and before each other.
  const std::size_t bones_at = out.size() - 2 - bones_body.size();
  const std::size_t session_at = bones_at - (with_bones_column ? 1 : 0) - session_body.size();
  copy_on_one_line(out.data() + session_at, session_body);
  copy_on_one_line(out.data() + bones_at, bones_body);
}

bool answer::assign(std::int64_t time_ms, std::string_view session_body, std::string_view bones_body,
                    bool with_bones_column) noexcept {
  session_body = without_outer_space(session_body);
  bones_body = with_bones_column ? without_outer_space(bones_body) : std::string_view{};
  if (session_body.size() > capacity || bones_body.size() > capacity - session_body.size()) return false;
  recorded_time_ms = time_ms;
  session_bytes = static_cast<std::uint32_t>(session_body.size());
  bones_bytes = static_cast<std::uint32_t>(bones_body.size());
  has_bones_column = with_bones_column;
  copy_on_one_line(text, session_body);
  copy_on_one_line(text + session_bytes, bones_body);
  return true;
}

void copy_state(answer& to, const answer& from) noexcept {
  to.recorded_time_ms = from.recorded_time_ms;
  to.session_bytes = from.session_bytes;
  to.bones_bytes = from.bones_bytes;
  to.has_bones_column = from.has_bones_column;
  std::memcpy(to.text, from.text, std::size_t{from.session_bytes} + from.bones_bytes);
}

void encoder::encode(const answer& from, frame_kind, byte_writer& out) noexcept {
  const auto time = echo::format_time(from.recorded_time_ms);
  out.bytes(as_bytes({time.data(), time.size()}));
  out.bytes(as_bytes("\t"));
  out.bytes(as_bytes(from.session()));
  if (from.has_bones_column) {
    out.bytes(as_bytes("\t"));
    out.bytes(as_bytes(from.bones()));
  }
  out.bytes(as_bytes("\r\n"));
}

}  // namespace tickreel::echoreplay
