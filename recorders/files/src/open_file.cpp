#include <algorithm>
#include <system_error>
#include <utility>

#include "distant_recording.hpp"
#include "open_file.hpp"
#include "tickreel/files/growing_file.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::files {

result<byte_source> open_file(const file_path& path) {
  if (auto checked = check_path(path); !checked) return fail(checked.error());
  if (is_distant(path)) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "this needs a file; download the object first");
  }
  // Opening a pipe would block until a writer opens it, and recordings need seeking.
  const auto there = status_of(path);
  if (there && there->kind == entry_kind::folder) {
    return fail(error_code::invalid_argument, error::no_offset, "this is a folder");
  }
  if (there && there->kind != entry_kind::file) {
    return fail(error_code::invalid_argument, error::no_offset,
                "this is a pipe or a device; save its content to a file first");
  }
  return byte_source::open(path);
}

result<byte_source> open_source(const file_path& path) {
  if (!is_distant(path)) return open_file(path);
  auto there = open_distant_bytes(path);
  if (!there) return fail(there.error());
  return byte_source(std::move(there->bytes), path);
}

bool growing_file::takes(const file& now) {
  constexpr std::uint64_t looked_at_bytes = 4096;
  const auto size = now.size();
  if (!size) return false;
  byte_vector beginning(static_cast<std::size_t>(std::min(*size, looked_at_bytes)));
  const auto came = now.read_at(beginning, 0);
  if (!came || *came != beginning.size()) return false;
  const bool grew = *size >= bytes_ && beginning.size() >= beginning_.size() &&
                    std::equal(beginning_.begin(), beginning_.end(), beginning.begin());
  beginning_ = std::move(beginning);
  bytes_ = *size;
  return grew;
}

std::function<bool()> replacement_of(const file_path& path) {
  // The open handle still reads the old file after its name is gone.
  growing_file known;
  if (const auto opened = file::open_for_reading(path)) (void)known.takes(*opened);
  return [path, known]() mutable {
    const auto now = file::open_for_reading(path);
    return now && !known.takes(*now);
  };
}

}  // namespace tickreel::files
