#include "tickreel/io/folder.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <map>

#include "file_bytes.hpp"
#include "scratch_folder.hpp"
#include "tickreel/io/file.hpp"

BOOST_AUTO_TEST_SUITE(sdk_io_tests)
BOOST_AUTO_TEST_SUITE(folder_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

void make_folder(const std::string& path) {
  const auto made = create_folder(path);
  BOOST_REQUIRE_MESSAGE(made && *made, path);
}

void make_file(const std::string& path, std::string_view content) {
  auto made = file::create_new(path);
  BOOST_REQUIRE_MESSAGE(made, path);
  BOOST_REQUIRE(made->append(as_bytes(content)));
}

std::map<std::string, folder_entry> entries_of(const std::string& folder) {
  std::map<std::string, folder_entry> out;
  const auto read = visit_folder(folder, [&](const folder_entry& entry) {
    out.emplace(entry.name, entry);
    return true;
  });
  if (!read) BOOST_FAIL(folder << ": " << describe(read.error()));
  return out;
}

std::vector<std::string> names_below(const std::string& folder) {
  std::vector<std::string> out;
  const auto read = visit_files_below(folder, [&](const folder_entry& entry) {
    out.push_back(entry.name);
    return true;
  });
  BOOST_REQUIRE(read);
  std::ranges::sort(out);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(entries_have_their_kind) {
  const scratch_folder folder;
  make_folder(folder / "inside");
  // Not operator/: on Windows it interprets text in the code page.
  make_file(folder / "" + "match \xc3\xa9.butter", "12345");
  const auto entries = entries_of(folder / "");
  BOOST_REQUIRE(entries.size() == 2u);
  BOOST_TEST((entries.at("inside").kind == entry_kind::folder));
  const folder_entry& match = entries.at("match \xc3\xa9.butter");
  BOOST_TEST((match.kind == entry_kind::file));
  BOOST_TEST(!match.is_link);
  const auto about = status_of(match.path);
  BOOST_REQUIRE(about);
  BOOST_TEST(about->bytes == 5u);
  BOOST_TEST(is_folder(folder / "inside"));
  BOOST_TEST(!is_folder(match.path));
  BOOST_TEST(!is_folder(folder / "none"));
}

BOOST_AUTO_TEST_CASE(a_path_that_is_not_a_folder_is_an_error) {
  const scratch_folder folder;
  make_file(folder / "file", "");
  BOOST_TEST((folder_reader::open(folder / "none").error().code == error_code::not_found));
  BOOST_TEST(!folder_reader::open(folder / "file"));
  BOOST_TEST((folder_reader::open("").error().code == error_code::invalid_argument));
  BOOST_TEST((status_of(folder / "none").error().code == error_code::not_found));
  BOOST_TEST(entries_of(folder / "").size() == 1u);
  make_folder(folder / "empty");
  BOOST_TEST(entries_of(folder / "empty").empty());
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(links_are_listed_and_linked_folders_are_not_followed) {
  const scratch_folder folder;
  make_folder(folder / "inside");
  make_file(folder / "inside/match", "1");
  std::filesystem::create_directory_symlink(folder / "inside", folder / "inside/again");
  std::filesystem::create_symlink(folder / "inside/match", folder / "linked");
  std::filesystem::create_symlink(folder / "none", folder / "broken");
  const auto entries = entries_of(folder / "");
  BOOST_TEST(entries.at("linked").is_link);
  BOOST_TEST((entries.at("linked").kind == entry_kind::file));
  BOOST_TEST((entries.at("broken").kind == entry_kind::other));
  const std::vector<std::string> expected = {"linked", "match"};
  BOOST_TEST(names_below(folder / "") == expected, boost::test_tools::per_element());
}
#endif

// A path of 800 letters. The program's own folder must not be read instead.
BOOST_AUTO_TEST_CASE(long_paths_are_supported) {
  const scratch_folder folder;
  std::string deep = folder / "deep";
  make_folder(deep);
  for (int level = 0; level < 10; ++level) {
    deep += '/' + std::string(80, static_cast<char>('a' + level));
    make_folder(deep);
    make_file(deep + "/match" + std::to_string(level), std::string(static_cast<std::size_t>(level), 'x'));
  }
  BOOST_TEST(is_folder(deep));
  const auto entries = entries_of(deep);
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(status_of(entries.at("match9").path)->bytes == 9u);
  BOOST_TEST(names_below(folder / "").size() == 10u);
  BOOST_TEST((folder_reader::open(deep + "/none").error().code == error_code::not_found));
  BOOST_TEST(remove_folder(folder / "deep").has_value());
}

BOOST_AUTO_TEST_CASE(status_returns_kind_and_time_of_one_file) {
  const scratch_folder folder;
  const auto seconds_now = [] {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  const std::int64_t before = seconds_now() - 2;
  make_file(folder / "a", "1");
  make_file(folder / "b", "1");
  const auto a = status_of(folder / "a");
  BOOST_REQUIRE(a);
  BOOST_TEST(a->modified_ns / 1'000'000'000 >= before);
  BOOST_TEST(a->modified_ns / 1'000'000'000 <= seconds_now() + 2);
  BOOST_TEST(is_same_file(folder / "a", folder / "a"));
  BOOST_TEST(is_same_file(folder / "a", folder / "./a"));
  BOOST_TEST(!is_same_file(folder / "a", folder / "b"));
  BOOST_TEST(!is_same_file(folder / "none", folder / "none"));
#ifndef _WIN32
  std::filesystem::create_symlink(folder / "a", folder / "link");
  BOOST_TEST(is_same_file(folder / "a", folder / "link"));
  BOOST_TEST(status_of(folder / "link")->is_link);
  BOOST_TEST(status_of(folder / "link")->bytes == 1u);
  BOOST_TEST(!a->is_link);
#endif
}

// Equal for short paths and for paths of more than 260 letters.
BOOST_AUTO_TEST_CASE(folders_are_created_and_removed) {
  for (const std::size_t letters : {8u, 100u}) {
    const scratch_folder folder;
    const std::string top = folder / "top";
    std::string deep = top;
    for (const char each : {'a', 'b', 'c', 'd'}) deep += '/' + std::string(letters, each);
    BOOST_TEST((create_folder(deep).error().code == error_code::not_found));
    BOOST_REQUIRE(create_folders(deep));
    BOOST_REQUIRE(create_folders(deep + '/'));
    BOOST_TEST(create_folder(deep).value() == false);
    BOOST_TEST(create_folder(deep + "/e").value() == true);
    BOOST_TEST(is_folder(deep));
    const std::string match = deep + "/match";
    BOOST_TEST(!path_exists(match));
    make_file(match, "12");
    BOOST_TEST(path_exists(match));
    BOOST_TEST(is_file(match));
    BOOST_TEST(!is_folder(match));
    BOOST_TEST(is_same_file(match, deep + "/e/../match"));
    BOOST_TEST(!create_folder(match));
    BOOST_TEST(!create_folders(match + "/below"));
    BOOST_TEST(!remove_file(deep));
    BOOST_TEST(!remove_empty_folder(deep));
    {
      auto written = published_file::create(match, false);
      BOOST_TEST((!written && written.error().code == error_code::already_exists));
    }
    BOOST_REQUIRE(remove_file(match));
    BOOST_TEST((remove_file(match).error().code == error_code::not_found));
    make_file(match, "12");
    BOOST_REQUIRE(remove_folder(top));
    BOOST_TEST(!path_exists(top));
    BOOST_TEST((remove_folder(top).error().code == error_code::not_found));
  }
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(removing_a_folder_keeps_the_targets_of_its_links) {
  const scratch_folder folder;
  make_folder(folder / "kept");
  make_file(folder / "kept/match", "1");
  make_folder(folder / "gone");
  std::filesystem::create_directory_symlink(folder / "kept", folder / "gone/folder");
  std::filesystem::create_symlink(folder / "kept/match", folder / "gone/file");
  std::filesystem::create_symlink(folder / "none", folder / "gone/broken");
  BOOST_REQUIRE(remove_folder(folder / "gone"));
  BOOST_TEST(!path_exists(folder / "gone"));
  BOOST_TEST(path_exists(folder / "kept/match"));
}
#endif

BOOST_AUTO_TEST_CASE(a_visit_may_stop_early) {
  const scratch_folder folder;
  make_folder(folder / "inside");
  for (const char* const name : {"a", "b", "inside/c", "inside/d"}) make_file(folder / name, "");
  int visited = 0;
  BOOST_REQUIRE(visit_files_below(folder / "", [&](const folder_entry&) { return ++visited < 3; }));
  BOOST_TEST(visited == 3);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
