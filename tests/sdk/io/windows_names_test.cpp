#include "tickreel/io/windows_names.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "scratch_folder.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/whole_file.hpp"

BOOST_AUTO_TEST_SUITE(sdk_io_tests)
BOOST_AUTO_TEST_SUITE(windows_names_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(devices) {
  for (const char* const each : {"CON", "con", "aux.rec", "NUL.tar.gz", "com1", "LPT9.txt", "com\xc2\xb2",
                                 "conin$", "prn ", "nul .butter"}) {
    BOOST_TEST(is_windows_device(each), each);
    BOOST_TEST(windows_objection(std::string("C:\\matches\\") + each) != nullptr, each);
  }
  for (const char* const each :
       {"", "console", "com10", "com", "lpt", "comx", "auxiliary", "a.con", "icon", "null"}) {
    BOOST_TEST(!is_windows_device(each), each);
  }
}

BOOST_AUTO_TEST_CASE(unsafe_names) {
  for (const char* const each :
       {"match.", "match ", "folder./match", "folder \\match", "match.butter:stream", "C:\\a:b", "a?b", "a*b",
        "a|b", "a\"b", "<a>", "a\nb", "\\\\.\\PhysicalDrive0", "\\\\?\\C:\\a*b", "..."}) {
    const char* const why = windows_objection(each);
    BOOST_REQUIRE(why != nullptr);
    // The program uses this code to report that the output's name is the problem.
    BOOST_TEST(std::string_view(why).starts_with("Windows "), each);
  }
  BOOST_TEST(windows_objection(R"(\\.\C:\x.csv)") ==
             std::string_view("Windows takes this path for a device"));
}

BOOST_AUTO_TEST_CASE(safe_names) {
  for (const char* const each :
       {"", ".", "..", "..\\match.butter", "./a/../b", "C:", "C:match.butter", "c:\\a b\\c.d.butter",
        "\\\\server\\share\\match.butter", "\\\\?\\C:\\con", "\\\\?\\C:\\match.",
        "J\xc3\xbcrgen \xe8\xa9\xa6.rec", ".hidden", "C:/a//b\\"}) {
    BOOST_TEST(windows_objection(each) == nullptr, each);
  }
}

#ifdef _WIN32

BOOST_AUTO_TEST_CASE(files_are_never_opened_under_unsafe_names) {
  const scratch_folder folder;
  for (const char* const name : {"con", "aux.rec", "match.", "match ", "match:stream"}) {
    const auto made = file::create_new(folder / name);
    BOOST_REQUIRE(!made);
    BOOST_TEST((made.error().code == error_code::invalid_argument), name);
    BOOST_TEST(!published_file::create(folder / name, true), name);
  }
  BOOST_TEST(std::filesystem::is_empty(folder.path()));
}

BOOST_AUTO_TEST_CASE(long_paths_are_supported) {
  const scratch_folder folder;
  const std::string name(120, 'a');
  const std::filesystem::path deep = folder.path() / name / name / name;
  std::error_code refused;
  std::filesystem::create_directories(L"\\\\?\\" + std::filesystem::absolute(deep).wstring(), refused);
  BOOST_REQUIRE(!refused);
  const file_path path = deep / "match.reel";
  auto made = file::create_new(path);
  BOOST_REQUIRE(made);
  BOOST_REQUIRE(made->append(as_bytes("x")));
  BOOST_REQUIRE(made->close());
  BOOST_TEST(read_whole_file(path, 1).value().size() == 1u);
  BOOST_TEST(system_calls::real().remove(path.utf8().c_str()) == 0);
  // One by one: std::filesystem::remove_all does not reach this depth.
  for (std::filesystem::path each = std::filesystem::absolute(deep); each.filename() == name;
       each = each.parent_path()) {
    std::filesystem::remove(L"\\\\?\\" + each.wstring(), refused);
  }
}

BOOST_AUTO_TEST_CASE(names_are_unicode) {
  const scratch_folder folder;
  const std::filesystem::path within = folder.path() / u8"J\u00FCrgen \u8A66\u5408";
  std::filesystem::create_directory(within);
  auto made = file::create_new(within / u8"spiel \u00E9.reel");
  BOOST_REQUIRE(made);
  BOOST_REQUIRE(made->close());
  BOOST_TEST(std::filesystem::exists(within / u8"spiel \u00E9.reel"));
}

#endif

// Another process has the replaced file open: it keeps the old contents, or the error names it as the reason.
BOOST_AUTO_TEST_CASE(a_file_in_use_can_be_replaced) {
  const scratch_folder folder;
  const std::string path = folder / "match.butter";
  auto old = file::create_new(path);
  BOOST_REQUIRE((old && old->append(as_bytes("old")) && old->close()));
  const auto reader = file::open_for_reading(path);
  BOOST_REQUIRE(reader);
  auto fresh = published_file::create(path, true);
  BOOST_REQUIRE((fresh && fresh->append(as_bytes("fresh"))));
  const auto done = fresh->commit();
  if (done) {
    BOOST_TEST(as_text(*read_whole_file(path, 10)) == "fresh");
  } else {
    BOOST_TEST((done.error().code == error_code::in_use), describe(done.error()));
    BOOST_TEST(as_text(*read_whole_file(path, 10)) == "old");
  }
  byte_vector kept(3);
  BOOST_TEST(reader->read_at(kept, 0).value() == 3u);
  BOOST_TEST(as_text(kept) == "old");
#ifndef _WIN32
  BOOST_TEST(done.has_value());
#endif
  fresh = fail(error_code::not_found);
  for (const auto& each : std::filesystem::directory_iterator(folder.path())) {
    BOOST_TEST(each.path().extension() != ".part");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
