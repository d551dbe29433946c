#include "tickreel/sc2/write_archive.hpp"

#include <StormLib.h>

#include <mutex>
#include <set>
#include <utility>

#include "member_names.hpp"
#include "memory_file.hpp"
#include "tickreel/sc2replay/header.hpp"

namespace tickreel::sc2 {

namespace {

constexpr std::size_t name_limit = 200;

// StormLib fills its tables on the first use in a process.
std::mutex& creating() {
  static std::mutex one;
  return one;
}

struct archive_handle {
  HANDLE handle = nullptr;
  archive_handle() = default;
  archive_handle(const archive_handle&) = delete;
  archive_handle& operator=(const archive_handle&) = delete;
  ~archive_handle() { close(); }
  bool close() {
    const HANDLE old = std::exchange(handle, nullptr);
    return old == nullptr || SFileCloseArchive(old);
  }
};

bool create(const std::filesystem::path& path, std::size_t members, archive_handle& out) {
  SFILE_CREATE_MPQ how = {};
  how.cbSize = sizeof(how);
  how.dwMpqVersion = 0;
  how.dwStreamFlags = STREAM_PROVIDER_FLAT | BASE_PROVIDER_FILE;
  how.dwFileFlags1 = MPQ_FILE_COMPRESS | MPQ_FILE_SINGLE_UNIT;
  how.dwFileFlags2 = MPQ_FILE_COMPRESS | MPQ_FILE_SINGLE_UNIT;
  how.dwAttrFlags = MPQ_ATTRIBUTE_CRC32 | MPQ_ATTRIBUTE_MD5;
  how.dwSectorSize = 4096;
  how.dwMaxFileCount = static_cast<DWORD>(members);
  const std::basic_string<TCHAR> name(path.native().begin(), path.native().end());
  return SFileCreateArchive2(name.c_str(), &how, &out.handle);
}

bool add(archive_handle& to, const new_member& member) {
  HANDLE file = nullptr;
  constexpr DWORD flags = MPQ_FILE_COMPRESS | MPQ_FILE_SINGLE_UNIT;
  const auto size = static_cast<DWORD>(member.bytes.size());
  if (!SFileCreateFile(to.handle, member.name.c_str(), 0, size, 0, flags, &file)) return false;
  const bool written = size == 0 || SFileWriteFile(file, member.bytes.data(), size, MPQ_COMPRESSION_BZIP2);
  return SFileFinishFile(file) && written;
}

result<void> check(std::span<const new_member> members) {
  std::set<std::string_view> names = {listfile_name, attributes_name};
  for (const new_member& each : members) {
    const bool usable = !each.name.empty() && each.name.size() <= name_limit &&
                        each.bytes.size() <= 0x7FFFFFFF && names.insert(each.name).second;
    if (!usable) return fail(error_code::invalid_argument, error::no_offset, static_name(each.name));
  }
  return {};
}

}  // namespace

result<byte_vector> write_archive(byte_span header, std::span<const new_member> members) {
  auto out = sc2replay::write_prefix(header);
  if (!out) return out;
  if (auto sound = check(members); !sound) return fail(sound.error());
  auto room = memory_file::create();
  if (!room) return fail(room.error());
  archive_handle archive;
  const auto refuse = [] {
    return fail(error_code::io_failed, error::no_offset, "the archive cannot be written");
  };
  {
    const std::lock_guard<std::mutex> alone(creating());
    if (!create(room->path(), members.size(), archive)) return refuse();
  }
  for (const new_member& each : members) {
    if (!add(archive, each)) return refuse();
  }
  if (!SFileFlushArchive(archive.handle) || !archive.close()) return refuse();
  auto bytes = room->content();
  if (!bytes) return bytes;
  out->insert(out->end(), bytes->begin(), bytes->end());
  return out;
}

}  // namespace tickreel::sc2
