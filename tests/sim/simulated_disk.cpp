#include "simulated_disk.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tickreel/codec/codec.hpp"
#include "tickreel/record/clock.hpp"

namespace tickreel::sim {

namespace {
std::int64_t steady_now_us = 0;
std::int64_t wall_now_us = 0;
}  // namespace

void set_clock(std::int64_t steady_us, std::int64_t wall_us) {
  steady_now_us = steady_us;
  wall_now_us = wall_us;
  detail::clocks() = {[]() noexcept { return steady_now_us; }, []() noexcept { return wall_now_us; },
                      [](std::int64_t time_us) noexcept { advance_clock(time_us); }};
}
void advance_clock(std::int64_t duration_us) {
  steady_now_us += duration_us;
  wall_now_us += duration_us;
}
void shift_wall_clock(std::int64_t by_us) {
  wall_now_us += by_us;
}
std::int64_t simulated_now_us() {
  return steady_now_us;
}

std::uint64_t generator::next() noexcept {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Faults.

void simulated_disk::plan(fault kind, std::uint64_t after, std::uint64_t count) {
  if (kind == fault::full) {
    free_bytes_ = after;
  } else {
    faults_.push_back({kind, after, count});
  }
}

void simulated_disk::heal() {
  faults_.clear();
  free_bytes_.reset();
}

std::int64_t simulated_disk::begin_call(call_kind kind) {
  if (dead_) return -EIO;
  ++calls_;
  current_strikes_ = false;
  if (paused_) return 0;
  const auto applies = [&](fault what) {
    switch (what) {
      case fault::refused:
      case fault::death:
        return true;
      case fault::read:
        return kind == call_kind::read;
      case fault::short_write:
      case fault::torn_write:
      case fault::late_write:
        return kind == call_kind::write;
      case fault::interrupted:
        return kind == call_kind::read || kind == call_kind::write;
      case fault::sync:
      case fault::lost_sync:
        return kind == call_kind::sync;
      case fault::name:
        return kind == call_kind::name;
      case fault::full:
        return false;
    }
    return false;
  };
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    planned_fault& each = faults_[i];
    if (!applies(each.kind)) continue;
    if (each.after != 0) {
      --each.after;
      continue;
    }
    const fault what = each.kind;
    if (each.count != 0 && --each.count == 0) faults_.erase(faults_.begin() + static_cast<std::ptrdiff_t>(i));
    if (what == fault::interrupted) return -EINTR;
    struck_ = true;
    if (what == fault::death) {
      dead_ = true;
      // The call may have had a part of its effect.
      current_ = fault::torn_write;
      current_strikes_ = true;
      return kind == call_kind::write ? 0 : -EIO;
    }
    if (what == fault::short_write || what == fault::torn_write || what == fault::late_write) {
      current_ = what;
      current_strikes_ = true;
      return 0;
    }
    forgets_ = what == fault::lost_sync;
    if (kind == call_kind::sync) ++failed_syncs_;
    return -EIO;
  }
  return 0;
}

// Files.

simulated_disk::inode* simulated_disk::of(std::int64_t number) {
  const auto found = handles_.find(number);
  return found == handles_.end() ? nullptr : &files_[found->second.file];
}

byte_vector simulated_disk::content(const std::string& path) const {
  const auto found = names_.find(path);
  return found == names_.end() ? byte_vector{} : files_[found->second].now;
}

std::vector<std::string> simulated_disk::names() const {
  std::vector<std::string> all;
  for (const auto& each : names_) all.push_back(each.first);
  return all;
}

std::uint64_t simulated_disk::fingerprint() const {
  std::uint64_t hash = calls_;
  for (const auto& [name, file] : names_) {
    // Names of temporary files are random.
    if (name.ends_with(".part")) continue;
    hash = hash * 31 + xxh3_64(as_bytes(name));
    hash = hash * 31 + xxh3_64(files_[file].now);
  }
  return hash;
}

std::int64_t simulated_disk::open(const char* path, unsigned flags) {
  const std::lock_guard guard(lock_);
  if (const auto failed = begin_call(call_kind::other); failed < 0) return failed;
  const auto found = names_.find(path);
  if (found != names_.end() && (flags & create_new) != 0) return -EEXIST;
  if (found == names_.end() && (flags & (create_new | create)) == 0) return -ENOENT;
  if (found == names_.end() && !paused_ && free_bytes_ && *free_bytes_ == 0) {
    struck_ = true;
    return -ENOSPC;
  }
  std::size_t file = 0;
  if (found == names_.end()) {
    file = files_.size();
    files_.emplace_back();
    change_names({{path, file}});
  } else {
    file = found->second;
  }
  const std::int64_t number = next_handle_++;
  handles_[number] = {file, (flags & write) != 0};
  if ((flags & truncate_existing) != 0) {
    files_[file].now.clear();
    files_[file].pending.push_back({.shrinks = true});
  }
  return number;
}

std::int64_t simulated_disk::close(std::int64_t handle) {
  const std::lock_guard guard(lock_);
  inode* const file = of(handle);
  if (file == nullptr) return dead_ ? 0 : -EBADF;
  if (file->locked_by == handle) file->locked_by = -1;
  handles_.erase(handle);
  return 0;
}

std::int64_t simulated_disk::read_at(std::int64_t handle, mutable_byte_span into, std::uint64_t offset) {
  const std::lock_guard guard(lock_);
  if (const auto failed = begin_call(call_kind::read); failed < 0) return failed;
  const inode* const file = of(handle);
  if (file == nullptr) return -EBADF;
  if (offset >= file->now.size()) return 0;
  const std::size_t count = std::min<std::size_t>(into.size(), file->now.size() - offset);
  std::memcpy(into.data(), file->now.data() + offset, count);
  return static_cast<std::int64_t>(count);
}

void simulated_disk::write_now(inode& file, byte_span from, std::uint64_t offset) {
  if (from.empty()) return;
  if (file.now.size() < offset + from.size()) file.now.resize(offset + from.size());
  std::memcpy(file.now.data() + offset, from.data(), from.size());
  const std::uint64_t begin = offset / sector_bytes * sector_bytes;
  const std::uint64_t end = std::min<std::uint64_t>(
      (offset + from.size() + sector_bytes - 1) / sector_bytes * sector_bytes, file.now.size());
  change made{.offset = begin, .size_after = file.now.size()};
  made.bytes.assign(file.now.begin() + static_cast<std::ptrdiff_t>(begin),
                    file.now.begin() + static_cast<std::ptrdiff_t>(end));
  file.pending.push_back(std::move(made));
}

std::int64_t simulated_disk::write_at(std::int64_t handle, byte_span from, std::uint64_t offset) {
  const std::lock_guard guard(lock_);
  if (const auto failed = begin_call(call_kind::write); failed < 0) return failed;
  inode* const file = of(handle);
  if (file == nullptr) return -EBADF;
  if (current_strikes_) {
    if (current_ == fault::late_write) {
      write_now(*file, from, offset);
      return -EIO;
    }
    // A part that depends on the call, so that all parts are tried.
    const std::size_t part = from.size() * (calls_ % 8) / 8;
    write_now(*file, from.first(part), offset);
    return current_ == fault::short_write && part != 0 ? static_cast<std::int64_t>(part) : -EIO;
  }
  const std::uint64_t new_size = std::max<std::uint64_t>(file->now.size(), offset + from.size());
  const std::uint64_t more = new_size - file->now.size();
  if (!paused_ && free_bytes_ && more > *free_bytes_) {
    struck_ = true;
    const std::uint64_t part = from.size() - std::min<std::uint64_t>(from.size(), more - *free_bytes_);
    free_bytes_ = 0;
    if (part == 0) return -ENOSPC;
    write_now(*file, from.first(part), offset);
    return static_cast<std::int64_t>(part);
  }
  if (free_bytes_) *free_bytes_ -= std::min(more, *free_bytes_);
  write_now(*file, from, offset);
  return static_cast<std::int64_t>(from.size());
}

std::int64_t simulated_disk::sync(std::int64_t handle) {
  const std::lock_guard guard(lock_);
  const auto failed = begin_call(call_kind::sync);
  inode* const file = of(handle);
  if (file == nullptr) return -EBADF;
  if (failed < 0) {
    if (!dead_ && std::exchange(forgets_, false)) {
      generator random(calls_);
      file->durable = after_cut(*file, cut::sectors, random);
      file->durable.resize(file->now.size());
      file->pending.clear();
    }
    return failed;
  }
  for (const change& each : file->pending) {
    file->durable.resize(each.size_after);
    std::copy(each.bytes.begin(), each.bytes.end(),
              file->durable.begin() + static_cast<std::ptrdiff_t>(each.offset));
  }
  file->pending.clear();
  return 0;
}

std::int64_t simulated_disk::truncate(std::int64_t handle, std::uint64_t size) {
  const std::lock_guard guard(lock_);
  if (const auto failed = begin_call(call_kind::other); failed < 0) return failed;
  inode* const file = of(handle);
  if (file == nullptr) return -EBADF;
  if (free_bytes_ && size < file->now.size()) *free_bytes_ += file->now.size() - size;
  const bool shrinks = size < file->now.size();
  file->now.resize(size);
  file->pending.push_back({.size_after = size, .shrinks = shrinks});
  return 0;
}

std::int64_t simulated_disk::size(std::int64_t handle) {
  const std::lock_guard guard(lock_);
  if (const auto failed = begin_call(call_kind::other); failed < 0) return failed;
  const inode* const file = of(handle);
  return file == nullptr ? -EBADF : static_cast<std::int64_t>(file->now.size());
}

// Numbers are never used again, and files change only before they get their final name.
std::int64_t simulated_disk::version(std::int64_t handle) {
  const std::lock_guard guard(lock_);
  if (const auto failed = begin_call(call_kind::other); failed < 0) return failed;
  const auto found = handles_.find(handle);
  return found == handles_.end() ? -EBADF : static_cast<std::int64_t>(found->second.file);
}

std::int64_t simulated_disk::lock(std::int64_t handle) {
  const std::lock_guard guard(lock_);
  if (const auto failed = begin_call(call_kind::other); failed < 0) return failed;
  inode* const file = of(handle);
  if (file == nullptr) return -EBADF;
  if (file->locked_by != -1 && file->locked_by != handle) return -EWOULDBLOCK;
  file->locked_by = handle;
  return 0;
}

std::int64_t simulated_disk::is_locked(std::int64_t handle) {
  const std::lock_guard guard(lock_);
  if (const auto failed = begin_call(call_kind::other); failed < 0) return failed;
  const inode* const file = of(handle);
  if (file == nullptr) return -EBADF;
  return file->locked_by != -1 && file->locked_by != handle ? 1 : 0;
}

void simulated_disk::wait_ms(std::uint32_t duration_ms) {
  advance_clock(std::int64_t{duration_ms} * 1000);
}

// Names.

void simulated_disk::apply(const name_change& changed, name_map& names) {
  for (const auto& [name, file] : changed) {
    if (file) {
      names[name] = *file;
    } else {
      names.erase(name);
    }
  }
}

void simulated_disk::change_names(name_change changed) {
  apply(changed, names_);
  pending_names_.push_back(std::move(changed));
}

std::int64_t simulated_disk::rename(const char* from, const char* to) {
  const std::lock_guard guard(lock_);
  if (const auto failed = begin_call(call_kind::name); failed < 0) return failed;
  const auto found = names_.find(from);
  if (found == names_.end()) return -ENOENT;
  const std::size_t file = found->second;
  change_names({{from, std::nullopt}, {to, file}});
  return 0;
}

std::int64_t simulated_disk::rename_new(const char* from, const char* to) {
  if (exists(to)) return dead_ ? -EIO : -EEXIST;
  return rename(from, to);
}

std::int64_t simulated_disk::remove(const char* path) {
  const std::lock_guard guard(lock_);
  if (const auto failed = begin_call(call_kind::name); failed < 0) return failed;
  if (!names_.contains(path)) return -ENOENT;
  change_names({{path, std::nullopt}});
  return 0;
}

std::int64_t simulated_disk::sync_folder(const char*) {
  const std::lock_guard guard(lock_);
  if (const auto failed = begin_call(call_kind::sync); failed < 0) {
    forgets_ = false;
    return failed;
  }
  durable_names_ = names_;
  pending_names_.clear();
  return 0;
}

// Power cuts.

byte_vector simulated_disk::after_cut(const inode& file, cut how, generator& random) {
  const std::vector<change>& all = file.pending;
  if (how == cut::all) return file.now;
  if (how == cut::nothing || all.empty()) return file.durable;
  // Of each sector, and of the size, the number of changes that reached the disk.
  const std::uint64_t salt = random.next();
  const std::size_t common = random.below(all.size() + 1);
  const std::uint64_t torn_at =
      common < all.size()
          ? all[common].offset + random.below(all[common].bytes.size() / sector_bytes + 2) * sector_bytes
          : 0;
  const bool is_prefix = how == cut::prefix;
  const auto reached = [&](std::uint64_t sector) {
    if (is_prefix) return common + (common < all.size() && sector * sector_bytes < torn_at ? 1 : 0);
    return static_cast<std::size_t>(generator(salt ^ sector).below(all.size() + 1));
  };
  const std::size_t size_version =
      is_prefix ? common : static_cast<std::size_t>(random.below(all.size() + 1));
  const bool torn_grows = is_prefix && common < all.size() && !all[common].shrinks;
  std::uint64_t size = size_version == 0 ? file.durable.size() : all[size_version - 1].size_after;
  if (torn_grows) size = std::max(size, std::min(all[common].size_after, torn_at));
  byte_vector content = file.durable;
  std::uint64_t largest = content.size();
  for (const change& each : all) largest = std::max(largest, each.size_after);
  const std::size_t written_before = content.size();
  content.resize(largest);
  if (how == cut::garbage) {
    for (std::size_t at = written_before; at < content.size(); ++at) {
      content[at] = static_cast<std::byte>(generator(salt + at / 8).next() >> (at % 8 * 8));
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const change& each = all[i];
    const std::uint64_t begin = each.shrinks ? each.size_after : each.offset;
    const std::uint64_t end = each.shrinks ? largest : each.offset + each.bytes.size();
    for (std::uint64_t at = begin; at < end;) {
      const std::uint64_t sector = at / sector_bytes;
      const std::uint64_t next = std::min<std::uint64_t>((sector + 1) * sector_bytes, end);
      if (i < reached(sector)) {
        for (std::uint64_t to = at; to < next; ++to)
          content[to] = each.shrinks ? std::byte{} : each.bytes[to - each.offset];
      }
      at = next;
    }
  }
  content.resize(size);
  return content;
}

void simulated_disk::restart(cut how, generator& random) {
  for (inode& each : files_) {
    each.now = after_cut(each, how, random);
    if (how != cut::all) {
      each.durable = each.now;
      each.pending.clear();
    }
    each.locked_by = -1;
  }
  if (how != cut::all) {
    const std::size_t kept = how == cut::nothing  ? 0
                             : how == cut::prefix ? random.below(pending_names_.size() + 1)
                                                  : pending_names_.size();
    for (std::size_t i = 0; i < kept; ++i) {
      if (how != cut::prefix && random.chance(2)) continue;
      apply(pending_names_[i], durable_names_);
    }
    names_ = durable_names_;
    pending_names_.clear();
  }
  handles_.clear();
  heal();
  struck_ = dead_ = false;
}

}  // namespace tickreel::sim
