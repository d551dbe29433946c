// Folders and the status of files, with paths of any length on every system. Use these instead of
// <filesystem>: MinGW's functions fail for paths of more than 260 letters, and its iterators then read the
// current folder.
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
  bool is_link = false;          // the path itself; everything else describes what the link leads to
  std::uint64_t bytes = 0;       // of a file
  std::int64_t modified_ns = 0;  // since 1970
  std::uint64_t volume = 0;      // with file_id the same for all names of one file
  std::uint64_t file_id = 0;
};

// The target of a path, following links. Fails as the system does: not_found, permission_denied.
[[nodiscard]] result<path_status> status_of(const file_path& path);
// Also false if the system does not report it.
[[nodiscard]] bool path_exists(const file_path& path);
[[nodiscard]] bool is_folder(const file_path& path);
[[nodiscard]] bool is_file(const file_path& path);
// Whether both exist and are one file or folder.
[[nodiscard]] bool is_same_file(const file_path& left, const file_path& right);

// False if the folder exists already. Fails with not_found if its parent does not exist, and if a file has
// the name.
result<bool> create_folder(const file_path& path);
// With its parents.
result<void> create_folders(const file_path& path);
// A file, or a link to one.
result<void> remove_file(const file_path& path);
result<void> remove_empty_folder(const file_path& path);
// With everything in it; of links only the links. Continues after failures and returns the first.
result<void> remove_folder(const file_path& path);

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
  bool keeps_visiting = true;
  while (keeps_visiting && !folders.empty()) {
    const file_path folder = std::move(folders.back());
    folders.pop_back();
    auto done = visit_folder(folder, [&](const folder_entry& entry) {
      if (entry.kind == entry_kind::folder) {
        if (!entry.is_link) folders.push_back(entry.path);
      } else if (entry.kind == entry_kind::file) {
        keeps_visiting = visit(entry);
      }
      return keeps_visiting;
    });
    if (!done) return done;
  }
  return {};
}

}  // namespace tickreel
