#include "tickreel/text/base64.hpp"

#include <cstdint>
#include <string_view>

namespace tickreel::text {

void append_base64(byte_span bytes, std::string& out) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      three = three << 8 | (i + j < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += j <= bytes.size() - i ? digits[three >> (18 - 6 * j) & 63] : '=';
    }
  }
}

}  // namespace tickreel::text
