// Derives events from Echo VR ticks and writes them into a reel.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "echo_edits.hpp"
#include "echo_input.hpp"
#include "missing_lines.hpp"
#include "open_file.hpp"
#include "paths.hpp"
#include "reels/reel_encoders.hpp"
#include "reels/reel_facts.hpp"
#include "reels/reel_losses.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/reel/writer.hpp"

namespace tickreel::files {

namespace {

// The target of a link. A path without links is returned unchanged: MinGW's canonical() fails for long paths.
std::filesystem::path without_links(const file_path& path, std::error_code& problem) {
  const auto there = status_of(path);
  if (there && !there->is_link) return filesystem_path(path);
  return std::filesystem::canonical(filesystem_path(path), problem);
}

// Reads a reel in parallel with a copy of it, and appends the events of its ticks to the copy.
class event_deriver final : private echo::event_listener {
 public:
  // `ticks` of the reel; times in the copy are relative to `start_time_us`.
  event_deriver(std::unique_ptr<echo_input> ticks, std::int64_t start_time_us);

  // Appends the events of all ticks up to `last`; without `last`, of all remaining ticks, and closes the
  // input.
  result<void> append_up_to(const std::optional<frame_stamp>& last, reel::writer& to);
  [[nodiscard]] std::uint32_t count() const noexcept { return number_; }

 private:
  void happened(const echo::event& what) noexcept override;

  std::unique_ptr<echo_input> ticks_;
  std::unique_ptr<echo::state> tick_ = std::make_unique<echo::state>();
  std::int64_t start_time_us_;
  echo::event_detector detector_;
  bool held_ = false;  // a tick after `last` was read
  frame_stamp stamp_;
  std::uint32_t number_ = 0;
  std::vector<byte_vector> found_;  // of the current tick
};

event_deriver::event_deriver(std::unique_ptr<echo_input> ticks, std::int64_t start_time_us)
    : ticks_(std::move(ticks)), start_time_us_(start_time_us) {}

void event_deriver::happened(const echo::event& what) noexcept {
  byte_vector record(echo::max_event_record_bytes);
  record.resize(echo::write_event_record(what, number_++, record));
  found_.push_back(std::move(record));
}

result<void> event_deriver::append_up_to(const std::optional<frame_stamp>& last, reel::writer& to) {
  const auto append_found = [&]() -> result<void> {
    for (const byte_vector& each : found_) {
      if (auto done = to.append_event(stamp_, echo::event_record, each); !done) return fail(done.error());
    }
    found_.clear();
    return {};
  };
  while (ticks_ != nullptr) {
    if (!held_) {
      const auto more = ticks_->next(*tick_);
      if (!more) return fail(more.error());
      if (!*more) {
        detector_.finish(*this);
        ticks_.reset();
        return append_found();
      }
      held_ = true;
    }
    const std::uint64_t number = ticks_->place().tick;
    if (last && number > last->tick) return {};
    held_ = false;
    // A reel's time never decreases, even if the clock was set back.
    const auto since_start =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(tick_->recorded_time_ms) * 1000u -
                                  static_cast<std::uint64_t>(start_time_us_));
    const std::int64_t latest = last ? std::max(stamp_.time_us, last->time_us) : stamp_.time_us;
    stamp_ = {number, std::clamp(since_start, stamp_.time_us, latest)};
    detector_.see(number, *tick_, *this);
    if (auto done = append_found(); !done) return done;
  }
  return {};
}

}  // namespace

result<edit_report> derive_reel(const file_path& input, const file_path& output,
                                const edit_options& options) {
  auto from = open_file(input);
  if (!from) return fail(from.error());
  auto source = reel::reader::open(*from, {}, true);
  if (!source) return fail(source.error());
  const reel::header head = source->head();
  const bool lacks = lacks_something(source->contents());
  auto ticks = open_echo_input(*from, {});
  if (!ticks) {
    if (ticks.error().code != error_code::unsupported_operation) return fail(ticks.error());
    return fail(error_code::unsupported_operation, error::no_offset,
                "events are derived only from Echo VR ticks, and these belong to another game");
  }
  auto check = check_for_copy(*source);
  if (!check) return fail(check.error());
  const auto lacks_lines = may_lack_lines(*source);
  if (!lacks_lines) return fail(lacks_lines.error());
  (*ticks)->leave_bones_out(true);
  if (auto back = (*ticks)->rewind(); !back) return fail(back.error());
  // Some systems cannot replace an open file: only `ticks` still has it open, until its last tick is read.
  source = fail(error_code::wrong_state);
  from = fail(error_code::wrong_state);
  const bool in_place = is_same_file(input, output);
  constexpr const char* not_whole =
      "the reel is incomplete, and replacing it could lose data: recover it first, or derive into "
      "another";
  // The file itself, not the link to it.
  std::error_code problem;
  const std::filesystem::path itself = without_links(input, problem);
  const std::filesystem::perms before = std::filesystem::status(itself, problem).permissions();
  if (in_place) {
    if (problem) return fail(error_code::not_found);
    // A file that is write-protected or still being recorded is not replaced either.
    auto writable = file::open_for_appending(itself);
    if (!writable) return fail(writable.error());
    (void)writable->close();
  }
  if (in_place && lacks) return fail(error_code::wrong_state, error::no_offset, not_whole);
  // The new file replaces one name; other hard links keep naming the old file.
  const bool has_other_names = in_place && std::filesystem::hard_link_count(itself, problem) > 1 && !problem;

  event_deriver events(std::move(*ticks), head.start_time_us);
  std::uint64_t events_before = 0;
  reel::copy_options copying;
  copying.overwrite = options.overwrite;
  copying.only_if_whole = in_place;
  copying.accepts = std::move(check->accepts);
  if (head.find(echo_events_key) == nullptr) copying.metadata.push_back(echo_events_entry());
  if (lacks && !is_recovered(head)) {
    const byte_span yes = as_bytes("yes");
    copying.metadata.push_back({recovered_key, {yes.begin(), yes.end()}});
  }
  copying.leaves_out = [&](const reel::event& each) {
    if (each.type != echo::event_record) return false;
    ++events_before;
    return true;
  };
  copying.after_chunk = [&](const std::optional<frame_stamp>& last, reel::writer& to) {
    return events.append_up_to(last, to);
  };
  copying.progress = [&](std::uint64_t done, std::uint64_t total) {
    options.watch.report(done, total);
    return !options.watch.stop();
  };
  const auto done = reel::recover_into(input, in_place ? file_path(itself) : output, copying);
  if (!done) return fail(done.error());
  if (!done->changed) return fail(error_code::wrong_state, error::no_offset, not_whole);
  if (in_place) std::filesystem::permissions(itself, before, problem);
  edit_report report;
  report.bytes = done->bytes;
  report.changes = events.count();
  if (has_other_names) {
    report.notes.emplace_back("this file has another hard link, which still names the old content");
  }
  report.facts = {{"ticks", static_cast<std::int64_t>(done->ticks)},
                  {"events", static_cast<std::int64_t>(events.count())},
                  {"events_before", static_cast<std::int64_t>(events_before)}};
  report.lost = sentences_of_copy(*done);
  report.lost.insert(report.lost.end(), check->lost.begin(), check->lost.end());
  if (*lacks_lines) {
    const file_path& made = in_place ? input : output;
    if (auto reported = append_missing_lines(made, report.lost); !reported) return fail(reported.error());
  }
  return report;
}

result<edit_report> derive_echo(const file_path& input, const file_path& output,
                                const edit_options& options) {
  convert_options how;
  how.overwrite = options.overwrite;
  how.watch = options.watch;
  const auto done = convert(input, output, how);
  if (!done) return fail(done.error());
  edit_report report;
  report.bytes = done->bytes;
  report.changes = done->events;
  report.facts = {{"ticks", static_cast<std::int64_t>(done->ticks)},
                  {"events", static_cast<std::int64_t>(done->events)},
                  {"events_before", std::int64_t{0}}};
  report.lost = sentences(done->losses);
  return report;
}

}  // namespace tickreel::files
