// Reads an index without the right to change it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/files/distant_files.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/library/event_list.hpp"
#include "tickreel/library/sqlite.hpp"
#include "tickreel/result.hpp"
#include "tickreel/workers/mutex.hpp"

namespace tickreel::library {

// Opens the index of another run; it is neither created nor migrated. unsupported_version for one that has another
// version, malformed for a file that is not an index.
result<connection> open_to_read(const file_path& database);

// The path of a file as an index has it: absolute, without dots, with its links.
[[nodiscard]] std::string indexed_path(const file_path& file);

struct indexed_files {
  std::vector<std::string> paths;  // of recordings, sorted
  std::uint64_t in_stores = 0;     // recordings that are objects of a store, which have no path
};
// Without removed files.
result<indexed_files> list_files(connection& index);

// The events that a scan stored, of files and objects that have not changed since. Thread-safe.
class indexed_events {
 public:
  // Reads the index as it is at the first call of read(), whatever a scan changes later. `index` only reads.
  static result<std::unique_ptr<indexed_events>> create(connection index);

  struct selection {
    std::optional<std::string> type = std::nullopt;
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = UINT64_MAX;
    bool needs_json = true;
  };
  // All events of the selection, and perhaps others. `paths`: those that the file may have in the index. `object`: of an
  // object of a store, whose path is its address, as the store lists it now. Null if the events must be read from the file: it is not in the index, it has
  // changed, its reading had losses, or the index is damaged. The answer for a file is the same in every call.
  [[nodiscard]] std::shared_ptr<const event_list> read(const std::vector<std::string>& paths,
                                                       const std::optional<files::object_version>& object,
                                                       const selection& what);

 private:
  // A file that is unchanged.
  struct known_events {
    std::int64_t file = 0;
    std::uint64_t events = 0;
  };
  indexed_events(connection index, statement file, statement groups)
      : index_(std::move(index)), file_(std::move(file)), groups_(std::move(groups)) {}
  std::optional<known_events> find(const std::string& path,
                                   const std::optional<files::object_version>& object);
  [[nodiscard]] std::optional<event_list> read_groups(const known_events& of, const selection& what);

  workers::mutex mutex_;
  connection index_;
  statement file_, groups_;
  std::map<std::string, std::optional<known_events>> known_;  // by the first path
};

}  // namespace tickreel::library
