#include "copy_mcap.hpp"

#include <algorithm>
#include <map>

#include "mcap_stream.hpp"
#include "message_file.hpp"
#include "open_file.hpp"
#include "paths.hpp"
#include "range_errors.hpp"
#include "tickreel/mcap/reader.hpp"

namespace tickreel::files {

namespace {

// Inclusive.
struct time_window {
  std::uint64_t first_ns = 0;
  std::uint64_t last_ns = UINT64_MAX;
};

struct copied_content {
  std::uint64_t messages = 0;
  mcap_omissions omitted;  // only attachments and records of unknown kinds
};

class mcap_copy {
 public:
  mcap_copy(mcap::reader& from, message_file& to, const time_window& window, const monitor& watch)
      : from_(from), to_(to), window_(window), watch_(watch) {}

  result<copied_content> run() {
    mcap::item found;
    for (std::uint64_t count = 1;; ++count) {
      if (count % 1024 == 0) {
        watch_.report(from_.offset(), from_.file_bytes());
        if (watch_.stop()) return fail(error_code::interrupted);
      }
      const auto more = from_.next(found);
      if (!more) return fail(more.error());
      if (!*more) return out_;
      if (auto done = take(found); !done) return fail(done.error());
    }
  }

 private:
  result<void> take(const mcap::item& found) {
    switch (found.kind) {
      case mcap::item_kind::message:
        return take_message(found.message);
      case mcap::item_kind::metadata:
        return to_.add_metadata(found.name, found.entries);
      case mcap::item_kind::attachment:
        ++out_.omitted.attachments;
        return {};
      case mcap::item_kind::unknown:
        ++out_.omitted.unknown_records;
        return {};
      case mcap::item_kind::damage:
        return {};  // mcap_stream reports it
    }
    return {};
  }
  result<void> take_message(mcap::message message) {
    if (message.time_ns < window_.first_ns || message.time_ns > window_.last_ns) return {};
    const auto known = numbers_.find(message.channel);
    if (known == numbers_.end()) {
      const mcap::stored_channel& of = *from_.find_channel(message.channel);
      const mcap::stored_schema* const schema = from_.find_schema(of.schema);
      mcap::channel added{.topic = of.topic, .schema_name = {}, .schema = {}};
      added.encoding = of.encoding;
      added.has_schema = schema != nullptr;
      added.metadata = as_bytes(of.metadata);
      if (schema != nullptr) {
        added.schema_name = schema->name;
        added.schema = schema->data;
        added.schema_encoding = schema->encoding;
      }
      const auto number = to_.add_channel(added);
      if (!number) return fail(number.error());
      message.channel = numbers_[message.channel] = *number;
    } else {
      message.channel = known->second;
    }
    ++out_.messages;
    return to_.add(message);
  }

  mcap::reader& from_;
  message_file& to_;
  time_window window_;
  const monitor& watch_;
  std::map<std::uint16_t, std::uint16_t> numbers_;
  copied_content out_;
};

// If something of the source was unreadable, the copy states that in a metadata record. Of records with one name the last one
// is valid.
result<copied_content> copy(const byte_source& file, const mcap_stream& source, const time_window& window,
                            message_file& to, const monitor& watch) {
  auto from = open_mcap_reader(file);
  if (!from) return fail(from.error());
  const auto copied = mcap_copy(*from, to, window, watch).run();
  std::vector<std::string> lost = source.recorded().before_recovery;
  const std::size_t earlier = lost.size();
  source.omissions().add_damage(lost);
  if (!copied || lost.size() == earlier) return copied;
  std::string losses;
  for (const std::string& each : lost) (losses += each) += '\n';
  const mcap::entry entries[] = {{"losses", losses}};
  if (auto added = to.add_metadata(recovered_metadata, entries); !added) return fail(added.error());
  return copied;
}

struct found_range {
  time_window window;
  std::uint64_t ticks = 0;
  cut_place place;
};

// The ticks that readers find in a written file. A range of times also has ticks from elsewhere in a recording whose
// log_time falls, and other groups of messages may be its ticks.
result<std::uint64_t> count_written_ticks(const published_file& written, const monitor& watch) {
  const auto file = open_file(written.temporary_path());
  if (!file) return fail(file.error());
  auto from = mcap_stream::open(*file);
  if (!from) return fail(from.error());
  for (std::uint64_t ticks = 0;;) {
    const auto found = from->next({{}, watch.cancelled});
    if (!found) return fail(found.error());
    if (*found == mcap_stream::step::end) return ticks;
    if (*found == mcap_stream::step::tick) ++ticks;
  }
}

result<found_range> find_range(mcap_stream& from, const tick_range& range, const monitor& watch) {
  found_range out;
  for (;;) {
    const auto found = from.next(watch);
    if (!found) return fail(found.error());
    if (*found == mcap_stream::step::end) break;
    if (*found != mcap_stream::step::tick) continue;
    const tick_position& at = from.position();
    if (range.from && out.ticks == 0 && is_before(*range.from, at.tick, at.time_ms, {})) continue;
    if (range.to && is_after(*range.to, at.tick, at.time_ms, {})) break;
    if (out.ticks++ == 0) {
      out.place.first_tick = at.tick;
      out.place.first_ms = at.time_ms;
      out.window = {from.log_time_ns(), from.log_time_ns()};
    }
    out.place.last_tick = at.tick;
    out.place.last_ms = at.time_ms;
    out.window.first_ns = std::min(out.window.first_ns, from.log_time_ns());
    out.window.last_ns = std::max(out.window.last_ns, from.log_time_ns());
  }
  if (out.ticks != 0) return out;
  return fail(error_code::out_of_range, error::no_offset, "no tick is there: the last one read is tick {}",
              static_cast<std::int64_t>(from.position().tick));
}

}  // namespace

result<conversion_report> cut_mcap(const file_path& input, const file_path& output,
                                   const conversion_options& options) {
  if (auto distinct = check_distinct(input, output); !distinct) return fail(distinct.error());
  if (options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset, "an .mcap has no keyframes");
  }
  if (options.range.uses(moment::by::clock)) return fail(no_game_clock);
  const auto file = open_file(input);
  if (!file) return fail(file.error());
  auto from = mcap_stream::open(*file);
  if (!from) return fail(from.error());
  const auto part = find_range(*from, options.range, options.watch);
  if (!part) return fail(part.error());
  auto to = message_file::create(output, options.overwrite, options.codec.value_or(codec_options{}));
  if (!to) return fail(to.error());
  const auto copied = copy(*file, *from, part->window, *to, options.watch);
  if (!copied) return fail(copied.error());
  const std::string sentence = part->place.sentence(name_of(input));
  const mcap::entry entries[] = {{cut_key, sentence}};
  if (auto added = to->add_metadata(clip_metadata, entries); !added) return fail(added.error());
  if (auto done = to->finish(); !done) return fail(done.error());
  const auto ticks = count_written_ticks(to->file(), options.watch);
  if (!ticks) return fail(ticks.error());
  conversion_report report;
  report.ticks = *ticks;
  report.cut = part->place;
  from->omissions().add_damage(report.lost);
  copied->omitted.add_uncopied(report.left_out);
  report.bytes = to->file().size();
  report.files = {output};
  if (auto done = to->file().commit(); !done) return fail(done.error());
  return report;
}

result<recover_report> recover_mcap(const file_path& input, const file_path& output,
                                    const recover_options& options) {
  const auto file = open_file(input);
  if (!file) return fail(file.error());
  auto from = mcap_stream::open(*file);
  if (!from) return fail(from.error());
  auto to = message_file::create(output, options.overwrite, {});
  if (!to) return fail(to.error());
  recover_report report;
  for (;;) {
    const auto found = from->next(options.watch);
    if (!found) return fail(found.error());
    if (*found == mcap_stream::step::end) break;
    if (*found == mcap_stream::step::tick) ++report.ticks;
  }
  const auto copied = copy(*file, *from, {}, *to, options.watch);
  if (!copied) return fail(copied.error());
  from->omissions().add_damage(report.lost);
  if (copied->messages == 0 && !report.lost.empty()) {
    return fail(error_code::truncated, error::no_offset, "no message is readable");
  }
  if (auto done = to->finish(); !done) return fail(done.error());
  copied->omitted.add_uncopied(report.left_out);
  report.bytes = to->file().size();
  if (auto done = to->file().commit(); !done) return fail(done.error());
  return report;
}

}  // namespace tickreel::files
