// folder.hpp on Windows.
#ifdef _WIN32

#include <cerrno>

#include "tickreel/io/file.hpp"
#include "tickreel/io/folder.hpp"
#include "windows_system.hpp"

namespace tickreel {

namespace {

using windows_system::last_error;
using windows_system::narrow;
using windows_system::wide;

entry_kind kind_of(DWORD attributes) noexcept {
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return entry_kind::folder;
  return (attributes & FILE_ATTRIBUTE_DEVICE) != 0 ? entry_kind::other : entry_kind::file;
}

tl::unexpected<error> refused(const char* detail) noexcept {
  return fail(from_system_error(static_cast<int>(-last_error()), detail));
}

}  // namespace

struct folder_reader::state {
  explicit state(std::string path) : prefix(std::move(path)) {
    if (!prefix.ends_with('/') && !prefix.ends_with('\\')) prefix += '\\';
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    if (search != INVALID_HANDLE_VALUE) ::FindClose(search);
  }

  std::string prefix;
  HANDLE search = INVALID_HANDLE_VALUE;
  WIN32_FIND_DATAW found = {};
  bool is_waiting = false;  // `found` has not been returned yet
};

folder_reader::folder_reader(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
folder_reader::folder_reader(folder_reader&&) noexcept = default;
folder_reader& folder_reader::operator=(folder_reader&&) noexcept = default;
folder_reader::~folder_reader() = default;

result<path_status> status_of(const file_path& path) {
  if (const auto checked = check_path(path); !checked) return fail(checked.error());
  WIN32_FILE_ATTRIBUTE_DATA about = {};
  if (!::GetFileAttributesExW(wide(path.utf8().c_str()).c_str(), GetFileExInfoStandard, &about)) {
    return refused("asking what it is");
  }
  return path_status{kind_of(about.dwFileAttributes),
                     std::uint64_t{about.nFileSizeHigh} << 32 | about.nFileSizeLow};
}

result<folder_reader> folder_reader::open(const file_path& folder) {
  if (const auto checked = check_path(folder); !checked) return fail(checked.error());
  auto made = std::make_unique<state>(folder.utf8());
  made->search = ::FindFirstFileExW(wide((made->prefix + '*').c_str()).c_str(), FindExInfoBasic, &made->found,
                                    FindExSearchNameMatch, nullptr, 0);
  made->is_waiting = made->search != INVALID_HANDLE_VALUE;
  // A drive's root may be empty, without "." and "..".
  if (!made->is_waiting && ::GetLastError() != ERROR_FILE_NOT_FOUND) return refused("reading the folder");
  return folder_reader(std::move(made));
}

result<std::optional<folder_entry>> folder_reader::next() {
  state& self = *state_;
  for (;; self.is_waiting = false) {
    if (!self.is_waiting) {
      if (self.search == INVALID_HANDLE_VALUE) return std::optional<folder_entry>();
      if (!::FindNextFileW(self.search, &self.found)) {
        if (::GetLastError() == ERROR_NO_MORE_FILES) return std::optional<folder_entry>();
        return refused("reading the folder");
      }
    }
    folder_entry entry;
    entry.name = narrow(self.found.cFileName);
    if (entry.name == "." || entry.name == "..") continue;
    self.is_waiting = false;
    entry.path = self.prefix + entry.name;
    entry.kind = kind_of(self.found.dwFileAttributes);
    // Its tag is then in dwReserved0. Other reparse points, such as files in a cloud, are not links.
    entry.is_link = (self.found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
                    (self.found.dwReserved0 == IO_REPARSE_TAG_SYMLINK ||
                     self.found.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
    return std::optional<folder_entry>(std::move(entry));
  }
}

}  // namespace tickreel

#endif
