#include "tickreel/library/index_writer.hpp"

#include <chrono>
#include <thread>

#include "file_identity.hpp"
#include "schema.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::library {

namespace {

// Two programs may open a new file at the same time: SQLite does not wait here, so this function does.
result<void> use_write_ahead_log(connection& index) {
  result<void> done;
  for (int attempt = 0; attempt < 100; ++attempt) {
    done = index.run("PRAGMA journal_mode = WAL");
    if (done || done.error().code != error_code::in_use) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return done;
}

}  // namespace

result<connection> open_to_write(const file_path& database, connection::access how) {
  auto index = connection::open(full_path(filesystem_path(database)), how);
  if (!index) return index;
  if (index->is_read_only()) return fail(error_code::permission_denied);
  // The schema first: a file of another program must stay unchanged.
  if (auto ready = migrate(*index); !ready) return fail(ready.error());
  if (auto ready = use_write_ahead_log(*index); !ready) return fail(ready.error());
  // With the log, NORMAL survives any crash of the program; a crash of the machine may lose the last batch.
  if (auto ready = index->run("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL"); !ready) {
    return fail(ready.error());
  }
  return index;
}

}  // namespace tickreel::library
