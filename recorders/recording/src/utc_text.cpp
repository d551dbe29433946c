#include "utc_text.hpp"

#include <ctime>

namespace tickreel::recording {

std::string utc_text(std::int64_t unix_seconds) {
  const auto seconds = static_cast<std::time_t>(unix_seconds);
  std::tm parts = {};
#ifdef _WIN32
  if (gmtime_s(&parts, &seconds) != 0) return {};
#else
  if (gmtime_r(&seconds, &parts) == nullptr) return {};
#endif
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace tickreel::recording
