#include "gamecache_recover.hpp"

#include <algorithm>

#include "tickreel/counted.hpp"
#include "tickreel/gamecache/recover.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/whole_file.hpp"

namespace tickreel::files {

namespace {

// A hundred times the largest file of the known program.
constexpr std::uint64_t max_cache_bytes = 256u << 20;

std::string loss_text(const gamecache::recovered_file& found, std::uint64_t file_bytes) {
  const std::uint64_t kept = found.cache.items.size();
  std::string out;
  if (found.promised && *found.promised > kept) {
    out = std::to_string(*found.promised - kept) + " of " + counted(*found.promised, "game") + " lost: ";
  }
  return out + counted(file_bytes - found.kept_bytes, "byte") + " from offset " +
         std::to_string(found.kept_bytes) + " on cannot be read (" + describe(*found.stopped) + ")";
}

}  // namespace

result<recover_report> recover_gamecache(const file_path& input, const file_path& output,
                                         const recover_options& options) {
  const auto file = read_whole_file(input, max_cache_bytes);
  if (!file) return fail(file.error());
  const auto found = gamecache::recover_file(*file);
  if (!found) return fail(found.error());
  if (found->cache.items.empty() && found->stopped) {
    return fail(error_code::truncated, found->stopped->offset, "no complete game was found");
  }
  // Every item that was read can be written.
  const auto written = gamecache::write(found->cache, {.program_limits = false});
  if (!written) return fail(written.error());
  auto published = published_file::create(output, options.overwrite);
  if (!published) return fail(published.error());
  if (auto added = published->append(*written); !added) return fail(added.error());
  if (auto done = published->commit(); !done) return fail(done.error());
  recover_report report;
  report.ticks = found->cache.items.size();
  report.bytes = written->size();
  if (found->promised) report.lost_ticks = *found->promised - std::min(*found->promised, report.ticks);
  if (found->stopped) report.lost.push_back(loss_text(*found, file->size()));
  return report;
}

}  // namespace tickreel::files
