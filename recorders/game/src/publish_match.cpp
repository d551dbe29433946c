#include "publish_match.hpp"

#include <algorithm>
#include <set>

#include "file_view.hpp"
#include "layout_json.hpp"
#include "match_frame.hpp"
#include "match_layout.hpp"
#include "match_parts.hpp"
#include "opened_match.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/icrep/reader.hpp"
#include "tickreel/reel/frame_stream.hpp"

namespace tickreel::game {

namespace {

class file_target final : public layout_target {
 public:
  explicit file_target(published_file& to) noexcept : to_(to) {}
  result<void> append(byte_span bytes) override { return to_.append(bytes); }
  result<void> overwrite(byte_span bytes, std::uint64_t offset) override {
    return to_.overwrite(bytes, offset);
  }

 private:
  published_file& to_;
};

// For all files of the match. Real recordings expand to 330 times the reel if 100 of 10,000 units move per
// tick and every thousandth keyframe is full, and to 2,600 times if ten move and only the first is full; a
// forged reel could declare any factor.
std::uint64_t max_memory_bytes(std::uint64_t reel_bytes) noexcept {
  constexpr std::uint64_t of_any = 256u << 20;
  constexpr std::uint64_t of_each_byte = 4096;
  return of_any + std::min(reel_bytes, std::uint64_t{1} << 40) * of_each_byte;
}

class memory_target final : public layout_target {
 public:
  memory_target(byte_vector& to, std::uint64_t max_bytes) noexcept
      : to_(to), max_bytes_(std::min(max_bytes, layout_target::max_bytes())) {}
  result<void> append(byte_span bytes) override {
    to_.insert(to_.end(), bytes.begin(), bytes.end());
    return {};
  }
  result<void> overwrite(byte_span bytes, std::uint64_t offset) override {
    std::copy(bytes.begin(), bytes.end(), to_.begin() + static_cast<std::ptrdiff_t>(offset));
    return {};
  }
  [[nodiscard]] std::uint64_t max_bytes() const noexcept override { return max_bytes_; }

 private:
  byte_vector& to_;
  std::uint64_t max_bytes_;
};

result<void> check_encoder(const reel::header& head) {
  if (!is_match_reel(head)) {
    return fail(error_code::unsupported_operation, error::no_offset, "a reel without an .icrep match");
  }
  if (head.encoder_version < oldest_match_reel_version || head.encoder_version > match_reel_version) {
    return fail(error_code::unsupported_version, error::no_offset, "a match in a reel, version {}",
                head.encoder_version);
  }
  return {};
}

// The metadata of the beginning; for a match that was not ended, with later descriptions.
result<icrep::metadata> first_facts_of(reel::reader& from) {
  auto facts = icrep::read_metadata(as_text(from.head().schema));
  const auto last = from.last_header_update();
  if (!facts || (last && !last->empty())) return facts;
  world_layout described_types;
  std::uint64_t described_bytes = 0;
  // Repeated descriptions are only read.
  std::set<std::uint32_t> known_orders;
  std::set<std::uint32_t> known_events;
  const auto keep_new = [](std::vector<slot_layout>& all, std::set<std::uint32_t>& known) {
    std::erase_if(all, [&](const slot_layout& one) { return !known.insert(one.slot.slot).second; });
  };
  reel::frame_stream walk(from);
  reel::item next;
  for (;;) {
    const auto more = walk.next(next);
    if (!more) return fail(more.error());
    if (!*more) break;
    if (next.kind == reel::item_kind::event && next.event.type == described_event_type) {
      world_layout now = read_layout(as_text(next.event.bytes));
      keep_new(now.orders, known_orders);
      keep_new(now.events, known_events);
      if (now.orders.empty() && now.events.empty()) continue;
      merge_described(described_types, now);
      described_bytes += next.event.bytes.size();
      // No metadata can store more.
      if (described_bytes > icrep::limits{}.metadata_bytes) return facts;
    }
  }
  icrep::metadata with = *facts;
  add_described(with, described_types);
  // The size is not trusted.
  return icrep::to_json(with).size() + metadata_reserve_bytes <= icrep::limits{}.metadata_bytes ? with
                                                                                                : *facts;
}

bool is_part_of(const file_path& path, std::string_view replay_id, system_calls& calls) {
  const auto there = file_view::map(path, calls);
  if (!there) return false;
  const auto opened = icrep::reader::open(there->bytes());
  return opened && part_of(opened->facts()) && opened->facts().replay_id == replay_id;
}

// All files if `only` is empty.
result<published_match> publish_files(const file_path& reel_path, const file_path& output, bool overwrite,
                                      std::span<const std::uint32_t> only, system_calls& calls,
                                      const publish_progress& progress) {
  auto from = open_reel(reel_path, calls);
  if (!from) return fail(from.error());
  if (auto known = check_encoder(from->head()); !known) return fail(known.error());
  const auto parts = plan_parts(*from);
  if (!parts) return fail(parts.error());
  const auto facts = first_facts_of(*from);
  if (!facts) return fail(facts.error());
  std::vector<published_file> files;
  published_match all;
  for (const match_part& part : *parts) {
    if (!only.empty() && std::ranges::find(only, part.number) == only.end()) continue;
    const file_path path = part_path(output, part.number);
    // A part of this match that an interrupted call left may be replaced; another match's may not.
    const bool replace = overwrite || (part.number != 1 && is_part_of(path, facts->replay_id, calls));
    auto file = published_file::create(path, replace, calls);
    if (!file) return fail(file.error());
    file_target target(files.emplace_back(std::move(*file)));
    const auto one = write_match(*from, *facts, part, target, progress);
    if (!one) return one;
    all.add(*one);
  }
  // The first file comes last: if it exists, all do.
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (auto done = file->commit(); !done) return fail(done.error());
  }
  return all;
}

}  // namespace

void published_match::add(const published_match& part) noexcept {
  ++parts;
  bytes += part.bytes;
  ticks += part.ticks;
  total_ticks = part.total_ticks;
  keyframes += part.keyframes;
  events += part.events;
  voice_records += part.voice_records;
  damaged_parts = std::max(damaged_parts, part.damaged_parts);
  // The other parts are marked as lacking the beginning.
  if (parts == 1) incomplete = part.incomplete;
}

result<reel::reader> open_reel(const file_path& path, system_calls& calls) {
  return reel::reader::open(path, {}, false, calls);
}

result<published_match> publish_match(reel::reader& from, std::vector<byte_vector>& to,
                                      const publish_progress& progress) {
  if (auto known = check_encoder(from.head()); !known) return fail(known.error());
  const auto parts = plan_parts(from);
  if (!parts) return fail(parts.error());
  const auto facts = first_facts_of(from);
  if (!facts) return fail(facts.error());
  published_match all;
  const std::uint64_t most = max_memory_bytes(from.contents().file_bytes);
  for (const match_part& part : *parts) {
    memory_target target(to.emplace_back(), most - all.bytes);
    const auto one = write_match(from, *facts, part, target, progress);
    if (!one) return one;
    all.add(*one);
  }
  return all;
}

result<published_match> publish_match(const file_path& reel_path, const file_path& output, bool overwrite,
                                      system_calls& calls, const publish_progress& progress) {
  return publish_files(reel_path, output, overwrite, {}, calls, progress);
}

result<published_match> publish_parts(const file_path& reel_path, const file_path& output,
                                      std::span<const std::uint32_t> numbers, system_calls& calls) {
  return publish_files(reel_path, output, false, numbers, calls, {});
}

result<void> check_published(const file_path& path, system_calls& calls) {
  const auto opened = opened_match::open(path, calls);
  if (!opened) return fail(opened.error());
  if (const auto& missing = (*opened)->missing_parts(); !missing.empty()) {
    return fail(error_code::not_found, error::no_offset, "part {} of the match", missing.front());
  }
  return {};
}

file_path reel_path_of(const file_path& path) {
  return path.utf8() + ".reel";
}

result<published_match> publish_beside_reel(const file_path& path, system_calls& calls) {
  auto published = publish_match(reel_path_of(path), path, false, calls);
  if (!published) return published;
  if (const auto sound = check_published(path, calls); !sound) return fail(sound.error());
  return published;
}

result<published_match> publish_and_remove_reel(const file_path& path, system_calls& calls) {
  auto published = publish_beside_reel(path, calls);
  if (!published) return published;
  const std::int64_t removed = calls.remove(reel_path_of(path).utf8().c_str());
  if (removed < 0) return fail(from_system_error(static_cast<int>(-removed), "removing the reel"));
  return published;
}

}  // namespace tickreel::game
