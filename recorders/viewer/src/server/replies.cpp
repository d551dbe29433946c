#include "replies.hpp"

#include <algorithm>
#include <charconv>

namespace tickreel::viewer {

namespace {

// Only digits, and within the range of the type.
std::optional<std::uint64_t> number_of(std::string_view text) noexcept {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, code] = std::from_chars(text.data(), end, value);
  if (text.empty() || code != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

}  // namespace

asked_range range_of(std::string_view header, std::uint64_t size) noexcept {
  const asked_range whole{range_kind::whole, {0, size}};
  constexpr std::string_view unit = "bytes=";
  if (!header.starts_with(unit)) return whole;
  header.remove_prefix(unit.size());
  const std::size_t dash = header.find('-');
  if (dash == std::string_view::npos) return whole;
  const auto first = number_of(header.substr(0, dash));
  const auto last = number_of(header.substr(dash + 1));
  const bool open = dash + 1 == header.size();
  if (dash == 0) {
    if (!last) return whole;
    if (*last == 0 || size == 0) return {range_kind::nothing, {}};
    return {range_kind::part, {size - std::min(*last, size), size}};
  }
  if (!first || (!open && !last) || (last && *last < *first)) return whole;
  if (*first >= size) return {range_kind::nothing, {}};
  const std::uint64_t end = open || *last >= size ? size : *last + 1;
  return {range_kind::part, {*first, end}};
}

asked_target target_of(std::string_view target) noexcept {
  asked_target out;
  const std::size_t question = target.find('?');
  out.path = target.substr(0, question);
  if (question == std::string_view::npos) return out;
  std::string_view query = target.substr(question + 1);
  constexpr std::string_view game = "game=";
  if (query.starts_with(game)) {
    out.game = number_of(query.substr(game.size()));
    return out;
  }
  if (!query.starts_with("of=")) return out;
  query.remove_prefix(3);
  constexpr std::string_view next = "&have=";
  const std::size_t more = query.find(next);
  out.of = number_of(query.substr(0, more));
  if (more != std::string_view::npos) out.have = number_of(query.substr(more + next.size()));
  return out;
}

}  // namespace tickreel::viewer
