// Reads folders, with paths of any length on every system. On Windows, the standard library's iterators of
// MinGW read the current folder instead of one whose path has more than 260 characters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

enum class entry_kind : std::uint8_t { file, folder, other };

struct folder_entry {
  std::string name;
  file_path path;  // the folder's path with the name appended
  // Of a link's target; `other` if there is no target.
  entry_kind kind = entry_kind::other;
  bool is_link = false;
};

struct path_status {
  entry_kind kind = entry_kind::other;
  std::uint64_t bytes = 0;  // of a file
};

// The target of a path, following links. Fails as the system does: not_found, permission_denied.
[[nodiscard]] result<path_status> status_of(const file_path& path);
[[nodiscard]] bool is_folder(const file_path& path);

// Iterates over the entries of one folder, in the system's order, without "." and "..". One thread at a time.
// Movable.
class folder_reader {
 public:
  // not_found, permission_denied; io_failed if it is not a folder, and for any other error of the system.
  static result<folder_reader> open(const file_path& folder);
  folder_reader(folder_reader&&) noexcept;
  folder_reader& operator=(folder_reader&&) noexcept;
  ~folder_reader();

  // Empty at the end.
  result<std::optional<folder_entry>> next();

 private:
  struct state;
  explicit folder_reader(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

// Calls visit(entry) for each until it returns false. Fails if the folder cannot be read to its end.
template <class Visit>
result<void> visit_folder(const file_path& folder, Visit&& visit) {
  auto entries = folder_reader::open(folder);
  if (!entries) return fail(entries.error());
  for (;;) {
    const auto entry = entries->next();
    if (!entry) return fail(entry.error());
    if (!*entry || !visit(**entry)) return {};
  }
}

// The same for all files in a folder and its subfolders; links to folders are not followed. Fails if one of
// the folders cannot be read to its end.
template <class Visit>
result<void> visit_files_below(const file_path& root, Visit&& visit) {
  std::vector<file_path> folders = {root};
  bool goes_on = true;
  while (goes_on && !folders.empty()) {
    const file_path folder = std::move(folders.back());
    folders.pop_back();
    auto done = visit_folder(folder, [&](const folder_entry& entry) {
      if (entry.kind == entry_kind::folder) {
        if (!entry.is_link) folders.push_back(entry.path);
      } else if (entry.kind == entry_kind::file) {
        goes_on = visit(entry);
      }
      return goes_on;
    });
    if (!done) return done;
  }
  return {};
}

}  // namespace tickreel
