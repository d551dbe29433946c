#include "tickreel/recording/edit.hpp"

#include <system_error>

#include "tickreel/recording/format.hpp"

namespace tickreel::recording {

result<edit_report> anonymise(const std::filesystem::path& input, const std::filesystem::path& output,
                              const edit_options& options) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  if ((*found)->anonymise == nullptr) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "nothing is known about making this format anonymous");
  }
  std::error_code ignored;
  if (std::filesystem::equivalent(input, output, ignored)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  return (*found)->anonymise(input, output, options);
}

}  // namespace tickreel::recording
