// A source of ticks from .echoreplay files: zipped, plain or truncated.
#include <algorithm>

#include "echo_recording.hpp"
#include "echoreplay_format.hpp"
#include "echoreplay_text.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/echo/time.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

namespace {

// A complete response of the game, not one truncated by a crash.
bool is_whole_object(std::string_view text) noexcept {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char each = text[i];
    if (in_text) {
      if (each == '\\') ++i;
      in_text = each != '"';
    } else if (each == '"') {
      in_text = true;
    } else if (each == '{') {
      ++depth;
    } else if (each == '}') {
      if (depth == 0) return false;
      if (--depth == 0) return text.find_first_not_of(" \t\r\n", i + 1) == std::string_view::npos;
    } else if (depth == 0 && each != ' ') {
      return false;
    }
  }
  return false;
}

class echoreplay_input final : public echo_input {
 public:
  static result<std::unique_ptr<echo_input>> open(const byte_source& from, const echo_options& options) {
    auto text = open_echoreplay_text(from);
    if (!text) return fail(text.error());
    return std::unique_ptr<echo_input>(new echoreplay_input(std::move(*text), options));
  }

  result<bool> next(echo::state& out) override {
    line_ = {};
    text_ = {};
    before_.clear();
    whole_line_.clear();
    std::optional<entry> begin;  // of the text between the previous tick and this one
    while (!ended_) {
      text_line line;
      auto more = source_.lines.next(line);
      if (!more) {
        if (auto ended = end_with(more.error()); !ended) return fail(ended.error());
        break;
      }
      if (!*more) break;
      if (!begin) begin = entry{ticks_, line.offset, line.number, unreadable_};
      if (take(line, out)) {
        note_entry(*begin);
        keep_line(line);
        return true;
      }
      keep_between(line);
    }
    if (!ended_ && source_.torn != nullptr) end_torn();
    ended_ = true;
    return false;
  }

  std::string_view session_json() const noexcept override { return line_.session; }
  std::string_view bones_json() const noexcept override { return line_.bones; }
  std::string_view source_line() const noexcept override { return text_; }
  bool keeps_source_text() const noexcept override { return true; }
  std::string_view text_before() const noexcept override {
    return ended_ ? std::string_view() : std::string_view(before_);
  }
  std::string_view whole_line() const noexcept override { return whole_line_; }
  std::string_view text_after() const noexcept override {
    return ended_ ? std::string_view(before_) : std::string_view();
  }

  result<void> rewind() override {
    forget_what_was_read();
    return source_.lines.rewind();
  }

  // Continues from a position that was read before.
  result<void> approach(const moment& where) override {
    if (where.unit != moment::by::tick) return rewind();
    const auto after = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const entry& each) { return each.tick > where.tick; });
    const bool ahead = ticks_ != 0 && !ended_ && place_.tick < where.tick;
    if (ahead && (after == entries_.begin() || std::prev(after)->tick < ticks_)) return {};
    if (after == entries_.begin() || source_.torn != nullptr) return rewind();
    const entry from = *std::prev(after);
    auto gone = source_.lines.go_to(from.offset, from.line);
    if (!gone) return fail(gone.error());
    if (!*gone) return rewind();
    forget_what_was_read();
    ticks_ = from.tick;
    if (from.unreadable_before != 0) note_shift(from.unreadable_before);
    return {};
  }

  std::vector<entrance> entrances() const override {
    std::vector<entrance> out;
    out.reserve(entries_.size());
    for (const entry& each : entries_) out.push_back({each.offset, each.tick, 0});
    return out;
  }
  // Numbers of lines, which only messages contain, are then those of a file in which every line is a tick.
  void learn(const std::vector<entrance>& known) override {
    if (known.size() <= entries_.size() || known.size() > max_entries) return;
    std::vector<entry> learnt;
    learnt.reserve(known.size());
    for (const entrance& each : known) {
      const bool rises =
          learnt.empty() || (each.place > learnt.back().offset && each.tick > learnt.back().tick);
      if (!rises) return;
      learnt.push_back({each.tick, each.place, each.tick + 1});
    }
    entries_ = std::move(learnt);
  }

  loss_count lost_to_date() const noexcept override {
    return {losses_.lines_without_text, losses_.damaged_places};
  }

  void forget_losses(bool by_number) override {
    losses_ = {};
    if (is_shifted(by_number ? moment::by::tick : moment::by::time)) note_shift(unreadable_);
    forgotten_ticks_ = ticks_;
  }
  // Numbers count no unreadable line; times count from the first tick that is there.
  bool is_shifted(moment::by unit) const noexcept override {
    return unit == moment::by::tick ? unreadable_ != 0 : begins_unreadable_;
  }

  source_losses losses() const override {
    source_losses all = losses_;
    if (doubtful_) all.doubtful_ticks = ticks_ - forgotten_ticks_;
    all.missing_lines = source_.notes.composed_lines;
    all.first_missing_line = source_.notes.first_composed;
    all.marked_missing_lines = source_.notes.composed_lines != 0;
    return all;
  }
  bool is_doubtful() const noexcept override { return doubtful_; }

  // The checksum is at the end of the archive, and reading that began inside it compares none.
  result<void> check_content(const monitor& watch) override {
    if (doubtful_) return {};
    const auto intact = is_archive_intact(source_, watch);
    if (!intact) return fail(intact.error());
    doubtful_ = !*intact;
    return {};
  }
  std::string_view cut_from() const noexcept override { return source_.notes.cut_from; }
  std::uint64_t bytes_done() const noexcept override { return source_.lines.bytes().file_position(); }
  std::uint64_t bytes_total() const noexcept override { return source_.lines.bytes().file_bytes(); }
  const tick_place& place() const noexcept override { return place_; }
  void set_tolerant(bool tolerant) noexcept override { options_.tolerant = tolerant; }
  const std::vector<error>& faults() const noexcept override { return faults_; }

  void describe(summary& out) const override {
    out.format = "echoreplay";
    out.format_version = 1;
    out.facts.push_back({"zipped", source_.is_zipped});
    if (const std::uint64_t bytes = source_.lines.bytes().total_bytes(); bytes != 0) {
      out.facts.push_back({"text_bytes", static_cast<std::int64_t>(bytes)});
    }
    if (!source_.notes.cut_from.empty()) out.facts.push_back({cut_key, source_.notes.cut_from});
    out.facts.push_back({"ticks_with_bones", static_cast<std::int64_t>(with_bones_)});
    out.facts.push_back({"skipped_lines", static_cast<std::int64_t>(losses_.skipped_lines)});
    out.facts.push_back({"error_replies", static_cast<std::int64_t>(losses_.error_replies)});
  }

  void inspect(std::vector<finding>& out) const override {
    if (source_.torn != nullptr) {
      out.push_back({severity::error, source_.lines.bytes().file_bytes(),
                     "the zip archive is truncated: its directory is missing"});
    } else if (doubtful_ && faults_.empty()) {
      out.push_back({severity::warning, error::no_offset,
                     "recovered from an archive whose checksum was wrong: any tick may have been changed"});
    }
    if (source_.torn == nullptr && losses_.cut_short) {
      out.push_back({severity::error, losses_.ends_at,
                     "the last line is truncated: " + counted(losses_.torn_bytes, "byte")});
    }
    if (losses_.skipped_lines > 0) {
      out.push_back({severity::error, losses_.first_skipped_offset,
                     counted(losses_.skipped_lines, "line") + " cannot be read, the first is line " +
                         std::to_string(losses_.first_skipped_line) + ": " + losses_.first_skipped_reason});
    }
    if (losses_.error_replies > 0) {
      out.push_back({severity::note, error::no_offset,
                     counted(losses_.error_replies, "line") + " with an error reply instead of a match"});
    }
  }

 private:
  echoreplay_input(echoreplay_text source, const echo_options& options)
      : options_(options), source_(std::move(source)), doubtful_(source_.notes.is_doubtful) {}

  // A position where reading can continue; at most a few lines apart.
  static constexpr std::size_t max_entries = 1u << 18;
  struct entry {
    std::uint64_t tick = 0;
    std::uint64_t offset = 0;
    std::uint64_t line = 0;
    std::uint64_t unreadable_before = 0;  // lines
  };
  void note_entry(const entry& at) {
    constexpr std::uint64_t apart = 16;
    const bool is_new = entries_.empty() || at.tick >= entries_.back().tick + apart;
    if (is_new && entries_.size() < max_entries) entries_.push_back(at);
  }
  void forget_what_was_read() {
    losses_ = {};
    faults_.clear();
    place_ = {};
    ticks_ = with_bones_ = forgotten_ticks_ = unreadable_ = 0;
    line_ = {};
    ended_ = false;
  }
  // Reports unreadable lines of the text before the current position, which shift the places after them.
  void note_shift(std::uint64_t lines) noexcept {
    unreadable_ = losses_.skipped_lines = lines;
    losses_.first_skipped_line = first_unreadable_.line;
    losses_.first_skipped_offset = first_unreadable_.offset;
    losses_.first_skipped_reason = first_unreadable_.reason;
  }

  // True if the line contains a tick.
  bool take(const text_line& line, echo::state& out) {
    std::string_view text = line.text;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (line.number == 1 && text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    if (line.too_long) {
      skip(line, "it is longer than any line of a match");
      return false;
    }
    // A power failure can leave a run of zeros, after which another line was appended.
    const std::size_t begin = std::min(text.find_first_not_of('\0'), text.size());
    if (begin != 0) {
      text_line hole = line;
      hole.ended = true;
      skip(hole, "a run of zeros, as after a power failure");
      text.remove_prefix(begin);
    }
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return false;
    auto columns = echoreplay::split_line(text);
    const bool is_short = columns && columns->session.size() < echoreplay::shortest_session;
    if (is_short && line.ended && is_whole_object(columns->session)) {
      ++losses_.error_replies;
      return false;
    }
    losses_.left_out.set_place({ticks_, line.number, line.offset});
    // A last line that is cut within its bones is still a tick, whose text ends before them: copies are then whole.
    const bool is_cut =
        columns && !line.ended && !columns->bones.empty() && !text::has_json_grammar(columns->bones);
    if (is_cut) text = text.substr(0, static_cast<std::size_t>(columns->bones.data() - text.data()));
    if (!columns || !echoreplay::parse_line(text, parser_, out, &losses_.left_out)) {
      if (begin == 0) skip(line, columns ? "it is not JSON" : "it has no time, or nothing after it");
      return false;
    }
    line_ = *columns;
    text_ = text;
    if (out.bones == echo::bones_kind::absent) line_.bones = {};
    place_ = {ticks_++, line.offset, true};
    if (out.bones == echo::bones_kind::present) ++with_bones_;
    if (is_cut) {
      losses_.cut_short = true;
      losses_.ends_at = line.offset + static_cast<std::uint64_t>(columns->bones.data() - line.text.data());
      losses_.torn_bytes += columns->bones.size();
    }
    return true;
  }

  // Keeps the text of the line with the tick; zeros before it belong to no line.
  void keep_line(const text_line& line) {
    const auto begin = static_cast<std::size_t>(text_.data() - line.text.data());
    before_ += line.text.substr(0, begin);
    whole_line_ = text_;
    whole_line_ += line.end;
  }
  void keep_between(const text_line& line) {
    if (line.too_long || before_.size() + line.text.size() + line.end.size() > max_between) {
      ++losses_.lines_without_text;
      return;
    }
    before_ += line.text;
    before_ += line.end;
  }
  void skip(const text_line& line, const char* reason) {
    if (!line.ended) {
      losses_.cut_short = true;
      losses_.ends_at = line.offset;
      losses_.torn_bytes += line.text.size();
      return;
    }
    begins_unreadable_ = begins_unreadable_ || ticks_ == 0;
    if (unreadable_++ == 0) first_unreadable_ = {line.number, line.offset, reason};
    if (losses_.skipped_lines++ == 0) {
      losses_.first_skipped_line = line.number;
      losses_.first_skipped_offset = line.offset;
      losses_.first_skipped_reason = reason;
    }
  }

  // A zip whose data ends early, or whose checksum is wrong. The checksum covers all lines, so any line that
  // was read may be the altered one; the rest is lost.
  result<void> end_with(const error& what) {
    ended_ = true;
    if (!is_archive_damage(what.code) || !options_.tolerant) return fail(what);
    ++losses_.damaged_places;
    faults_.push_back(what);
    doubtful_ = true;
    if (what.code != error_code::checksum_mismatch) report_rest();
    return {};
  }

  // Reports the size of the text after the position where decompression failed, estimated from the size
  // before it.
  void report_rest() {
    const std::uint64_t all = source_.lines.bytes().total_bytes();
    const std::uint64_t given = source_.lines.offset();
    std::string text = "the archive cannot be decompressed after ";
    text += ticks_ == 0 ? "its beginning" : "tick " + std::to_string(ticks_ - 1);
    if (ticks_ != 0 && given != 0 && all > given) {
      const auto about = static_cast<std::uint64_t>(static_cast<double>(all - given) *
                                                    static_cast<double>(ticks_) / static_cast<double>(given));
      losses_.lost_ticks += about;
      text += ": about " + counted(about, "tick");
    } else {
      text += ": an unknown number of ticks";
    }
    losses_.places.push_back(std::move(text));
  }

  void end_torn() {
    if (source_.torn->end() == prefix_end::whole) {
      losses_.places.emplace_back("the archive's directory; the text is complete");
      losses_.damaged = true;
      return;
    }
    doubtful_ = doubtful_ || source_.torn->end() == prefix_end::damaged;
    losses_.damaged = doubtful_;
    losses_.cut_short = true;
    losses_.ends_at = bytes_total();
    losses_.torn_bytes = std::max<std::uint64_t>(losses_.torn_bytes, 1);
  }

  echo_options options_;
  echoreplay_text source_;
  echo::json_parser parser_;
  echoreplay::line line_;
  std::string_view text_;  // the unmodified line
  static constexpr std::size_t max_between = 4u << 20;
  std::string before_;
  std::string whole_line_;
  tick_place place_;
  source_losses losses_;
  std::vector<error> faults_;
  std::vector<entry> entries_;
  std::uint64_t ticks_ = 0;
  std::uint64_t with_bones_ = 0;
  std::uint64_t forgotten_ticks_ = 0;
  struct unreadable_line {
    std::uint64_t line = 0;
    std::uint64_t offset = 0;
    const char* reason = "";
  };
  unreadable_line first_unreadable_;
  std::uint64_t unreadable_ = 0;    // since the last rewind(), forgotten or not
  bool begins_unreadable_ = false;  // before the first tick
  bool ended_ = false;
  bool doubtful_ = false;
};

}  // namespace

result<std::unique_ptr<recording>> open_echoreplay_recording(const byte_source& from, const open_options&) {
  auto input = open_echoreplay(from, {});
  if (!input) return fail(input.error());
  return make_echo_recording("echoreplay", std::move(*input));
}

result<std::unique_ptr<echo_input>> open_echoreplay(const byte_source& from, const echo_options& options) {
  return echoreplay_input::open(from, options);
}

}  // namespace tickreel::files
