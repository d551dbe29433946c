#include "tickreel/recording/echo_source.hpp"

#include "echo_input.hpp"
#include "tickreel/recording/format.hpp"

namespace tickreel::recording {

result<std::unique_ptr<echo_source>> open_echo(const std::filesystem::path& path,
                                               const echo_options& options) {
  const auto found = detect(path);
  if (!found) return fail(found.error());
  const std::string_view format = (*found)->name;
  auto input = format == "butter"       ? open_butter(path, options)
               : format == "echoreplay" ? open_echoreplay(path, options)
               : format == "reel"
                   ? open_echo_reel(path, options)
                   : fail(error_code::unsupported_operation, 0, "a recording, but not of Echo VR");
  if (!input) return fail(input.error());
  return std::unique_ptr<echo_source>(std::move(*input));
}

}  // namespace tickreel::recording
