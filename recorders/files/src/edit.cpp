#include "tickreel/files/edit.hpp"

#include "open_file.hpp"
#include "paths.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::files {

namespace {

// The edit of the input's format; the error `unknown` if the format has none.
template <class Edit, class Options>
result<edit_report> run(Edit format::* edit, const char* unknown, const file_path& input,
                        const file_path& output, const Options& options) {
  if (const auto from = open_file(input); !from) return fail(from.error());
  const auto found = detect(input);
  if (!found) return fail(found.error());
  if ((*found)->*edit == nullptr) return fail(error_code::unsupported_operation, error::no_offset, unknown);
  if (auto fits = check_output_name(**found, output); !fits) return fail(fits.error());
  if (auto distinct = check_distinct(input, output); !distinct) return fail(distinct.error());
  const auto excess = find_trailing_bytes(input);
  if (!excess) return fail(excess.error());
  auto report = ((*found)->*edit)(input, output, options);
  if (report && *excess) report->lost.push_back((*excess)->sentence());
  return report;
}

// The format's own reason for the missing edit, or else `usual`.
const char* reason_for(const file_path& input, const char* usual) {
  const auto found = detect(input);
  return found && (*found)->edit_advice != nullptr ? (*found)->edit_advice : usual;
}

}  // namespace

result<edit_report> anonymise(const file_path& input, const file_path& output, const edit_options& options) {
  return run(&format::anonymise, reason_for(input, "recordings of this format cannot be anonymised"), input,
             output, options);
}

result<edit_report> recompress(const file_path& input, const file_path& output,
                               const recompress_options& options) {
  return run(&format::recompress, "recordings of this format cannot be recompressed", input, output, options);
}

result<edit_report> strip_voice(const file_path& input, const file_path& output,
                                const edit_options& options) {
  return run(&format::strip_voice, reason_for(input, "recordings of this format contain no voice"), input,
             output, options);
}

result<edit_report> sign(const file_path& input, const file_path& output, const sign_options& options) {
  return run(&format::sign, reason_for(input, "recordings of this format cannot be signed"), input, output,
             options);
}

result<edit_report> compact(const file_path& input, const file_path& output, const edit_options& options) {
  return run(&format::compact, "only reels of described structs can be compacted", input, output, options);
}

result<edit_report> derive(const file_path& input, const file_path& output, const edit_options& options) {
  if (const auto from = open_file(input); !from) return fail(from.error());
  const auto found = detect(input);
  if (!found) return fail(found.error());
  const format& of = **found;
  if (of.derive == nullptr) {
    return fail(error_code::unsupported_operation, error::no_offset,
                of.derive_advice != nullptr ? of.derive_advice
                                            : "no events are derived from recordings of this format");
  }
  if (!of.stores_derived_events && is_same_file(input, output)) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "this format cannot store derived events; write a reel instead: -o X.reel");
  }
  const format* const named = find_format(extension_of(output));
  if (!(named != nullptr && named->stores_derived_events) && !is_same_file(input, output)) {
    return fail(error_code::invalid_argument, error::no_offset,
                "only reels can store derived events: give the output a name that ends in .reel");
  }
  if (!options.overwrite && path_exists(output)) return fail(error_code::already_exists);
  const auto trailing = find_trailing_bytes(input);  // before the output may replace the input
  if (!trailing) return fail(trailing.error());
  auto report = of.derive(input, output, options);
  if (report && *trailing) report->lost.push_back((*trailing)->sentence());
  return report;
}

}  // namespace tickreel::files
