#include "retention_list.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "support/waiting.hpp"
#include "tickreel/io/file.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_units_tests)
BOOST_AUTO_TEST_SUITE(retention_list_test)

namespace {

struct season {
  test::temporary_folder folder;

  std::filesystem::path put(const std::string& name, std::size_t bytes) const {
    std::ofstream(folder.path() / name, std::ios::binary) << std::string(bytes, 'x');
    return folder.path() / name;
  }
  void record(retention_list& files, const std::string& name, std::size_t bytes, std::int64_t at_ms) const {
    BOOST_REQUIRE(files.add(put(name, bytes), bytes, at_ms).has_value());
  }
  // As a list shows it.
  [[nodiscard]] std::string written_at(const std::string& name) const {
    return std::to_string(std::filesystem::last_write_time(folder.path() / name).time_since_epoch().count());
  }
  void age(const std::string& name, std::chrono::hours by) const {
    const auto path = folder.path() / name;
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - by);
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& each : std::filesystem::directory_iterator(folder.path())) {
      if (each.path().filename() != kept_list_name) found.push_back(each.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  void expect(const std::vector<std::string>& wanted) const {
    BOOST_TEST(names() == wanted, boost::test_tools::per_element());
  }
};

BOOST_FIXTURE_TEST_CASE(the_oldest_files_are_deleted_over_the_size_limit, season) {
  retention_list files(folder.path(), {.max_bytes = 250});
  record(files, "b.butter", 100, 1000);
  record(files, "a.butter", 100, 2000);
  BOOST_TEST(files.remove_surplus(3000)->empty());
  record(files, "c.butter", 100, 3000);
  const auto removed = files.remove_surplus(3000);
  BOOST_REQUIRE(removed.has_value());
  BOOST_REQUIRE_EQUAL(removed->size(), 1u);
  BOOST_TEST(removed->front().path.filename().string() == "b.butter");
  BOOST_TEST(removed->front().bytes == 100u);
  BOOST_TEST(!removed->front().too_old);
  expect({"a.butter", "c.butter"});
  BOOST_TEST(files.remove_surplus(3000)->empty());
}

BOOST_FIXTURE_TEST_CASE(expired_files_are_deleted_except_the_newest, season) {
  retention_list files(folder.path(), {.max_age_ms = 1000});
  record(files, "a.butter", 10, 1000);
  record(files, "b.butter", 10, 2000);
  record(files, "c.butter", 10, 2500);
  BOOST_TEST(files.remove_surplus(2000)->empty());  // exactly at the age limit
  BOOST_TEST(files.remove_surplus(2001)->size() == 1u);
  expect({"b.butter", "c.butter"});
  BOOST_TEST(files.remove_surplus(1'000'000)->size() == 1u);
  expect({"c.butter"});
  // A clock that goes backwards makes no file old.
  BOOST_TEST(files.remove_surplus(-1'000'000)->empty());
}

BOOST_FIXTURE_TEST_CASE(foreign_and_changed_files_are_kept, season) {
  retention_list files(folder.path(), {.max_age_ms = 1});
  put("mine.butter", 100);
  record(files, "edited.butter", 100, 1000);
  put("edited.butter", 101);
  record(files, "moved.butter", 100, 1000);
  std::filesystem::remove(folder.path() / "moved.butter");
  record(files, "written.reel", 100, 1000);
  record(files, "newest.butter", 100, 1001);
  {
    const auto held = file::open_for_appending(folder.path() / "written.reel");
    BOOST_REQUIRE(held.has_value());
    BOOST_TEST(files.remove_surplus(1'000'000)->empty());
  }
  expect({"edited.butter", "mine.butter", "newest.butter", "written.reel"});
}

BOOST_FIXTURE_TEST_CASE(side_data_is_deleted_with_its_recording_and_never_alone, season) {
  const auto record_both = [this](retention_list& files, const std::string& name, std::int64_t at_ms) {
    const auto path = put(name + ".butter", 100);
    put(name + ".extra.json", 60);
    BOOST_REQUIRE(files.add(path, 100, at_ms).has_value());
  };
  retention_list files(folder.path(), {.max_bytes = 350});
  put("e.extra.json", 60);  // existed before, and belongs to the user
  age("e.extra.json", std::chrono::hours(1));
  record(files, "e.butter", 10, 500);
  record_both(files, "a", 1000);
  record_both(files, "b", 2000);
  BOOST_TEST(files.remove_surplus(3000)->empty());  // 330
  record_both(files, "c", 3000);
  const auto removed = files.remove_surplus(3000);
  BOOST_REQUIRE(removed.has_value());
  BOOST_TEST(removed->size() == 3u);
  expect({"b.butter", "b.extra.json", "c.butter", "c.extra.json", "e.extra.json"});
  // The side data of a recording that a user moved or changed is kept, and a changed file itself is kept.
  put("b.butter", 101);
  record_both(files, "d", 4000);
  put("c.extra.json", 61);
  record_both(files, "f", 5000);
  record_both(files, "g", 6000);
  BOOST_TEST(files.remove_surplus(6000)->size() == 3u);  // c.butter, and both of d
  expect({"b.butter", "b.extra.json", "c.extra.json", "e.extra.json", "f.butter", "f.extra.json", "g.butter",
          "g.extra.json"});
  retention_list again(folder.path(), {.max_age_ms = 1});
  BOOST_TEST(again.remove_surplus(1'000'000)->size() == 2u);
  expect({"b.butter", "b.extra.json", "c.extra.json", "e.extra.json", "g.butter", "g.extra.json"});
}

BOOST_FIXTURE_TEST_CASE(files_changed_in_place_are_kept, season) {
  retention_list files(folder.path(), {.max_age_ms = 1});
  record(files, "corrected.butter", 100, 1000);
  record(files, "untouched.butter", 100, 1000);
  record(files, "newest.butter", 100, 1001);
  // As after a change that keeps the size, whatever time the disk's clock gave it.
  age("corrected.butter", std::chrono::hours(-1));
  const auto removed = files.remove_surplus(1'000'000);
  BOOST_REQUIRE(removed.has_value());
  BOOST_TEST(removed->size() == 1u);
  expect({"corrected.butter", "newest.butter"});
}

BOOST_FIXTURE_TEST_CASE(a_list_cannot_claim_older_files, season) {
  put("old.butter", 4);
  const std::string now = written_at("old.butter");
  age("old.butter", std::chrono::hours(6 * 365 * 24));
  put("newest.butter", 4);
  std::ofstream(folder.path() / kept_list_name, std::ios::binary)
      << "4\t1\t" << now << "\told.butter\n4\t9\t" << written_at("newest.butter") << "\tnewest.butter\n";
  retention_list files(folder.path(), {.max_age_ms = 1, .max_bytes = 1});
  BOOST_TEST(files.remove_surplus(1'000'000)->empty());
  expect({"newest.butter", "old.butter"});
}

BOOST_FIXTURE_TEST_CASE(a_list_names_files_of_its_folder_only, season) {
  const test::temporary_folder elsewhere;
  std::ofstream(elsewhere.path() / "theirs", std::ios::binary) << "four";
  put("four", 4);
  put("last", 1);
  std::filesystem::create_directory(folder.path() / "sub");
  std::ofstream(folder.path() / "sub" / "four", std::ios::binary) << "four";
  const auto change_time_of = [](const std::filesystem::path& path) {
    return std::to_string(std::filesystem::last_write_time(path).time_since_epoch().count());
  };
  const std::string theirs = change_time_of(elsewhere.path() / "theirs");
  const std::string in_sub = change_time_of(folder.path() / "sub" / "four");
  const std::string four = written_at("four");
  std::ofstream(folder.path() / kept_list_name, std::ios::binary)
      << "4\t1\t" << theirs << '\t' << (elsewhere.path() / "theirs").string() << "\n4\t1\t" << theirs
      << "\t../" << elsewhere.path().filename().string() << "/theirs\n4\t1\t" << in_sub
      << "\tsub/four\n4\t1\t" << four << "\tsub\n-4\t1\t" << four << "\tfour\n4\tx\t" << four
      << "\tfour\n4\t1\tx\tfour\n4\t1\tfour\n4\t1\t" << four << "\t\n\n4 1 four\n1\t9\t" << written_at("last")
      << "\tlast\n4\t1\t" << four << "\tfour";
  retention_list files(folder.path(), {.max_age_ms = 1, .max_bytes = 1});
  BOOST_TEST(files.remove_surplus(1'000'000)->empty());
  BOOST_TEST(std::filesystem::exists(elsewhere.path() / "theirs"));
  BOOST_TEST(std::filesystem::exists(folder.path() / "sub" / "four"));
  expect({"four", "last", "sub"});
}

#ifndef _WIN32
BOOST_FIXTURE_TEST_CASE(a_link_in_place_of_a_recording_is_kept, season) {
  const test::temporary_folder elsewhere;
  std::ofstream(elsewhere.path() / "theirs", std::ios::binary) << "four";
  retention_list files(folder.path(), {.max_age_ms = 1});
  record(files, "a", 4, 1000);
  record(files, "b", 4, 2000);
  std::filesystem::remove(folder.path() / "a");
  std::filesystem::create_symlink(elsewhere.path() / "theirs", folder.path() / "a");
  BOOST_TEST(files.remove_surplus(1'000'000)->empty());
  expect({"a", "b"});
  BOOST_TEST(std::filesystem::exists(elsewhere.path() / "theirs"));
}
#endif

BOOST_FIXTURE_TEST_CASE(a_list_locked_by_another_process_is_reported, season) {
  retention_list files(folder.path(), {.max_age_ms = 1});
  record(files, "a", 4, 1000);
  const auto held = file::open_for_appending(folder.path() / kept_list_name);
  BOOST_REQUIRE(held.has_value());
  const auto refused = files.add(put("b", 4), 4, 1000);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == error_code::in_use));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
