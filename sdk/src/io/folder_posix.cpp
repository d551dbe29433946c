// folder.hpp on Linux, macOS and other POSIX systems.
#ifndef _WIN32

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "tickreel/io/file.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel {

namespace {

entry_kind kind_of(mode_t mode) noexcept {
  return S_ISREG(mode) ? entry_kind::file : S_ISDIR(mode) ? entry_kind::folder : entry_kind::other;
}

}  // namespace

struct folder_reader::state {
  state(DIR* opened, std::string path) noexcept : folder(opened), prefix(std::move(path)) {
    if (!prefix.ends_with('/')) prefix += '/';
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() { ::closedir(folder); }

  // Most systems report the kind of an entry directly; links and others need another call.
  void set_kind(const dirent& found, folder_entry& entry) const noexcept {
    bool is_known = false;
#ifdef DT_REG
    is_known = found.d_type != DT_UNKNOWN && found.d_type != DT_LNK;
    if (found.d_type == DT_REG) entry.kind = entry_kind::file;
    if (found.d_type == DT_DIR) entry.kind = entry_kind::folder;
#endif
    if (is_known) return;
    struct ::stat about = {};
    const int in = ::dirfd(folder);
    entry.is_link = ::fstatat(in, found.d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode);
    if (::fstatat(in, found.d_name, &about, 0) == 0) entry.kind = kind_of(about.st_mode);
  }

  DIR* folder;
  std::string prefix;
};

folder_reader::folder_reader(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
folder_reader::folder_reader(folder_reader&&) noexcept = default;
folder_reader& folder_reader::operator=(folder_reader&&) noexcept = default;
folder_reader::~folder_reader() = default;

result<path_status> status_of(const file_path& path) {
  if (const auto checked = check_path(path); !checked) return fail(checked.error());
  const char* const name = path.utf8().c_str();
  struct ::stat about = {};
  if (::lstat(name, &about) != 0) return fail(from_system_error(errno, "reading its attributes"));
  path_status out;
  out.is_link = S_ISLNK(about.st_mode);
  if (out.is_link && ::stat(name, &about) != 0)
    return fail(from_system_error(errno, "reading its attributes"));
#ifdef __APPLE__
  const auto& time = about.st_mtimespec;
#else
  const auto& time = about.st_mtim;
#endif
  out.kind = kind_of(about.st_mode);
  out.bytes = static_cast<std::uint64_t>(about.st_size);
  out.modified_ns = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  out.volume = static_cast<std::uint64_t>(about.st_dev);
  out.file_id = static_cast<std::uint64_t>(about.st_ino);
  return out;
}

result<bool> create_folder(const file_path& path) {
  if (const auto checked = check_path(path); !checked) return fail(checked.error());
  if (::mkdir(path.utf8().c_str(), 0777) == 0) return true;
  const int refused = errno;
  if (is_folder(path)) return false;
  return fail(from_system_error(refused == EEXIST ? ENOTDIR : refused, "making a folder"));
}

result<void> remove_empty_folder(const file_path& path) {
  if (const auto checked = check_path(path); !checked) return checked;
  if (::rmdir(path.utf8().c_str()) != 0) return fail(from_system_error(errno, "removing a folder"));
  return {};
}

result<folder_reader> folder_reader::open(const file_path& folder) {
  if (const auto checked = check_path(folder); !checked) return fail(checked.error());
  DIR* const opened = ::opendir(folder.utf8().c_str());
  if (opened == nullptr) return fail(from_system_error(errno, "reading the folder"));
  return folder_reader(std::make_unique<state>(opened, folder.utf8()));
}

result<std::optional<folder_entry>> folder_reader::next() {
  for (;;) {
    errno = 0;
    const dirent* const found = ::readdir(state_->folder);
    if (found == nullptr && errno != 0) return fail(from_system_error(errno, "reading the folder"));
    if (found == nullptr) return std::optional<folder_entry>();
    folder_entry entry;
    entry.name = found->d_name;
    if (entry.name == "." || entry.name == "..") continue;
    entry.path = state_->prefix + entry.name;
    state_->set_kind(*found, entry);
    return std::optional<folder_entry>(std::move(entry));
  }
}

}  // namespace tickreel

#endif
