#include "tickreel/counted.hpp"

namespace tickreel {

std::string counted(std::uint64_t count, const char* one, const char* many) {
  const bool is_one = count == 1;
  std::string text = std::to_string(count);
  text += ' ';
  text += is_one || many == nullptr ? one : many;
  if (!is_one && many == nullptr) text += 's';
  return text;
}

}  // namespace tickreel
