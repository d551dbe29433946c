#include "tickreel/text/suggestion.hpp"

#include <algorithm>

#include "tickreel/text/ascii.hpp"

namespace tickreel::text {

namespace {

// In lower case, without word separators.
std::string without_dashes_and_case(std::string_view text) {
  std::string out;
  for (const char each : text) {
    if (each == '_' || each == ' ' || each == '-') continue;
    out += to_lower(each);
  }
  return out;
}

}  // namespace

std::size_t edit_distance(std::string_view one, std::string_view other) {
  // Rows of the table of prefixes: the one before last, the last, and the current one.
  std::vector<std::size_t> before(other.size() + 1);
  std::vector<std::size_t> last(other.size() + 1);
  std::vector<std::size_t> row(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const bool same = one[i - 1] == other[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0u : 1u)});
      const bool swapped = i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[other.size()];
}

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names) {
  constexpr std::size_t longest = 40;
  if (word.empty() || word.size() > longest) return {};
  const std::string wanted = without_dashes_and_case(word);
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string_view each : names) {
    const std::string known = without_dashes_and_case(each);
    const std::size_t apart = edit_distance(wanted, known);
    // A typed prefix counts as near.
    const bool begun = wanted.size() >= 3 && known.starts_with(wanted);
    if (apart < least || (begun && nearest.empty())) {
      least = std::min(least, apart);
      nearest = each;
    }
  }
  return nearest;
}

}  // namespace tickreel::text
