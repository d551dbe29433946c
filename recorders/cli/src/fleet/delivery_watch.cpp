#include "delivery_watch.hpp"

#include <algorithm>
#include <utility>

namespace tickreel::cli {

// The queue of a closed sink is freed with it, so no view of it may remain.
class delivery_watch::watched_sink final : public reel::sink {
 public:
  watched_sink(delivery_watch& of, std::unique_ptr<reel::queued_sink> to) : of_(&of), to_(std::move(to)) {}
  ~watched_sink() override { (void)close(); }
  watched_sink(const watched_sink&) = delete;
  watched_sink& operator=(const watched_sink&) = delete;

  result<void> accept_header(byte_span bytes) override { return to_->accept_header(bytes); }
  result<void> accept_record(const reel::record_info& info, byte_span bytes) override {
    return to_->accept_record(info, bytes);
  }
  [[nodiscard]] bool catches_up() const noexcept override { return to_->catches_up(); }
  result<void> sync() override { return to_->sync(); }
  result<void> close() override {
    auto closed = to_->close();
    of_->forget(this);
    return closed;
  }

 private:
  delivery_watch* of_;
  std::unique_ptr<reel::queued_sink> to_;
};

std::unique_ptr<reel::sink> delivery_watch::watch(const file_path& reel,
                                                  std::unique_ptr<reel::queued_sink> sink) {
  reel::queue_view view = sink->view();
  auto made = std::make_unique<watched_sink>(*this, std::move(sink));
  const std::lock_guard lock(mutex_);
  all_.push_back({made.get(), reel, std::move(view)});
  return made;
}

bool delivery_watch::works(const reel::queue_counters& counters) {
  return !counters.trouble && counters.confirmed != 0 && (counters.connected || counters.ended);
}

void delivery_watch::forget(const watched_sink* sink) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const auto& each) { return each.sink == sink; });
  if (found == all_.end()) return;
  const watched gone = std::move(*found);
  all_.erase(found);
  // A reel without an end, because its recorder crashed, can grow.
  const reel::queue_counters counters = gone.view.counters();
  if (counters.ended) {
    recovered_ = gone.reel;
    return;
  }
  if (counters.accepted == 0) return;
  undelivered_.push_back(gone.reel);
  // If other matches are delivered meanwhile, the broker was not away: the failure belongs to this match
  // alone.
  const bool others_delivered =
      std::any_of(all_.begin(), all_.end(), [](const auto& each) { return works(each.view.counters()); });
  if (others_delivered)
    std::erase_if(reported_, [&](const reported_trouble& each) { return each.reel == gone.reel; });
}

std::vector<delivery_watch::change> delivery_watch::take() {
  const std::lock_guard lock(mutex_);
  std::vector<change> out;
  bool any_failure = false;
  std::optional<file_path> working = std::exchange(recovered_, std::nullopt);
  for (const watched& each : all_) {
    const reel::queue_counters counters = each.view.counters();
    if (works(counters)) working = each.reel;
    if (!counters.trouble) continue;
    any_failure = true;
    const error_code code = counters.trouble->code;
    const bool is_reported = std::any_of(reported_.begin(), reported_.end(),
                                         [&](const reported_trouble& one) { return one.code == code; });
    if (is_reported) continue;
    reported_.push_back({code, each.reel});
    out.push_back({each.reel, counters.trouble});
  }
  if (!any_failure && working && !reported_.empty()) {
    out.push_back({*working, std::nullopt});
    reported_.clear();
  }
  return out;
}

delivery_totals delivery_watch::totals() const {
  const std::lock_guard lock(mutex_);
  delivery_totals out;
  for (const watched& each : all_) {
    const reel::queue_counters counters = each.view.counters();
    out.lag_records += counters.lag_records;
    out.lag_bytes += counters.lag_bytes;
    out.lag_seconds = std::max(out.lag_seconds, counters.lag_seconds);
    out.failing += counters.trouble ? 1u : 0u;
  }
  out.undelivered = undelivered_.size();
  return out;
}

std::vector<file_path> delivery_watch::undelivered() const {
  const std::lock_guard lock(mutex_);
  return undelivered_;
}

}  // namespace tickreel::cli
