#include "record_set.hpp"

#include <algorithm>
#include <iterator>

#include "tickreel/reel/reader.hpp"

namespace tickreel::archive {

bool record_set::contains(const record_set& other) const {
  if (!is_known || end < other.end) return false;
  return std::ranges::all_of(missing, [&](const store::record_range& hole) {
    if (hole.first >= other.end) return true;
    const std::uint64_t last = std::min(hole.last, other.end - 1);
    const auto later = std::ranges::upper_bound(other.missing, hole.first, {}, &store::record_range::first);
    return later != other.missing.begin() && last <= std::prev(later)->last;
  });
}

record_set records_of(const store::index_object& stored) {
  return {stored.records, stored.missing, stored.lost_records == 0 || !stored.missing.empty()};
}

result<record_set> records_of(const file_path& assembled, std::uint64_t end) {
  const auto opened = reel::reader::open(assembled, {}, true);
  if (!opened) return fail(opened.error());
  record_set out{end, {}, true};
  std::uint64_t next = 0;
  for (const reel::record_info& each : opened->contents().records) {
    // An index, also that of a reel without all of its records, lists missing ones: as damaged.
    if (each.damaged) continue;
    if (each.sequence > next) out.missing.push_back({next, each.sequence - std::uint64_t{1}});
    next = each.sequence + std::uint64_t{1};
  }
  if (next < end) out.missing.push_back({next, end - 1});
  return out;
}

}  // namespace tickreel::archive
