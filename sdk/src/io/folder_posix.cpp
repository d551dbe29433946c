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
  struct ::stat about = {};
  if (::stat(path.utf8().c_str(), &about) != 0) return fail(from_system_error(errno, "asking what it is"));
  return path_status{kind_of(about.st_mode), static_cast<std::uint64_t>(about.st_size)};
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
