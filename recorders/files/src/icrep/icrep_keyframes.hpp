// Iterates over the states at the keyframes of a match. Each costs its own delta, not its whole group.
#pragma once

#include <optional>

#include "tickreel/icrep/reader.hpp"

namespace tickreel::files {

class icrep_keyframes {
 public:
  // Both must outlive this.
  icrep_keyframes(const icrep::reader& from, const icrep::slot_table& slots) noexcept
      : from_(from), slots_(slots) {}

  // The state at keyframe `number`, valid until the next call. Fails as icrep::reader::snapshot() does.
  result<const icrep::sim_snapshot*> state(std::size_t number);

 private:
  result<void> follow(std::size_t number);

  const icrep::reader& from_;
  const icrep::slot_table& slots_;
  std::optional<std::size_t> full_number_;  // of the state in full_
  std::optional<std::size_t> number_;       // of the state in now_
  icrep::sim_snapshot full_;
  icrep::sim_snapshot now_;
  // The baseline hash in the group's deltas; the reader checked the first.
  icrep::digest baseline_hash_{};
  bool baseline_checked_ = false;
};

}  // namespace tickreel::files
