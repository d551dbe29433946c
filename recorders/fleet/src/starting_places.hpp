// Where subscribers can begin to read the messages of a reel.
#pragma once

#include <cstdint>

#include "stored_records.hpp"
#include "tickreel/fleet/message.hpp"

namespace tickreel::fleet {

// Sets the places in the status of a reel, which must outlive it.
class starting_places {
 public:
  explicit starting_places(match_status& status) noexcept : status_(status) {}

  // From all records in the stream.
  void note_all(const stored_records& stored);
  // From one that was stored now.
  void note(std::uint64_t place, const stored_part& part);

 private:
  void note_lasting(std::uint64_t place);

  match_status& status_;
  std::uint64_t update_sequence_ = 0;
  std::int64_t stream_created_ns_ = 0;
};

}  // namespace tickreel::fleet
