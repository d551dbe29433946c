#include "tickreel/files/recover.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "another_recording.hpp"
#include "byte_stream.hpp"
#include "formats.hpp"
#include "paths.hpp"
#include "reel/reel_encoders.hpp"
#include "tickreel/files/behind.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

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
  // Only the end of an archive tells whether its lines can be trusted, and that stands in what is written.
  if (auto looked = look_through(**source, options.watch); !looked) return fail(looked.error());
  convert_options converting;
  converting.to = target::echoreplay;
  converting.overwrite = options.overwrite;
  converting.watch = options.watch;
  auto converted = convert(**source, output, converting);
  if (!converted) return fail(converted.error());
  recover_report report;
  report.ticks = converted->ticks;
  report.bytes = converted->bytes;
  // A line is a tick.
  report.lost_ticks = converted->losses.lost_ticks + converted->losses.skipped_lines;
  report.lost = sentences(converted->losses);
  return report;
}

namespace {

result<std::string_view> extension_of_reel(const file_path& input) {
  auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  const reel_encoder* const known = known_reel_encoder(source->head());
  return known == nullptr ? ".recovered.reel" : known->extension;
}

}  // namespace

result<file_path> recovered_name(const file_path& input) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  const std::filesystem::path from = filesystem_path(input);
  std::filesystem::path name = from.parent_path() / from.stem();
  if ((*found)->name != "reel") {
    name += ".recovered";
    name += from.extension();
    return name;
  }
  auto extension = extension_of_reel(input);
  if (!extension) return fail(extension.error());
  if (!file_path(name).utf8().ends_with(*extension)) name += std::string(*extension);
  return name;
}

namespace {

// A living recorder holds a lock on its reel, and wants the name that its file would get here.
result<void> nobody_records(const file_path& reel) {
  const auto alone = file::open_for_appending(reel);
  if (!alone && alone.error().code == error_code::in_use) return fail(alone.error());
  return {};
}

const char* wrong_name(std::string_view format, bool of_reel) noexcept {
  if (format == "butter") {
    return of_reel ? "of this reel comes a .butter or a .reel; name the output so"
                   : "of this comes a .butter; name the output so";
  }
  if (format == "echoreplay") {
    return of_reel ? "of this reel comes an .echoreplay or a .reel; name the output so"
                   : "of this comes an .echoreplay; name the output so";
  }
  if (format == "icrep") {
    return of_reel ? "of this reel comes an .icrep or a .reel; name the output so"
                   : "of this comes an .icrep; name the output so";
  }
  return of_reel ? "of this reel comes a .reel; name the output so"
                 : "the output's name tells another format than the input has";
}

// A name that tells no format is anybody's choice.
result<void> name_fits(std::string_view format, const file_path& input, const file_path& output) {
  const std::string named = extension_of(output);
  const auto is_named = [&](const files::format& each) { return each.name == named; };
  if (named == format || std::ranges::none_of(formats(), is_named)) return {};
  const bool of_reel = format == "reel";
  if (of_reel) {
    const auto source = reel::reader::open(input);
    if (!source) return fail(source.error());
    const reel_encoder* const known = known_reel_encoder(source->head());
    if (known != nullptr) {
      format = known->extension.substr(known->extension.rfind('.') + 1);
      const auto others = known->other_formats;
      if (std::ranges::find(others, named) != others.end()) return {};
      if (named != format && !others.empty()) {
        return fail(error_code::invalid_argument, error::no_offset,
                    "of this reel comes a .reel, a .butter or an .echoreplay; name the output so");
      }
    }
  }
  if (named == format) return {};
  return fail(error_code::invalid_argument, error::no_offset, wrong_name(format, of_reel));
}

}  // namespace

namespace {

// What stands behind the end and is no other recording of the format: one of another format, the same once
// more, or nothing that is known.
void tell_bytes_behind(const std::optional<bytes_behind>& behind, const file_path& input,
                       recover_report& report) {
  if (!behind) return;
  const auto other = recording_at(input, behind->offset);
  if (!other) {
    report.lost.push_back(std::to_string(behind->bytes) + " bytes behind the end at offset " +
                          std::to_string(behind->offset) + " are no recording that is known: left out");
    return;
  }
  report.another_at = behind->offset;
  report.lost_ticks += other->second.ticks.value_or(0);
  report.lost.push_back(sentence_of(other->second, *other->first));
}

}  // namespace

result<recover_report> recover(const file_path& input, const file_path& output,
                               const recover_options& options) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  file_path to = output;
  if (to.empty()) {
    auto chosen = recovered_name(input);
    if (!chosen) return fail(chosen.error());
    to = std::move(*chosen);
  }
  if (same_file(input, to)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  if ((*found)->recover == nullptr) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "nothing is known about recovering this format");
  }
  if (!options.overwrite && path_exists(to)) {
    return fail(error_code::already_exists);
  }
  if (auto fits = name_fits((*found)->name, input, to); !fits) return fail(fits.error());
  if ((*found)->name == "reel") {
    if (auto free = nobody_records(input); !free) return fail(free.error());
  }
  // Before anything is written: it may take a while, and be given up.
  auto another = find_another(input, **found, options.watch);
  if (!another) return fail(another.error());
  const auto behind = find_bytes_behind(input);
  auto report = (*found)->recover(input, to, options);
  if (!report) return report;
  report->output = to;
  if (!*another && !report->another_at) {
    tell_bytes_behind(behind, input, *report);
    return report;
  }
  if (report->another_at) *another = another_at(input, **found, *report->another_at);
  if (*another) {
    report->another_at = (*another)->offset;
    report->lost_ticks += (*another)->ticks.value_or(0);
    report->lost.push_back(sentence_of(**another, **found));
  }
  return report;
}

}  // namespace tickreel::files
