#include "tickreel/io/file.hpp"

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/temporary_files.hpp"

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

BOOST_AUTO_TEST_SUITE(sdk_io_tests)
BOOST_AUTO_TEST_SUITE(file_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

std::string text_of(const file_path& path) {
  return std::string(as_text(read_file(filesystem_path(path))));
}

std::size_t files_in(const scratch_folder& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

BOOST_AUTO_TEST_CASE(append_overwrite_truncate_and_read) {
  const scratch_folder folder;
  const std::string path = folder / "a";
  auto made = file::create_new(path);
  BOOST_REQUIRE(made);
  BOOST_REQUIRE(made->append(as_bytes("hello world")));
  BOOST_REQUIRE(made->overwrite(as_bytes("J"), 0));
  BOOST_TEST((made->overwrite(as_bytes("xx"), 10).error().code == error_code::out_of_range));
  BOOST_REQUIRE(made->truncate(5));
  BOOST_REQUIRE(made->append(as_bytes("!")));
  BOOST_REQUIRE(made->sync());
  BOOST_TEST(made->size().value() == 6u);
  byte_vector room(10);
  BOOST_TEST(made->read_at(room, 1).value() == 5u);
  BOOST_TEST((file::open_for_appending(path).error().code == error_code::in_use));
  BOOST_TEST((file::create_new(path).error().code == error_code::in_use));
  BOOST_TEST(describe(file::create_new(path).error()) ==
             "this file is being written already: by this process itself: open it once");
  BOOST_REQUIRE(made->close());
  BOOST_TEST((file::create_new(path).error().code == error_code::already_exists));
  BOOST_TEST(text_of(path) == "Jello!");
  auto again = file::open_for_appending(path);
  BOOST_REQUIRE(again);
  BOOST_REQUIRE(again->append(as_bytes("?")));
  BOOST_REQUIRE(again->close());
  BOOST_TEST(text_of(path) == "Jello!?");
  BOOST_TEST((file::open_for_reading(folder / "none").error().code == error_code::not_found));
}

// Another handle tests the lock `questions` times in a row, exactly when the file is to be locked.
class asked_meanwhile final : public system_calls {
 public:
  explicit asked_meanwhile(int questions) : left(questions) {}
  std::int64_t lock(std::int64_t handle) override {
    ++attempts;
    if (left == 0) return system_calls::lock(handle);
    --left;
    return -EAGAIN;
  }
  void wait_ms(std::uint32_t) override { ++waits; }
  int left;
  int attempts = 0;
  int waits = 0;
};

BOOST_AUTO_TEST_CASE(testing_the_lock_never_blocks_a_recorder) {
  const scratch_folder folder;
  asked_meanwhile briefly(3);
  {
    const auto made = file::create_new(folder / "a", briefly);
    BOOST_REQUIRE(made);
    BOOST_TEST(briefly.attempts == 4);
    BOOST_TEST(briefly.waits == 3);
  }
  briefly.left = 2;
  BOOST_TEST(file::open_for_appending(folder / "a", briefly).has_value());
  // A real lock owner is reported after a bounded number of attempts.
  asked_meanwhile held(1'000'000);
  const auto refused = file::create_new(folder / "b", held);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::in_use));
  BOOST_TEST(held.attempts <= 100);
  BOOST_TEST(!std::filesystem::exists(folder / "b"));
}

BOOST_AUTO_TEST_CASE(readers_see_the_lock_and_never_take_it) {
  const scratch_folder folder;
  const std::string path = folder / "a";
  auto writer = file::create_new(path);
  BOOST_REQUIRE(writer);
  const auto reader = file::open_for_reading(path);
  const auto other = file::open_for_reading(path);
  BOOST_REQUIRE((reader && other));
  BOOST_TEST(reader->is_locked_elsewhere());
  BOOST_TEST(other->is_locked_elsewhere());
  // The owner's own test does not release its lock.
  BOOST_TEST(!writer->is_locked_elsewhere());
  BOOST_TEST(reader->is_locked_elsewhere());
  BOOST_REQUIRE(writer->close());
  BOOST_TEST(!reader->is_locked_elsewhere());
  BOOST_TEST(!other->is_locked_elsewhere());
  // A test leaves no lock behind.
  BOOST_TEST(file::open_for_appending(path).has_value());
}

#ifndef _WIN32
// Root can write every file, so only the open flags are tested.
class reading_only final : public system_calls {
 public:
  std::int64_t open(const char* path, unsigned flags) override {
    return (flags & write) != 0 ? -EACCES : system_calls::open(path, flags);
  }
};

BOOST_AUTO_TEST_CASE(a_reader_without_permission_to_write_sees_the_lock) {
  const scratch_folder folder;
  const std::string path = folder / "a";
  auto writer = file::create_new(path);
  BOOST_REQUIRE(writer);
  reading_only calls;
  const auto source = byte_source::open(path, calls);
  BOOST_REQUIRE(source);
  BOOST_TEST(source->is_being_written());
  BOOST_REQUIRE(writer->close());
  BOOST_TEST(!source->is_being_written());
}
#endif

BOOST_AUTO_TEST_CASE(a_published_file_appears_whole_or_not_at_all) {
  const scratch_folder folder;
  const std::string path = folder / "final";
  {
    auto made = published_file::create(path, false);
    BOOST_REQUIRE(made);
    BOOST_REQUIRE(made->append(as_bytes("half")));
    BOOST_TEST(files_in(folder) == 1u);
    BOOST_TEST(!std::filesystem::exists(path));
  }
  BOOST_TEST(files_in(folder) == 0u);
  auto made = published_file::create(path, false);
  BOOST_REQUIRE(made);
  BOOST_REQUIRE(made->append(as_bytes("whole")));
  BOOST_REQUIRE(made->overwrite(as_bytes("W"), 0));
  BOOST_TEST(made->size() == 5u);
  BOOST_REQUIRE(made->commit());
  BOOST_TEST((made->commit().error().code == error_code::wrong_state));
  BOOST_TEST(text_of(path) == "Whole");
  BOOST_TEST(files_in(folder) == 1u);
}

BOOST_AUTO_TEST_CASE(publishing_replaces_only_when_asked) {
  const scratch_folder folder;
  const std::string path = folder / "final";
  auto first = published_file::create(path, false);
  auto second = published_file::create(path, false);
  auto third = published_file::create(path, true);
  BOOST_REQUIRE(first && second && third);
  BOOST_REQUIRE(first->append(as_bytes("1")));
  BOOST_REQUIRE(second->append(as_bytes("2")));
  BOOST_REQUIRE(third->append(as_bytes("3")));
  BOOST_REQUIRE(first->commit());
  BOOST_TEST((second->commit().error().code == error_code::already_exists));
  BOOST_TEST(text_of(path) == "1");
  BOOST_REQUIRE(third->commit());
  BOOST_TEST(text_of(path) == "3");
  BOOST_TEST((published_file::create(path, false).error().code == error_code::already_exists));
}

namespace {

// What a writer left that was killed an hour ago.
std::filesystem::path leave_temporary(const std::filesystem::path& path) {
  std::ofstream(path) << "half";
  std::filesystem::last_write_time(path,
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  return path;
}

void publish_whole(const file_path& path, bool overwrite) {
  auto made = published_file::create(path, overwrite);
  BOOST_REQUIRE(made);
  BOOST_REQUIRE(made->append(as_bytes("whole")));
  BOOST_REQUIRE(made->commit());
}

}  // namespace

BOOST_AUTO_TEST_CASE(temporary_files_of_killed_writers_are_removed) {
  const scratch_folder folder;
  const std::string path = folder / "final";
  const auto leave_young = [&](const char* name) {
    std::ofstream(folder.path() / name) << "half";
    return folder.path() / name;
  };
  const auto leave = [&](const char* name) { return leave_temporary(folder.path() / name); };
  const auto left = leave("final.0123abcd.part");
  const auto left_between = leave("final.0123abcd.part.89abcdef.part");
  const auto left_chunks = leave("final.chunks.0123abcd.part");
  const auto of_another = leave("final2.0123abcd.part");
  const auto of_another_kind = leave("final.0123abcX.part");
  const auto own = leave("0123abcd.part");
  const auto young = leave_young("final.00000000.part");  // about to be renamed, or not locked yet
  const auto input = leave("final.22222222.part");
  BOOST_REQUIRE(file::open_for_reading(folder.path() / "." / "final.22222222.part"));
  const auto in_work = file::create_new(folder / "final.fedcba98.part");
  BOOST_REQUIRE(in_work);
  auto made = published_file::create(path, false);
  BOOST_REQUIRE(made);
  BOOST_TEST(std::filesystem::exists(left));
  BOOST_REQUIRE(made->append(as_bytes("whole")));
  BOOST_REQUIRE(made->commit());
  BOOST_TEST(text_of(path) == "whole");
  for (const auto& gone : {left, left_between, left_chunks}) {
    BOOST_TEST(!std::filesystem::exists(gone), gone);
  }
  for (const auto& kept :
       {of_another, of_another_kind, own, young, input, folder.path() / "final.fedcba98.part"}) {
    BOOST_TEST(std::filesystem::exists(kept), kept);
  }
  // Newer files belong to this process or to another running one.
  const auto later = leave("final.11111111.part");
  publish_whole(path, true);
  BOOST_TEST(std::filesystem::exists(later));
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_removes_what_killed_ones_left) {
  const scratch_folder folder;
  const std::string path = folder / "final";
  const auto left = leave_temporary(folder.path() / "final.0123abcd.part");
  {
    auto failing = published_file::create(path, false);
    BOOST_REQUIRE(failing);
    BOOST_REQUIRE(failing->append(as_bytes("half")));
  }
  BOOST_TEST(!std::filesystem::exists(left));
  BOOST_TEST(!std::filesystem::exists(path));
}

BOOST_AUTO_TEST_CASE(an_output_may_have_the_longest_name_that_a_system_allows) {
  const scratch_folder folder;
  constexpr std::size_t max_name_bytes = 255;
  for (const std::size_t bytes : {std::size_t{220}, std::size_t{221}, std::size_t{241}, max_name_bytes}) {
    // Cut inside a letter of two bytes, too.
    std::string name = bytes % 2 == 0 ? "" : "x";
    while (name.size() < bytes) name += "\xC3\xA9";
    const file_path path = folder.path() / filesystem_path(file_path(name));
    auto made = published_file::create(path, false);
    BOOST_REQUIRE_MESSAGE(made, bytes);
    const std::string temporary = file_path(filesystem_path(made->temporary_path()).filename()).utf8();
    BOOST_TEST(temporary.size() <= max_name_bytes);
    BOOST_TEST(is_temporary_of(temporary, name));
    BOOST_TEST(!is_temporary_of(temporary, name.substr(0, name.size() - 2)));
    // What a killed process left of it.
    const std::string left_name = temporary.substr(0, temporary.size() - 13) + "0123abcd.part";
    leave_temporary(folder.path() / filesystem_path(file_path(left_name)));
    BOOST_TEST(is_temporary_of(left_name, name));
    BOOST_REQUIRE(made->append(as_bytes("whole")));
    BOOST_REQUIRE(made->commit());
    BOOST_TEST(text_of(path) == "whole");
  }
}

BOOST_AUTO_TEST_CASE(names_of_temporary_files_name_their_output) {
  BOOST_TEST(output_of_temporary("m.butter.0123abcd.part") == "m.butter");
  BOOST_TEST(output_of_temporary("m.butter.chunks.0123abcd.part") == "m.butter");
  BOOST_TEST(output_of_temporary("m.butter.0123abcd.part.chunks.89abcdef.part") == "m.butter");
  for (const char* const other : {"m.butter", "m.butter.part", "m.butter.0123ABCD.part",
                                  "m.butter.0123abcde.part", "0123abcd.part", ".0123abcd.part", ""}) {
    BOOST_TEST(output_of_temporary(other).empty(), other);
  }
}

BOOST_AUTO_TEST_CASE(what_killed_writers_left_is_kept_on_request) {
  const scratch_folder folder;
  const std::string path = folder / "final";
  const auto left = leave_temporary(folder.path() / "final.0123abcd.part");
  BOOST_TEST(!open_abandoned(left, std::chrono::minutes{100}));
  BOOST_TEST(open_abandoned(left, std::chrono::minutes{10}).has_value());
  const kept_temporary_files kept(path);
  publish_whole(path, false);
  BOOST_TEST(std::filesystem::exists(left));
}

#ifndef _WIN32
// As a terminate handler does it, with the outputs of every thread. Afterwards the process can create no more.
BOOST_AUTO_TEST_CASE(a_process_that_ends_at_once_removes_its_temporary_files) {
  const scratch_folder folder;
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    auto first = published_file::create(folder / "first", false);
    auto second = published_file::create(folder / "second", false);
    auto committed = published_file::create(folder / "committed", false);
    auto last = published_file::create(folder / "last", false);
    const bool is_committed = committed && committed->append(as_bytes("whole")) && committed->commit();
    { const auto gone = std::move(second); }
    remove_unpublished_files();
    ::_exit(first && last && is_committed ? 0 : 1);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
  BOOST_TEST(files_in(folder) == 1u);
  BOOST_TEST(text_of(folder / "committed") == "whole");
}
#endif

BOOST_AUTO_TEST_CASE(a_published_file_replaces_only_files) {
  const scratch_folder folder;
  const std::string path = folder / "final";
  std::filesystem::create_directory(path);
  BOOST_TEST((published_file::create(path, true).error().code == error_code::invalid_argument));
  BOOST_TEST(std::filesystem::is_directory(path));
}

BOOST_AUTO_TEST_CASE(a_library_may_write_the_temporary_file_by_name) {
  const scratch_folder folder;
  const std::string path = folder / "final";
  auto made = published_file::create(path, false);
  BOOST_REQUIRE(made);
#ifdef _WIN32
  // Only this library's own rename can replace an open file there; other libraries cannot.
  std::ofstream(filesystem_path(made->temporary_path())) << "by name";
#else
  const std::string beside = folder / "beside";
  std::ofstream(beside) << "by name";
  std::filesystem::rename(beside, filesystem_path(made->temporary_path()));
#endif
  BOOST_REQUIRE(made->commit());
  BOOST_TEST(text_of(path) == "by name");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
