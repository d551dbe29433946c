#include "handle.hpp"
#include "tickreel/version.hpp"

namespace tickreel::c {

namespace {

struct last_failure {
  std::string sentence;
  const char* text = "";
  std::uint64_t offset = error::no_offset;
};
last_failure& failure() noexcept {
#ifdef TICKREEL_WITHOUT_THREADS
  static last_failure one;
#else
  thread_local last_failure one;
#endif
  return one;
}

}  // namespace

std::string sentence_of(const error& what) noexcept {
#ifdef __cpp_exceptions
  try {
    return describe(what);
  } catch (const std::exception&) {
    return {};
  }
#else
  return describe(what);
#endif
}

std::int32_t set_failure(error_code code, std::string&& sentence) noexcept {
  last_failure& last = failure();
  last.sentence = std::move(sentence);
  last.text = last.sentence.c_str();
  last.offset = error::no_offset;
  return static_cast<std::int32_t>(code);
}

std::int32_t set_failure(const error& what) noexcept {
  last_failure& last = failure();
  last.sentence = sentence_of(what);
  last.text = last.sentence.empty() ? "out of memory" : last.sentence.c_str();
  last.offset = what.offset;
  return static_cast<std::int32_t>(what.code);
}

}  // namespace tickreel::c

using namespace tickreel;

const char* tickreel_version(void) {
  return version_text.data();
}

const char* tickreel_error(void) {
  return c::failure().text;
}

uint64_t tickreel_error_offset(void) {
  return c::failure().offset;
}

const char* tickreel_code_name(int32_t code) {
  if (code == TICKREEL_OK) return "ok";
  if (code == TICKREEL_END) return "end";
  if (code < 0 || code > UINT16_MAX) return "unknown";
  const std::string_view known = name(static_cast<error_code>(code));
  return known.empty() ? "unknown" : known.data();
}
