#include "tickreel/library/index_reader.hpp"

#include "file_identity.hpp"
#include "schema.hpp"
#include "state.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::library {

result<reader_connection> open_reader(const std::filesystem::path& path) {
  result<reader_connection> out = fail(error_code::not_found);
  for (const auto how : {connection::access::read_only, connection::access::immutable}) {
    auto index = connection::open(path, how);
    if (!index) return fail(index.error());
    const auto ready = check_current(*index);
    if (ready) return reader_connection{std::move(*index), how};
    out = fail(ready.error());
    if (ready.error().code == error_code::unsupported_version) break;
  }
  return out;
}

result<connection> open_to_read(const file_path& database) {
  const std::filesystem::path path = full_path(filesystem_path(database));
  // The last connection with the right to write removes SQLite's files beside the index when it closes.
  if (auto index = connection::open(path, connection::access::read_write)) {
    if (check_current(*index) && index->run("PRAGMA query_only = ON")) return index;
  }
  auto reader = open_reader(path);
  if (!reader) return fail(reader.error());
  return std::move(reader->index);
}

std::string indexed_path(const file_path& file) {
  return file_path(full_path(filesystem_path(file))).utf8();
}

result<indexed_files> list_files(connection& index) {
  auto rows =
      index.prepare("SELECT path FROM files WHERE vanished_ms IS NULL AND health <> 'ignored' ORDER BY path");
  if (!rows) return fail(rows.error());
  indexed_files out;
  for (;;) {
    const auto more = rows->step();
    if (!more) return fail(more.error());
    if (!*more) return out;
    const std::string_view path = rows->text(0);
    if (store::is_s3_url(path)) {
      ++out.in_stores;
    } else {
      out.paths.emplace_back(path);
    }
  }
}

}  // namespace tickreel::library
