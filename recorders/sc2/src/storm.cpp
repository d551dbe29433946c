#include "storm.hpp"

#include <StormLib.h>

namespace tickreel::sc2 {

std::unique_lock<std::mutex> storm_lock() {
  static std::mutex one;
  return std::unique_lock<std::mutex>(one);
}

struct storm_archive::state {
  HANDLE handle = nullptr;
  state() = default;
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    if (handle != nullptr) SFileCloseArchive(handle);
  }
};

storm_archive::storm_archive(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
storm_archive::storm_archive(storm_archive&&) noexcept = default;
storm_archive& storm_archive::operator=(storm_archive&&) noexcept = default;
storm_archive::~storm_archive() = default;

result<storm_archive> storm_archive::open(const std::filesystem::path& path) {
  // The tables of the first format are complete in every replay, and only those have been checked.
  constexpr DWORD flags = STREAM_FLAG_READ_ONLY | MPQ_OPEN_NO_LISTFILE | MPQ_OPEN_NO_ATTRIBUTES |
                          MPQ_OPEN_NO_HEADER_SEARCH | MPQ_OPEN_FORCE_MPQ_V1;
  const std::basic_string<TCHAR> name(path.native().begin(), path.native().end());
  auto made = std::make_unique<state>();
  const auto alone = storm_lock();
  if (!SFileOpenArchive(name.c_str(), 0, flags, &made->handle)) {
    return fail(error_code::malformed, error::no_offset, "the archive cannot be opened");
  }
  return storm_archive(std::move(made));
}

result<void> storm_archive::read(const std::string& name, mutable_byte_span into, std::uint64_t offset,
                                 const char* detail) const {
  if (into.empty()) return {};
  HANDLE member = nullptr;
  if (!SFileOpenFileEx(state_->handle, name.c_str(), SFILE_OPEN_FROM_MPQ, &member)) {
    return fail(error_code::malformed, offset, detail);
  }
  // The file that is open may only be the one that was looked at.
  DWORD read = 0;
  const bool same_size = SFileGetFileSize(member, nullptr) == into.size();
  const bool whole = same_size &&
                     SFileReadFile(member, into.data(), static_cast<DWORD>(into.size()), &read, nullptr) &&
                     read == into.size();
  SFileCloseFile(member);
  if (!whole) return fail(error_code::corrupt_compression, offset, detail);
  return {};
}

}  // namespace tickreel::sc2
