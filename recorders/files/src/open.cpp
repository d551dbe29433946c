#include "distant_recording.hpp"
#include "open_file.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::files {

std::string_view name(health value) noexcept {
  switch (value) {
    case health::whole:
      return "whole";
    case health::incomplete:
      return "incomplete";
    case health::recovered:
      return "recovered";
    case health::damaged:
      return "damaged";
  }
  return "";
}

std::string_view name(severity value) noexcept {
  switch (value) {
    case severity::note:
      return "note";
    case severity::warning:
      return "warning";
    case severity::error:
      return "error";
  }
  return "";
}

result<std::unique_ptr<recording>> open(const byte_source& from, const open_options& options) {
  const auto found = detect(from);
  if (!found) return fail(found.error());
  return (*found)->open(from, options);
}

result<std::unique_ptr<recording>> open(byte_span recording, const open_options& options) {
  return open(byte_source(recording), options);
}

result<std::unique_ptr<recording>> open(const file_path& path, const open_options& options) {
  if (is_distant(path)) return open_distant_recording(path, options);
  const auto from = open_file(path);
  if (!from) return fail(from.error());
  auto opened = open(*from, options);
  if (opened && options.live) (*opened)->replaced_ = replacement_of(path);
  return opened;
}

}  // namespace tickreel::files
