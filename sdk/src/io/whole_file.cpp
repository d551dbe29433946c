#include "tickreel/io/whole_file.hpp"

#include <algorithm>

namespace tickreel {

result<byte_vector> read_whole_file(const file& opened, std::uint64_t max_bytes) {
  const auto size = opened.size();
  if (!size) return fail(size.error());
  // With 32-bit addresses, a larger size would wrap.
  max_bytes = std::min<std::uint64_t>(max_bytes, byte_vector().max_size());
  if (*size > max_bytes) {
    return fail(error_code::over_limit, error::no_offset, "the file is larger than {} bytes",
                static_cast<std::int64_t>(max_bytes));
  }
  byte_vector content(static_cast<std::size_t>(*size));
  const auto count = opened.read_at(content, 0);
  if (!count) return fail(count.error());
  content.resize(*count);
  return content;
}

result<byte_vector> read_whole_file(const file_path& path, std::uint64_t max_bytes, system_calls& calls) {
  const auto opened = file::open_for_reading(path, calls);
  if (!opened) return fail(opened.error());
  return read_whole_file(*opened, max_bytes);
}

}  // namespace tickreel
