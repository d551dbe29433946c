#include "tick_lines.hpp"

#include <algorithm>
#include <utility>

#include "reels/reel_facts.hpp"

namespace tickreel::files {

void tick_lines::pass(std::uint64_t tick) {
  tick_ = tick;
  is_restored_ = is_missing_ = false;
  if (!first_tick_) first_tick_ = tick;
}

void tick_lines::restart() {
  is_restored_ = is_missing_ = false;
  forget_losses();
}

void tick_lines::forget_losses() {
  missing_lines_ = 0;
  first_tick_.reset();
}

const restored_lines& tick_lines::restore(const echo::line_reference& how, const echo::state& state) {
  if (!std::exchange(is_restored_, true)) {
    lines_.restore(*source_, tick_, how, state);
    if (lines_.whole_line().empty()) note_missing();
  }
  return lines_;
}

std::string_view tick_lines::text_after() {
  if (!std::exchange(is_restored_, true)) lines_.restore_text_around(*source_, tick_);
  return lines_.after();
}

void tick_lines::count(const echo::line_reference& how) {
  if (!is_restored_ && !lines_.has_what_it_needs(*source_, tick_, how)) note_missing();
}

bool tick_lines::waits(std::uint64_t tick, const echo::line_reference& how, std::size_t next_record) {
  const bool has_none = how.kind != echo::line_kind::shaped && how.kind != echo::line_kind::patched &&
                        how.kind != echo::line_kind::whole;
  if (has_none || lines_.has_what_it_needs(*source_, tick, how)) return false;
  if (source_->contents().end == reel::reel_end::closed) return false;
  const auto& records = source_->contents().records;
  const auto next = records.begin() + static_cast<std::ptrdiff_t>(next_record);
  return std::count_if(next, records.end(), [](const reel::record_info& each) {
           return each.kind == reel::record_kind::chunk;
         }) < 2;
}

void tick_lines::note_missing() {
  if (std::exchange(is_missing_, true)) return;
  if (missing_lines_++ == 0) first_missing_line_ = tick_;
}

void tick_lines::report(source_losses& to, bool to_end, bool is_reel_damaged) {
  to.missing_lines = missing_lines_;
  to.first_missing_line = first_missing_line_;
  // Without damaged records, the reel was written without lines.
  to.marked_missing_lines = missing_lines_ != 0 && (is_recovered(source_->head()) || !is_reel_damaged);
  if (first_tick_) {
    const unreadable_text found = lines_.unreadable_between(*source_, *first_tick_, tick_, to_end);
    to.skipped_lines = found.lines;
    to.first_skipped_line = found.first_line;
    to.first_skipped_offset = error::no_offset;
    to.first_skipped_reason = found.first_reason;
  }
  if (const auto& failure = lines_.failure()) {
    to.places.push_back("text of lines was not read: " + tickreel::describe(*failure));
  }
}

}  // namespace tickreel::files
