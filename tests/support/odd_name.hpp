// File names that a page could mistake for markup.
#pragma once

#include <string>

namespace tickreel::test {

// The same name on systems that allow it; Windows allows no < > : " | ? * in names.
inline std::string odd_name(std::string name) {
#ifdef _WIN32
  for (char& each : name) {
    if (std::string("<>:\"|?*").find(each) != std::string::npos) each = '&';
  }
#endif
  return name;
}

// The name as a page has to escape it.
inline std::string odd_name_in_page(const std::string& name) {
  std::string out;
  for (const char each : odd_name(name)) {
    out += each == '&' ? "&amp;" : each == '<' ? "&lt;" : each == '>' ? "&gt;" : std::string(1, each);
  }
  return out;
}

}  // namespace tickreel::test
