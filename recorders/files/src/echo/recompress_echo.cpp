// Compresses recordings of Echo VR again; frames and lines stay unchanged.

#include "echo_access.hpp"
#include "echo_edits.hpp"
#include "paths.hpp"
#include "tickreel/files/convert.hpp"

namespace tickreel::files {

result<edit_report> recompress_echo(const file_path& input, const file_path& output,
                                    const recompress_options& options) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  convert_options converting;
  converting.to = (*found)->name;
  const codec_id usual = (*found)->usual_codec;
  converting.codec =
      options.codec.value_or(codec_options{.codec = usual, .level = usual == codec_id::zstd ? 19 : 9});
  converting.overwrite = options.overwrite;
  converting.watch = options.watch;
  const auto made = convert(input, output, converting);
  if (!made) return fail(made.error());
  edit_report report;
  report.bytes = made->bytes;
  report.lost = sentences(made->losses);
  const std::uint64_t before = size_of_file(input);
  if (before != 0) report.facts.push_back({"bytes_before", static_cast<std::int64_t>(before)});
  return report;
}

}  // namespace tickreel::files
