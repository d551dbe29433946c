#include "sc2_recover.hpp"

#include "tickreel/io/file.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/sc2replay/salvage.hpp"

namespace tickreel::files {

result<recover_report> recover_sc2replay(const file_path& input, const file_path& output,
                                         const recover_options& options) {
  const auto bytes = read_whole_file(input, mpq::limits{}.file_bytes);
  if (!bytes) return fail(bytes.error());
  const auto found = sc2replay::salvage(*bytes);
  if (!found) return fail(found.error());
  auto published = published_file::create(output, options.overwrite);
  if (!published) return fail(published.error());
  if (auto added = published->append(found->file); !added) return fail(added.error());
  if (auto done = published->commit(); !done) return fail(done.error());
  recover_report report;
  report.ticks = found->loops;
  report.bytes = found->file.size();
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
