#include "sc2_problem.hpp"

namespace tickreel::files {

namespace {

// What the error adds to the member's name.
const char* rest_of_detail(std::string_view member, const char* detail) noexcept {
  if (detail == nullptr || !std::string_view(detail).starts_with(member)) return detail;
  detail += member.size();
  return std::string_view(detail).starts_with(": ") ? detail + 2 : detail;
}

std::string reason(std::string_view member, error what, bool with_offset) {
  const bool in_member = with_offset && what.offset != error::no_offset && !is_unpacking_error(member, what);
  if (!with_offset) what.offset = error::no_offset;
  what.detail = rest_of_detail(member, what.detail);
  return describe(what) + (in_member ? " (offset in the member)" : "");
}

}  // namespace

bool is_unpacking_error(std::string_view member, const error& what) noexcept {
  return what.detail != nullptr && member == what.detail;
}

std::string problem_text(std::string_view member, const error& what) {
  return std::string(member) + ": " + reason(member, what, true);
}

std::string problem_text_without_offset(std::string_view member, const error& what) {
  return std::string(member) + ": " + reason(member, what, false);
}

std::string stop_text(std::string_view member, const error& what) {
  return std::string(member) + " is read no further: " + reason(member, what, true);
}

}  // namespace tickreel::files
