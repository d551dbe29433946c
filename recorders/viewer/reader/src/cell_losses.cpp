#include "tickreel/viewer/cell_losses.hpp"

#include "tickreel/counted.hpp"

namespace tickreel::viewer {

void cell_losses::add(const json_repairs& repairs, std::optional<std::uint64_t> tick) noexcept {
  if (repairs.is_unreadable) return note(unreadable_, tick);
  if (repairs.has_large_numbers) note(large_numbers_, tick);
  if (repairs.has_invalid_texts) note(invalid_texts_, tick);
}

std::vector<std::string> cell_losses::sentences() const {
  std::vector<std::string> out;
  const auto say = [&](const tally& of, const std::string& one, const std::string& many,
                       const std::string& consequence) {
    if (of.count == 0) return;
    out.push_back(counted(of.count, one.c_str(), many.c_str()));
    if (of.first_tick) out.back() += ", tick " + std::to_string(*of.first_tick) + " is the first";
    out.back() += ": " + consequence;
  };
  const std::string one = std::string(of_) + " has ";
  const std::string many = std::string(of_) + "s have ";
  constexpr const char* large = "numbers larger than 1.8e308";
  constexpr const char* invalid = "texts that are not Unicode";
  constexpr const char* unreadable = "JSON that is nested too deep or too long";
  say(large_numbers_, one + large, many + large, "their values are NULL");
  say(invalid_texts_, one + invalid, many + invalid, "U+FFFD replaces the invalid parts");
  say(unreadable_, one + unreadable, many + unreadable, "values by path are NULL");
  say(long_texts_, "value is longer than 16 MiB", "values are longer than 16 MiB",
      long_texts_.count == 1 ? "it is NULL" : "they are NULL");
  return out;
}

}  // namespace tickreel::viewer
