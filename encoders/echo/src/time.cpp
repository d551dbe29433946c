#include "tickreel/echo/time.hpp"

#include <algorithm>

namespace tickreel::echo {

namespace {

constexpr std::int64_t day_ms = 86'400'000;

struct date {
  std::int64_t year, month, day;
};

// The Gregorian calendar repeats after 400 years of 146097 days. Years are counted from March, so that the
// leap day is the last one; there are 719468 days between 0000-03-01 and 1970-01-01.
constexpr std::int64_t days_before_1970 = 719'468;
constexpr std::int64_t days_in_400_years = 146'097;

constexpr std::int64_t days_since_1970(date d) noexcept {
  const std::int64_t year = d.month > 2 ? d.year : d.year - 1;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month_from_march = (d.month + 9) % 12;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + d.day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * days_in_400_years + day_of_era - days_before_1970;
}

constexpr date date_of(std::int64_t days) noexcept {
  const std::int64_t shifted = days + days_before_1970;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - days_in_400_years + 1) / days_in_400_years;
  const std::int64_t day_of_era = shifted - era * days_in_400_years;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return {era * 400 + year_of_era + (month <= 2 ? 1 : 0), month,
          day_of_year - (153 * month_from_march + 2) / 5 + 1};
}

constexpr std::int64_t first_ms = days_since_1970({0, 1, 1}) * day_ms;
constexpr std::int64_t last_ms = days_since_1970({10'000, 1, 1}) * day_ms - 1;

constexpr std::int64_t days_in_month(std::int64_t year, std::int64_t month) noexcept {
  const bool last_of_year = month == 12;
  return days_since_1970({last_of_year ? year + 1 : year, last_of_year ? 1 : month + 1, 1}) -
         days_since_1970({year, month, 1});
}

// Exactly `digits` digits at `at`; -1 otherwise.
std::int64_t digits_at(std::string_view text, std::size_t at, std::size_t digits) noexcept {
  std::int64_t value = 0;
  for (std::size_t i = at; i < at + digits; ++i) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

bool one_of(std::string_view text, std::size_t at, std::string_view choice) noexcept {
  return at < text.size() && choice.find(text[at]) != std::string_view::npos;
}

}  // namespace

std::array<char, 23> format_time(std::int64_t milliseconds) noexcept {
  const std::int64_t time = std::clamp(milliseconds, first_ms, last_ms);
  std::int64_t days = time / day_ms;
  std::int64_t of_day = time % day_ms;
  if (of_day < 0) {
    of_day += day_ms;
    --days;
  }
  const date d = date_of(days);
  std::array<char, 23> text{'0', '0', '0', '0', '/', '0', '0', '/', '0', '0', ' ', '0',
                            '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0'};
  const auto put = [&](std::size_t last, std::int64_t value) {
    for (; value > 0; value /= 10) text[last--] = static_cast<char>('0' + value % 10);
  };
  put(3, d.year);
  put(6, d.month);
  put(9, d.day);
  put(12, of_day / 3'600'000);
  put(15, of_day / 60'000 % 60);
  put(18, of_day / 1000 % 60);
  put(22, of_day % 1000);
  return text;
}

std::string format_to_seconds(const std::optional<std::int64_t>& milliseconds) {
  if (!milliseconds) return {};
  std::string out(format_time(*milliseconds).data(), 19);  // without the fraction
  out[4] = out[7] = '-';
  return out;
}

std::optional<std::int64_t> parse_time(std::string_view text) noexcept {
  const std::int64_t year = digits_at(text, 0, 4);
  const std::int64_t month = digits_at(text, 5, 2);
  const std::int64_t day = digits_at(text, 8, 2);
  const std::int64_t hour = digits_at(text, 11, 2);
  const std::int64_t minute = digits_at(text, 14, 2);
  const std::int64_t second = digits_at(text, 17, 2);
  if (!one_of(text, 4, "/-.") || !one_of(text, 7, "/-.") || !one_of(text, 10, " T") ||
      !one_of(text, 13, ":.") || !one_of(text, 16, ":.")) {
    return std::nullopt;
  }
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) || hour < 0 ||
      hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
    return std::nullopt;
  }
  std::int64_t millisecond = 0;
  if (text.size() > 19) {
    const std::size_t digits = text.size() - 20;
    if (!one_of(text, 19, ".,") || digits < 1 || digits > 7) return std::nullopt;
    const std::int64_t fraction = digits_at(text, 20, digits);
    if (fraction < 0) return std::nullopt;
    millisecond = fraction;
    for (std::size_t i = digits; i < 3; ++i) millisecond *= 10;
    for (std::size_t i = 3; i < digits; ++i) millisecond /= 10;
  }
  return days_since_1970({year, month, day}) * day_ms + hour * 3'600'000 + minute * 60'000 + second * 1000 +
         millisecond;
}

}  // namespace tickreel::echo
