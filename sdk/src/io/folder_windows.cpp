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

// The tag of a reparse point is in dwReserved0. Those of files that are elsewhere, for example, are no links.
bool is_link(const WIN32_FIND_DATAW& found) noexcept {
  return (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
         (found.dwReserved0 == IO_REPARSE_TAG_SYMLINK || found.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
}

std::uint64_t together(DWORD high, DWORD low) noexcept {
  return std::uint64_t{high} << 32 | low;
}

// Windows counts from 1601, in steps of 100 ns.
std::int64_t since_1970(const FILETIME& time) noexcept {
  constexpr std::int64_t epoch_100ns = 116'444'736'000'000'000;
  return (static_cast<std::int64_t>(together(time.dwHighDateTime, time.dwLowDateTime)) - epoch_100ns) * 100;
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
  const std::wstring name = wide(path.utf8().c_str());
  if (!::GetFileAttributesExW(name.c_str(), GetFileExInfoStandard, &about)) {
    return refused("reading its attributes");
  }
  path_status out;
  out.kind = kind_of(about.dwFileAttributes);
  out.bytes = together(about.nFileSizeHigh, about.nFileSizeLow);
  out.modified_ns = since_1970(about.ftLastWriteTime);
  if ((about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    WIN32_FIND_DATAW itself = {};
    const HANDLE search =
        ::FindFirstFileExW(name.c_str(), FindExInfoBasic, &itself, FindExSearchNameMatch, nullptr, 0);
    if (search != INVALID_HANDLE_VALUE) {
      ::FindClose(search);
      out.is_link = is_link(itself);
    }
  }
  // Follows links; and a folder lists the size and time of an open file only after it was closed.
  const HANDLE opened = ::CreateFileW(name.c_str(), FILE_READ_ATTRIBUTES,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                      OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (opened == INVALID_HANDLE_VALUE) {
    if (out.is_link) return refused("reading its attributes");
    return out;
  }
  BY_HANDLE_FILE_INFORMATION found = {};
  if (::GetFileInformationByHandle(opened, &found)) {
    out.kind = kind_of(found.dwFileAttributes);
    out.bytes = together(found.nFileSizeHigh, found.nFileSizeLow);
    out.modified_ns = since_1970(found.ftLastWriteTime);
    out.volume = found.dwVolumeSerialNumber;
    out.file_id = together(found.nFileIndexHigh, found.nFileIndexLow);
  }
  ::CloseHandle(opened);
  return out;
}

result<bool> create_folder(const file_path& path) {
  if (const auto checked = check_path(path); !checked) return fail(checked.error());
  if (::CreateDirectoryW(wide(path.utf8().c_str()).c_str(), nullptr)) return true;
  const auto failure = static_cast<int>(-last_error());
  if (is_folder(path)) return false;
  return fail(from_system_error(failure == EEXIST ? ENOTDIR : failure, "making a folder"));
}

result<void> remove_empty_folder(const file_path& path) {
  if (const auto checked = check_path(path); !checked) return checked;
  if (!::RemoveDirectoryW(wide(path.utf8().c_str()).c_str())) return refused("removing a folder");
  return {};
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
    entry.is_link = is_link(self.found);
    return std::optional<folder_entry>(std::move(entry));
  }
}

}  // namespace tickreel

#endif
