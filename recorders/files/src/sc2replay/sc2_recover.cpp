#include "sc2_recover.hpp"

#include <algorithm>

#include "tickreel/io/file.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/sc2replay/salvage.hpp"

namespace tickreel::files {

result<recover_report> recover_sc2replay(const file_path& input, const file_path& output,
                                         const recover_options& options) {
  const auto bytes = read_whole_file(input, mpq::limits{}.file_bytes);
  if (!bytes) return fail(bytes.error());
  const auto found = sc2replay::salvage(*bytes, {}, options.watch.cancelled);
  if (!found) return fail(found.error());
  auto published = published_file::create(output, options.overwrite);
  if (!published) return fail(published.error());
  if (auto added = published->append(found->file); !added) return fail(added.error());
  if (auto done = published->commit(); !done) return fail(done.error());
  recover_report report;
  const auto& members = found->members;
  const bool has_game = std::ranges::find(members, "replay.game.events") != members.end();
  report.ticks = has_game ? found->loops : 0;
  report.bytes = found->file.size();
  if (found->lost_tables) {
    report.lost.emplace_back("the archive's tables; members that were not packed by bzip2 cannot be found");
  }
  for (const std::string& each : found->lost) report.lost.push_back(each + " is lost");
  if (found->unknown > 0) {
    report.lost.push_back(
        std::to_string(found->unknown) +
        " contents are whole and left out: without the archive's tables nobody can tell what "
        "they are");
  }
  return report;
}

}  // namespace tickreel::files
