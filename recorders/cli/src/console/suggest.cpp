#include "suggest.hpp"

#include <algorithm>

namespace tickreel::cli {

std::size_t letters_apart(std::string_view one, std::string_view other) {
  // Rows of the table of all beginnings: the one before last, the last, and the one being filled.
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

std::string meant_by(std::string_view word, const std::vector<std::string>& known) {
  std::string nearest;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& each : known) {
    const std::size_t apart = letters_apart(word, each);
    // What was typed so far counts as near.
    const bool begun = word.size() >= 3 && each.starts_with(word);
    if (apart < least || (begun && nearest.empty())) {
      least = std::min(least, apart);
      nearest = each;
    }
  }
  return nearest;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string meant = meant_by(word, known);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

}  // namespace tickreel::cli
