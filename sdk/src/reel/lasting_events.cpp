#include "lasting_events.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::reel {

void lasting_events::remember(const record_info& info, std::uint32_t sequence, std::uint32_t type,
                              byte_span payload, std::uint64_t chunks) {
  constexpr std::size_t max_lasting_bytes = 32u << 20;
  constexpr std::size_t max_lasting_events = 4096;
  const bool known = std::any_of(events_.begin(), events_.end(), [&](const lasting_event& each) {
    return each.type == type &&
           std::equal(payload.begin(), payload.end(), each.payload.begin(), each.payload.end());
  });
  if (known || events_.size() == max_lasting_events || bytes_ + payload.size() > max_lasting_bytes) return;
  lasting_event one;
  one.about = info;
  one.about.flags = repeats_event;
  one.about.frames = sequence;
  one.type = type;
  one.payload.assign(payload.begin(), payload.end());
  one.copied_at = chunks;
  bytes_ += payload.size();
  events_.push_back(std::move(one));
}

result<std::uint64_t> lasting_events::restore(reader& from, std::size_t kept) {
  std::uint64_t chunks = 0;
  record copy;
  std::unordered_map<std::uint32_t, std::size_t> places;  // in `events_`, by the sequence of the first copy
  for (std::size_t number = 0; number < kept; ++number) {
    const record_info& info = from.contents().records[number];
    if (info.kind == record_kind::chunk) ++chunks;
    if (!info.lasts() && !info.repeats()) continue;
    const std::uint32_t sequence = info.repeats() ? info.frames : info.sequence;
    if (const auto known = places.find(sequence); known != places.end()) {
      note_copy(events_[known->second], chunks);
      continue;
    }
    // A damaged copy is skipped: one of the next ones is sound, or the event is lost.
    if (const auto done = from.read(number, copy); !done) {
      if (is_damage(done.error().code)) continue;
      return fail(done.error());
    }
    byte_reader payload(copy.payload);
    remember(info, sequence, payload.u32(), copy.payload, chunks);
    if (!events_.empty() && events_.back().about.frames == sequence) {
      places.emplace(sequence, events_.size() - 1);
    }
  }
  return chunks;
}

void lasting_events::note_copy(lasting_event& each, std::uint64_t chunks) noexcept {
  constexpr std::uint64_t longest_interval = 64;  // chunks
  ++each.copies;
  each.copied_at = chunks;
  each.interval = std::min(each.interval * 2, longest_interval);
}

}  // namespace tickreel::reel
