#include "starting_places.hpp"

#include <algorithm>

namespace tickreel::fleet {

void starting_places::note_all(const stored_records& stored) {
  status_.header_at = status_.update_at = status_.keyframe_at = status_.keyframe_sequence = 0;
  // Messages before the remaining ones may have been discarded.
  if (stream_created_ns_ != stored.facts().created_ns) status_.first_at = 0;
  stream_created_ns_ = stored.facts().created_ns;
  update_sequence_ = 0;
  status_.lasting_at.clear();
  status_.more_lasting = false;
  for (const auto& [place, part] : stored.parts()) note(place, part);
  // For a resent record, the older messages may come first.
  status_.keyframe_at = 0;
  for (const auto& [place, part] : stored.parts()) {
    if (part.content.record == header_record_key || part.content.record < status_.keyframe_sequence) continue;
    if (status_.keyframe_sequence == 0 && !part.entry) continue;
    status_.keyframe_at = place;
    break;
  }
}

void starting_places::note(std::uint64_t place, const stored_part& part) {
  const std::uint64_t record = part.content.record;
  if (record == header_record_key) {
    if (part.part == 0) status_.header_at = place;
    return;
  }
  status_.first_at = status_.first_at == 0 ? place : std::min(status_.first_at, place);
  if (part.part != 0) return;
  if (part.kind == reel::record_kind::header_update && record >= update_sequence_) {
    status_.update_at = place;
    update_sequence_ = record;
  }
  if (part.lasts) note_lasting(place);
  if (part.entry && (status_.keyframe_at == 0 || record > status_.keyframe_sequence)) {
    status_.keyframe_at = place;
    status_.keyframe_sequence = record;
  }
  // Stored by an earlier connection, before a preceding record.
  if (record > status_.keyframe_sequence) status_.keyframe_at = std::min(status_.keyframe_at, place);
}

void starting_places::note_lasting(std::uint64_t place) {
  std::vector<std::uint64_t>& known = status_.lasting_at;
  if (std::ranges::find(known, place) != known.end()) return;
  if (known.size() < max_lasting_events) {
    known.push_back(place);
  } else {
    status_.more_lasting = true;
  }
}

}  // namespace tickreel::fleet
