// Builds without file access.
#include "distant_recording.hpp"
#include "open_file.hpp"
#include "paths.hpp"

namespace tickreel::files {

result<byte_source> open_file(const file_path& path) {
  return byte_source::open(path);  // fails like a system without that call
}

result<byte_source> open_source(const file_path& path) {
  return open_file(path);
}

bool is_distant(const file_path&) noexcept {
  return false;
}

result<distant_file> open_distant_bytes(const file_path&) {
  return fail(error_code::unsupported_operation);
}

result<std::unique_ptr<recording>> open_distant_recording(const file_path&, const open_options&) {
  return fail(error_code::unsupported_operation);
}

std::function<bool()> replacement_of(const file_path&) {
  return {};
}

// Recordings in memory have names, as files do.
std::string name_of(const file_path& path) {
  const std::string& whole = path.utf8();
  return whole.substr(whole.rfind('/') + 1);
}

}  // namespace tickreel::files
