#include "tickreel/reel/recover.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "appended.hpp"
#include "checked_stream.hpp"
#include "record_copier.hpp"
#include "tickreel/reel/published_sink.hpp"
#include "tickreel/reel/writer.hpp"
#include "wire.hpp"

namespace tickreel::reel {

namespace {

result<reader> open_verified(const file_path& path, system_calls& calls) {
  return reader::open(path, limits{}, true, calls);
}

recovery summary_of(const table_of_contents& found) {
  recovery report;
  report.found = found;
  report.cut_bytes = found.file_bytes - found.valid_bytes;
  for (const damage& part : found.damaged) report.damaged_bytes += part.bytes;
  if (found.torn_record && found.torn_record->kind == record_kind::chunk) {
    report.cut_ticks = found.torn_record->frames;
  }
  report.bytes = found.valid_bytes;
  return report;
}

// Whether the last record is a gap that reports this already.
result<bool> reports_death(reader& reel) {
  const auto& records = reel.contents().records;
  for (std::size_t number = records.size(); number-- > 0;) {
    if (records[number].kind == record_kind::index || records[number].repeats()) continue;
    if (records[number].kind != record_kind::gap) return false;
    record last;
    if (const auto done = reel.read(number, last); !done) {
      if (is_damage(done.error().code)) return false;
      return fail(done.error());
    }
    const auto reported = read_gap(last.payload);
    return reported && reported->reason == gap_reason::recorder_died;
  }
  return false;
}

// Iterates over the whole reel and passes every item to `each`.
template <class Each>
result<void> look_at_all(reader& reel, const frame_check& accepts, recovery& report, Each each) {
  checked_stream walk(reel, accepts);
  item next;
  for (;;) {
    const auto more = walk.next(next);
    if (!more) return fail(more.error());
    if (!*more) break;
    if (next.kind == item_kind::frame) ++report.ticks;
    if (next.kind == item_kind::loss) report.losses.push_back(next.lost);
    if (next.kind == item_kind::gap && next.gap.ticks == 0 && is_between_ticks(next.gap.reason)) {
      ++report.unknown_gaps;
    }
    if (const result<void> done = each(walk, next); !done) return done;
  }
  report.totals = walk.totals();
  return {};
}

// Whether finish() writes the last of `records` again: an index, or the repeat of an event whose first copy
// is sound. Not after missing records: only the last record says how many ticks they had.
bool is_written_again(const std::vector<record_info>& records) {
  if (records.size() < 2) return false;
  const record_info& before = records[records.size() - 2];
  if (wire::end_of(before) != records.back().offset || before.sequence + 1 != records.back().sequence) {
    return false;
  }
  const record_info& last = records.back();
  if (last.kind == record_kind::index) return true;
  if (!last.repeats()) return false;
  const auto first = std::lower_bound(
      records.begin(), records.end(), last.frames,
      [](const record_info& each, std::uint32_t sequence) { return each.sequence < sequence; });
  return first != records.end() && first->sequence == last.frames && first->lasts() && !first->damaged;
}

// Writes the gap for the ticks lost with the recorder. None for a reel that lacks only the end.
result<void> write_death_gap(writer& out, reader& reel, const recovery& report) {
  const table_of_contents& found = report.found;
  if (found.end == reel_end::closed) return {};
  if (!found.records.empty() && found.records.back().kind == record_kind::index) return {};
  const auto reported = reports_death(reel);
  if (!reported) return fail(reported.error());
  if (*reported) return {};
  gap death{0, gap_reason::recorder_died};
  frame_stamp first;
  frame_stamp last;
  for (const record_info& info : found.records) {
    if (info.kind == record_kind::chunk) first = last = {info.last_tick, info.last_time_us};
  }
  if (!report.losses.empty() && is_torn_tail(report.losses.back()) && report.losses.back().ticks != 0) {
    const loss& torn = report.losses.back();
    death.ticks = torn.ticks;
    first = torn.first;
    last = torn.last;
  }
  const auto done = out.append_gap(death, first, last);
  if (!done) return fail(done.error());
  return {};
}

// Whether a copy of the bytes has no losses and opens as fast as a new one; `report` then has the totals.
result<bool> is_whole(reader& reel, bool is_indexed, recovery& report, const copy_options& options) {
  const table_of_contents& found = report.found;
  if (found.end != reel_end::closed || !found.damaged.empty() || found.missing_records != 0) return false;
  const bool in_order =
      std::is_sorted(found.records.begin(), found.records.end(),
                     [](const record_info& a, const record_info& b) { return a.offset < b.offset; });
  if (!in_order) return false;
  // An index that does not cover every record must be replaced.
  const bool has_index = std::any_of(found.records.begin(), found.records.end(),
                                     [](const record_info& info) { return info.kind == record_kind::index; });
  if (has_index && !is_indexed) return false;
  recovery looked;
  std::uint64_t items = 0;
  bool fits_heads = true;
  const auto each = [&](const checked_stream& walk, const item& next) -> result<void> {
    if (next.kind == item_kind::frame && !walk.is_sound_chunk()) fits_heads = false;
    if (++items % 4096 == 0 && !may_continue(options, 0, found)) return fail(error_code::interrupted);
    return {};
  };
  const auto done = look_at_all(reel, options.accepts, looked, each);
  if (!done) return fail(done.error());
  if (!looked.losses.empty() || !fits_heads) return false;
  report.ticks = looked.ticks;
  report.totals = looked.totals;
  report.unknown_gaps = looked.unknown_gaps;
  return true;
}

result<void> copy_all(const file_path& path, published_file& to, const copy_options& options,
                      const table_of_contents& found, system_calls& calls) {
  auto from = file::open_for_reading(path, calls);
  if (!from) return fail(from.error());
  byte_vector buffer(256u << 10);
  for (std::uint64_t offset = 0; offset < found.valid_bytes;) {
    const auto room =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), found.valid_bytes - offset));
    const auto count = from->read_at(mutable_byte_span(buffer).first(room), offset);
    if (!count) return fail(count.error());
    if (*count == 0) return fail(error_code::truncated, offset, "the reel became shorter");
    if (auto done = to.append(byte_span(buffer).first(*count)); !done) return done;
    offset += *count;
    if (!may_continue(options, offset, found)) return fail(error_code::interrupted);
  }
  return {};
}

// Copies every readable item, and writes gaps for the losses.
result<void> copy_what_is_there(reader& reel, published_file& to, const copy_options& options,
                                recovery& report) {
  header head = reel.head();
  const codec_options codec = codec_of_copy(head);
  if (!options.schema.empty()) head.schema = options.schema;
  head.metadata.insert(head.metadata.end(), options.metadata.begin(), options.metadata.end());
  auto out = writer::create_without_file(std::move(head), codec);
  if (!out) return fail(out.error());
  out->add_sink(std::make_unique<published_sink>(to));
  record_copier copier(reel, *out, options);
  const auto take = [&](const checked_stream& walk, const item& next) { return copier.take(walk, next); };
  const auto copied = look_at_all(reel, check_for(options.accepts, options.rewriter), report, take);
  if (!copied) return copied;
  if (const auto done = copier.finish(); !done) return done;
  if (const auto done = write_death_gap(*out, reel, report); !done) return done;
  if (const auto done = out->finish(); !done) return done;
  if (out->sink_failure()) return fail(*out->sink_failure());
  return {};
}

}  // namespace

result<recovery> recover_in_place(const file_path& path, system_calls& calls) {
  auto locked = file::open_for_appending(path, calls);
  if (!locked) return fail(locked.error());
  auto reel = open_verified(path, calls);
  if (!reel) return fail(reel.error());
  recovery report = summary_of(reel->contents());
  const auto looked =
      look_at_all(*reel, {}, report, [](const checked_stream&, const item&) { return result<void>{}; });
  if (!looked) return fail(looked.error());
  if (report.found.end == reel_end::closed) {
    // The recorder may have failed to sync the end that is here now.
    if (const auto synced = locked->sync(); !synced) return fail(synced.error());
    return report;
  }
  // An index without an end is useless; the new one lists the same records. A repeat is written again where a
  // copy would have it.
  table_of_contents kept = report.found;
  while (is_written_again(kept.records) && wire::end_of(kept.records.back()) == kept.valid_bytes) {
    kept.valid_bytes = kept.records.back().offset;
    kept.records.pop_back();
  }
  if (kept.valid_bytes != kept.file_bytes) {
    if (const auto cut = locked->truncate(kept.valid_bytes); !cut) return fail(cut.error());
  }
  auto out = writer::resume(std::move(*locked), *reel, kept, codec_of_copy(reel->head()));
  if (!out) return fail(out.error());
  if (const auto done = write_death_gap(*out, *reel, report); !done) return fail(done.error());
  if (const auto done = out->finish(); !done) return fail(done.error());
  report.changed = true;
  report.bytes = out->bytes();
  return report;
}

result<recovery> recover_into(const file_path& path, const file_path& output, const copy_options& options,
                              system_calls& calls) {
  // Locked while copying. For a reel that may only be read, there is no living recorder to exclude.
  auto locked = file::open_for_appending(path, calls);
  if (!locked && locked.error().code != error_code::permission_denied) return fail(locked.error());
  auto reel = open_verified(path, calls);
  if (!reel) return fail(reel.error());
  recovery report = summary_of(reel->contents());
  auto to = published_file::create(output, options.overwrite, calls);
  if (!to) return fail(to.error());
  const table_of_contents& found = report.found;
  const bool changes = options.rewriter != nullptr || options.leaves_out || options.after_chunk;
  const auto quickly =
      changes ? result<reader>(fail(error_code::wrong_state)) : reader::open(path, limits{}, false, calls);
  const bool is_indexed = quickly && quickly->contents().from_index;
  const auto whole = changes ? result<bool>(false) : is_whole(*reel, is_indexed, report, options);
  if (!whole) return fail(whole.error());
  if (*whole) {
    const auto done = copy_all(path, *to, options, found, calls);
    if (!done) return fail(done.error());
  } else {
    const auto done = copy_what_is_there(*reel, *to, options, report);
    if (!done) return fail(done.error());
    report.changed = true;
  }
  const bool lacks = !report.losses.empty() || found.end != reel_end::closed;
  if ((options.only_if_smaller && (to->size() >= found.file_bytes || !report.losses.empty())) ||
      (options.only_if_whole && lacks)) {
    report.changed = false;
    report.bytes = found.file_bytes;
    return report;
  }
  report.bytes = to->size();
  // Not every system can rename over an open file.
  reel = fail(error_code::wrong_state);
  if (locked) (void)locked->close();
  if (const auto done = to->commit(); !done) return fail(done.error());
  return report;
}

}  // namespace tickreel::reel
