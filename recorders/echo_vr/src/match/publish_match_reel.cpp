#include "publish_match_reel.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "tickreel/counted.hpp"
#include "tickreel/files/extra.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::echo_vr {

namespace {

void write_extra(const echo::extra_writer& extra, const std::filesystem::path& output, std::uint64_t ticks,
                 finished_file& done) {
  const std::string name = file_path(filesystem_path(files::extra_path(output)).filename()).utf8();
  if (extra.ticks() != ticks) {
    done.format_lacks.push_back("missing: " + name +
                                ", because ticks were lost before they reached the disk");
    done.left_out += extra.ticks();  // at least one value each
    return;
  }
  auto to = files::begin_extra_file(output, false);
  const auto written = to ? files::finish_extra_file(*to, extra) : result<void>(fail(to.error()));
  if (!written) {
    done.format_lacks.push_back("missing: " + name + ": " + describe(written.error()));
    done.left_out += extra.ticks();
  } else if (extra.lost_ticks() != 0) {
    done.left_out += extra.lost_ticks();
    done.format_lacks.push_back(name + " cannot store the last " + counted(extra.lost_ticks(), "tick"));
  }
}

}  // namespace

void publish_match_reel(match_publication what, finished_file& done, const files::monitor& watch) {
  if (!what.already) {
    files::publish_options options;
    options.codec = what.codec;
    options.progress = watch.progress;
    options.cancelled = watch.cancelled;
    auto published = files::publish(done.path, what.output, options);
    if (!published) {
      done.failure = published.error();
      return;
    }
    what.already = std::move(*published);
  }
  files::publish_report& report = *what.already;
  if (what.extra != nullptr) write_extra(*what.extra, what.output, report.ticks, done);
  if (!done.undelivered) (void)remove_file(done.path);
  done.path = what.output;
  done.bytes = report.bytes;
  done.ticks = report.ticks;
  done.lost_ticks = report.lost_ticks;
  std::move(report.left_out.begin(), report.left_out.end(), std::back_inserter(done.format_lacks));
}

}  // namespace tickreel::echo_vr
