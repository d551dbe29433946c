#include "tickreel/reel/recover.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "tickreel/reel/writer.hpp"

namespace tickreel::reel {

namespace {

// Hands records on to a file that is published at the end.
class publishing_sink final : public sink {
 public:
  explicit publishing_sink(published_file& to) noexcept : to_(to) {}
  result<void> accept_header(byte_span bytes) override { return to_.append(bytes); }
  result<void> accept_record(const record_info&, byte_span bytes) override { return to_.append(bytes); }

 private:
  published_file& to_;
};

result<reader> open_verified(std::string_view path, system_calls& calls) {
  const std::u8string utf8(path.begin(), path.end());
  return reader::open(std::filesystem::path(utf8), limits{}, true, calls);
}

recovery survey(const table_of_contents& found) {
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

// A dictionary of the reel's would be used to open the index, so nothing is compressed without it.
codec_options index_codec(const header& head) noexcept {
  for (const metadata_entry& entry : head.metadata) {
    if (entry.key == dictionary_key) return {.codec = codec_id::none};
  }
  return {.codec = is_available(codec_id::zstd) ? codec_id::zstd : codec_id::none};
}

// The loss is told once, however often a recovery is begun.
result<bool> tells_of_death(reader& reel) {
  const auto& records = reel.contents().records;
  for (std::size_t number = records.size(); number-- > 0;) {
    if (records[number].kind == record_kind::index) continue;
    if (records[number].kind != record_kind::gap) return false;
    record last;
    if (const auto done = reel.read(number, last); !done) return fail(done.error());
    const auto told = read_gap(last.payload);
    return told && told->reason == gap_reason::recorder_died;
  }
  return false;
}

result<void> write_end(writer& out, reader& reel, const recovery& report) {
  const auto told = tells_of_death(reel);
  if (!told) return fail(told.error());
  if (!*told) {
    frame_stamp first;
    frame_stamp last;
    if (report.cut_ticks != 0) {
      const record_info& torn = *report.found.torn_record;
      first = {torn.first_tick, torn.first_time_us};
      last = {torn.last_tick, torn.last_time_us};
    } else {
      for (const record_info& info : report.found.records) {
        if (info.kind == record_kind::chunk) last = {info.last_tick, info.last_time_us};
      }
      first = last;
    }
    const auto done = out.append_gap({report.cut_ticks, gap_reason::recorder_died}, first, last);
    if (!done) return fail(done.error());
  }
  return out.finish();
}

// Header and whole records; `copied` is the table with the offsets in the copy, without an end.
result<void> copy_whole_records(reader& reel, published_file& to, table_of_contents& copied) {
  const table_of_contents& found = reel.contents();
  if (auto done = to.append(reel.header_bytes()); !done) return done;
  copied.frames = found.frames;
  copied.lost_ticks = found.lost_ticks;
  byte_vector bytes;
  for (std::size_t number = 0; number < found.records.size(); ++number) {
    record_info info = found.records[number];
    // Their offsets are no longer true.
    if (info.kind == record_kind::index || info.kind == record_kind::end) continue;
    if (auto done = reel.read_stored(number, bytes); !done) return done;
    info.offset = to.size();
    if (auto done = to.append(bytes); !done) return done;
    copied.records.push_back(info);
  }
  copied.valid_bytes = copied.file_bytes = to.size();
  return {};
}

result<void> copy_all(std::string_view path, std::uint64_t bytes, published_file& to, system_calls& calls) {
  auto from = file::open_for_reading(path, calls);
  if (!from) return fail(from.error());
  byte_vector buffer(256u << 10);
  for (std::uint64_t offset = 0; offset < bytes;) {
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), bytes - offset));
    const auto count = from->read_at(mutable_byte_span(buffer).first(room), offset);
    if (!count) return fail(count.error());
    if (*count == 0) return fail(error_code::truncated, offset, "the reel became shorter");
    if (auto done = to.append(byte_span(buffer).first(*count)); !done) return done;
    offset += *count;
  }
  return {};
}

}  // namespace

result<recovery> recover_in_place(std::string_view path, system_calls& calls) {
  auto locked = file::open_for_appending(path, calls);
  if (!locked) return fail(locked.error());
  auto reel = open_verified(path, calls);
  if (!reel) return fail(reel.error());
  recovery report = survey(reel->contents());
  if (report.found.end == reel_end::closed) return report;
  // An index without the end that leads to it is of no use; the next one lists the same.
  table_of_contents kept = report.found;
  while (!kept.records.empty() && kept.records.back().kind == record_kind::index) {
    kept.valid_bytes = kept.records.back().offset;
    kept.records.pop_back();
  }
  if (kept.valid_bytes != kept.file_bytes) {
    if (const auto cut = locked->truncate(kept.valid_bytes); !cut) return fail(cut.error());
  }
  auto out = writer::resume(std::move(*locked), reel->header_bytes(), kept, index_codec(reel->head()));
  if (!out) return fail(out.error());
  if (const auto done = write_end(*out, *reel, report); !done) return fail(done.error());
  report.changed = true;
  report.bytes = out->bytes();
  return report;
}

result<recovery> recover_into(std::string_view path, std::string_view output, bool overwrite,
                              system_calls& calls) {
  // Held while copying; a reel that may only be read has no living recorder that could be kept out.
  const auto locked = file::open_for_appending(path, calls);
  if (!locked && locked.error().code != error_code::permission_denied) return fail(locked.error());
  auto reel = open_verified(path, calls);
  if (!reel) return fail(reel.error());
  recovery report = survey(reel->contents());
  auto to = published_file::create(output, overwrite, calls);
  if (!to) return fail(to.error());
  if (report.found.end == reel_end::closed && report.found.damaged.empty()) {
    if (const auto done = copy_all(path, report.found.valid_bytes, *to, calls); !done) {
      return fail(done.error());
    }
  } else {
    table_of_contents copied;
    if (const auto done = copy_whole_records(*reel, *to, copied); !done) return fail(done.error());
    auto out = writer::resume(std::nullopt, reel->header_bytes(), copied, index_codec(reel->head()));
    if (!out) return fail(out.error());
    out->add_sink(std::make_unique<publishing_sink>(*to));
    const auto done = report.found.end == reel_end::closed ? out->finish() : write_end(*out, *reel, report);
    if (!done) return fail(done.error());
    report.changed = true;
  }
  report.bytes = to->size();
  if (const auto done = to->commit(); !done) return fail(done.error());
  return report;
}

}  // namespace tickreel::reel
