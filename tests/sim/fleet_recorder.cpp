#include "fleet_recorder.hpp"

#include <algorithm>
#include <utility>

#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/recover.hpp"

namespace tickreel::sim {

fleet_recorder::fleet_recorder(const script& what, const fleet::nats_url& url, machines& system,
                               broker_model& broker, const archive_checks& archive)
    : script_(what),
      url_(url),
      system_(system),
      broker_(broker),
      archive_(archive),
      world_(make_world(what.format)) {}

void fleet_recorder::take(const step& one) {
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(one.first, 0));
  switch (one.what) {
    case verb::open:
      return open();
    case verb::push:
    case verb::burst:
      for (std::uint64_t left = count; left > 0 && is_recording(); --left) {
        push();
        if (one.what == verb::push && is_recording()) world_->pump();
      }
      return;
    case verb::pump:
      if (is_recording()) world_->pump();
      return;
    case verb::event:
      for (std::uint64_t left = count; left > 0 && is_recording(); --left) world_->event();
      return;
    case verb::gap:
      if (!is_recording()) return;
      world_->gap(was_.pushed, count, time_of(was_.pushed));
      was_.pushed += count;
      return;
    case verb::fault:
      return plan(disk_, one, death_);
    case verb::heal:
      return disk_.heal();
    case verb::close:
      return close();
    case verb::recover:
      return recover();
    case verb::cut:
      return restart(static_cast<cut>(one.first), static_cast<std::uint64_t>(one.second));
    case verb::deliver:
      return deliver(count);
    case verb::republish:
      return (void)republish(one.first);
    default:
      return;
  }
}

fleet::publish_options fleet_recorder::options() const {
  fleet::publish_options how;
  how.host = "sim";
  how.keep_bytes = script_.keep_bytes == 0 ? -1 : std::int64_t{script_.keep_bytes};
  how.drop_oldest = script_.keep_bytes != 0;
  how.queue.mode = threading::pumped;
  how.queue.jitter_percent = 0;
  how.queue.max_records = std::max(script_.queue_records, 1u);
  return how;
}

void fleet_recorder::open() {
  if (has_begun_ || disk_.exists(world_->reel_path())) return;
  broker_.now = client::recorder;
  auto sink = fleet::publish_to(url_, world_->reel_path(), options());
  require(sink.has_value(), "no sink", sink);
  const reel::queue_view view = (*sink)->view();
  world_->sinks.clear();
  world_->sinks.push_back(std::move(*sink));
  const auto opened = world_->open(script_);
  if (!opened) return;
  view_ = view;
  has_begun_ = true;
  const byte_vector bytes = disk_.content(world_->reel_path());
  if (const auto read = reel::reader::from_memory(bytes))
    was_.id = fleet::reel_id(read->header_bytes(), broker_.subjects);
}

void fleet_recorder::push() {
  world_->push(was_.pushed, time_of(was_.pushed));
  ++was_.pushed;
  advance_clock(script_.tick_ms * std::int64_t{1000});
}

void fleet_recorder::deliver(std::uint64_t count) {
  broker_.now = client::recorder;
  for (; count > 0 && is_recording(); --count) {
    if (!view_->pump()) advance_clock(20'000);
  }
}

void fleet_recorder::work_meanwhile() {
  if (script_.interleave == 0 || !is_recording() || ++calls_between_ % script_.interleave != 0) return;
  push();
  world_->pump();
  (void)view_->pump();
}

void fleet_recorder::close() {
  if (!is_recording()) return;
  broker_.now = client::recorder;
  const auto closed = world_->close();
  if (disk_.is_dead()) return;
  has_delivered_ = view_->counters().ended;
  view_.reset();
  if (has_delivered_) check_delivered();
  if (closed) {
    require(closed->counters.pushed + closed->counters.dropped + closed->counters.noted == was_.pushed,
            "ticks are not counted");
    was_.closed = closed->counters.failed_writes == 0 && closed->counters.failed_syncs == 0;
  }
  world_->abandon();
}

void fleet_recorder::recover() {
  if (view_ || !disk_.exists(world_->reel_path())) return;
  has_changed_ = has_changed_ || !was_.closed;
  (void)reel::recover_in_place(world_->reel_path());
}

void fleet_recorder::restart(cut how, std::uint64_t seed) {
  ++cuts_;
  disk_.die();
  broker_.set_dead(client::recorder, true);
  broker_.now = client::recorder;
  world_->abandon();
  view_.reset();
  generator random(seed);
  disk_.restart(how, random);
  broker_.set_dead(client::recorder, false);
  // What was delivered and is not on the disk any more.
  has_changed_ = has_changed_ || (how != cut::all && !was_.closed);
}

bool fleet_recorder::republish(std::int64_t ms) {
  if (view_ || !disk_.exists(world_->reel_path())) return false;
  broker_.now = client::recorder;
  const std::int64_t until = simulated_now_us() + ms * 1000;
  const auto done = fleet::publish_reel(url_, world_->reel_path(), options(), [&](const auto&) {
    return !disk_.is_dead() && simulated_now_us() < until;
  });
  republish_failure_ = done ? std::nullopt : std::optional<error>(done.error());
  if (done && done->counters.trouble) republish_failure_ = done->counters.trouble;
  if (done) dropped_ = done->dropped;
  if (done) lost_ = done->counters.lost;
  if (done) check_delivered();
  return done.has_value();
}

void fleet_recorder::check_delivered() {
  if (script_.message_bytes < 1u << 20 || script_.keep_bytes != 0) return;
  system_.without_faults([&] {
    auto reel = reel::reader::open(world_->reel_path());
    if (!reel || archive_.index_of(was_.id)) return;
    byte_vector bytes;
    for (std::size_t i = 0; i < reel->contents().records.size(); ++i) {
      require(!reel->read_stored(i, bytes) || broker_.has(bytes),
              "the stream lacks a record that was reported as delivered");
    }
  });
}

void fleet_recorder::restart_if_dead() {
  if (disk_.is_dead()) restart(death_, disk_.calls());
}

}  // namespace tickreel::sim
