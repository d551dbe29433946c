#include "sc2_problem.hpp"

namespace tickreel::files {

namespace {

// Follows an offset that does not count in the file.
constexpr const char* in_the_member = " (offset in the member)";

// The part of the error's detail after the member's name.
const char* rest_of_detail(std::string_view member, const char* detail) noexcept {
  if (detail == nullptr || !std::string_view(detail).starts_with(member)) return detail;
  detail += member.size();
  return std::string_view(detail).starts_with(": ") ? detail + 2 : detail;
}

std::string reason(std::string_view member, error what, bool counts_in_member, bool with_offset) {
  const bool placed = what.offset != error::no_offset;
  if (!with_offset) what.offset = error::no_offset;
  what.detail = rest_of_detail(member, what.detail);
  return describe(what) + (placed && counts_in_member ? in_the_member : "");
}

std::string text_of(const sc2replay::member_problem& problem, bool with_offset) {
  using kind = sc2replay::member_problem::kind;
  // Errors of compared values need no hash.
  if (problem.is == kind::size || problem.is == kind::checksum) {
    const std::string all = describe(problem.what);
    const std::string sentence_of_code(sentence(problem.what.code));
    return std::string(problem.member) + ": " +
           (all.starts_with(sentence_of_code + ": ") ? all.substr(sentence_of_code.size() + 2) : all);
  }
  return std::string(problem.member) + ": " +
         reason(problem.member, problem.what, problem.is != kind::unpacking, with_offset);
}

}  // namespace

std::string problem_text(const sc2replay::member_problem& problem) {
  return text_of(problem, true);
}

std::string problem_text_without_offset(const sc2replay::member_problem& problem) {
  return text_of(problem, false);
}

std::string stop_text(std::string_view member, const error& what) {
  return std::string(member) + " cannot be read further: " + reason(member, what, true, true);
}

}  // namespace tickreel::files
