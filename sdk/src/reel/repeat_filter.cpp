#include <algorithm>

#include "tickreel/reel/frame_stream.hpp"

namespace tickreel::reel {

result<bool> repeat_filter::takes(reader& reel, std::size_t number) {
  const auto& records = reel.contents().records;
  const std::uint32_t first = records[number].frames;
  if (known_.contains(first)) return false;
  const auto place = std::lower_bound(
      records.begin(), records.end(), first,
      [](const record_info& each, std::uint32_t sequence) { return each.sequence < sequence; });
  const bool listed = place != records.end() && place->sequence == first && place->lasts();
  if (listed) {
    const auto read = reel.read(static_cast<std::size_t>(place - records.begin()), first_copy_);
    // A failure to read is not damage: the first copy may be intact.
    if (!read && !is_damage(read.error().code)) return fail(read.error());
    known_.insert(first);
    return !read;
  }
  known_.insert(first);
  return true;
}

}  // namespace tickreel::reel
