#include "spool.hpp"

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

#include "tickreel/archive/archive.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::archive {

namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = "lock";
constexpr std::string_view own_prefix = "archiver-";

// The folder of a dead archiver: its lock is free.
void remove_if_dead(const file_path& folder) {
  const auto lock = file::open_for_appending(filesystem_path(folder) / lock_name);
  if (lock) (void)remove_folder(folder);
}

}  // namespace

file_path default_spool() {
  for (const char* name : {"XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    fs::path folder = filesystem_path(value);
    if (std::string_view(name) == "HOME") folder /= ".cache";
    return folder / "tickreel" / "spool";
  }
  std::error_code ignored;
  return fs::temp_directory_path(ignored) / "tickreel-spool";
}

result<spool> spool::open(const file_path& folder) {
  if (auto right = check_path(folder); !right) return fail(right.error());
  const fs::path root = filesystem_path(folder);
  if (auto made = create_folders(root); !made) {
    return fail(from_system_error(made.error().system_error, "creating the spool folder"));
  }
  (void)visit_folder(folder, [](const folder_entry& each) {
    if (each.name.starts_with(own_prefix)) remove_if_dead(each.path);
    return true;
  });
  std::random_device random;
  while (true) {
    const fs::path own = root / (std::string(own_prefix) + std::to_string(random()));
    const auto made = create_folder(own);
    if (!made) return fail(from_system_error(made.error().system_error, "creating a folder in the spool"));
    if (!*made) continue;
    auto lock = file::create_new(own / lock_name);
    if (!lock) return fail(lock.error());
    return spool(own, std::move(*lock));
  }
}

spool::~spool() {
  if (!lock_ || own_.empty()) return;
  lock_.reset();
  (void)remove_folder(own_);
}

file_path spool::path_of(const std::string& name) const {
  return own_.utf8() + '/' + name;
}

temporary_file::temporary_file(file_path path) : path_(std::move(path)) {
  (void)remove_file(path_);
}

temporary_file::~temporary_file() {
  (void)remove_file(path_);
}

}  // namespace tickreel::archive
