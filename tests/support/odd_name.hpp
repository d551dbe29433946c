// Names of files that a page could take for something else.
#pragma once

#include <string>

namespace tickreel::test {

// The same name where it can be one; Windows has no < > : " | ? * in names.
inline std::string odd_name(std::string name) {
#ifdef _WIN32
  for (char& each : name) {
    if (std::string("<>:\"|?*").find(each) != std::string::npos) each = '&';
  }
#endif
  return name;
}

// As a page has to write it.
inline std::string odd_name_in_page(const std::string& name) {
  std::string out;
  for (const char each : odd_name(name)) {
    out += each == '&' ? "&amp;" : each == '<' ? "&lt;" : each == '>' ? "&gt;" : std::string(1, each);
  }
  return out;
}

}  // namespace tickreel::test
