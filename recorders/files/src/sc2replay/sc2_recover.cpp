#include "sc2_recover.hpp"

#include <algorithm>

#include "sc2_facts.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/sc2replay/recover.hpp"

namespace tickreel::files {

namespace {

// One sentence per member, with the details that are removed from `problems`.
std::string lost_member(const std::string& name, std::vector<std::string>& problems) {
  std::string out = name + " is lost";
  const auto reason =
      std::ranges::find_if(problems, [&](const std::string& each) { return each.starts_with(name + ": "); });
  if (reason == problems.end()) return out;
  out += reason->substr(name.size());
  problems.erase(reason);
  return out;
}

}  // namespace

result<recover_report> recover_sc2replay(const file_path& input, const file_path& output,
                                         const recover_options& options) {
  const auto bytes = read_whole_file(input, mpq::limits{}.file_bytes);
  if (!bytes) return fail(bytes.error());
  auto found = sc2replay::recover_file(*bytes, {}, options.watch.cancelled);
  if (!found) return fail(found.error());
  recover_report report;
  const auto& members = found->members;
  const bool has_game = std::ranges::find(members, "replay.game.events") != members.end();
  report.ticks = has_game ? found->loops : 0;
  if (found->lost_tables) {
    report.lost.emplace_back(
        "the archive's tables; members that were not compressed by bzip2 cannot be found");
  }
  auto problems = losses_of_replay(*bytes, options.watch);
  if (!problems) return fail(problems.error());
  for (const std::string& each : found->lost) report.lost.push_back(lost_member(each, *problems));
  report.lost.insert(report.lost.end(), problems->begin(), problems->end());
  if (found->unknown > 0) {
    report.lost.push_back(counted(found->unknown, "complete content") +
                          " left out: without the archive's tables, names are unknown");
  }
  const auto copy = mark_losses(std::move(found->file), report.lost, options.watch);
  if (!copy) return fail(copy.error());
  report.bytes = copy->size();
  auto published = published_file::create(output, options.overwrite);
  if (!published) return fail(published.error());
  if (auto added = published->append(*copy); !added) return fail(added.error());
  if (auto done = published->commit(); !done) return fail(done.error());
  return report;
}

}  // namespace tickreel::files
