// What a walk over a reel has told of losses, for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/recover.hpp"

namespace tickreel::files {

class reel_losses {
 public:
  // Losses and gaps are kept, everything else is passed over.
  void note(const reel::item& next);
  void add(const reel::loss& lost);

  // Ticks that are lost, in gap records and beyond them, as far as they can be counted.
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }
  // Of those, what gap records tell.
  [[nodiscard]] std::uint64_t gap_ticks() const noexcept { return gap_ticks_; }
  // Something is lost that no gap record tells, and not just a last record that was never completed.
  [[nodiscard]] bool damaged() const noexcept { return damaged_; }
  // What came first is not in the reel: whoever has it joined late.
  [[nodiscard]] bool begins_late() const noexcept { return begins_late_; }
  // The tick with which it begins then, and how many came before; 0 where nobody knows.
  [[nodiscard]] std::uint64_t begins_at() const noexcept { return begins_at_; }
  [[nodiscard]] std::uint64_t ticks_before() const noexcept { return ticks_before_; }
  // Every loss with its ticks; those of a kind that follow each other as one.
  [[nodiscard]] std::vector<std::string> sentences() const;
  // The same for verify(): gaps are warnings, other losses errors. A record that is incomplete
  // because the reel is `being_recorded` is a note.
  void inspect(std::vector<finding>& out, bool being_recorded) const;

 private:
  void note_beginning(std::uint64_t last_before, std::uint64_t ticks) noexcept;

  struct gap_place {
    reel::gap told;
    reel::record_info info;
  };
  void merge(const reel::loss& lost);
  [[nodiscard]] bool goes_on(const reel::item& next) const;

  // Beyond this many they are only counted.
  static constexpr std::size_t most_places = 1000;
  std::vector<reel::loss> losses_;
  std::vector<gap_place> gaps_;
  // Places beyond those that are kept, and whether any of them is more than a part of `while_recording_`.
  std::uint64_t more_losses_ = 0;
  std::uint64_t more_gaps_ = 0;
  bool has_more_ = false;
  bool damaged_ = false;
  bool begins_late_ = false;
  std::uint64_t begins_at_ = 0;
  std::uint64_t ticks_before_ = 0;
  std::uint64_t while_recording_ = 0;  // of `gap_ticks_`
  std::uint64_t ticks_ = 0;
  std::uint64_t gap_ticks_ = 0;
};

// Of a whole reel.
result<reel_losses> losses_of(reel::reader& source);
// Of a part: those that have to do with any tick from `first_tick` to `last_tick`.
result<reel_losses> losses_of(reel::reader& source, std::uint64_t first_tick, std::uint64_t last_tick);

// What a copy lacks: ticks that its input lost, ticks that gap records of the input report as lost, and the
// end of an input that was not closed.
[[nodiscard]] std::vector<std::string> sentences_of_copy(const reel::recovery& done);

}  // namespace tickreel::files
