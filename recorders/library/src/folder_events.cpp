#include "folder_events.hpp"

#include <algorithm>
#include <map>
#include <thread>

#ifdef __linux__
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>
#include <cerrno>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#endif

namespace tickreel::library {

namespace {

class polling final : public folder_events {
 public:
  polling(std::vector<std::filesystem::path> roots, std::chrono::milliseconds every)
      : roots_(std::move(roots)), every_(every), next_(std::chrono::steady_clock::now() + every) {}

  result<void> wait(std::chrono::milliseconds at_most, std::set<std::filesystem::path>& touched) override {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next_ - now);
      std::this_thread::sleep_for(std::min(at_most, left + std::chrono::milliseconds(1)));
    }
    if (std::chrono::steady_clock::now() < next_) return {};
    next_ = std::chrono::steady_clock::now() + every_;
    touched.insert(roots_.begin(), roots_.end());
    return {};
  }

 private:
  std::vector<std::filesystem::path> roots_;
  std::chrono::milliseconds every_;
  std::chrono::steady_clock::time_point next_;
};

#ifdef __linux__

class inotify final : public folder_events {
 public:
  explicit inotify(std::vector<std::filesystem::path> roots)
      : roots_(std::move(roots)), handle_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    for (const auto& root : roots_) add_tree(root);
  }
  inotify(const inotify&) = delete;
  inotify& operator=(const inotify&) = delete;
  ~inotify() override {
    if (handle_ >= 0) ::close(handle_);
  }

  [[nodiscard]] bool works() const noexcept { return handle_ >= 0 && !lacking_; }

  result<void> wait(std::chrono::milliseconds at_most, std::set<std::filesystem::path>& touched) override {
    pollfd asked = {handle_, POLLIN, 0};
    const int ready = ::poll(&asked, 1, static_cast<int>(at_most.count()));
    if (ready < 0 && errno != EINTR) return fail(from_system_error(errno));
    if (ready <= 0) return {};
    std::byte room[64u << 10];
    for (;;) {
      const auto count = ::read(handle_, room, sizeof room);
      if (count <= 0) return {};
      take(byte_span(room).first(static_cast<std::size_t>(count)), touched);
    }
  }

 private:
  static constexpr std::uint32_t wanted = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                          IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB;

  void add_tree(const std::filesystem::path& root) {
    std::vector<std::filesystem::path> folders = {root};
    while (!folders.empty()) {
      const std::filesystem::path folder = std::move(folders.back());
      folders.pop_back();
      const int watch = ::inotify_add_watch(handle_, folder.c_str(), wanted);
      // The system has no more watches: changes would be missed.
      if (watch < 0 && (errno == ENOSPC || errno == ENOMEM)) lacking_ = true;
      if (watch < 0) continue;
      folders_[watch] = folder;
      (void)visit_folder(folder, [&](const folder_entry& each) {
        if (each.kind == entry_kind::folder && !each.is_link) folders.push_back(filesystem_path(each.path));
        return true;
      });
    }
  }

  // The kernel's records: watch, mask, cookie, length of the name, name; in native byte order.
  void take(byte_span events, std::set<std::filesystem::path>& touched) {
    while (events.size() >= sizeof(inotify_event)) {
      inotify_event head;
      std::copy_n(events.begin(), sizeof head, std::as_writable_bytes(std::span(&head, 1)).begin());
      const byte_span name = events.subspan(sizeof head, head.len);
      events = events.subspan(sizeof head + head.len);
      if ((head.mask & IN_Q_OVERFLOW) != 0) {
        touched.insert(roots_.begin(), roots_.end());
        for (const auto& root : roots_) add_tree(root);
        continue;
      }
      const auto folder = folders_.find(head.wd);
      if (folder == folders_.end()) continue;
      if ((head.mask & IN_IGNORED) != 0) {
        folders_.erase(folder);
        continue;
      }
      const std::string_view text = as_text(name);
      const std::filesystem::path path =
          text.empty() ? folder->second : folder->second / std::string(text.substr(0, text.find('\0')));
      const bool is_folder = (head.mask & IN_ISDIR) != 0;
      const bool came = (head.mask & (IN_CREATE | IN_MOVED_TO)) != 0;
      if (is_folder && came) add_tree(path);
      // A new file is reported when it is closed.
      if (!is_folder && head.mask == IN_CREATE) continue;
      touched.insert(path);
    }
  }

  std::vector<std::filesystem::path> roots_;
  int handle_ = -1;
  bool lacking_ = false;
  std::map<int, std::filesystem::path> folders_;
};

#endif

}  // namespace

std::unique_ptr<folder_events> watch_folders(const std::vector<std::filesystem::path>& roots,
                                             std::chrono::milliseconds poll, bool always_poll) {
#ifdef __linux__
  if (!always_poll) {
    auto events = std::make_unique<inotify>(roots);
    if (events->works()) return events;
  }
#else
  (void)always_poll;
#endif
  return std::make_unique<polling>(roots, poll);
}

}  // namespace tickreel::library
