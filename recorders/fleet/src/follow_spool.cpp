// The temporary file of a follower.
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "tickreel/fleet/follow.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::fleet {

namespace {

constexpr std::string_view spool_prefix = "tickreel-follow-";
constexpr std::string_view spool_extension = ".reel";

// Deletes spools of killed followers: the writer of a spool holds its lock.
void remove_stale_spools(const std::filesystem::path& folder) {
  (void)visit_folder(folder, [](const folder_entry& each) {
    if (!each.name.starts_with(spool_prefix) || !each.name.ends_with(spool_extension)) return true;
    if (const auto lock = file::open_for_appending(each.path)) (void)remove_file(each.path);
    return true;
  });
}

}  // namespace

result<spool_file> spool_file::create() {
  std::error_code failure;
  const auto folder = std::filesystem::temp_directory_path(failure);
  if (failure) return fail(error_code::not_found, error::no_offset, "the folder for temporary files");
  remove_stale_spools(folder);
  std::random_device seed;
  const std::string name = std::string(spool_prefix) + std::to_string(seed()) + std::to_string(seed()) +
                           std::string(spool_extension);
  return spool_file(file_path(folder / name));
}

spool_file::spool_file(spool_file&& other) noexcept : path_(std::exchange(other.path_, file_path())) {}

spool_file& spool_file::operator=(spool_file&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

spool_file::~spool_file() {
  if (!path_.empty()) (void)remove_file(path_);
}

}  // namespace tickreel::fleet
