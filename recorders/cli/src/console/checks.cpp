#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>
#include <system_error>
#include <utility>

#include "system_console.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::cli {

namespace {

struct unit {
  std::string_view name;
  double factor;
};

constexpr unit time_units[] = {{"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 0.001}};
constexpr unit age_units[] = {{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}, {"w", 604800}};

// Splits "15m" into "15" and "m".
std::pair<std::string, std::string> split_unit(std::string_view text) {
  std::size_t begin = text.find_last_not_of(" \t") + 1;
  const std::size_t end = begin;
  while (begin > 0 && text::is_letter(text[begin - 1])) --begin;
  return {std::string(text::trimmed(text.substr(0, begin), " \t")),
          std::string(text.substr(begin, end - begin))};
}

std::string no_number(const std::string& text) {
  return fmt::format("Value {} could not be converted to FLOAT", text);
}

// Replaces "15m" with "900".
std::string apply_unit(std::string& text, std::span<const unit> units) {
  auto [digits, name] = split_unit(text);
  if (digits.empty() && name.empty()) return "Input is empty";
  double number = 1;
  if (name.empty()) {
    if (!read_number(digits, number)) return no_number(digits);
    text = digits;
    return {};
  }
  const auto found = std::ranges::find(units, name, &unit::name);
  if (found == units.end()) {
    std::string known;
    for (const unit& each : units) known += fmt::format("{}{}", known.empty() ? "" : ",", each.name);
    return fmt::format("{} unit not recognized. Allowed values: {{{}}}", name, known);
  }
  if (!digits.empty() && !read_number(digits, number)) return no_number(digits);
  text = fmt::format("{}", number * found->factor);
  return {};
}

// 1 for "b", 1000 for "kB", 1024 for "KiB"; 0 for an unknown unit.
std::uint64_t bytes_of_unit(std::string_view name) {
  const std::string lower = text::to_lower(name);
  if (lower == "b") return 1;
  constexpr std::string_view prefixes = "kmgtpe";
  const std::size_t power = lower.empty() ? std::string_view::npos : prefixes.find(lower.front());
  if (power == std::string_view::npos) return 0;
  const std::string_view rest = std::string_view(lower).substr(1);
  const bool is_binary = rest == "i" || rest == "ib";
  if (!is_binary && !rest.empty() && rest != "b") return 0;
  std::uint64_t factor = 1;
  for (std::size_t i = 0; i <= power; ++i) factor *= is_binary ? 1024 : 1000;
  return factor;
}

std::string apply_bytes(std::string& text) {
  if (text.starts_with('-')) return text + " is less than 0";
  const auto [digits, name] = split_unit(text);
  if (digits.empty() && name.empty()) return "Input is empty";
  std::uint64_t number = 1;
  if (!digits.empty()) {
    const char* const end = digits.data() + digits.size();
    const auto [stopped, code] = std::from_chars(digits.data(), end, number);
    if (code == std::errc::result_out_of_range) return digits + " is too large";
    if (code != std::errc() || stopped != end) {
      return fmt::format("Value {} could not be converted to UINT", digits);
    }
  }
  const std::uint64_t factor = name.empty() ? 1 : bytes_of_unit(name);
  if (factor == 0) return name + " unit not recognized: write 800M, 50GB or 2GiB";
  if (number > std::numeric_limits<std::uint64_t>::max() / factor) return text + " is too large";
  text = fmt::format("{}", number * factor);
  return {};
}

// The reason that `path` cannot be an output. Outputs are written atomically (temporary file and rename),
// which streams and devices do not support.
std::string wrong_place_to_write(const std::string& text) {
  if (text.empty()) return "the file name is empty";
  if (text == "-") {
    return "- is the standard output, but this verb writes only files: name a file, such "
           "as ./-";
  }
  if (is_standard_stream(filesystem_path(text))) {
    return text + " is one of the program's own streams: name another file";
  }
  return {};
}

// An empty value, as of an unset variable of a shell, must not count as no option at all.
std::string wrong_name(const std::string& text) {
  return text.empty() ? "the name is empty" : "";
}

std::string wrong_file_to_write(const std::string& text) {
  const std::filesystem::path path = filesystem_path(text);
  if (std::string wrong = wrong_place_to_write(text); !wrong.empty()) return wrong;
  const auto there = status_of(path);
  if (there && there->kind == entry_kind::folder) return text + " is a folder; name a file in it";
  if (!path.has_filename()) return text + " names a folder; name a file in it";
  if (there && there->kind != entry_kind::file) {
    return text + " is a device or a pipe, not a file";
  }
  return {};
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& each : words) out += (out.empty() ? "" : std::string(between)) + each;
  return out;
}

template <class Number, class Read>
value_check range_check(Number least, Number most, std::string type, Read read) {
  const std::string limits = fmt::format("{} to {}", least, most);
  const auto run = [=](std::string& text) {
    Number value{};
    return read(text, value) && value >= least && value <= most
               ? std::string()
               : fmt::format("Value {} not in range {}", text, limits);
  };
  return {.run = run,
          .type = std::move(type),
          .value_name = "NUMBER",
          // The limits keep sums from overflowing; real values are far below them.
          .limits = most <= 1'000'000 ? limits : std::string(),
          .offers = completion::nothing};
}

}  // namespace

bool read_number(const std::string& text, double& out) {
  if (text.empty()) return false;
  char* end = nullptr;
  out = static_cast<double>(std::strtold(text.c_str(), &end));
  return end == text.c_str() + text.size();
}

value_check whole_number() {
  const auto run = [](const std::string& text) {
    return text::parse_number<std::uint64_t>(text) ? std::string() : text + " is not a non-negative integer";
  };
  return {.run = run, .value_name = "NUMBER", .offers = completion::nothing};
}

value_check finite_number() {
  const auto run = [](const std::string& text) {
    double value = 0;
    return read_number(text, value) && std::isfinite(value) ? std::string()
                                                            : text + " is not a finite number";
  };
  return {.run = run, .value_name = "NUMBER", .offers = completion::nothing};
}

value_check not_negative() {
  const auto run = [](const std::string& text) {
    double value = 0;
    if (!read_number(text, value) || !std::isfinite(value)) return text + " is not a finite number";
    return value >= 0 ? std::string() : text + " is less than 0";
  };
  return {.run = run, .value_name = "NUMBER", .offers = completion::nothing};
}

value_check between(int least, int most) {
  return range_check(least, most, fmt::format("INT in [{} - {}]", least, most),
                     [](const std::string& text, int& value) { return text::parse_number(text, value); });
}

value_check between(double least, double most) {
  return range_check(least, most, fmt::format("FLOAT in [{:g} - {:g}]", least, most), read_number);
}

value_check one_of(std::vector<std::string> words) {
  const std::string set = '{' + joined(words, ",") + '}';
  const auto run = [words, set](const std::string& text) {
    return std::ranges::find(words, text) != words.end() ? std::string() : text + " not in " + set;
  };
  return {.run = run,
          .type = set,
          .value_name = joined(words, "|"),
          .words = std::move(words),
          .offers = completion::words};
}

value_check seconds_with_unit() {
  const auto run = [](std::string& text) {
    if (text.find(':') == std::string::npos) return apply_unit(text, time_units);
    const auto seconds = files::parse_clock(text);
    if (!seconds) return text + " is not a time such as 08:30 or 1:02:03";
    text = fmt::format("{}", *seconds);
    return std::string();
  };
  return {.run = run, .type = "TIME", .value_name = "TIME", .offers = completion::nothing};
}

value_check age_with_unit() {
  const auto run = [](std::string& text) {
    const bool has_unit =
        !text.empty() && std::string_view("smhdwSMHDW").find(text.back()) != std::string_view::npos;
    if (!has_unit) return text + " has no unit: write " + text + "h or " + text + "d (s, m, h, d or w)";
    return apply_unit(text, age_units);
  };
  return {.run = run, .type = "TIME", .value_name = "TIME", .offers = completion::nothing};
}

value_check bytes_with_unit() {
  return {.run = apply_bytes,
          .type = "SIZE [b, kb(=1000b), kib(=1024b), ...]",
          .value_name = "SIZE",
          .offers = completion::nothing};
}

value_check file_to_read() {
  return {.run = [](const std::string& text) { return wrong_name(text); },
          .value_name = "FILE",
          .names_input = true};
}

value_check folder_to_read() {
  return {.run = [](const std::string& text) { return wrong_name(text); },
          .value_name = "FOLDER",
          .offers = completion::folders};
}

value_check folder_to_write() {
  return {.run = [](const std::string& text) { return wrong_place_to_write(text); },
          .value_name = "FOLDER",
          .offers = completion::folders};
}

value_check file_to_write() {
  return {.run = [](const std::string& text) { return wrong_file_to_write(text); },
          .value_name = "FILE",
          .names_output = true};
}

}  // namespace tickreel::cli
