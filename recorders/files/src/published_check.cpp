#include "published_check.hpp"

#include "tickreel/files/format.hpp"
#include "tickreel/io/byte_source.hpp"

namespace tickreel::files {

namespace {

result<void> check(const file_path& path, std::string_view format) {
  const auto from = byte_source::open(path);
  if (!from) return fail(from.error());
  const auto found = detect(*from);
  if (!found) return fail(found.error());
  if ((*found)->name != format)
    return fail(error_code::not_recognised, 0, "it is detected as another format");
  return (*found)->check != nullptr ? (*found)->check(*from) : result<void>();
}

}  // namespace

result<void> check_published_file(const published_file& written, std::string_view format) {
  const auto checked = check(written.temporary_path(), format);
  if (checked || checked.error().system_error != 0) return checked;
  error what = checked.error();
  what.detail = "the written file could not be opened again and was deleted";
  return fail(what);
}

}  // namespace tickreel::files
