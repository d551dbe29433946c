#include "match_writer.hpp"

#include "facts.hpp"
#include "tickreel/bytes/reader.hpp"

namespace tickreel::game {

namespace {

// Blocks that can't be written wait for a disk with room; beyond this they are given up.
constexpr std::size_t unwritten_limit_bytes = 64u << 20;

// A game's hash has 64 bits; its first 8 bytes are what order frames carry.
icrep::digest digest_of(std::uint64_t state_hash) noexcept {
  icrep::digest out{};
  detail::store<std::endian::little>(out.data(), state_hash);
  return out;
}

}  // namespace

result<match_writer> match_writer::begin(std::string_view path, const match& about,
                                         const world_layout& layout, const recording_options& options,
                                         writer_losses& losses) {
  icrep::metadata facts = facts_of(about, layout);
  auto slots = icrep::slot_table::create(*facts.schema);
  if (!slots) return fail(slots.error());
  const auto beginning = icrep::begin_live_file(icrep::to_json(facts));
  if (!beginning) return fail(beginning.error());
  system_calls& calls = options.calls != nullptr ? *options.calls : system_calls::real();
  auto files = live_file::create(path, *beginning, calls);
  if (!files) return fail(files.error());
  return match_writer(std::move(*files), about, options, std::move(facts), *slots, losses);
}

match_writer::match_writer(live_file files, const match& about, const recording_options& options,
                           icrep::metadata facts, icrep::slot_table slots, writer_losses& losses)
    : files_(std::move(files)),
      about_(about),
      options_(options),
      facts_(std::move(facts)),
      slots_(slots),
      losses_(&losses),
      world_(*facts_.schema, about.seed, about.map_hash) {}

void match_writer::frame(std::uint64_t tick, std::uint64_t state_hash, byte_span orders) {
  frame_.tick = tick;
  frame_.state_hash = state_hash;
  if (state_hash == 0 && hashed_tick_ == tick) frame_.state_hash = hash_of_tick_;
  frame_.orders.clear();
  for (byte_reader in(orders); in.ok() && !in.at_end();) {
    icrep::timestamped_order& given = frame_.orders.emplace_back();
    given.player = in.u32();
    given.sub_tick_us = in.u32();
    icrep::order::game_order content;
    content.type_tag = in.u16();
    const byte_span payload = in.bytes(in.u32());
    content.payload.assign(payload.begin(), payload.end());
    given.order = std::move(content);
  }
  if (!orders_.add(frame_, order_blocks_)) return count(losses_->ticks);
  ++unwritten_frames_;
  total_ticks_ = tick + 1;
}

void match_writer::keyframe(std::uint64_t tick, std::uint64_t state_hash, byte_span notes, bool whole) {
  world_.apply(notes, whole);
  icrep::sim_snapshot now = world_.snapshot(tick);
  icrep::digest hash = digest_of(state_hash);
  if (state_hash != 0) {
    has_own_hashes_ = true;
  } else {
    hash = icrep::core_hash(now.core);
    hashed_tick_ = tick;
    hash_of_tick_ = icrep::sync_hash(hash);
  }
  // By the tick and not by counting, so that a group whose full keyframe was lost starts with the next one.
  const std::uint64_t number =
      tick / options_.keyframe_interval_ticks / std::max(1u, options_.full_keyframe_every);
  if (group_ && number == group_number_) {
    const auto delta = group_->delta(now);
    if (delta) {
      (void)write_keyframe(tick, false, icrep::to_bytes(*delta));
      return;
    }
    if (delta.error().code != error_code::unsupported_operation) return count(losses_->keyframes);
  }
  group_number_ = number;
  write_full(std::move(now), hash);
}

void match_writer::write_full(icrep::sim_snapshot now, const icrep::digest& hash) {
  group_.reset();
  const std::uint64_t tick = now.core.tick;
  const byte_vector raw = icrep::to_bytes(now);
  auto group = icrep::delta_group::begin(std::move(now), hash, slots_);
  if (!group) return count(losses_->keyframes);
  // Only what is in the file can be built upon.
  if (write_keyframe(tick, true, raw)) group_ = std::move(*group);
}

bool match_writer::write_keyframe(std::uint64_t tick, bool full, byte_span raw) {
  byte_vector block;
  if (!icrep::append_keyframe_block(block, tick, full, raw)) {
    count(losses_->keyframes);
    return false;
  }
  if (!files_.append_keyframe(block)) {
    count(losses_->keyframes);
    count(losses_->failed_writes);
    return false;
  }
  return true;
}

void match_writer::event(const analysis::event& happened) {
  if (!events_.add(happened, event_blocks_)) return count(losses_->events);
  ++unwritten_events_;
}

void match_writer::tend() {
  const clock::time_point now = clock::now();
  if (now - flushed_at_ >= std::chrono::milliseconds(options_.flush_interval_ms)) {
    flush();
    flushed_at_ = now;
  } else {
    write_orders();
    write_events();
  }
  if (options_.sync_interval_ms != 0 &&
      now - synced_at_ >= std::chrono::milliseconds(options_.sync_interval_ms)) {
    if (!files_.sync()) count(losses_->failed_writes);
    synced_at_ = now;
  }
}

void match_writer::flush() {
  (void)orders_.flush(order_blocks_);
  (void)events_.flush(event_blocks_);
  write_orders();
  write_events();
}

void match_writer::write_orders() {
  if (order_blocks_.empty()) return;
  if (!files_.append_orders(order_blocks_)) {
    count(losses_->failed_writes);
    if (order_blocks_.size() <= unwritten_limit_bytes) return;
    count(losses_->ticks, unwritten_frames_);
  }
  order_blocks_.clear();
  unwritten_frames_ = 0;
}

void match_writer::write_events() {
  if (event_blocks_.empty()) return;
  if (!files_.append_events(event_blocks_)) {
    count(losses_->failed_writes);
    if (event_blocks_.size() <= unwritten_limit_bytes) return;
    count(losses_->events, unwritten_events_);
  }
  event_blocks_.clear();
  unwritten_events_ = 0;
}

result<end_report> match_writer::finish(const match_result& how, std::uint64_t lost_ticks,
                                        std::uint64_t lost_keyframes) {
  flush();
  if (!order_blocks_.empty()) {
    return fail(error_code::io_failed, error::no_offset, "{} bytes of orders could not be written",
                static_cast<std::int64_t>(order_blocks_.size()));
  }
  if (!event_blocks_.empty()) count(losses_->events, unwritten_events_);
  finish_facts(facts_, about_, how, total_ticks_);
  if (!has_own_hashes_) facts_.state_hash = "core-sha256";
  icrep::finish_options::orderly closing;
  closing.facts = facts_;
  if (how.state_hash != 0) closing.final_state_hash = digest_of(how.state_hash);
  const std::uint64_t lost = lost_ticks + lost_keyframes + losses_->ticks.load() + losses_->keyframes.load();
  closing.lost_frame_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(lost, UINT32_MAX));
  icrep::finish_options options;
  options.closed = std::move(closing);
  const auto size = files_.finish(options);
  if (!size) return fail(size.error());
  end_report report;
  report.total_ticks = total_ticks_;
  report.file_bytes = *size;
  return report;
}

}  // namespace tickreel::game
