#include "tickreel/recording/recover.hpp"

#include "byte_stream.hpp"
#include "formats.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/recording/convert.hpp"
#include "tickreel/reel/file.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::recording {

result<recover_report> recover_echoreplay(const std::filesystem::path& input,
                                          const std::filesystem::path& output,
                                          const recover_options& options) {
  auto source = open_echo(input, {.tolerant = true});
  if (!source) return fail(source.error());
  convert_options converting;
  converting.to = target::echoreplay;
  converting.overwrite = options.overwrite;
  converting.watch = options.watch;
  auto converted = convert(**source, output, converting);
  if (!converted) return fail(converted.error());
  recover_report report;
  report.ticks = converted->ticks;
  report.bytes = converted->bytes;
  report.lost = sentences(converted->losses);
  return report;
}

namespace {

result<std::string_view> extension_of_reel(const std::filesystem::path& input) {
  auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  const std::string& encoder = source->head().encoder_name;
  if (encoder == butter::encoder::encoder_name) return ".butter";
  if (encoder == echoreplay::encoder::encoder_name) return ".echoreplay";
  if (game::is_match_reel(source->head())) return ".icrep";
  return ".recovered.reel";
}

}  // namespace

result<std::filesystem::path> recovered_name(const std::filesystem::path& input) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  std::filesystem::path name = input.parent_path() / input.stem();
  if ((*found)->name != "reel") {
    name += ".recovered";
    name += input.extension();
    return name;
  }
  auto extension = extension_of_reel(input);
  if (!extension) return fail(extension.error());
  if (!utf8(name).ends_with(*extension)) name += std::string(*extension);
  return name;
}

namespace {

// A living recorder holds a lock on its reel, and wants the name that its file would get here.
result<void> nobody_records(const std::filesystem::path& reel) {
  const auto alone = file::open_for_appending(utf8(reel));
  if (!alone && alone.error().code == error_code::in_use) return fail(alone.error());
  return {};
}

}  // namespace

result<recover_report> recover(const std::filesystem::path& input, const std::filesystem::path& output,
                               const recover_options& options) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  std::filesystem::path to = output;
  if (to.empty()) {
    auto chosen = recovered_name(input);
    if (!chosen) return fail(chosen.error());
    to = std::move(*chosen);
  }
  std::error_code ignored;
  if (std::filesystem::equivalent(input, to, ignored)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  if ((*found)->recover == nullptr) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "nothing is known about recovering this format");
  }
  if ((*found)->name == "reel") {
    if (auto free = nobody_records(input); !free) return fail(free.error());
  }
  auto report = (*found)->recover(input, to, options);
  if (report) report->output = to;
  return report;
}

}  // namespace tickreel::recording
