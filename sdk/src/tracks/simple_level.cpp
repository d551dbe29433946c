#include <algorithm>
#include <bit>
#include <string>
#include <thread>
#include <unordered_map>

#include "tickreel/describe/kept_sentence.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::detail {

recorder_options options_for_rows(recorder_options told, const schema& described, std::size_t state_bytes) {
  const recorder_options usual;
  told.schema = to_bytes(described);
  if (told.codec.codec == usual.codec.codec && told.codec.level == usual.codec.level) told.codec.level = 1;
  // Programs that simulate do not wait for their ticks.
  constexpr std::size_t ring_memory_bytes = 8u << 20;
  if (told.ring_ticks == usual.ring_ticks) {
    told.ring_ticks = static_cast<std::uint32_t>(
        std::clamp<std::size_t>(ring_memory_bytes / (state_bytes + 64), usual.ring_ticks, 65536));
    told.ring_ticks = std::bit_floor(told.ring_ticks);
  }
  // A block takes as much memory again while it is laid out, and readers open it whole.
  constexpr std::uint32_t most_block_bytes = 24u << 20;
  constexpr std::uint32_t rows_wanted = 256;
  if (told.seal_bytes == usual.seal_bytes) {
    const std::uint64_t wanted = std::uint64_t{described.row_bytes()} * rows_wanted;
    told.seal_bytes =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, usual.seal_bytes, most_block_bytes));
  }
  return told;
}

result<std::size_t> refresh(tracks::row_reader& rows, reel::feed* from, std::chrono::milliseconds wait) {
  using clock = std::chrono::steady_clock;
  constexpr auto look_interval = std::chrono::milliseconds(5);
  if (from != nullptr) {
    const auto came = from->pump(wait);
    // What came before belongs to the recording, whatever happened then.
    auto more = rows.refresh();
    if (!came) return fail(came.error());
    return more;
  }
  for (const auto until = clock::now() + wait;;) {
    auto more = rows.refresh();
    const auto left = until - clock::now();
    if (!more || *more != 0 || left <= clock::duration::zero()) return more;
    if (rows.contents().end == reel::reel_end::closed) return more;
    std::this_thread::sleep_for(std::min<clock::duration>(left, look_interval));
  }
}

const char* changed_type(std::span<const value_layout> wanted, std::span<const value_layout> recorded) {
  std::unordered_map<std::string_view, const value_layout*> by_name;
  for (const value_layout& one : recorded) by_name.emplace(one.name, &one);
  for (const value_layout& one : wanted) {
    const auto there = by_name.find(one.name);
    if (there == by_name.end()) continue;
    const value_layout& before = *there->second;
    const bool has_words = !one.enumerators.empty() && !before.enumerators.empty();
    const bool same_size = before.size_bytes == one.size_bytes || one.kind == value_kind::text || has_words;
    if (before.kind == one.kind && same_size && before.fraction_bits == one.fraction_bits) continue;
    return kept_sentence(describe(layout_difference{layout_change::changed, one.name, before, one}),
                         "a member was recorded as another type than it has now");
  }
  return nullptr;
}

}  // namespace tickreel::detail
