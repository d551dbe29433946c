#include "tickreel/files/edit.hpp"

#include <algorithm>

#include "formats.hpp"
#include "paths.hpp"
#include "tickreel/files/behind.hpp"
#include "tickreel/files/format.hpp"

namespace tickreel::files {

namespace {

// What the input's format has in its place of the table.
template <class Edit, class Options>
result<edit_report> run(Edit format::* edit, const char* unknown, const file_path& input,
                        const file_path& output, const Options& options, const char* of_reel = nullptr) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  if ((*found)->*edit == nullptr) {
    if (of_reel != nullptr && (*found)->name == "reel") unknown = of_reel;
    return fail(error_code::unsupported_operation, error::no_offset, unknown);
  }
  if (same_file(input, output)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  const auto behind = find_bytes_behind(input);
  auto report = ((*found)->*edit)(input, output, options);
  if (report && behind) report->lost.push_back(behind->sentence());
  return report;
}

}  // namespace

result<edit_report> anonymise(const file_path& input, const file_path& output, const edit_options& options) {
  return run(&format::anonymise, "nothing is known about making this format anonymous", input, output,
             options, reel_first);
}

result<edit_report> recompress(const file_path& input, const file_path& output,
                               const recompress_options& options) {
  return run(&format::recompress, "nothing is known about compressing this format anew", input, output,
             options);
}

result<edit_report> strip_voice(const file_path& input, const file_path& output,
                                const edit_options& options) {
  return run(&format::strip_voice, "recordings of this format hold no voice", input, output, options,
             reel_first);
}

result<edit_report> sign(const file_path& input, const file_path& output, const sign_options& options) {
  return run(&format::sign, "recordings of this format cannot be signed", input, output, options, reel_first);
}

result<edit_report> compact(const file_path& input, const file_path& output, const edit_options& options) {
  // A name that tells no format is anybody's choice.
  const std::string named = extension_of(output);
  const auto is_named = [&](const format& each) { return each.name == named; };
  if (named != "reel" && std::ranges::any_of(formats(), is_named)) {
    return fail(error_code::invalid_argument, error::no_offset,
                "a reel comes of this: name the output so; 'tickreel convert' makes other formats");
  }
  return run(&format::compact, "only reels of described structs become compact", input, output, options);
}

result<edit_report> derive(const file_path& input, const file_path& output, const edit_options& options) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  const format& of = **found;
  if (of.name == "icrep") {
    return fail(error_code::unsupported_operation, error::no_offset,
                "what happens in a game's own world is derived by its own rules, by the game that has them: "
                "game::derive_events()");
  }
  if (of.name == "sc2replay") {
    return fail(error_code::unsupported_operation, error::no_offset,
                "it says what happened by itself; 'tickreel convert' keeps that in an .icrep");
  }
  if (of.derive == nullptr) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "nothing is derived from recordings of this format");
  }
  if (of.name != "reel" && same_file(input, output)) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "the format has no place for what is derived; a reel of it has: -o X.reel");
  }
  if (extension_of(output) != "reel" && !same_file(input, output)) {
    return fail(error_code::invalid_argument, error::no_offset,
                "only reels have a place for what is derived: name the output so");
  }
  if (!options.overwrite && is_there(output)) return fail(error_code::already_exists);
  return of.derive(input, output, options);
}

}  // namespace tickreel::files
