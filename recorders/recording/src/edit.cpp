#include "tickreel/recording/edit.hpp"

#include <system_error>

#include "tickreel/recording/format.hpp"

namespace tickreel::recording {

namespace {

// What the input's format has in its place of the table.
template <class Edit, class Options>
result<edit_report> run(Edit format::*edit, const char* unknown, const std::filesystem::path& input,
                        const std::filesystem::path& output, const Options& options) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  if ((*found)->*edit == nullptr) return fail(error_code::unsupported_operation, error::no_offset, unknown);
  std::error_code ignored;
  if (std::filesystem::equivalent(input, output, ignored)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  return ((*found)->*edit)(input, output, options);
}

}  // namespace

result<edit_report> anonymise(const std::filesystem::path& input, const std::filesystem::path& output,
                              const edit_options& options) {
  return run(&format::anonymise, "nothing is known about making this format anonymous", input, output,
             options);
}

result<edit_report> recompress(const std::filesystem::path& input, const std::filesystem::path& output,
                               const recompress_options& options) {
  return run(&format::recompress, "nothing is known about compressing this format anew", input, output,
             options);
}

result<edit_report> strip_voice(const std::filesystem::path& input, const std::filesystem::path& output,
                                const edit_options& options) {
  return run(&format::strip_voice, "recordings of this format hold no voice", input, output, options);
}

result<edit_report> sign(const std::filesystem::path& input, const std::filesystem::path& output,
                         const sign_options& options) {
  return run(&format::sign, "recordings of this format cannot be signed", input, output, options);
}

}  // namespace tickreel::recording
