#include <utility>

#include "byte_stream.hpp"
#include "echo_output.hpp"
#include "echoreplay_format.hpp"
#include "paths.hpp"
#include "published_check.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "zip.hpp"

namespace tickreel::files {

result<void> write_echoreplay_file(tick_feed& feed, const file_path& output, const convert_options& options,
                                   convert_report& report) {
  if (options.codec && options.codec->codec != codec_id::gzip && options.codec->codec != codec_id::none) {
    return fail(error_code::unsupported_codec, error::no_offset,
                "an .echoreplay is a zip (gzip) or plain text (none)");
  }
  auto first = feed.current();
  if (!first) return fail(first.error());
  std::string line;
  std::uint64_t ticks = 0;
  std::uint64_t composed_lines = 0;  // of ticks whose own lines are lost
  std::uint64_t first_composed = 0;
  bool previous_given = false;
  bool at_end = false;
  const text_producer lines = [&]() -> result<std::string_view> {
    if (std::exchange(previous_given, true)) feed.take();
    auto tick = feed.current();
    if (!tick) return fail(tick.error());
    if (*tick == nullptr) {
      const bool has_more = options.bones && feed.source().restores_text() && !std::exchange(at_end, true);
      return has_more ? feed.source().text_after() : std::string_view{};
    }
    ++ticks;
    line.clear();
    echo_source& from = feed.source();
    if (options.bones && from.restores_text() && !from.whole_line().empty()) {
      line = from.text_before();
      line += from.whole_line();
    } else if (const std::string_view session = from.session_json(); session.empty()) {
      if (from.keeps_source_text() && composed_lines++ == 0) first_composed = ticks - 1;
      if (options.bones || (*tick)->bones == echo::bones_kind::absent) {
        echoreplay::append_line(**tick, line);
      } else {
        auto without_bones = std::make_unique<echo::state>(**tick);
        without_bones->bones = echo::bones_kind::absent;
        echoreplay::append_line(*without_bones, line);
      }
    } else if (options.bones && !from.source_line().empty()) {
      line = from.source_line();
      line += "\r\n";
    } else {
      const std::string_view bones = options.bones ? from.bones_json() : std::string_view{};
      echoreplay::append_line((*tick)->recorded_time_ms, session, bones, line);
    }
    return std::string_view(line);
  };
  auto file = published_file::create(output, options.overwrite);
  if (!file) return fail(file.error());
  if (options.codec && options.codec->codec == codec_id::none) {
    for (;;) {
      auto text = lines();
      if (!text) return fail(text.error());
      if (text->empty()) break;
      if (auto appended = file->append(as_bytes(*text)); !appended) return appended;
    }
  } else {
    zip_entry_options entry;
    entry.name = name_of(output);
    entry.modified_s = *first != nullptr ? (*first)->recorded_time_ms / 1000 : 0;
    entry.level = options.codec ? options.codec->level : 0;
    std::string cut_comment;
    if (!options.cut_from.empty()) {
      constexpr std::size_t max_comment_bytes = 4096;
      cut_comment = (std::string(cut_archive) + options.cut_from).substr(0, max_comment_bytes);
    }
    std::string composed_comment;
    entry.archive_comment = [&] {
      if (feed.source().is_doubtful()) return doubtful_archive;
      if (composed_lines == 0) return std::string_view(cut_comment);
      composed_comment = std::string(composed_archive) + std::to_string(composed_lines) + ',' +
                         std::to_string(first_composed);
      return std::string_view(composed_comment);
    };
    if (auto written = write_zip(*file, entry, lines, {}); !written) return written;
  }
  if (auto checked = check_published_file(*file, echoreplay_format.name); !checked) return checked;
  report.ticks += ticks;
  report.bytes += file->size();
  return commit(*file, output, report);
}

result<void> check_echoreplay(const byte_source& from) {
  return check_first_tick(open_echoreplay(from, {}));
}

}  // namespace tickreel::files
