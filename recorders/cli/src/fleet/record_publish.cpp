#include "record_publish.hpp"

#include <fmt/format.h>

#include <utility>

#include "console/console.hpp"

namespace tickreel::cli {

// A queue's memory goes with it: nobody else may keep the view of one that is closed.
class delivery_watch::watched_sink final : public reel::sink {
 public:
  watched_sink(delivery_watch& of, std::unique_ptr<reel::queued_sink> to) : of_(&of), to_(std::move(to)) {}
  ~watched_sink() override { of_->forget(this, false); }
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
    of_->forget(this, !closed);
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
  all_.push_back({made.get(), reel, std::move(view), std::nullopt, 0});
  return made;
}

void delivery_watch::forget(const watched_sink* sink, bool lacks_something) {
  const std::lock_guard lock(mutex_);
  std::erase_if(all_, [&](const watched& each) {
    if (each.sink != sink) return false;
    if (lacks_something) undelivered_.push_back(each.reel);
    return true;
  });
}

std::vector<delivery_watch::news> delivery_watch::take() {
  const std::lock_guard lock(mutex_);
  std::vector<news> out;
  bool any_trouble = false;
  bool any_works = false;
  for (watched& each : all_) {
    const reel::queue_counters counters = each.view.counters();
    if (!counters.connected && counters.last_error && !counters.ended) {
      if (!each.trouble) each.confirmed = counters.confirmed;
      each.trouble = counters.last_error->code;
      if (told_.emplace(*each.trouble, each.reel).second) out.push_back({each.reel, counters.last_error});
    } else if (each.trouble) {
      // A broker that lets everybody in and takes nothing is not back.
      if (counters.ended || counters.behind_records == 0 || counters.confirmed > each.confirmed) {
        each.trouble.reset();
      }
    }
    any_trouble = any_trouble || each.trouble;
    any_works = any_works || (!each.trouble && counters.confirmed != 0);
  }
  if (!any_trouble && any_works && !told_.empty()) {
    out.push_back({told_.begin()->second, std::nullopt});
    told_.clear();
  }
  return out;
}

std::vector<file_path> delivery_watch::undelivered() const {
  const std::lock_guard lock(mutex_);
  return undelivered_;
}

std::optional<echo_vr::match_sinks> published_matches(const publish_arguments& arguments,
                                                      echo_vr::record_format first, delivery_watch& watch) {
  auto url = broker_address(arguments.url, "--publish " + arguments.url);
  if (!url) return std::nullopt;
  if (!url->match.empty()) {
    (void)report_usage(
        fmt::format("--publish {}: matches are called as their files; leave the name out", arguments.url));
    return std::nullopt;
  }
  auto options = arguments.options();
  if (!options) return std::nullopt;
  return [url = std::move(*url), options = std::move(*options), first,
          &watch](const echo_vr::match_reel& match) {
    std::vector<std::unique_ptr<reel::sink>> out;
    if (match.format != first) return out;
    auto made = fleet::publish_to(url, match.path, options);
    if (made) {
      out.push_back(watch.watch(match.path, std::move(*made)));
    } else {
      // The match is recorded all the same, and can be published later under another name.
      report_error(match.path, made.error());
    }
    return out;
  };
}

}  // namespace tickreel::cli
