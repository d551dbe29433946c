#include "tickreel/files/same_content.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "tickreel/codec/codec.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/tracks/row_decoder.hpp"

namespace tickreel::files {

namespace {

// The text of a tick as a reader returns it, without its position in the file.
result<bool> next_tick(recording& from, std::string& text) {
  text.clear();
  const auto more = from.next();
  if (!more || !*more) return more;
  const tick_position& where = from.position();
  text += std::to_string(where.tick) + ' ' + std::to_string(where.time_ms) + ' ';
  from.append_state(text);
  return true;
}

result<bool> have_same_ticks(recording& copy, recording& original, const monitor& watch) {
  std::string one;
  std::string other;
  for (std::uint64_t count = 0;; ++count) {
    if (count % 256 == 0 && watch.stop()) return fail(error_code::interrupted);
    const auto more = next_tick(copy, one);
    if (!more) return fail(more.error());
    const auto more_there = next_tick(original, other);
    if (!more_there) return fail(more_there.error());
    if (one != other || *more != *more_there) return false;
    if (!*more) break;
  }
  const auto copied_lines = copy.lines_after();
  const auto original_lines = original.lines_after();
  if (!copied_lines) return fail(copied_lines.error());
  if (!original_lines) return fail(original_lines.error());
  return *copied_lines == *original_lines && copy.lines_before() == original.lines_before() &&
         copy.losses().size() == original.losses().size();
}

// A hash over all events in order; empty if the format has none.
result<std::optional<std::uint64_t>> hash_of_events(recording& from, const monitor& watch) {
  std::string text;
  std::uint64_t hash = 0;
  const auto count = from.events(
      {},
      [&](std::string_view line) {
        text.assign(line);
        text += '\n' + std::to_string(hash);
        hash = xxh3_64(as_bytes(text));
        return true;
      },
      watch);
  if (!count && count.error().code == error_code::unsupported_operation) return std::nullopt;
  if (!count) return fail(count.error());
  return hash;
}

result<std::size_t> count_errors(recording& in, const monitor& watch) {
  const auto verified = in.verify(watch);
  if (!verified) return fail(verified.error());
  std::size_t errors = 0;
  for (const finding& each : verified->findings) errors += each.level == severity::error ? 1u : 0u;
  return errors;
}

// Reads a reel of described structs row by row, without formatting states as text.
class row_digest {
 public:
  // Null if it is not such a reel.
  static std::unique_ptr<row_digest> open(const file_path& path) {
    auto source = reel::reader::open(path);
    if (!source || source->head().encoder_name != tracks::rows_name ||
        !tracks::row_decoder::reads_version(source->head().encoder_version)) {
      return nullptr;
    }
    auto rows = tracks::row_decoder::create(source->head().schema);
    if (!rows) return nullptr;
    return std::unique_ptr<row_digest>(new row_digest(std::move(*source), std::move(*rows)));
  }

  [[nodiscard]] const reel::reader& source() const noexcept { return source_; }
  [[nodiscard]] const schema& described() const noexcept { return rows_.described(); }
  [[nodiscard]] const frame_stamp& stamp() const noexcept { return stamp_; }
  [[nodiscard]] byte_span row() const noexcept { return rows_.state(); }
  // Rows are lost or contradict each other, and no gap record reports it.
  [[nodiscard]] bool is_damaged() const noexcept { return is_damaged_; }

  result<bool> next() {
    reel::item one;
    for (auto more = walk_.next(one);; more = walk_.next(one)) {
      if (!more || !*more) return more;
      if (one.kind == reel::item_kind::frame) {
        stamp_ = one.frame.stamp;
        ++ticks_;
        if (rows_.decode(one.frame.kind, one.frame.bytes)) return true;
        is_damaged_ = true;
      } else if (one.kind == reel::item_kind::loss) {
        is_damaged_ = true;
      } else {
        add(one);
      }
      if (is_damaged_) return false;
    }
  }

  // Whether both have the same events, in order within each tick, and the same other records at the same
  // positions.
  [[nodiscard]] bool has_same_records(const row_digest& other) const noexcept {
    return event_count_ == other.event_count_ && events_ == other.events_ && records_ == other.records_;
  }

 private:
  row_digest(reel::reader&& source, tracks::row_decoder&& rows)
      : source_(std::move(source)), walk_(source_), rows_(std::move(rows)) {}

  void add(const reel::item& one) {
    const reel::record_info& info = one.in->info;
    text_.clear();
    for (const std::uint64_t each :
         {static_cast<std::uint64_t>(one.kind), info.first_tick, info.last_tick,
          static_cast<std::uint64_t>(info.first_time_us), static_cast<std::uint64_t>(info.last_time_us)}) {
      text_ += std::to_string(each) + ' ';
    }
    if (one.kind == reel::item_kind::event) {
      // Events of different ticks may be reordered if they share records; events of one tick may not.
      const bool continues = event_count_ != 0 && event_tick_ == info.first_tick;
      text_ += std::to_string(one.event.type) + (info.lasts() ? " lasts " : " ") +
               std::to_string(continues ? last_event_ : 0) + ' ';
      text_ += as_text(one.event.bytes);
      last_event_ = xxh3_64(as_bytes(text_));
      event_tick_ = info.first_tick;
      events_ += last_event_;
      ++event_count_;
      return;
    }
    text_ += std::to_string(static_cast<unsigned>(info.kind)) + ' ' + std::to_string(info.flags) + ' ' +
             std::to_string(ticks_) + ' ' + std::to_string(records_) + ' ';
    text_ += as_text(one.in->payload);
    records_ = xxh3_64(as_bytes(text_));
  }

  reel::reader source_;
  reel::frame_stream walk_;
  tracks::row_decoder rows_;
  frame_stamp stamp_;
  std::uint64_t ticks_ = 0;
  bool is_damaged_ = false;
  std::string text_;
  std::uint64_t event_count_ = 0;
  std::uint64_t event_tick_ = 0;
  std::uint64_t last_event_ = 0;
  std::uint64_t events_ = 0;   // the sum of the hashes of ticks
  std::uint64_t records_ = 0;  // a hash over all, in their order
};

// True if all bytes of all rows, events and other records are equal. False is inconclusive: damaged or
// reordered records are then compared as a reader returns them.
result<bool> have_same_rows(const file_path& copy, const file_path& original, const monitor& watch) {
  const auto one = row_digest::open(copy);
  const auto other = row_digest::open(original);
  if (!one || !other) return false;
  const reel::header& head = one->source().head();
  const reel::header& head_there = other->source().head();
  const bool same_metadata =
      std::ranges::equal(head.metadata, head_there.metadata,
                         [](const auto& a, const auto& b) { return a.key == b.key && a.value == b.value; });
  if (head.start_time_us != head_there.start_time_us || !same_metadata ||
      one->described().types != other->described().types ||
      one->source().contents().end != other->source().contents().end) {
    return false;
  }
  for (std::uint64_t count = 0;; ++count) {
    if (count % 256 == 0 && watch.stop()) return fail(error_code::interrupted);
    const auto more = one->next();
    if (!more) return fail(more.error());
    const auto more_there = other->next();
    if (!more_there) return fail(more_there.error());
    if (*more != *more_there || one->is_damaged() || other->is_damaged()) return false;
    if (!*more) return one->has_same_records(*other);
    const byte_span row = one->row();
    const byte_span row_there = other->row();
    if (one->stamp().tick != other->stamp().tick || one->stamp().time_us != other->stamp().time_us ||
        row.size() != row_there.size() || std::memcmp(row.data(), row_there.data(), row.size()) != 0) {
      return false;
    }
  }
}

}  // namespace

result<bool> has_same_content(const file_path& copy, const file_path& original, const monitor& watch) {
  const auto rows = have_same_rows(copy, original, watch);
  if (!rows || *rows) return rows;
  auto one = open(copy);
  if (!one) return fail(one.error());
  auto other = open(original);
  if (!other) return fail(other.error());
  const auto ticks = have_same_ticks(**one, **other, watch);
  if (!ticks || !*ticks) return ticks;
  for (auto* each : {&*one, &*other}) {
    if (auto back = (**each).rewind(); !back) return fail(back.error());
  }
  const auto events = hash_of_events(**one, watch);
  if (!events) return fail(events.error());
  const auto events_there = hash_of_events(**other, watch);
  if (!events_there) return fail(events_there.error());
  if (*events != *events_there) return false;
  for (auto* each : {&*one, &*other}) {
    if (auto back = (**each).rewind(); !back) return fail(back.error());
  }
  const auto errors = count_errors(**one, watch);
  if (!errors) return fail(errors.error());
  const auto errors_there = count_errors(**other, watch);
  if (!errors_there) return fail(errors_there.error());
  return *errors <= *errors_there;
}

}  // namespace tickreel::files
