#include "tickreel/sc2replay/archive.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "tickreel/mpq/attributes.hpp"
#include "tickreel/mpq/write_archive.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr std::array<const char*, 18> member_names = {
    "replay.info",
    "save.jpg",
    "replay.details",
    "replay.initData",
    "replay.attributes.events",
    "replay.game.events",
    "replay.message.events",
    "replay.tracker.events",
    "replay.smartcam.events",
    "replay.sync.events",
    "replay.sync.history",
    "replay.load.info",
    "replay.resumable.events",
    "replay.server.battlelobby",
    "replay.gamemetadata.json",
    "replay.details.backup",
    "replay.initData.backup",
    losses_member,
};

result<mpq::archive> said_of_replays(result<mpq::archive>&& opened) {
  if (!opened && opened.error().code == error_code::bad_magic && opened.error().offset == 0) {
    return fail(error_code::bad_magic, 0, "not a StarCraft II replay");
  }
  return std::move(opened);
}

}  // namespace

std::span<const char* const> known_members() noexcept {
  return member_names;
}

result<mpq::archive> open_archive(byte_span file, const mpq::limits& limits) {
  return said_of_replays(mpq::archive::open(file, {limits, member_names}));
}

result<mpq::archive> open_archive(byte_vector&& file, const mpq::limits& limits) {
  return said_of_replays(mpq::archive::open(std::move(file), {limits, member_names}));
}

std::vector<std::string> read_losses(const mpq::archive& of) {
  std::vector<std::string> out;
  const auto bytes = of.read(losses_member);
  if (!bytes) return out;
  std::string_view text = as_text(*bytes);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

result<byte_vector> add_losses(byte_span file, std::span<const std::string> losses,
                               const mpq::limits& limits) {
  const auto from = open_archive(file, limits);
  if (!from) return fail(from.error());
  std::vector<std::string> lines = read_losses(*from);
  for (const std::string& each : losses) {
    std::string line = each;
    std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  const auto kept = mpq::read_attributes(*from);
  std::vector<mpq::new_member> members;
  for (const mpq::member& each : from->members()) {
    if (each.name == losses_member) continue;
    auto bytes = from->read(each.name);
    if (!bytes) return fail(bytes.error());
    members.push_back({each.name, std::move(*bytes), from->storage_of(each)});
    if (kept && each.block < kept->rows.size()) {
      members.back().file_time = kept->rows[each.block].file_time.value_or(0);
    }
  }
  std::string text;
  for (const std::string& each : lines) text += each + '\n';
  const byte_span bytes = as_bytes(text);
  members.push_back({losses_member, {bytes.begin(), bytes.end()}});
  return mpq::write_archive(from->user_data(), members, from->shape());
}

}  // namespace tickreel::sc2replay
