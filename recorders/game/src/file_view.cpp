#include "file_view.hpp"

#include <string>

#include "old_live_file.hpp"
#include "tickreel/io/whole_file.hpp"

#ifdef _WIN32
#include <windows.h>
#elif defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace tickreel::game {

namespace {

// The longest valid file: offsets of the format have 32 bits.
[[maybe_unused]] constexpr std::uint64_t mapped_limit_bytes = UINT32_MAX;

// Empty if the file is empty, too long, or cannot be mapped. The reason does not matter: reading reports it.
#ifdef _WIN32

byte_span map_file(const std::string& path) noexcept {
  const int letters = MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, nullptr, 0);
  std::wstring wide(static_cast<std::size_t>(letters > 0 ? letters : 0), L'\0');
  if (letters <= 0 || MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, wide.data(), letters) <= 0) return {};
  const HANDLE opened =
      CreateFileW(wide.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (opened == INVALID_HANDLE_VALUE) return {};
  byte_span mapped;
  LARGE_INTEGER size{};
  if (GetFileSizeEx(opened, &size) && size.QuadPart > 0 &&
      static_cast<std::uint64_t>(size.QuadPart) <= mapped_limit_bytes &&
      static_cast<std::uint64_t>(size.QuadPart) <= SIZE_MAX) {
    if (const HANDLE mapping = CreateFileMappingW(opened, nullptr, PAGE_READONLY, 0, 0, nullptr)) {
      if (const void* at = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0)) {
        mapped = {static_cast<const std::byte*>(at), static_cast<std::size_t>(size.QuadPart)};
      }
      CloseHandle(mapping);
    }
  }
  CloseHandle(opened);
  return mapped;
}
void unmap(byte_span mapped) noexcept {
  UnmapViewOfFile(mapped.data());
}

#elif defined(__unix__) || defined(__APPLE__)

byte_span map_file(const std::string& path) noexcept {
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return {};
  byte_span mapped;
  struct stat about{};
  if (::fstat(opened, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
      static_cast<std::uint64_t>(about.st_size) <= mapped_limit_bytes) {
    const auto size = static_cast<std::size_t>(about.st_size);
    void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened, 0);
    if (at != MAP_FAILED) mapped = {static_cast<const std::byte*>(at), size};
  }
  (void)::close(opened);
  return mapped;
}
void unmap(byte_span mapped) noexcept {
  (void)::munmap(const_cast<std::byte*>(mapped.data()), mapped.size());
}

#else

byte_span map_file(const std::string&) noexcept {
  return {};
}
void unmap(byte_span) noexcept {}

#endif

}  // namespace

file_view::~file_view() {
  if (!mapped_.empty()) unmap(mapped_);
}

result<file_view> file_view::map(const file_path& path, system_calls& calls) {
  if (&calls != &system_calls::real()) return copy(path, calls);
  if (auto checked = check_path(path); !checked) return fail(checked.error());
  file_view view;
  view.mapped_ = map_file(path.utf8());
  if (!view.mapped_.empty()) return view;
  return copy(path, calls);
}

result<file_view> file_view::map(const file& opened, system_calls& calls) {
  file_view view;
  if (&calls == &system_calls::real()) view.mapped_ = map_file(opened.path().utf8());
  if (!view.mapped_.empty()) return view;
  auto bytes = read_whole_file(opened, max_file_bytes);
  if (!bytes) return fail(bytes.error());
  view.copied_ = std::move(*bytes);
  return view;
}

result<file_view> file_view::copy(const file_path& path, system_calls& calls) {
  const auto opened = file::open_for_reading(path, calls);
  if (!opened) return fail(opened.error());
  auto bytes = read_whole_file(*opened, max_file_bytes);
  if (!bytes) return fail(bytes.error());
  file_view view;
  view.copied_ = std::move(*bytes);
  return view;
}

}  // namespace tickreel::game
