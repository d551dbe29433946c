#include "work_leases.hpp"

#include <algorithm>
#include <utility>

namespace tickreel::archive {

namespace {

using namespace std::chrono_literals;

// Longer than most steps without a call of pulse(): shorter timeouts expire on a busy machine.
constexpr auto longest_step = 20s;
// So often the work is extended, so that a step may take almost the whole time.
constexpr auto extended_every = 1s;

}  // namespace

result<std::optional<fleet::message>> work_leases::receive(fleet::work_queue& from,
                                                           std::chrono::milliseconds wait) {
  extend_kept();
  // The message may answer the request before, if this process was stopped after that.
  const auto now = clock::now();
  asked_at_ = is_answered_ ? now : asked_before_;
  asked_before_ = now;
  auto received = from.next(
      std::min<std::chrono::milliseconds>(wait, std::chrono::milliseconds(acknowledge_within_) / 4));
  if (received) is_answered_ = received->has_value();
  return received;
}

void work_leases::start(fleet::message& received) {
  current_ = &received;
  extended_at_ = asked_at_;
}

bool work_leases::pulse() {
  extend_kept();
  if (current_ == nullptr) return stopped_();
  const auto now = clock::now();
  const auto since = now - extended_at_;
  // Another archiver may have the work, and more records: what this one has must not replace them. A store needs
  // the last quarter to complete an object.
  if (since > std::max<clock::duration>(acknowledge_within_ * 3 / 4, longest_step)) is_lost_ = true;
  if (!is_lost_ && since > extended_every && current_->still_working()) extended_at_ = now;
  return is_lost_ || stopped_();
}

void work_leases::keep(fleet::message& checked, const std::string& reel) {
  checked_reels_.insert(reel);
  checked_messages_.insert(checked.stream_sequence());
  kept_.push_back(std::move(checked));
}

void work_leases::give_back_some() {
  if (chance_() % 2 == 0) return;
  for (fleet::message& each : kept_) (void)each.give_back(0ms);
  kept_.clear();
}

void work_leases::give_back_all() {
  for (fleet::message& each : kept_) (void)each.give_back(0ms);
  kept_.clear();
  is_answered_ = true;
}

void work_leases::extend_kept() {
  if (kept_.empty() || clock::now() - kept_extended_at_ < acknowledge_within_ / 4) return;
  kept_extended_at_ = clock::now();
  for (fleet::message& each : kept_) {
    if (!each.still_working()) return;  // the connection is cut; the others would fail, too
  }
}

}  // namespace tickreel::archive
