#include "inputs.hpp"

#include "tickreel/files/distant_files.hpp"
#include "tickreel/files/format.hpp"

namespace tickreel::query {

result<std::unique_ptr<files::recording>> open_recording(const input& from) {
  return from.bytes ? files::open(*from.bytes) : files::open(file_path(from.file));
}

std::optional<files::trailing_bytes> find_trailing_bytes(const input& in) {
  return in.bytes ? files::find_trailing_bytes(*in.bytes) : files::find_trailing_bytes(file_path(in.file));
}

void add_trailing_bytes(const input& in, std::vector<std::string>& losses) {
  if (const auto trailing = find_trailing_bytes(in)) losses.push_back(trailing->sentence());
}

bool is_only_written(const input& from) {
  const auto found = from.bytes ? files::detect(*from.bytes) : files::detect(file_path(from.file));
  return found && (*found)->is_only_written;
}

result<byte_source> open_bytes(const input& from) {
  return from.bytes ? result<byte_source>(*from.bytes) : files::open_source(from.file);
}

}  // namespace tickreel::query
