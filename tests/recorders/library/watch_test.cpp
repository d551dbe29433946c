// Keeping an index current.
#include <atomic>
#include <thread>

#include "eventually.hpp"
#include "library_files.hpp"
#include "tickreel/io/filesystem_path.hpp"

BOOST_AUTO_TEST_SUITE(library_tests)
BOOST_AUTO_TEST_SUITE(watch_test)

using namespace tickreel;
using namespace tickreel::test;
using gamecache::layout;

namespace {

// Watches in a thread until destroyed.
class watcher {
 public:
  watcher(const small_library& files, bool always_poll) {
    thread_ = std::thread([this, &files, always_poll] {
      auto own = library::catalogue::open(files.database);
      if (!own) return;
      library::watch_options options;
      options.settle_ms = 20;
      options.poll_ms = 50;
      options.always_poll = always_poll;
      options.scan.threads = 1;
      options.scan.watch.cancelled = [this] { return stop_.load(); };
      fine_ = own->watch({files.folder}, options).has_value();
    });
  }
  ~watcher() { stop(); }
  bool stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return fine_;
  }

 private:
  std::atomic<bool> stop_ = false;
  std::atomic<bool> fine_ = false;
  std::thread thread_;
};

// Waits until the index has that many games.
bool comes_to(small_library& files, std::size_t games) {
  return eventually([&] { return files.find().size() == games; });
}

void follow(bool always_poll) {
  small_library files;
  write_cache(files.folder / "before", small_cache(layout::flat, 0, 1));
  watcher watching(files, always_poll);
  BOOST_TEST(comes_to(files, 1));
  write_cache(files.folder / "new", small_cache(layout::flat, 10, 2));
  BOOST_TEST(comes_to(files, 3));
  std::filesystem::create_directories(files.folder / "a" / "b");
  write_cache(files.folder / "a" / "b" / "deep", small_cache(layout::flat, 20, 4));
  BOOST_TEST(comes_to(files, 7));
  std::filesystem::rename(files.folder / "a", files.folder / "c");
  write_cache(files.folder / "c" / "b" / "more", small_cache(layout::flat, 30, 8));
  BOOST_TEST(comes_to(files, 15));
  std::filesystem::remove(files.folder / "before");
  BOOST_TEST(comes_to(files, 14));
  BOOST_TEST(watching.stop());
  for (const library::game& each : files.find())
    BOOST_TEST(std::filesystem::exists(filesystem_path(each.file)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(by_notifications_of_the_system) {
  follow(false);
}
BOOST_AUTO_TEST_CASE(by_polling) {
  follow(true);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
