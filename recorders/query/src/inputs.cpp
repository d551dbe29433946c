#include "inputs.hpp"

#include "tickreel/files/distant_files.hpp"
#include "tickreel/files/format.hpp"

namespace tickreel::query {

result<std::unique_ptr<files::recording>> open_recording(const input& from) {
  return from.bytes ? files::open(*from.bytes) : files::open(file_path(from.file));
}

result<std::optional<files::trailing_bytes>> find_trailing_bytes(const input& in) {
  if (in.bytes) return files::find_trailing_bytes(*in.bytes);
  return files::find_trailing_bytes(file_path(in.file));
}

result<void> add_trailing_bytes(const input& in, std::vector<std::string>& losses) {
  const auto trailing = find_trailing_bytes(in);
  if (!trailing) return fail(trailing.error());
  if (*trailing) losses.push_back((*trailing)->sentence());
  return {};
}

bool is_only_written(const input& from) {
  const auto found = from.bytes ? files::detect(*from.bytes) : files::detect(file_path(from.file));
  return found && (*found)->is_only_written;
}

result<byte_source> open_bytes(const input& from) {
  return from.bytes ? result<byte_source>(*from.bytes) : files::open_source(from.file);
}

}  // namespace tickreel::query
