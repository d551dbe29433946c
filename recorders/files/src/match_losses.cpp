#include "tickreel/files/match_losses.hpp"

#include "tickreel/files/recording.hpp"

namespace tickreel::files {

result<std::vector<std::string>> losses_of_match(const file_path& file, std::uint64_t named_from_tick) {
  const auto opened = open(file);
  if (!opened) return fail(opened.error());
  if (auto* const missing = (*opened)->offers().missing_orders) {
    missing->name_missing_orders_from(named_from_tick);
  }
  for (;;) {
    const auto more = (*opened)->next();
    if (!more) return fail(more.error());
    if (!*more) return (*opened)->losses();
  }
}

}  // namespace tickreel::files
