#include "described_conversion.hpp"

#include <functional>

#include "described_reel.hpp"
#include "formats.hpp"
#include "paths.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t flush_bytes = 256u << 10;

// Each tick through `append`, into a file that appears whole or not at all.
result<conversion_report> write_lines(recording& from, const file_path& output,
                                      const conversion_options& options, std::string text,
                                      const std::function<void(std::string&)>& append) {
  auto to = published_file::create(output, options.overwrite);
  if (!to) return fail(to.error());
  conversion_report report;
  for (;;) {
    const auto more = from.next();
    if (!more) return fail(more.error());
    if (!*more) break;
    append(text);
    ++report.ticks;
    if (text.size() < flush_bytes) continue;
    options.watch.report(from.position().offset, 0);
    if (options.watch.stop()) return fail(error_code::interrupted);
    if (auto written = to->append(as_bytes(text)); !written) return fail(written.error());
    text.clear();
  }
  if (auto written = to->append(as_bytes(text)); !written) return fail(written.error());
  report.lost = from.losses();
  report.bytes = to->size();
  report.files = {output};
  if (auto committed = to->commit(); !committed) return fail(committed.error());
  return report;
}

result<byte_source> open_input(const file_path& input, const file_path& output,
                               const conversion_options& options) {
  if (same_file(input, output)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  if (options.codec || options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset,
                "a text has neither compression nor keyframes");
  }
  return open_file(input);
}

}  // namespace

result<conversion_report> convert_reel_to_ndjson(const file_path& input, const file_path& output,
                                                 const conversion_options& options) {
  const auto file = open_input(input, output, options);
  if (!file) return fail(file.error());
  auto from = open_reel_recording(*file, {});
  if (!from) return fail(from.error());
  const recording& ticks = **from;
  return write_lines(**from, output, options, {}, [&](std::string& text) {
    text += "{\"tick\":" + std::to_string(ticks.position().tick);
    text += ",\"time_ms\":" + std::to_string(ticks.position().time_ms) + ",";
    ticks.append_state(text);
    text += "}\n";
  });
}

result<conversion_report> convert_reel_to_csv(const file_path& input, const file_path& output,
                                              const conversion_options& options) {
  const auto file = open_input(input, output, options);
  if (!file) return fail(file.error());
  auto from = open_described(*file);
  if (!from) return fail(from.error());
  const described_recording& ticks = **from;
  std::string names = "tick,time_ms";
  append_csv_names(ticks.described(), names);
  names += '\n';
  return write_lines(**from, output, options, std::move(names), [&](std::string& text) {
    text += std::to_string(ticks.position().tick) + "," + std::to_string(ticks.position().time_ms);
    append_csv_row(ticks.described(), ticks.row(), text);
    text += '\n';
  });
}

}  // namespace tickreel::files
