// Objects that are stored only if the store still has what the caller saw.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "file_bytes.hpp"
#include "object_lock.hpp"
#include "stores.hpp"

BOOST_AUTO_TEST_SUITE(recorders_store_tests)
BOOST_AUTO_TEST_SUITE(conditional_put_test)

BOOST_AUTO_TEST_CASE(replaces_only_what_the_caller_saw) {
  stores all;
  for (const std::size_t bytes : {500u, 3500u}) {  // whole, and in parts
    all.each([&](object_store& each) {
      const std::string reel = "cup/m" + std::to_string(bytes) + ".reel";
      const std::string index = "cup/m" + std::to_string(bytes) + ".json";
      const auto stored = [&](const std::string& content, std::vector<store::seen_object> seen) {
        return put(each, reel, content, {.unless_changed = std::move(seen)});
      };
      const auto first = stored(noise(bytes, 1), {{reel}, {index}});
      BOOST_REQUIRE_MESSAGE(first.has_value(), why(first));
      BOOST_TEST(!first->tag.empty());
      BOOST_TEST(each.head(reel).value()->tag == first->tag);
      store::object_identity identity;
      std::string some(10, '\0');
      BOOST_TEST(each.read(reel, 0, std::as_writable_bytes(std::span(some)), &identity).has_value());
      BOOST_TEST(identity.tag == first->tag);
      BOOST_TEST((stored(noise(bytes, 2), {{reel}}).error().code == error_code::in_use));
      const auto second = stored(noise(bytes, 3), {{reel, first->tag}, {index}});
      BOOST_REQUIRE_MESSAGE(second.has_value(), why(second));
      BOOST_TEST(second->tag != first->tag);
      BOOST_TEST((stored(noise(bytes, 4), {{reel, first->tag}}).error().code == error_code::in_use));
      // Another key.
      BOOST_TEST(put(each, index, "{}").has_value());
      BOOST_TEST(
          (stored(noise(bytes, 5), {{reel, second->tag}, {index}}).error().code == error_code::in_use));
      BOOST_TEST((whole(each, reel) == noise(bytes, 3)));
      BOOST_TEST(each.remove(reel).has_value());
      BOOST_TEST((stored(noise(bytes, 6), {{reel, second->tag}}).error().code == error_code::in_use));
      BOOST_TEST((keys(each) == std::vector<std::string>{index}));
      BOOST_TEST(each.remove(index).has_value());
    });
  }
  BOOST_TEST(all.s3.uploads().empty());
  std::size_t files = 0;
  for (const auto& left : std::filesystem::recursive_directory_iterator(all.folder / "archive"))
    files += left.is_regular_file() ? 1u : 0u;
  BOOST_TEST(files == 0u);
}

// All store the next number; none is lost, because each looks again after another one was faster.
BOOST_AUTO_TEST_CASE(writers_that_compare_lose_nothing) {
  const test::scratch_folder folder;
  constexpr int writers = 4;
  constexpr int numbers = 25;
  std::vector<std::thread> all;
  std::atomic<int> failures = 0;
  for (int each = 0; each < writers; ++each) {
    all.emplace_back([&] {
      const auto in = store::open(folder.path().string());
      for (int left = numbers; left != 0;) {
        store::seen_object seen{"n.txt"};
        std::string text(20, '\0');
        store::object_identity identity;
        const auto read = (*in)->read(seen.key, 0, std::as_writable_bytes(std::span(text)), &identity);
        if (read) seen.tag = identity.tag;
        const std::string next = std::to_string((read ? std::atoi(text.c_str()) : 0) + 1);
        const auto made = (*in)->put(seen.key, byte_source(as_bytes(next)), {.unless_changed = {seen}});
        if (made) --left;
        if (!made && made.error().code != error_code::in_use) ++failures;
      }
    });
  }
  for (std::thread& each : all) each.join();
  BOOST_TEST(failures == 0);
  const auto in = store::open(folder.path().string());
  BOOST_TEST(whole(**in, "n.txt") == std::to_string(writers * numbers));
}

// Waits take no time. `locks` is what a call of lock() returns, if it is not 0.
class quick_calls final : public system_calls {
 public:
  std::int64_t locks = 0;
  std::uint64_t waited_ms = 0;
  std::int64_t lock(std::int64_t handle) override { return locks != 0 ? locks : system_calls::lock(handle); }
  void wait_ms(std::uint32_t duration_ms) override { waited_ms += duration_ms; }
};

BOOST_AUTO_TEST_CASE(a_lock_leaves_no_file_and_is_waited_for_a_limited_time) {
  const test::scratch_folder folder;
  const file_path path = folder / "cup/match.tickreel-lock";
  std::filesystem::create_directory(folder / "cup");
  quick_calls calls;
  {
    const auto holder = store::object_lock::take(path, {});
    BOOST_REQUIRE(holder.has_value());
    const auto refused = store::object_lock::take(path, {}, calls);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().code == error_code::timed_out));
    BOOST_TEST(store::is_transient(refused.error()));
    BOOST_TEST(calls.waited_ms >= 5000u);
    BOOST_TEST(calls.waited_ms <= 20'000u);
    int polls = 0;
    const auto ended = store::object_lock::take(path, [&] { return ++polls > 2; }, calls);
    BOOST_TEST((!ended && ended.error().code == error_code::interrupted));
  }
  BOOST_TEST(std::filesystem::is_empty(folder / "cup"));
  // Of a killed process.
  test::write_file(path.utf8(), {});
  BOOST_TEST(store::object_lock::take(path, {}).has_value());
  BOOST_TEST(std::filesystem::is_empty(folder / "cup"));
}

BOOST_AUTO_TEST_CASE(a_file_system_without_locks_is_used_without_them) {
  const test::scratch_folder folder;
  quick_calls calls;
  for (const int unsupported : {ENOLCK, EOPNOTSUPP, EBADF}) {
    calls.locks = -unsupported;
    BOOST_TEST(store::object_lock::take(folder / "lock", {}, calls).has_value());
  }
  calls.locks = -EACCES;
  const auto refused = store::object_lock::take(folder / "lock", {}, calls);
  BOOST_TEST((!refused && refused.error().code == error_code::permission_denied));
  BOOST_TEST(calls.waited_ms == 0u);
}

// Between the look of the store and its request.
BOOST_AUTO_TEST_CASE(keeps_what_another_client_stores_at_the_same_moment) {
  for (const std::size_t bytes : {500u, 3500u}) {
    for (const bool exists : {false, true}) {
      test::fake_s3 s3;
      s3.set_environment();
      const auto opened = store::open("s3://bucket", quick());
      store::seen_object seen{"key"};
      if (exists) seen.tag = put(**opened, "key", "old")->tag;
      s3.faults = [](const std::string& method, const std::string& target, std::uint64_t) {
        const bool is_last = method == "PUT" ? target.find("partNumber") == std::string::npos
                                             : target.find("uploadId") != std::string::npos;
        return is_last && method != "DELETE" ? fault::overtaken : fault::none;
      };
      const auto made = put(**opened, "key", noise(bytes), {.unless_changed = {seen}});
      BOOST_REQUIRE(!made.has_value());
      BOOST_TEST((made.error().code == error_code::in_use));
      BOOST_TEST(s3.objects().at("key").content == "other");
      BOOST_TEST(s3.uploads().empty());
      BOOST_TEST(s3.conditional() == 1u);
      BOOST_TEST(s3.bad_signatures() == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(recognises_its_own_object_after_a_lost_answer) {
  test::fake_s3 s3;
  s3.set_environment();
  const auto opened = store::open("s3://bucket", quick());
  int lost = 0;
  s3.faults = [&](const std::string& method, const std::string& target, std::uint64_t) {
    const bool is_last = method == "PUT" ? target.find("partNumber") == std::string::npos
                                         : target.find("uploadId") != std::string::npos;
    return is_last && lost++ % 2 == 0 ? fault::lost_answer : fault::none;
  };
  std::optional<std::string> tag;
  for (const std::size_t bytes : {500u, 3500u, 400u}) {
    const auto made = put(**opened, "key", noise(bytes), {.unless_changed = {{"key", tag}}});
    BOOST_REQUIRE_MESSAGE(made.has_value(), why(made));
    BOOST_TEST((s3.objects().at("key").content == noise(bytes)));
    tag = made->tag;
  }
  BOOST_TEST(lost == 6);
}

BOOST_AUTO_TEST_CASE(works_without_conditional_requests) {
  for (const auto support : {test::conditions::status_501, test::conditions::status_400}) {
    for (const std::size_t bytes : {500u, 3500u}) {
      test::fake_s3 s3;
      s3.conditions = support;
      s3.set_environment();
      auto options = quick();
      int reports = 0;
      options.lacks_conditions = [&] { ++reports; };
      const auto opened = store::open("s3://bucket", options);
      const auto made = put(**opened, "key", noise(bytes), {.unless_changed = {{"key"}}});
      BOOST_REQUIRE_MESSAGE(made.has_value(), why(made));
      // The comparison before the request remains.
      BOOST_TEST(
          (put(**opened, "key", "b", {.unless_changed = {{"key"}}}).error().code == error_code::in_use));
      BOOST_TEST(put(**opened, "key", "c", {.unless_changed = {{"key", made->tag}}}).has_value());
      BOOST_TEST(reports == 1);
      BOOST_TEST(s3.conditional() == 1u);
      BOOST_TEST(s3.uploads().empty());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
