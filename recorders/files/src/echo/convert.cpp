#include "tickreel/files/convert.hpp"

#include <algorithm>

#include "byte_stream.hpp"
#include "echo_access.hpp"
#include "echo_output.hpp"
#include "echoreplay_format.hpp"
#include "extra_file.hpp"
#include "open_file.hpp"
#include "paths.hpp"
#include "ranged_echo.hpp"
#include "reels/reel_facts.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::files {

namespace {

result<const format*> choose_output(const file_path& output, const convert_options& options) {
  const format* const found =
      echo_output_of(options.to.empty() ? extension_of(output) : std::string(options.to));
  if (found != nullptr) return found;
  return fail(error_code::invalid_argument, error::no_offset,
              options.to.empty() ? "the output's name implies no format"
                                 : "Echo VR ticks cannot be written to this format");
}

// X.butter, X-2.butter, X-3.butter, ...
file_path numbered(const file_path& output, std::size_t number) {
  if (number == 1) return output;
  const std::filesystem::path first = filesystem_path(output);
  std::filesystem::path name = first.stem();
  name += '-';
  name += std::to_string(number);
  name += first.extension();
  return first.parent_path() / name;
}

// Adapts any source for cutting; it is always read from its beginning.
class counted_source final : public echo_input {
 public:
  explicit counted_source(echo_source& from) : from_(from) {}

  result<bool> next(echo::state& out) override {
    auto more = from_.next(out);
    if (more && *more) {
      place_.tick = from_.tick_number().value_or(count_);
      ++count_;
    }
    return more;
  }
  result<void> rewind() override {
    count_ = 0;
    return from_.rewind();
  }
  const tick_place& place() const noexcept override { return place_; }
  std::string_view session_json() const noexcept override { return from_.session_json(); }
  std::string_view bones_json() const noexcept override { return from_.bones_json(); }
  bool keeps_source_text() const noexcept override { return from_.keeps_source_text(); }
  std::string_view source_line() const noexcept override { return from_.source_line(); }
  std::string_view text_before() const noexcept override { return from_.text_before(); }
  std::string_view whole_line() const noexcept override { return from_.whole_line(); }
  std::string_view text_after() const noexcept override { return from_.text_after(); }
  bool restores_text() const noexcept override { return from_.restores_text(); }
  bool is_doubtful() const noexcept override { return from_.is_doubtful(); }
  loss_count lost_to_date() const noexcept override { return from_.lost_to_date(); }
  bool numbers_losses() const noexcept override { return from_.numbers_losses(); }
  source_losses losses() const override { return from_.losses(); }
  std::uint64_t bytes_done() const noexcept override { return from_.bytes_done(); }
  std::uint64_t bytes_total() const noexcept override { return from_.bytes_total(); }

  // Not called for a part of it.
  void set_tolerant(bool) noexcept override {}
  const std::vector<error>& faults() const noexcept override { return no_faults_; }
  void forget_losses(bool) override {}
  void describe(summary&) const override {}
  void inspect(std::vector<finding>&) const override {}

 private:
  echo_source& from_;
  tick_place place_;
  std::uint64_t count_ = 0;
  std::vector<error> no_faults_;
};

result<convert_report> convert_part(std::unique_ptr<echo_input> input, const std::string& from_name,
                                    const file_path& output, const convert_options& options) {
  // A checksum covers the whole archive, whatever part of it is read.
  if (auto checked = input->check_content(options.watch); !checked) return fail(checked.error());
  ranged_echo part(std::move(input), options.range);
  if (auto found = part.find(); !found) return fail(found.error());
  convert_options part_options = options;
  part_options.range = {};
  if (part_options.cut_from.empty()) {
    part_options.cut_from =
        from_name + ", from " + std::to_string(part.place().first_ms) + " ms after its beginning";
  }
  auto report = convert(part, output, part_options);
  if (report) report->cut = part.place();
  return report;
}

// Deletes all new files if one of several could not be written. Files that replaced others stay.
error after_failure(const convert_report& made, const convert_options& options, const error& what) {
  if (options.overwrite) {
    if (made.files.empty() || what.code != error_code::interrupted) return what;
    return {error_code::interrupted, error::no_offset, "the files before it are complete and were kept"};
  }
  for (const file_path& each : made.files) {
    (void)remove_file(each);
    if (options.extra) (void)remove_file(extra_path(each));
  }
  return what;
}

}  // namespace

result<convert_report> convert(echo_source& input, const file_path& output, const convert_options& options) {
  const auto to = choose_output(output, options);
  if (!to) return fail(to.error());
  if (!options.range.is_all()) {
    return convert_part(std::make_unique<counted_source>(input), "a recording", output, options);
  }
  const format& written = **to;
  convert_report report;
  // If a new file begins with another match, stored events may follow its first ticks, so events are derived.
  tick_feed feed(input, options.watch, written.stores_derived_events && !options.hold);
  for (std::size_t number = 1;; ++number) {
    auto tick = feed.current();
    if (!tick) return fail(after_failure(report, options, tick.error()));
    if (*tick == nullptr) break;
    const file_path path = numbered(output, number);
    if (auto done = written.echo->write(feed, path, options, report); !done) {
      return fail(after_failure(report, options, done.error()));
    }
  }
  report.not_stored = std::move(report.losses.places);
  report.losses = input.losses();
  report.losses.places.insert(report.losses.places.end(), report.not_stored.begin(), report.not_stored.end());
  const stored_text text = options.bone_errors ? stored_text::nowhere : written.as_echo_output.text;
  if (text != stored_text::nowhere && input.keeps_source_text())
    report.losses = losses_of_source_text(std::move(report.losses));
  // A reel keeps them beside its ticks, and gives them back. A text that has them is reported.
  const bool into_rows = text == stored_text::beside_ticks && !options.hold && input.keeps_source_text();
  const bool into_text = text == stored_text::as_ticks && options.bones && input.restores_text();
  if (into_text || (into_rows && input.restores_text())) {
    report.losses.skipped_lines = report.losses.lines_without_text;
  }
  if (report.ticks == 0 && report.losses.lost_ticks != 0) {
    return fail(error_code::wrong_state, error::no_offset, no_tick_can_be_shown,
                static_cast<std::int64_t>(report.losses.lost_ticks));
  }
  if (report.ticks == 0 && report.losses.skipped_lines != 0) {
    return fail(error_code::malformed, report.losses.first_skipped_offset,
                "there is no tick to convert: {} line{s} cannot be read",
                static_cast<std::int64_t>(report.losses.skipped_lines));
  }
  if (report.ticks == 0 && report.losses.damaged_places != 0) {
    return fail(error_code::corrupt_compression, error::no_offset,
                "there is no tick to convert: none of the chunks can be read");
  }
  if (report.ticks == 0) return fail(error_code::truncated, error::no_offset, "there is no tick to convert");
  return report;
}

namespace {

// A .butter with its side data, which is merged tick by tick from the first one on: a part is read from its
// beginning.
class whole_butter final : public echo_input {
 public:
  whole_butter(std::unique_ptr<echo_input> from, const file_path& path)
      : file_(*from), ticks_(with_extra(std::move(from), path)) {}

  result<bool> next(echo::state& out) override { return ticks_->next(out); }
  result<void> rewind() override { return ticks_->rewind(); }
  const tick_place& place() const noexcept override { return file_.place(); }
  bool is_doubtful() const noexcept override { return ticks_->is_doubtful(); }
  source_losses losses() const override { return ticks_->losses(); }
  std::uint64_t bytes_done() const noexcept override { return ticks_->bytes_done(); }
  std::uint64_t bytes_total() const noexcept override { return ticks_->bytes_total(); }
  void set_tolerant(bool tolerant) noexcept override { file_.set_tolerant(tolerant); }
  const std::vector<error>& faults() const noexcept override { return file_.faults(); }
  void forget_losses(bool by_number) override { file_.forget_losses(by_number); }
  bool is_shifted(moment::by unit) const noexcept override { return file_.is_shifted(unit); }
  void describe(summary& out) const override { file_.describe(out); }
  void inspect(std::vector<finding>& out) const override { file_.inspect(out); }

 private:
  echo_input& file_;  // owned by what follows
  std::unique_ptr<echo_source> ticks_;
};

bool has_side_data(const format& of) noexcept {
  return of.as_echo_output.has_side_data;
}

bool has_extra_beside(const file_path& butter) {
  return is_file(extra_path(butter));
}

result<convert_report> convert_range(const file_path& input, const file_path& output,
                                     const convert_options& options) {
  const auto from = open_file(input);
  if (!from) return fail(from.error());
  auto opened = open_echo_input(*from, {.repair = options.repair, .tolerant = true});
  if (!opened) return fail(opened.error());
  const auto format = detect(input);
  if (format && has_side_data(**format) && has_extra_beside(input)) {
    *opened = std::make_unique<whole_butter>(std::move(*opened), input);
  }
  return convert_part(std::move(*opened), name_of(input), output, options);
}

}  // namespace

result<convert_report> convert(const file_path& input, const file_path& output,
                               const convert_options& options) {
  const auto to = choose_output(output, options);
  if (!to) return fail(to.error());
  if (auto distinct = check_distinct(input, output); !distinct) return fail(distinct.error());
  const auto from = detect(input);
  if (!from) return fail(from.error());
  const bool encode_again = options.keyframe_interval_ticks || options.hold || options.repair ||
                            !options.bones || options.bone_errors || options.extra;
  const echo_access* const access = (*from)->echo;
  const bool keeps_frames = access != nullptr && access->copy != nullptr && *to == *from && !encode_again;
  if (!options.range.is_all()) {
    return keeps_frames ? access->cut(input, output, options) : convert_range(input, output, options);
  }
  if (keeps_frames) {
    auto kept = access->copy(input, output, options);
    if (kept || !is_damage(kept.error().code)) return kept;
    // The frames of all valid chunks.
    auto sound = access->cut(input, output, options);
    if (sound) sound->cut.reset();
    return sound ? sound : kept;
  }
  auto source = open_echo(input, {.repair = options.repair});
  if (!source) return fail(source.error());
  if (has_side_data(**from)) source = with_extra(std::move(*source), input);
  return convert(**source, output, options);
}

namespace {

result<void> look_through(echo_source& source, const monitor& watch) {
  const auto tick = std::make_unique<echo::state>();
  for (std::uint64_t count = 0;; ++count) {
    if (count % 64 == 0 && watch.stop()) return fail(error_code::interrupted);
    const auto more = source.next(*tick);
    if (!more) return fail(more.error());
    if (!*more) return source.rewind();
  }
}

}  // namespace

result<recover_report> recover_echoreplay(const file_path& input, const file_path& output,
                                          const recover_options& options) {
  auto source = open_echo(input, {.tolerant = true});
  if (!source) return fail(source.error());
  // Only the end of an archive shows whether its lines are valid, and the output records that.
  if (auto looked = look_through(**source, options.watch); !looked) return fail(looked.error());
  recover_report report;
  const auto converted = convert_for_recovery(**source, echoreplay_format.name, output, options, report);
  if (!converted) return fail(converted.error());
  report.lost_ticks += converted->losses.skipped_lines;  // a line is a tick
  report.lost = sentences(converted->losses);
  return report;
}

}  // namespace tickreel::files
