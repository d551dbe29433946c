#include "words.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

#include "tickreel/counted.hpp"
#include "tickreel/text/markup.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::viewer {

std::string safe(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text::escaped_markup(text);
  std::size_t size = most;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0u) == 0x80u) --size;
  return text::escaped_markup(text.substr(0, size)) + "…";
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "–";
  if (std::abs(value) >= 1e15) return fmt::format("{:.4g}", value);
  std::string text = fmt::format("{:.3f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  if (text == "-0") return "0";
  if (text == "0" && value != 0) return fmt::format("{:.3g}", value);
  return text;
}

std::string number_text(double value, double step) {
  if (!std::isfinite(value)) return "–";
  if (std::abs(value) >= 1e6 || step < 1e-4) return fmt::format("{:.4g}", value);
  const int decimals = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
  std::string text = fmt::format("{:.{}f}", value, decimals);
  return text == "-0" ? "0" : text;
}

std::string time_text(double seconds) {
  if (!std::isfinite(seconds) || std::abs(seconds) > 1e12) return "–";
  const char* const sign = seconds <= -0.5 ? "-" : "";
  const auto whole = static_cast<std::int64_t>(std::llround(std::abs(seconds)));
  if (whole >= 3600) return fmt::format("{}{}:{:02}:{:02}", sign, whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}{}:{:02}", sign, whole / 60, whole % 60);
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1000) return counted(bytes, "byte");
  auto size = static_cast<double>(bytes);
  for (const char* unit : {"kB", "MB", "GB"}) {
    size /= 1000;
    if (size < 1000) return fmt::format("{:.1f} {}", size, unit);
  }
  return fmt::format("{:.1f} TB", size / 1000);
}

std::string label_of(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> units[] = {
      {"_mps", ", m/s"}, {"_ms", ", ms"}, {"_m", ", m"}, {"_s", ", s"}, {"_hz", ", Hz"},
  };
  std::string_view unit;
  for (const auto& [suffix, text] : units) {
    if (!name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    unit = text;
    break;
  }
  std::string out(name);
  for (char& each : out) {
    if (each == '_') each = ' ';
  }
  return out + std::string(unit);
}

namespace {

struct fact_words {
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return number_text(value); }
  std::string operator()(const std::string& value) const { return value; }
};

}  // namespace

std::string text_of(const files::fact& one) {
  return std::visit(fact_words{}, one.value);
}

std::string map_title(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> titles[] = {
      {"mpl_arena_a", "Echo Arena"},           {"mpl_lobby_b2", "Lobby"},
      {"mpl_combat_combustion", "Combustion"}, {"mpl_combat_dyson", "Dyson"},
      {"mpl_combat_fission", "Fission"},       {"mpl_combat_gauss", "Surge"},
  };
  for (const auto& [key, title] : titles) {
    if (key == name) return std::string(title);
  }
  return std::string(name);
}

double nice_step(double range, double count) {
  if (!(range > 0) || !std::isfinite(range)) return 1;
  const double rough = range / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double each : {1.0, 2.0, 5.0}) {
    if (each * power >= rough * 0.999) return each * power;
  }
  return 10 * power;
}

}  // namespace tickreel::viewer
