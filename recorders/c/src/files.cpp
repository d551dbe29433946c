// Conversions and recovery of files.
#include "recording.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/text/json.hpp"

using namespace tickreel;

namespace {

struct file_report {
  std::vector<file_path> outputs;
  std::uint64_t ticks = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> lost;
  std::vector<std::string> left_out;
};

result<file_report> convert_file(const file_path& input, const file_path& output,
                                 const tickreel_file_options& given, const files::tick_range& range) {
  const std::string wanted =
      given.format == nullptr ? files::format_of_name(output) : std::string(given.format);
  const auto how = files::find_conversion(input, wanted, !range.is_all());
  if (!how) return fail(how.error());
  std::optional<std::uint32_t> keyframe_interval;
  if (given.keyframe_interval != 0) keyframe_interval = given.keyframe_interval;
  if (*how != nullptr) {
    files::conversion_options options;
    options.keyframe_interval_ticks = keyframe_interval;
    options.overwrite = given.overwrites != 0;
    options.range = range;
    auto done = (*how)->run(input, output, options);
    if (!done) return fail(done.error());
    return file_report{std::move(done->files), done->ticks, done->bytes, std::move(done->lost),
                       std::move(done->left_out)};
  }
  files::convert_options options;
  options.to = wanted;
  options.keyframe_interval_ticks = keyframe_interval;
  options.overwrite = given.overwrites != 0;
  options.range = range;
  auto done = files::convert(input, output, options);
  if (!done) return fail(done.error());
  return file_report{std::move(done->files), done->ticks, done->bytes, sentences(done->losses),
                     butter::sentences(done->left_out)};
}

result<void> write_report(const file_report& report, tickreel_text* to) {
  if (to == nullptr) return {};
  thread_local std::string answer;
  answer.clear();
  text::json_writer json(answer);
  json.begin_object().key("outputs").begin_array();
  for (const file_path& each : report.outputs) json.value(each.utf8());
  json.end_array().member("ticks", report.ticks).member("bytes", report.bytes);
  json.key("lost").array(report.lost).key("left_out").array(report.left_out).end_object();
  *to = c::text_of(answer);
  return {};
}

}  // namespace

int32_t tickreel_convert(const char* input, const char* output, const tickreel_file_options* options,
                         tickreel_text* json) {
  std::string wrong;
  const std::int32_t code = c::guarded([&]() -> result<void> {
    if (input == nullptr || output == nullptr) return c::fail_argument("a pointer is NULL");
    const auto given = c::read_struct(options);
    if (!given) return fail(given.error());
    files::tick_range range;
    wrong = files::read_range(c::view_of(given->from), c::view_of(given->to), range);
    if (!wrong.empty()) return c::fail_argument("");
    // Before the output may take the input's name.
    const auto trailing = files::find_trailing_bytes(file_path(input));
    if (!trailing) return fail(trailing.error());
    auto report = convert_file(file_path(input), file_path(output), *given, range);
    if (!report) return fail(report.error());
    if (*trailing) report->lost.push_back((*trailing)->sentence());
    return write_report(*report, json);
  });
  return wrong.empty() ? code : c::set_failure(error_code::invalid_argument, std::move(wrong));
}

int32_t tickreel_recover(const char* input, const char* output, const tickreel_file_options* options,
                         tickreel_text* json) {
  return c::guarded([&]() -> result<void> {
    if (input == nullptr) return c::fail_argument("a pointer is NULL");
    const auto given = c::read_struct(options);
    if (!given) return fail(given.error());
    if (given->from != nullptr || given->to != nullptr || given->format != nullptr ||
        given->keyframe_interval != 0) {
      return c::fail_argument("tickreel_recover() takes no format, places and keyframe interval");
    }
    auto done = files::recover(file_path(input), file_path(c::view_of(output)),
                               {.overwrite = given->overwrites != 0, .watch = {}});
    if (!done) return fail(done.error());
    return write_report({{std::move(done->output)},
                         done->ticks,
                         done->bytes,
                         std::move(done->lost),
                         std::move(done->left_out)},
                        json);
  });
}
