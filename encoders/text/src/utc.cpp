#include "tickreel/text/utc.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace tickreel::text {

namespace {

using namespace std::chrono;

constexpr std::int64_t day_seconds = 86'400;
constexpr std::int64_t first_second = sys_days(year(0) / 1 / 1).time_since_epoch().count() * day_seconds;
constexpr std::int64_t end_second = sys_days(year(10'000) / 1 / 1).time_since_epoch().count() * day_seconds;

constexpr bool is_decimal_digit(char one) noexcept {
  return one >= '0' && one <= '9';
}

// Reads values from the front of a text.
struct text_front {
  std::string_view left;
  bool sound = true;

  unsigned number(std::size_t digits) noexcept {
    sound = sound && left.size() >= digits && std::ranges::all_of(left.substr(0, digits), is_decimal_digit);
    if (!sound) return 0;
    unsigned value = 0;
    for (const char one : left.substr(0, digits)) value = value * 10 + static_cast<unsigned>(one - '0');
    left.remove_prefix(digits);
    return value;
  }
  void mark(std::string_view any_of) noexcept {
    sound = sound && !left.empty() && any_of.find(left.front()) != std::string_view::npos;
    if (sound) left.remove_prefix(1);
  }
};

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

std::optional<std::int64_t> utc_seconds(std::string_view text) noexcept {
  text_front front{text};
  const auto year_number = static_cast<int>(front.number(4));
  front.mark("-");
  const unsigned month_number = front.number(2);
  front.mark("-");
  const year_month_day date{year(year_number), month(month_number), day(front.number(2))};
  front.mark("Tt ");
  const unsigned hour = front.number(2);
  front.mark(":");
  const unsigned minute = front.number(2);
  front.mark(":");
  const unsigned second = front.number(2);
  // 60 is a leap second.
  if (!front.sound || !date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  if (front.left.starts_with('.')) {
    front.left.remove_prefix(1);
    front.number(1);
    while (!front.left.empty() && is_decimal_digit(front.left.front())) front.left.remove_prefix(1);
  }
  std::int64_t offset_minutes = 0;
  if (front.left == "Z" || front.left == "z") {
    front.left = {};
  } else if (!front.left.empty()) {
    const std::int64_t sign = front.left.front() == '-' ? -1 : 1;
    front.mark("+-");
    const unsigned hours_ahead = front.number(2);
    front.mark(":");
    const unsigned minutes_ahead = front.number(2);
    if (hours_ahead > 23 || minutes_ahead > 59) return std::nullopt;
    offset_minutes = sign * (std::int64_t{hours_ahead} * 60 + minutes_ahead);
  }
  if (!front.sound || !front.left.empty()) return std::nullopt;
  const std::int64_t of_day = std::int64_t{hour} * 3600 + std::int64_t{minute} * 60 + second;
  return sys_days(date).time_since_epoch().count() * day_seconds + of_day - offset_minutes * 60;
}

}  // namespace tickreel::text
