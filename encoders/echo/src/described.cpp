#include "tickreel/echo/described.hpp"

namespace tickreel::echo {

text<16> shown_clock(float seconds) noexcept {
  // Hours of private matches are shown as minutes; the notation above two digits is unknown.
  if (!(seconds >= 0 && seconds < 6000)) return {};
  const auto hundredths = static_cast<std::uint32_t>(static_cast<double>(seconds) * 100.0);
  const std::array<std::uint32_t, 3> parts = {hundredths / 6000, hundredths / 100 % 60, hundredths % 100};
  char shown[] = "00:00.00";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    shown[3 * i] = static_cast<char>('0' + parts[i] / 10);
    shown[3 * i + 1] = static_cast<char>('0' + parts[i] % 10);
  }
  return text<16>(shown);
}

}  // namespace tickreel::echo
