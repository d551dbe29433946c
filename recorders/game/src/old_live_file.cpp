#include "old_live_file.hpp"

#include "tickreel/io/whole_file.hpp"

namespace tickreel::game {

file_path keyframe_spool_path(const file_path& path) {
  return path.utf8() + ".kf";
}
file_path event_spool_path(const file_path& path) {
  return path.utf8() + ".ev";
}
file_path voice_spool_path(const file_path& path) {
  return path.utf8() + ".vo";
}

result<byte_vector> read_whole_or_nothing(const file_path& path, system_calls& calls) {
  auto bytes = read_whole_file(path, max_file_bytes, calls);
  if (!bytes && bytes.error().code == error_code::not_found) return byte_vector{};
  return bytes;
}

result<void> remove_spools(const file_path& path, system_calls& calls) {
  bool any = false;
  for (const file_path& spool : {keyframe_spool_path(path), event_spool_path(path), voice_spool_path(path)}) {
    const std::int64_t removed = calls.remove(spool.utf8().c_str());
    if (removed == 0) {
      any = true;
      continue;
    }
    const error why = from_system_error(static_cast<int>(-removed), "removing a spool");
    if (why.code != error_code::not_found) return fail(why);
  }
  if (!any) return {};
  const std::int64_t settled = calls.sync_folder(path.utf8().c_str());
  if (settled < 0) return fail(from_system_error(static_cast<int>(-settled), "syncing the folder"));
  return {};
}

}  // namespace tickreel::game
