// A disk in memory that fails on request and loses unsynced data in a simulated power cut.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tickreel/io/file.hpp"

namespace tickreel::sim {

// A deterministic generator (splitmix64): the same on every machine.
class generator {
 public:
  explicit generator(std::uint64_t seed) noexcept : state_(seed) {}
  std::uint64_t next() noexcept;
  // 0 to limit - 1.
  std::uint64_t below(std::uint64_t limit) noexcept { return next() % limit; }
  bool chance(std::uint64_t in) noexcept { return below(in) == 0; }

 private:
  std::uint64_t state_;
};

enum class fault : std::uint8_t {
  refused,      // any call does nothing and returns EIO
  read,         // a read returns EIO
  short_write,  // a write writes a part of its bytes and reports that
  torn_write,   // a write writes a part of its bytes and returns EIO
  late_write,   // a write writes all of its bytes and returns EIO
  full,         // the disk accepts `after` more bytes, then a part of a write, then ENOSPC
  interrupted,  // a read or a write returns EINTR
  sync,         // a sync returns EIO; a later one may succeed
  lost_sync,    // a sync returns EIO, and the system forgets what it could not write, as Linux does
  name,         // a rename or a removal returns EIO
  death,        // from that call on, no call has an effect: the process dies, or the power fails
};
inline constexpr const char* fault_names[] = {"refused", "read", "short", "torn", "late", "full",
                                              "eintr",   "sync", "lost",  "name", "die"};

// What remains of unsynced data.
enum class cut : std::uint8_t {
  nothing,  // none of it
  all,      // all of it: only the process has died
  prefix,   // what was written first; the last write is torn at a sector
  sectors,  // of each sector any version since the last sync; names likewise
  garbage,  // as `sectors`; a sector that was never written has random content
};
inline constexpr const char* cut_names[] = {"nothing", "all", "prefix", "sectors", "garbage"};

class simulated_disk final : public system_calls {
 public:
  static constexpr std::size_t sector_bytes = 512;

  // After `after` further calls that it applies to, `count` of them fail; 0: until heal().
  void plan(fault kind, std::uint64_t after, std::uint64_t count);
  void heal();
  // Faults neither strike nor come closer.
  void pause_faults(bool paused) { paused_ = paused; }
  [[nodiscard]] std::uint64_t failed_syncs() const { return failed_syncs_; }
  // Whether a fault has struck since the last question.
  bool has_struck() { return std::exchange(struck_, false); }
  [[nodiscard]] bool is_dead() const { return dead_; }
  // The process dies. Its handles have no effect from now on.
  void die() { dead_ = true; }
  // After the process has died: all of its locks are released, and unsynced data is lost. Then the disk works.
  void restart(cut how, generator& random);

  // Not a call of the process.
  [[nodiscard]] bool exists(const std::string& path) const { return names_.contains(path); }
  [[nodiscard]] byte_vector content(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  // A hash of everything, to compare two runs.
  [[nodiscard]] std::uint64_t fingerprint() const;

  std::int64_t open(const char* path, unsigned flags) override;
  std::int64_t close(std::int64_t handle) override;
  std::int64_t read_at(std::int64_t handle, mutable_byte_span into, std::uint64_t offset) override;
  std::int64_t write_at(std::int64_t handle, byte_span from, std::uint64_t offset) override;
  std::int64_t sync(std::int64_t handle) override;
  std::int64_t truncate(std::int64_t handle, std::uint64_t size) override;
  std::int64_t size(std::int64_t handle) override;
  std::int64_t version(std::int64_t handle) override;
  std::int64_t lock(std::int64_t handle) override;
  std::int64_t is_locked(std::int64_t handle) override;
  void wait_ms(std::uint32_t duration_ms) override;
  std::int64_t rename(const char* from, const char* to) override;
  std::int64_t rename_new(const char* from, const char* to) override;
  std::int64_t remove(const char* path) override;
  std::int64_t sync_folder(const char* path_of_file_inside) override;

 private:
  // A write or truncation since the last sync. A write has whole sectors, as the page cache had them.
  struct change {
    std::uint64_t offset = 0;
    byte_vector bytes = {};
    std::uint64_t size_after = 0;
    bool shrinks = false;
  };
  struct inode {
    byte_vector now;      // as processes see it
    byte_vector durable;  // as of the last sync
    std::vector<change> pending;
    std::int64_t locked_by = -1;
  };
  struct open_file {
    std::size_t file = 0;
    bool writes = false;
  };
  using name_map = std::map<std::string, std::size_t>;
  // Names that change together; empty: removed.
  using name_change = std::vector<std::pair<std::string, std::optional<std::size_t>>>;
  struct planned_fault {
    fault kind;
    std::uint64_t after;
    std::uint64_t count;  // 0: no end
  };

  // 0, or the error. Counts the call.
  enum class call_kind : std::uint8_t { other, read, write, sync, name };
  std::int64_t begin_call(call_kind kind);
  void write_now(inode& file, byte_span from, std::uint64_t offset);
  static byte_vector after_cut(const inode& file, cut how, generator& random);
  static void apply(const name_change& changed, name_map& names);
  void change_names(name_change changed);
  inode* of(std::int64_t number);

  mutable std::mutex lock_;
  std::vector<inode> files_;
  std::map<std::int64_t, open_file> handles_;
  std::int64_t next_handle_ = 1;
  name_map names_;
  name_map durable_names_;
  std::vector<name_change> pending_names_;
  std::vector<planned_fault> faults_;
  fault current_ = fault::refused;  // of the write that begin_call() lets fail
  bool current_strikes_ = false;
  std::optional<std::uint64_t> free_bytes_;
  std::uint64_t calls_ = 0;
  bool struck_ = false;
  bool dead_ = false;
  bool paused_ = false;
  std::uint64_t failed_syncs_ = 0;
  bool forgets_ = false;  // the sync that begin_call() lets fail
};

// The simulated clock that recorders read.
void set_clock(std::int64_t steady_us, std::int64_t wall_us);
void advance_clock(std::int64_t duration_us);
void shift_wall_clock(std::int64_t by_us);
[[nodiscard]] std::int64_t simulated_now_us();

}  // namespace tickreel::sim
