#include <charconv>

#include "tickreel/echo/json.hpp"

namespace tickreel::echo {

namespace {

constexpr std::string_view white_space = " \t\r\n";

// The text after "key": anywhere in the body, or empty. The requested keys are at the top level only, and a
// quotation mark inside a text is escaped, so a text search is sufficient.
std::string_view value_of(std::string_view body, std::string_view quoted_key) {
  for (std::size_t at = body.find(quoted_key); at != std::string_view::npos;
       at = body.find(quoted_key, at + 1)) {
    std::size_t next = body.find_first_not_of(white_space, at + quoted_key.size());
    if (next == std::string_view::npos || body[next] != ':') continue;
    next = body.find_first_not_of(white_space, next + 1);
    if (next != std::string_view::npos) return body.substr(next);
  }
  return {};
}

int error_code_of(std::string_view body) {
  const std::string_view value = value_of(body, "\"err_code\"");
  int code = 0;
  std::from_chars(value.data(), value.data() + value.size(), code);
  return code;
}

}  // namespace

reply_kind classify_reply(int http_status, std::string_view body) {
  const std::size_t start = body.find_first_not_of(white_space);
  if (start == std::string_view::npos || body[start] != '{') return reply_kind::loading;
  switch (error_code_of(body)) {
    case 0:
      break;
    case -2:
      return reply_kind::api_disabled;
    case -6:
      return reply_kind::lobby;
    default:
      return reply_kind::other_error;
  }
  if (http_status == 404) return reply_kind::loading;
  if (http_status < 200 || http_status > 299) return reply_kind::other_error;
  const bool is_session = !value_of(body, "\"sessionid\"").empty() || !value_of(body, "\"teams\"").empty();
  return is_session ? reply_kind::match : reply_kind::loading;
}

}  // namespace tickreel::echo
