// Data that the threads of a scan exchange.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "describe_file.hpp"
#include "file_identity.hpp"
#include "rows.hpp"
#include "tickreel/library/catalogue.hpp"
#include "tickreel/workers/hand_over.hpp"

namespace tickreel::library {

// A recording in a store, and the archive's index object beside it.
struct stored_recording {
  const std::string* root = nullptr;  // the address that was scanned
  std::string key;
  std::string index_key;  // empty: none
  std::string tag;        // of the recording
};

struct job {
  std::filesystem::path path;
  file_identity identity;
  bool known = false;
  std::optional<stored_recording> stored = std::nullopt;  // `path` is then empty
};

struct outcome {
  enum class kind : std::uint8_t { described, moved, unchanged_again };
  kind what = kind::described;
  std::string path;
  file_identity identity;
  bool known = false;
  std::uint64_t hash = 0;
  description facts;
  // moved: the row, and its old path.
  std::int64_t id = 0;
  std::string from;
};

struct shared_state {
  known_files known;
  const scan_options* options = nullptr;
  file_path database;
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> seen = 0, unchanged = 0, unreadable_folders = 0;
  std::atomic<std::uint64_t> bytes_found = 0, bytes_read = 0;
  workers::hand_over<job> jobs{1024};
  workers::hand_over<outcome> outcomes{1024};
  std::vector<file_path> unreadable;  // written by the listing thread until it is joined
  std::vector<std::string> unlisted;  // likewise: addresses whose objects are not all known
  std::atomic<std::uint64_t> unreadable_objects = 0;

  void cannot_read(const std::filesystem::path& folder) {
    constexpr std::size_t named = 10;
    if (++unreadable_folders <= named) unreadable.emplace_back(folder);
  }

  // Any thread. The index keeps its facts.
  void cannot_fetch(std::string url, const error& why) {
    constexpr std::size_t named = 10;
    const std::lock_guard lock(mutex_);
    ++unreadable_objects;
    if (unfetched_.size() < named) unfetched_.push_back({std::move(url), why});
  }
  // The listing thread, or before it starts.
  void cannot_list(const std::string& address, const error& why) {
    unlisted.push_back(address);
    cannot_fetch(address, why);
  }
  [[nodiscard]] std::vector<unread_object> unfetched() {
    const std::lock_guard lock(mutex_);
    return unfetched_;
  }
  // For an existing file or object: passes it to the readers, unless it is unchanged.
  void meet(const std::string& path, job found);

 private:
  std::mutex mutex_;
  std::vector<unread_object> unfetched_;
};

}  // namespace tickreel::library
