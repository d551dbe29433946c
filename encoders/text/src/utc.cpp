#include "tickreel/text/utc.hpp"

#include <chrono>
#include <cstddef>

namespace tickreel::text {

namespace {

using namespace std::chrono;

constexpr std::int64_t day_seconds = 86'400;
constexpr std::int64_t first_second = sys_days(year(0) / 1 / 1).time_since_epoch().count() * day_seconds;
constexpr std::int64_t end_second = sys_days(year(10'000) / 1 / 1).time_since_epoch().count() * day_seconds;

}  // namespace

std::string utc_text(std::int64_t unix_seconds) {
  if (unix_seconds < first_second || unix_seconds >= end_second) return {};
  const sys_seconds when{seconds(unix_seconds)};
  const sys_days day = floor<days>(when);
  const year_month_day date(day);
  const auto of_day = static_cast<unsigned>((when - day).count());
  std::string text = "0000-00-00T00:00:00Z";
  const auto put = [&text](std::size_t last, unsigned value) {
    for (; value > 0; value /= 10) text[last--] = static_cast<char>('0' + value % 10);
  };
  put(3, static_cast<unsigned>(static_cast<int>(date.year())));
  put(6, static_cast<unsigned>(date.month()));
  put(9, static_cast<unsigned>(date.day()));
  put(12, of_day / 3600);
  put(15, of_day / 60 % 60);
  put(18, of_day % 60);
  return text;
}

}  // namespace tickreel::text
