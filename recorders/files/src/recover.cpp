#include "tickreel/files/recover.hpp"

#include <algorithm>
#include <filesystem>

#include "concatenated_recordings.hpp"
#include "paths.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/temporary_files.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

namespace {

// The recovery target of a file, and whether its name is chosen from the input's name.
result<recovery_target> target_of_recovery(const format& of, const file_path& input) {
  if (of.find_recovery_target != nullptr) return of.find_recovery_target(input);
  return recovery_target{.extension = {}, .format = of.name, .wrong_name = of.wrong_recovered_name};
}

// Of a format beside the recovery target's own.
bool takes_name(const recovery_target& target, std::string_view name) noexcept {
  const format* const output = target.takes_echo_outputs ? echo_output_of(name) : nullptr;
  return output != nullptr && !output->has_records;
}

}  // namespace

result<file_path> recovered_name(const file_path& input) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  const auto target = target_of_recovery(**found, input);
  if (!target) return fail(target.error());
  std::filesystem::path from = filesystem_path(input);
  // What a killed process or a cut download left has the name of a temporary file.
  const std::string own_name = file_path(from.filename()).utf8();
  if (const std::string_view output = output_of_temporary(own_name); !output.empty()) {
    from.replace_filename(filesystem_path(file_path(std::string(output))));
  } else if (own_name.ends_with(temporary_file_ending) && from.has_stem()) {
    from.replace_filename(from.stem());
  }
  std::filesystem::path name = from.parent_path() / from.stem();
  if (target->extension.empty()) {
    name += ".recovered";
    name += from.extension();
    return name;
  }
  if (takes_name(*target, extension_of(name))) return name;  // of "X.tape.reel"
  if (!file_path(name).utf8().ends_with(target->extension)) name += std::string(target->extension);
  return name;
}

namespace {

// A name without a known format's extension is allowed.
result<void> check_name(const format& of, const file_path& input, const file_path& output) {
  const std::string named = extension_of(output);
  if (named == of.name || find_format(named) == nullptr) return {};
  const auto target = target_of_recovery(of, input);
  if (!target) return fail(target.error());
  if (named == target->format || takes_name(*target, named)) return {};
  return fail(error_code::invalid_argument, error::no_offset, target->wrong_name);
}

}  // namespace

namespace {

// Reports bytes after the end that are not a second recording of the format: a recording of another format,
// the same recording repeated, or unknown bytes.
void report_trailing_bytes(const std::optional<trailing_bytes>& trailing, const file_path& input,
                           recover_report& report) {
  if (!trailing) return;
  const auto other = recording_at(input, trailing->offset);
  if (!other) {
    report.lost.push_back(counted(trailing->bytes, "byte") + " after the end at offset " +
                          std::to_string(trailing->offset) + ", not a known recording: left out");
    return;
  }
  report.another_at = trailing->offset;
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
  if (auto distinct = check_distinct(input, to); !distinct) return fail(distinct.error());
  if ((*found)->recover == nullptr) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "recordings of this format cannot be recovered");
  }
  if (!options.overwrite && path_exists(to)) {
    return fail(error_code::already_exists);
  }
  if (auto fits = check_name(**found, input, to); !fits) return fail(fits.error());
  // Before anything is written, because the search may be slow and the user may cancel it.
  auto another = find_concatenated(input, **found, options.watch);
  if (!another) return fail(another.error());
  const auto trailing = find_trailing_bytes(input);
  if (!trailing) return fail(trailing.error());
  // Files that killed processes left may be the next input of `recover`.
  const kept_temporary_files kept(to);
  auto report = (*found)->recover(input, to, options);
  if (!report) return report;
  report->output = to;
  if (!*another && !report->another_at) {
    if (!report->searched_to_end) report_trailing_bytes(*trailing, input, *report);
    return report;
  }
  if (report->another_at) *another = concatenated_at(input, **found, *report->another_at);
  if (*another) {
    report->another_at = (*another)->offset;
    report->lost_ticks += (*another)->ticks.value_or(0);
    report->lost.push_back(sentence_of(**another, **found));
  }
  return report;
}

}  // namespace tickreel::files
