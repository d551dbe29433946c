#include "fleet_checks.hpp"

#include <algorithm>

#include "tickreel/store/object_store.hpp"

namespace tickreel::sim {

namespace {

void check_content(const std::string& path, recorded_world& world, const reel_check& found) {
  const auto read = world.read(path);
  if (!read) return require(found.numbers.empty(), path + " cannot be read", read);
  require(read->wrong.empty(), path + ": " + read->wrong);
  require(read->numbers == found.numbers, path + ": the format's reader returns other ticks than the reel's");
}

}  // namespace

std::optional<store::index_object> archive_checks::index_of(const std::string& reel) const {
  for (const std::string& name : disk_.names()) {
    if (!name.starts_with(folder_) || !name.ends_with(reel + std::string(store::index_ending))) continue;
    const byte_vector text = disk_.content(name);
    auto read = store::read_index(text);
    require(read.has_value(), name + " is not an index object", read);
    return *read;
  }
  return std::nullopt;
}

void archive_checks::promise(const std::string& reel, bool is_work, bool is_forgotten, std::uint64_t pushed) {
  const auto index = index_of(reel);
  // The work of a match without records ends without an index object.
  if (!index)
    return require(!is_work, "the work of a match was acknowledged, and its index object does not exist");
  require(!is_work || index->ended || is_forgotten, "the work of a match without its end was acknowledged");
  auto ticks = check_reel(folder_ + index->key, pushed, false).numbers;
  require(std::ranges::includes(ticks, promised_[reel].ticks), "an archiver replaced ticks of the archive");
  promised_[reel] = {index->records - index->lost_records, index->ended, std::move(ticks)};
}

void archive_checks::check(recorded_world& world, const recorded_reel& was) {
  for (const std::string& name : disk_.names()) {
    if (name.starts_with(folder_) && name.ends_with(store::reel_ending)) check_reel_object(name, world, was);
  }
  for (const auto& [reel, promised] : promised_) {
    const auto index = index_of(reel);
    require(index.has_value(), "the archive has lost a match whose work was acknowledged");
    require(index->records - index->lost_records >= promised.records && (index->ended || !promised.ended),
            "the archive has fewer records than an archiver has acknowledged");
    require(disk_.exists(folder_ + index->key), "the archive has lost the reel of an index object");
    const auto now = check_reel(folder_ + index->key, was.pushed, false).numbers;
    require(std::ranges::includes(now, promised.ticks), "the archive has lost ticks that it had");
  }
}

void archive_checks::check_reel_object(const std::string& path, recorded_world& world,
                                       const recorded_reel& was) {
  const auto hashed = store::hash_file(path);
  require(hashed.has_value(), path + " cannot be read", hashed);
  const std::string reel = path.substr(path.size() - store::reel_ending.size() - 32, 32);
  const auto index = index_of(reel);
  // Not complete only if the recorder was cut or killed: then the archiver adds the end.
  const bool is_of_index = index && index->sha256 == hashed->sha256;
  const bool all = is_of_index && index->ended && index->lost_records == 0 && was.closed && reel == was.id;
  const reel_check found = check_reel(path, was.pushed, all);
  require(found.is_closed && !found.is_damaged, path + " is not whole");
  check_content(path, world, found);
  if (!is_of_index) return;
  require(index->ticks == found.numbers.size(), path + ": its index object counts " +
                                                    std::to_string(index->ticks) + " ticks of " +
                                                    std::to_string(found.numbers.size()));
  require(index->lost_ticks >= found.missing,
          path + ": its index object counts fewer lost ticks than readers");
  if (all) {
    const auto recorded = store::hash_file(world.reel_path());
    require(!recorded || recorded->sha256 == index->recorded_sha256, path + " is not the recorder's reel");
  }
}

void check_followed(const std::string& path, const fleet::follow_counters& counted, recorded_world& world,
                    const recorded_reel& was, bool from_start) {
  if (!counted.reel.has_header) return;
  const reel_check found = check_reel(path, was.pushed, counted.reel.ended && was.closed);
  check_content(path, world, found);
  if (!from_start || !counted.reel.ended || counted.reel.lost_records != 0 || !was.closed) return;
  const auto own = store::hash_file(path);
  const auto recorded = store::hash_file(world.reel_path());
  require(own.has_value(), path + " cannot be read", own);
  require(!recorded || own->sha256 == recorded->sha256, "the followed reel is not the recorder's");
}

}  // namespace tickreel::sim
