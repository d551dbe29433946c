#include "tickreel/io/folder.hpp"

#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel {

bool path_exists(const file_path& path) {
  return status_of(path).has_value();
}

bool is_folder(const file_path& path) {
  const auto there = status_of(path);
  return there && there->kind == entry_kind::folder;
}

bool is_file(const file_path& path) {
  const auto there = status_of(path);
  return there && there->kind == entry_kind::file;
}

bool is_same_file(const file_path& left, const file_path& right) {
  const auto a = status_of(left);
  const auto b = status_of(right);
  return a && b && a->volume == b->volume && a->file_id == b->file_id;
}

result<void> create_folders(const file_path& path) {
  auto made = create_folder(path);
  if (!made && made.error().code == error_code::not_found) {
    const file_path parent = filesystem_path(path).parent_path();
    if (parent.empty() || parent == path) return fail(made.error());
    if (auto above = create_folders(parent); !above) return above;
    made = create_folder(path);
  }
  if (!made) return fail(made.error());
  return {};
}

result<void> remove_file(const file_path& path) {
  if (const auto checked = check_path(path); !checked) return checked;
  const std::int64_t answer = system_calls::real().remove(path.utf8().c_str());
  if (answer < 0) return fail(from_system_error(static_cast<int>(-answer), "removing a file"));
  return {};
}

result<void> remove_folder(const file_path& path) {
  std::vector<folder_entry> entries;
  result<void> outcome = visit_folder(path, [&](const folder_entry& entry) {
    entries.push_back(entry);
    return true;
  });
  const auto keep_first = [&](result<void> each) {
    if (!each && outcome) outcome = std::move(each);
  };
  for (const folder_entry& each : entries) {
    if (each.kind == entry_kind::folder && !each.is_link) {
      keep_first(remove_folder(each.path));
    } else if (auto removed = remove_file(each.path); !removed) {
      // Windows takes a link to a folder for a folder.
      keep_first(each.is_link ? remove_empty_folder(each.path) : std::move(removed));
    }
  }
  keep_first(remove_empty_folder(path));
  return outcome;
}

}  // namespace tickreel
