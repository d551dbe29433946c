// Compares with StormLib: it opens archives written here, and its archives are read here.
#include <StormLib.h>

#include <boost/test/unit_test.hpp>
#include <string>

#include "file_bytes.hpp"
#include "pieces.hpp"
#include "random.hpp"
#include "sample_file.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "some_archive.hpp"
#include "tickreel/mpq/archive.hpp"
#include "tickreel/mpq/attributes.hpp"
#include "tickreel/sc2replay/archive.hpp"

BOOST_AUTO_TEST_SUITE(encoders_mpq_stormlib_tests)
BOOST_AUTO_TEST_SUITE(stormlib_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

byte_vector read_by_stormlib(HANDLE archive, const std::string& name) {
  HANDLE file = nullptr;
  BOOST_REQUIRE(SFileOpenFileEx(archive, name.c_str(), 0, &file));
  byte_vector bytes(SFileGetFileSize(file, nullptr));
  DWORD count = 0;
  if (!bytes.empty()) {
    BOOST_TEST_REQUIRE(SFileReadFile(file, bytes.data(), static_cast<DWORD>(bytes.size()), &count, nullptr));
    BOOST_TEST_REQUIRE(count == bytes.size());
  }
  SFileCloseFile(file);
  return bytes;
}

// Every member, including its own checksums.
void check_by_stormlib(const std::string& path, std::span<const mpq::new_member> members) {
  HANDLE archive = nullptr;
  BOOST_REQUIRE(SFileOpenArchive(path.c_str(), 0, STREAM_FLAG_READ_ONLY, &archive));
  for (const mpq::new_member& each : members) {
    BOOST_TEST_CONTEXT(each.name) {
      BOOST_TEST_REQUIRE((read_by_stormlib(archive, each.name) == each.bytes));
      constexpr DWORD everything = SFILE_VERIFY_SECTOR_CRC | SFILE_VERIFY_FILE_CRC | SFILE_VERIFY_FILE_MD5;
      const DWORD found = SFileVerifyFile(archive, each.name.c_str(), everything);
      BOOST_TEST_REQUIRE((found & VERIFY_FILE_ERROR_MASK) == 0u);
    }
  }
  std::size_t listed = 0;
  SFILE_FIND_DATA found = {};
  HANDLE search = SFileFindFirstFile(archive, "*", &found, nullptr);
  for (bool more = search != nullptr; more; more = SFileFindNextFile(search, &found)) ++listed;
  SFileFindClose(search);
  BOOST_TEST(listed >= members.size());
  SFileCloseArchive(archive);
}

byte_vector written_by_stormlib(const scratch_folder& folder, std::span<const mpq::new_member> members,
                                DWORD version, DWORD attributes) {
  const std::string path = folder / "stormlib.mpq";
  std::filesystem::remove(path);
  SFILE_CREATE_MPQ how = {};
  how.cbSize = sizeof(how);
  how.dwMpqVersion = version;
  how.dwStreamFlags = STREAM_PROVIDER_FLAT | BASE_PROVIDER_FILE;
  how.dwFileFlags1 = MPQ_FILE_DEFAULT_INTERNAL;
  how.dwFileFlags2 = attributes != 0 ? static_cast<DWORD>(MPQ_FILE_DEFAULT_INTERNAL) : 0;
  how.dwAttrFlags = attributes;
  how.dwSectorSize = 4096;
  how.dwMaxFileCount = static_cast<DWORD>(members.size());
  HANDLE archive = nullptr;
  BOOST_REQUIRE(SFileCreateArchive2(path.c_str(), &how, &archive));
  for (const mpq::new_member& each : members) {
    const mpq::storage& storage = each.storage;
    DWORD flags = 0;
    if (storage.packing != mpq::packing::none) flags |= MPQ_FILE_COMPRESS;
    if (!storage.in_sectors) flags |= MPQ_FILE_SINGLE_UNIT;
    if (storage.sector_checksums) flags |= MPQ_FILE_SECTOR_CRC;
    if (storage.enciphered) flags |= MPQ_FILE_ENCRYPTED;
    if (storage.key_depends_on_place) flags |= MPQ_FILE_FIX_KEY;
    const DWORD method = storage.packing == mpq::packing::zlib ? MPQ_COMPRESSION_ZLIB : MPQ_COMPRESSION_BZIP2;
    const auto size = static_cast<DWORD>(each.bytes.size());
    HANDLE file = nullptr;
    BOOST_REQUIRE(SFileCreateFile(archive, each.name.c_str(), each.file_time, size, 0, flags, &file));
    if (size != 0) BOOST_REQUIRE(SFileWriteFile(file, each.bytes.data(), size, method));
    BOOST_REQUIRE(SFileFinishFile(file));
  }
  BOOST_REQUIRE(SFileFlushArchive(archive));
  BOOST_REQUIRE(SFileCloseArchive(archive));
  return read_file(path);
}

}  // namespace

BOOST_AUTO_TEST_CASE(stormlib_opens_written_archives) {
  const scratch_folder folder;
  const std::string path = folder / "written.SC2Replay";
  write_file(path, sample_file());
  check_by_stormlib(path, sample_members());
}

BOOST_AUTO_TEST_CASE(stormlib_opens_archives_of_every_shape) {
  auto random = seeded_random("stormlib_opens_archives_of_every_shape");
  const scratch_folder folder;
  const std::string path = folder / "written.mpq";
  for (int round = 0; round < 60; ++round) {
    mpq::archive_shape shape = some_shape(random);
    // StormLib searches for archives in steps of 512 bytes.
    shape.archive_offset = (shape.archive_offset + 511) / 512 * 512;
    const auto members = some_members(random, 20'000);
    const auto file = mpq::write_archive({}, members, shape);
    BOOST_REQUIRE(file);
    write_file(path, *file);
    check_by_stormlib(path, members);
  }
}

BOOST_AUTO_TEST_CASE(archives_of_stormlib_are_read) {
  auto random = seeded_random("archives_of_stormlib_are_read");
  const scratch_folder folder;
  for (int round = 0; round < 60; ++round) {
    auto members = some_members(random, 20'000);
    // StormLib writes such members so that readers take them for compressed ones.
    std::erase_if(members, [](const mpq::new_member& each) {
      return mpq::looks_packed(each.bytes, std::size_t{1} << 26);
    });
    const DWORD columns = static_cast<DWORD>(random() % 8);
    const byte_vector file = written_by_stormlib(folder, members, static_cast<DWORD>(random() % 4), columns);
    const auto opened = mpq::archive::open(file);
    BOOST_REQUIRE(opened);
    BOOST_TEST_REQUIRE(opened->members().size() == members.size());
    for (const mpq::new_member& each : members) {
      BOOST_TEST_CONTEXT(each.name << " of " << each.bytes.size() << " bytes") {
        const auto bytes = opened->read(each.name);
        BOOST_REQUIRE(bytes);
        BOOST_TEST_REQUIRE((*bytes == each.bytes));
      }
    }
    const auto kept = mpq::read_attributes(*opened);
    BOOST_REQUIRE(kept);
    BOOST_TEST(kept->file_times == ((columns & MPQ_ATTRIBUTE_FILETIME) != 0));
    for (const mpq::new_member& each : members) {
      if (!kept->file_times) break;
      const std::uint32_t block = opened->find(each.name)->block;
      BOOST_REQUIRE(block < kept->rows.size());
      BOOST_TEST(kept->rows[block].file_time.value_or(0) == each.file_time);
    }
  }
}

BOOST_AUTO_TEST_CASE(stormlib_opens_rewritten_real_replays) {
  if (shared_data("sc2").empty()) return;
  const scratch_folder folder;
  const std::string path = folder / "again.SC2Replay";
  std::size_t count = 0;
  for (const auto& each : shared_files("sc2", ".SC2Replay")) {
    BOOST_TEST_CONTEXT(each.filename().string()) {
      const byte_vector file = read_file(each);
      const auto archive = sc2replay::open_archive(file);
      BOOST_REQUIRE(archive);
      std::vector<mpq::new_member> members;
      for (const mpq::member& member : archive->members()) {
        members.push_back({member.name, *archive->read(member.name), archive->storage_of(member)});
      }
      const auto written = mpq::write_archive(archive->user_data(), members, archive->shape());
      BOOST_REQUIRE(written);
      write_file(path, *written);
      check_by_stormlib(path, members);
      const auto again = sc2replay::open_archive(*written);
      BOOST_REQUIRE(again);
      BOOST_TEST((again->shape() == archive->shape()));
      for (const mpq::member& member : again->members()) {
        BOOST_TEST((again->storage_of(member) == archive->storage_of(*archive->find(member.name))));
      }
      // Compressed with the methods of the game.
      BOOST_TEST(written->size() <= file.size() + file.size() / 200);
    }
    ++count;
  }
  BOOST_TEST(count == 19u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
