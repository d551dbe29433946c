// Collects the losses that the frame iterator reports, and describes them for users.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reel_facts.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/recover.hpp"

namespace tickreel::files {

class reel_losses {
 public:
  // Collects losses and gaps, and ignores all other items.
  void note(const reel::item& next);
  void add(const reel::loss& lost);

  // Lost ticks, in gap records and beyond, as far as they can be counted.
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }
  // Of those, the ticks in gap records.
  [[nodiscard]] std::uint64_t gap_ticks() const noexcept { return gap_ticks_; }
  // Losses between ticks whose number of ticks is unknown.
  [[nodiscard]] std::uint64_t unknown_places() const noexcept { return unknown_places_; }
  // True if a loss is not in a gap record and is not just an incomplete last record.
  [[nodiscard]] bool damaged() const noexcept { return damaged_; }
  // The reel lacks its first ticks: its writer joined late.
  [[nodiscard]] bool begins_late() const noexcept { return begins_late_; }
  // Its first tick then, and the number of ticks before it; 0 if unknown.
  [[nodiscard]] std::uint64_t begins_at() const noexcept { return begins_at_; }
  [[nodiscard]] std::uint64_t ticks_before() const noexcept { return ticks_before_; }
  // Every loss with its ticks; consecutive losses of one kind are merged.
  [[nodiscard]] std::vector<std::string> sentences() const;
  // The same for verify(): gaps are warnings, other losses errors. A record that is incomplete
  // because the reel is `being_recorded` is a note.
  void inspect(std::vector<finding>& out, bool being_recorded) const;

 private:
  void note_beginning(std::uint64_t last_before, std::uint64_t ticks) noexcept;

  struct gap_place {
    reel::gap reported;
    reel::record_info info;
  };
  void merge(const reel::loss& lost);
  [[nodiscard]] bool continues(const reel::item& next) const;

  // Further losses are only counted.
  static constexpr std::size_t max_places = 1000;
  std::vector<reel::loss> losses_;
  std::vector<gap_place> gaps_;
  // Losses beyond the limit, and whether any of them is not a part of `while_recording_`.
  std::uint64_t more_losses_ = 0;
  std::uint64_t more_gaps_ = 0;
  bool has_more_ = false;
  bool damaged_ = false;
  bool begins_late_ = false;
  std::uint64_t begins_at_ = 0;
  std::uint64_t ticks_before_ = 0;
  std::uint64_t while_recording_ = 0;  // a part of `gap_ticks_`
  std::uint64_t ticks_ = 0;
  std::uint64_t gap_ticks_ = 0;
  std::uint64_t unknown_places_ = 0;
};

// A gap precedes the chunk that contains its place, and is a loss when a later tick comes: keeps gaps until then.
class held_losses {
 public:
  // Reading continues at this record.
  void restart(std::size_t record);
  // `next_record` follows the record of the item. What ends before `first_tick` is ignored; what is not held is noted in
  // `into`.
  void note(const reel::item& next, std::size_t next_record, std::uint64_t first_tick, reel_losses& into);
  // Notes the losses before `tick`. Those before a tick that a search skips are before its place.
  void pass(std::uint64_t tick, bool is_skipped, reel_losses& into);
  void note_all(reel_losses& into);
  // The caller dropped the noted losses: a gap whose chunk continues is noted again.
  void forget() noexcept;

 private:
  struct held_loss {
    reel::item what;
    reel::record_info info;
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
    bool at_entrance = false;  // its record precedes that of the first frame
    bool is_noted = false;
  };
  static void note(held_loss& one, reel_losses& into);

  std::vector<held_loss> held_;
  std::size_t entrance_ = 0;  // the record of the last restart()
  bool is_at_entrance_ = false;
};

[[nodiscard]] inline stated_losses counted_losses(const reel_losses& all) noexcept {
  return {all.ticks(), all.unknown_places()};
}

// The losses of a whole reel.
result<reel_losses> losses_of(reel::reader& source);
// The losses that affect any tick from `first_tick` to `last_tick`.
result<reel_losses> losses_of(reel::reader& source, std::uint64_t first_tick, std::uint64_t last_tick);

// Losses of a copy: ticks that its input lost, ticks that gap records of the input report as lost, and the
// end of an unclosed input.
[[nodiscard]] std::vector<std::string> sentences_of_copy(const reel::recovery& done);

}  // namespace tickreel::files
