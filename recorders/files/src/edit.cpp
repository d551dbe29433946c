#include "tickreel/files/edit.hpp"

#include "paths.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/trailing_bytes.hpp"

namespace tickreel::files {

namespace {

// What the input's format offers; `unknown` where it does not.
template <class Edit, class Options>
result<edit_report> run(Edit format::* edit, const char* unknown, const file_path& input,
                        const file_path& output, const Options& options) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  if ((*found)->*edit == nullptr) return fail(error_code::unsupported_operation, error::no_offset, unknown);
  if (same_file(input, output)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  const auto behind = find_trailing_bytes(input);
  auto report = ((*found)->*edit)(input, output, options);
  if (report && behind) report->lost.push_back(behind->sentence());
  return report;
}

// The format's own reason why it has no such edit, or else `usual`.
const char* reason_for(const file_path& input, const char* usual) {
  const auto found = detect(input);
  return found && (*found)->edit_advice != nullptr ? (*found)->edit_advice : usual;
}

}  // namespace

result<edit_report> anonymise(const file_path& input, const file_path& output, const edit_options& options) {
  return run(&format::anonymise, reason_for(input, "nothing is known about making this format anonymous"),
             input, output, options);
}

result<edit_report> recompress(const file_path& input, const file_path& output,
                               const recompress_options& options) {
  return run(&format::recompress, "nothing is known about compressing this format anew", input, output,
             options);
}

result<edit_report> strip_voice(const file_path& input, const file_path& output,
                                const edit_options& options) {
  return run(&format::strip_voice, reason_for(input, "recordings of this format hold no voice"), input,
             output, options);
}

result<edit_report> sign(const file_path& input, const file_path& output, const sign_options& options) {
  return run(&format::sign, reason_for(input, "recordings of this format cannot be signed"), input, output,
             options);
}

result<edit_report> compact(const file_path& input, const file_path& output, const edit_options& options) {
  // A name that is of no format is anybody's choice.
  const format* const named = find_format(extension_of(output));
  if (named != nullptr && named->compact == nullptr) {
    return fail(error_code::invalid_argument, error::no_offset,
                "a reel comes of this: name the output so; 'tickreel convert' makes other formats");
  }
  return run(&format::compact, "only reels of described structs become compact", input, output, options);
}

result<edit_report> derive(const file_path& input, const file_path& output, const edit_options& options) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  const format& of = **found;
  if (of.derive == nullptr) {
    return fail(
        error_code::unsupported_operation, error::no_offset,
        of.derive_advice != nullptr ? of.derive_advice : "nothing is derived from recordings of this format");
  }
  if (!of.stores_derived_events && same_file(input, output)) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "the format has no place for what is derived; a reel of it has: -o X.reel");
  }
  const format* const named = find_format(extension_of(output));
  if (!(named != nullptr && named->stores_derived_events) && !same_file(input, output)) {
    return fail(error_code::invalid_argument, error::no_offset,
                "only reels have a place for what is derived: name the output so");
  }
  if (!options.overwrite && is_there(output)) return fail(error_code::already_exists);
  const auto trailing = find_trailing_bytes(input);  // before the output may take the input's place
  auto report = of.derive(input, output, options);
  if (report && trailing) report->lost.push_back(trailing->sentence());
  return report;
}

}  // namespace tickreel::files
