#include "match_writer.hpp"

#include <algorithm>

#include "facts.hpp"
#include "tickreel/bytes/reader.hpp"

namespace tickreel::game {

namespace {

// What finishing adds to a file beyond its streams: metadata, indices, check values, signatures.
constexpr std::uint64_t finishing_bytes = 2u << 20;

// A game's hash has 64 bits; its first 8 bytes are what order frames carry.
icrep::digest digest_of(std::uint64_t state_hash) noexcept {
  icrep::digest out{};
  detail::store<std::endian::little>(out.data(), state_hash);
  return out;
}

}  // namespace

result<std::unique_ptr<match_writer>> match_writer::begin(std::string_view path, const match& about,
                                                          const world_layout& layout,
                                                          const recording_options& options,
                                                          writer_losses& losses) {
  icrep::metadata facts = facts_of(about, layout, options);
  auto slots = icrep::slot_table::create(*facts.schema);
  if (!slots) return fail(slots.error());
  system_calls& calls = options.calls != nullptr ? *options.calls : system_calls::real();
  auto output = options.file == container::reel
                    ? create_reel_output(path, facts, options.reel_codec, calls, losses)
                    : create_icrep_output(path, facts, options.record_voice, calls, losses);
  if (!output) return fail(output.error());
  std::unique_ptr<match_writer> made(new match_writer(about, options, std::move(facts), *slots, losses));
  made->output_ = std::move(*output);
  return made;
}

match_writer::match_writer(const match& about, const recording_options& options, icrep::metadata facts,
                           const icrep::slot_table& slots, writer_losses& losses)
    : about_(about),
      options_(options),
      facts_(std::move(facts)),
      slots_(slots),
      losses_(&losses),
      world_(*facts_.schema, about.seed, about.map_hash) {
  if (options.detect) watcher_.emplace(*options.detect, slots_);
  if (options.signing_key_seed) {
    signer_ = std::make_unique<match_signer>(
        *options.signing_key_seed, icrep::chain_subject{facts_.replay_id, about.map_hash, about.seed},
        options.signing_interval_ticks);
    // The signer has it now, and takes care of it.
    options_.signing_key_seed.reset();
  }
}

bool match_writer::has_room(std::uint64_t bytes) {
  if (full_) return false;
  if (output_->size_bytes() + bytes + finishing_bytes <= options_.file_limit_bytes) return true;
  // One frame at least is missing: the one that found no room.
  reached_limit_ = true;
  full_ = close({}, losses_->ticks.load() + losses_->keyframes.load() + 1);
  return false;
}

void match_writer::frame(std::uint64_t tick, std::uint64_t state_hash, byte_span orders) {
  if (!has_room(orders.size() + 64)) return writer_losses::count(losses_->ticks);
  frame_.tick = tick;
  frame_.state_hash = state_hash;
  const bool is_made = state_hash == 0 && hashed_tick_ == tick;
  if (is_made) frame_.state_hash = icrep::sync_hash(made_hash_);
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
  output_->frame(frame_);
  total_ticks_ = tick + 1;
  if (signer_) {
    const icrep::digest hash = is_made ? made_hash_ : digest_of(state_hash);
    signer_->frame(tick, is_made || state_hash != 0 ? &hash : nullptr);
  }
}

void match_writer::keyframe(std::uint64_t tick, std::uint64_t state_hash, byte_span notes, bool whole) {
  if (full_) return writer_losses::count(losses_->keyframes);
  world_.apply(notes, whole);
  icrep::sim_snapshot now = world_.snapshot(tick);
  icrep::digest hash = digest_of(state_hash);
  if (state_hash != 0) {
    has_own_hashes_ = true;
  } else {
    hash = icrep::core_hash(now.core);
    hashed_tick_ = tick;
    made_hash_ = hash;
  }
  if (output_->lost_keyframe()) group_.reset();
  // By the tick and not by counting, so that a group whose full keyframe was lost starts with the next one.
  const std::uint64_t number =
      tick / options_.keyframe_interval_ticks / std::max(1u, options_.full_keyframe_every);
  if (watcher_) watcher_->look(now, found_);
  const auto delta = group_ && number == group_number_
                         ? group_->delta(now)
                         : result<icrep::delta_snapshot>(fail(error_code::unsupported_operation));
  if (delta) {
    const byte_vector raw = icrep::to_bytes(*delta);
    if (!has_room(raw.size())) return writer_losses::count(losses_->keyframes);
    (void)output_->keyframe(tick, false, raw);
  } else if (delta.error().code == error_code::unsupported_operation) {
    // A delta can't say it: a player, a cell or a singleton is gone, or a group begins.
    group_number_ = number;
    (void)write_full(std::move(now), hash);
  } else {
    writer_losses::count(losses_->keyframes);
  }
  write_events(found_);
}

bool match_writer::write_full(icrep::sim_snapshot now, const icrep::digest& hash) {
  group_.reset();
  const std::uint64_t tick = now.core.tick;
  const byte_vector raw = icrep::to_bytes(now);
  // Readers would refuse it.
  auto group = now.core.entities.size() <= icrep::limits{}.entities
                   ? icrep::delta_group::begin(std::move(now), hash, slots_)
                   : result<icrep::delta_group>(fail(error_code::over_limit));
  if (!group || !has_room(raw.size())) {
    writer_losses::count(losses_->keyframes);
    return false;
  }
  // Only what is in the file can be built upon.
  if (!output_->keyframe(tick, true, raw)) return false;
  group_ = std::move(*group);
  return true;
}

void match_writer::write_events(std::vector<analysis::event>& found) {
  for (const analysis::event& one : found) {
    if (full_) {
      writer_losses::count(losses_->events);
    } else {
      output_->event(one);
    }
  }
  found.clear();
}

void match_writer::event(const analysis::event& happened) {
  if (!has_room(256)) return writer_losses::count(losses_->events);
  output_->event(happened);
  if (!watcher_) return;
  watcher_->happened(happened, found_);
  write_events(found_);
}

void match_writer::voice(std::uint64_t tick, const icrep::voice::record& said) {
  const auto* frame = std::get_if<icrep::voice::frame>(&said);
  if (!has_room(64 + (frame != nullptr ? frame->opus.size() : 0))) {
    return writer_losses::count(losses_->voice);
  }
  output_->voice(tick, said);
}

void match_writer::tend() {
  if (full_) return;
  const clock::time_point now = clock::now();
  const bool is_time = now - flushed_at_ >= std::chrono::milliseconds(options_.flush_interval_ms);
  output_->write(is_time);
  if (is_time) flushed_at_ = now;
  if (options_.sync_interval_ms != 0 &&
      now - synced_at_ >= std::chrono::milliseconds(options_.sync_interval_ms)) {
    if (!output_->sync()) writer_losses::count(losses_->failed_writes);
    synced_at_ = now;
  }
}

result<end_report> match_writer::finish(const match_result& how, std::uint64_t lost_ticks,
                                        std::uint64_t lost_keyframes) {
  const std::uint64_t lost = lost_ticks + lost_keyframes + losses_->ticks.load() + losses_->keyframes.load();
  // Finishing a full file may have failed, so it is tried again.
  if (full_ && *full_) return *full_;
  return close(how, lost);
}

result<end_report> match_writer::close(const match_result& how, std::uint64_t lost_frames) {
  if (watcher_) {
    watcher_->finish(total_ticks_, found_);
    for (const analysis::event& one : found_) output_->event(one);
    found_.clear();
    watcher_.reset();
  }
  // A disk that is full now may cost more frames than were counted so far.
  const std::uint64_t counted = losses_->ticks.load() + losses_->keyframes.load();
  output_->write(true);
  lost_frames += losses_->ticks.load() + losses_->keyframes.load() - counted;
  finish_facts(facts_, about_, how, total_ticks_);
  if (!has_own_hashes_) facts_.state_hash = "core-sha256";
  icrep::orderly_end closing;
  if (how.state_hash != 0) closing.final_state_hash = digest_of(how.state_hash);
  closing.lost_frame_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(lost_frames, UINT32_MAX));
  if (signer_) {
    signature_ = signer_->finish(total_ticks_, closing.final_state_hash);
    signer_.reset();
    facts_.is_signed = true;
  }
  closing.signature = signature_;
  closing.facts = facts_;
  const auto size = output_->finish(std::move(closing));
  if (!size) return fail(size.error());
  end_report report;
  report.total_ticks = total_ticks_;
  report.file_bytes = *size;
  report.reached_file_limit = reached_limit_;
  return report;
}

}  // namespace tickreel::game
