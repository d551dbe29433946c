#include "reel_facts.hpp"

#include <algorithm>

#include "reel_losses.hpp"
#include "tickreel/counted.hpp"

namespace tickreel::files {

namespace {

std::string_view name(reel::reel_end end) {
  switch (end) {
    case reel::reel_end::closed:
      return "closed";
    case reel::reel_end::open:
      return "open";
    case reel::reel_end::torn:
      return "torn";
  }
  return "";
}

}  // namespace

bool is_doubtful(const reel::header& head) noexcept {
  return head.find(doubtful_key) != nullptr;
}

bool is_recovered(const reel::header& head) noexcept {
  return head.find(recovered_key) != nullptr;
}

bool lacks_something(const reel::table_of_contents& contents) noexcept {
  return contents.end != reel::reel_end::closed || contents.missing_records != 0 ||
         !contents.damaged.empty() || std::ranges::any_of(contents.records, &reel::record_info::damaged);
}

std::uint64_t torn_bytes(const reel::table_of_contents& contents) noexcept {
  return contents.end == reel::reel_end::torn ? contents.file_bytes - contents.valid_bytes : 0;
}

result<stated_losses> recorded_losses(reel::reader& source) {
  const reel::table_of_contents& contents = source.contents();
  stated_losses all{contents.lost_ticks, 0};
  reel::record gap;
  for (std::size_t number = 0; number < contents.records.size(); ++number) {
    const reel::record_info& info = contents.records[number];
    if (info.kind != reel::record_kind::gap || info.frames != 0) continue;
    const auto read = source.read(number, gap);
    if (!read && !is_damage(read.error().code)) return fail(read.error());
    const auto reported = read ? reel::read_gap(gap.payload) : fail(read.error());
    if (!reported || reel::is_between_ticks(reported->reason)) ++all.places;
  }
  return all;
}

void describe_reel(const reel::reader& source, const stated_losses& lost, summary& out) {
  const reel::header& head = source.head();
  const reel::table_of_contents& contents = source.contents();
  const auto number = [&](const char* key, std::uint64_t value) {
    out.facts.push_back({key, static_cast<std::int64_t>(value)});
  };
  out.format = "reel";
  out.format_version = head.version;
  out.facts.push_back({"encoder", head.encoder_name});
  number("encoder_version", head.encoder_version);
  if (head.ticks_per_second != 0) out.facts.push_back({"tick_rate_hz", head.ticks_per_second});
  number("start_time_us", static_cast<std::uint64_t>(head.start_time_us));
  number("records", contents.records.size());
  number("keyframe_chunks", contents.keyframe_chunks);
  const auto chunk = std::find_if(contents.records.begin(), contents.records.end(),
                                  [](const auto& each) { return each.kind == reel::record_kind::chunk; });
  if (chunk != contents.records.end()) {
    out.facts.push_back({"codec", std::string(tickreel::name(chunk->codec))});
  }
  number("lost_ticks", lost.ticks);
  number("damaged_places", lost.places);
  number("torn_bytes", torn_bytes(contents));
  out.facts.push_back({"end", std::string(name(contents.end))});
  // Only numbers and short texts; larger values are private to the encoder.
  for (const reel::metadata_entry& each : head.metadata) {
    const std::string_view value = as_text(each.value);
    if (value.size() > 1024) continue;
    out.facts.push_back({"metadata." + each.key, std::string(value)});
  }
  if (is_recovered(head) || is_doubtful(head) || lost.places != 0) out.health = health::recovered;
}

void inspect_reel(const reel::reader& source, std::vector<finding>& out) {
  const reel::table_of_contents& contents = source.contents();
  std::uint64_t last_tick = 0;
  bool any_chunk = false;
  for (const reel::record_info& each : contents.records) {
    if (each.kind != reel::record_kind::chunk) continue;
    const bool rises = each.first_tick <= each.last_tick && (!any_chunk || each.first_tick > last_tick);
    if (!rises) out.push_back({severity::error, each.offset, "the ticks do not rise"});
    last_tick = each.last_tick;
    any_chunk = true;
  }
  if (!any_chunk) out.push_back({severity::warning, error::no_offset, "no ticks"});
  // Reading ticks and events does not need the index. In the reel of a late subscriber, it refers to
  // positions in another file.
  const auto index = std::ranges::find(contents.records, reel::record_kind::index, &reel::record_info::kind);
  const bool has_index = contents.end == reel::reel_end::closed && index != contents.records.end();
  const bool is_foreign = contents.begins_at != 0 && has_index && !index->damaged;
  if (has_index && !contents.from_index && !is_foreign) {
    out.push_back({severity::warning, index->offset,
                   "the index is damaged or incomplete: nothing is lost, but opening "
                   "takes longer; 'tickreel recover' with -o NAME.reel writes a new one"});
  }
  for (const reel::damage& each : contents.damaged) {
    out.push_back({severity::warning, each.offset,
                   counted(each.bytes, "byte") + " without a complete record of this reel"});
  }
  inspect_end(source, out);
}

std::string ends_early(std::uint64_t offset) {
  const std::string place = offset == error::no_offset ? "" : " at offset " + std::to_string(offset);
  return "the file ends early" + place + ": everything after its end is lost";
}

std::string why_unfinished(const reel::reader& source) {
  return source.is_being_written() ? is_being_recorded : ends_early(source.contents().valid_bytes);
}

void append_missing_end(const reel::reader& source, std::vector<std::string>& lost) {
  if (source.contents().end == reel::reel_end::closed) return;
  lost.emplace_back(source.is_being_written() ? is_being_recorded : unsealed_ticks);
}

void inspect_end(const reel::reader& source, std::vector<finding>& out) {
  const reel::table_of_contents& contents = source.contents();
  if (contents.end != reel::reel_end::closed && source.is_being_written()) {
    out.push_back({severity::note, contents.valid_bytes, is_being_recorded});
    return;
  }
  if (contents.end == reel::reel_end::torn) {
    out.push_back({severity::error, contents.valid_bytes,
                   "the last record is torn: " + counted(torn_bytes(contents), "byte") + " cannot be read"});
  } else if (contents.end == reel::reel_end::open) {
    out.push_back({severity::warning, contents.valid_bytes, "no end record: its recorder was killed"});
  }
}

}  // namespace tickreel::files
