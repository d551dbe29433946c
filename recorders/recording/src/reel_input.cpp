// Reels of an Echo VR format as a source of ticks.
#include <algorithm>

#include "byte_stream.hpp"
#include "echo_input.hpp"
#include "reel_facts.hpp"
#include "reel_frames.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/echoreplay/line.hpp"

namespace tickreel::recording {

namespace {

// What the two kinds of reel have in common.
class echo_reel_input : public echo_input {
 public:
  explicit echo_reel_input(reel::reader source, const echo_options& options)
      : source_(std::move(source)), options_(options) {}

  source_losses losses() const noexcept override {
    source_losses all = losses_;
    const reel::table_of_contents& contents = source_.contents();
    all.lost_ticks = contents.lost_ticks;
    all.damaged_places = faults().size();
    all.torn_bytes = contents.file_bytes - contents.valid_bytes;
    all.cut_short = contents.end != reel::reel_end::closed;
    return all;
  }
  std::uint64_t bytes_done() const noexcept override { return place_.offset; }
  std::uint64_t bytes_total() const noexcept override { return source_.contents().file_bytes; }
  const tick_place& place() const noexcept override { return place_; }

  result<void> approach(const moment& where) override {
    if (auto back = rewind(); !back) return back;
    // Recorded times and the reel's own clock may differ a little; two seconds are more than they do.
    constexpr double margin_s = 2;
    const auto chunk =
        where.unit == moment::by::tick
            ? source_.chunk_for_tick(where.tick)
            : source_.chunk_for_time(static_cast<std::int64_t>((where.seconds - margin_s) * 1e6));
    if (chunk) start_at(*chunk);
    return {};
  }

  void describe(summary& out) const override { describe_reel(source_, out); }
  void inspect(std::vector<finding>& out) const override { inspect_reel(source_, out); }

 protected:
  virtual void start_at(std::size_t record) = 0;

  reel::reader source_;
  echo_options options_;
  tick_place place_;
  source_losses losses_;
};

class butter_reel_input final : public echo_reel_input {
 public:
  static result<std::unique_ptr<echo_input>> open(reel::reader source, const echo_options& options) {
    std::unique_ptr<butter_reel_input> made(new butter_reel_input(std::move(source), options));
    auto head = made->source_.last_header_update();
    if (!head) return fail(head.error());
    made->head_ = std::move(*head);
    return made;
  }

  result<bool> next(echo::state& out) override {
    while (!ended_) {
      if (next_in_group_ < group_.stamps.size()) {
        auto more = reader_->next(out);
        if (more && *more) {
          place_ = {group_.stamps[next_in_group_++].tick, group_.offset, reader_->position().keyframe};
          return true;
        }
        error what = more ? error{error_code::malformed} : more.error();
        what.offset = group_.offset;
        if (!options_.tolerant) {
          ended_ = true;
          return fail(what);
        }
        if (faults_.size() < most_faults) faults_.push_back(what);
      }
      if (auto more = next_group(); !more || !*more) {
        ended_ = true;
        return more;
      }
    }
    return false;
  }

  result<void> rewind() override {
    faults_.clear();
    start_at(0);
    place_ = {};
    return {};
  }

  void set_tolerant(bool tolerant) noexcept override {
    options_.tolerant = tolerant;
    groups_.frames().set_tolerant(tolerant);
  }
  const std::vector<error>& faults() const noexcept override {
    return faults_.empty() ? groups_.frames().faults() : faults_;
  }

 private:
  butter_reel_input(reel::reader source, const echo_options& options)
      : echo_reel_input(std::move(source), options), groups_(source_) {
    groups_.frames().set_tolerant(options.tolerant);
  }

  void start_at(std::size_t record) override {
    groups_.restart(record);
    group_.clear();
    next_in_group_ = 0;
    ended_ = false;
  }

  // A group with a head in front of it is a small .butter file, which the format's own reader reads.
  result<bool> next_group() {
    constexpr std::size_t most_bytes = 200u << 20;  // below the reader's limit for a chunk
    auto more = groups_.next(group_, most_bytes);
    if (!more || !*more) return more;
    next_in_group_ = 0;
    const std::uint32_t sizes[] = {static_cast<std::uint32_t>(group_.bytes.size())};
    auto file = butter::lay_out_head(head_, 0, butter::compression::none, sizes);
    if (!file) return fail(file.error());
    file->insert(file->end(), group_.bytes.begin(), group_.bytes.end());
    small_file_ = std::move(*file);
    butter::reader_options reading;
    reading.repair = options_.repair;
    auto opened = butter::reader::open(small_file_, reading);
    if (!opened) return fail(opened.error());
    reader_.emplace(std::move(*opened));
    return true;
  }

  reel_groups groups_;
  frame_group group_;
  std::size_t next_in_group_ = 0;
  byte_vector head_;
  byte_vector small_file_;
  std::optional<butter::reader> reader_;
  std::vector<error> faults_;
  bool ended_ = false;
};

class echoreplay_reel_input final : public echo_reel_input {
 public:
  echoreplay_reel_input(reel::reader source, const echo_options& options)
      : echo_reel_input(std::move(source), options), frames_(source_) {
    frames_.set_tolerant(options.tolerant);
  }

  result<bool> next(echo::state& out) override {
    line_ = {};
    text_ = {};
    reel::frame frame;
    for (;;) {
      auto more = frames_.next(frame);
      if (!more || !*more) return more;
      std::string_view text = as_text(frame.bytes);
      while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
      const auto columns = echoreplay::split_line(text);
      if (columns && echoreplay::parse_line(text, parser_, out)) {
        line_ = *columns;
        text_ = text;
        place_ = {frame.stamp.tick, frames_.chunk().offset, frame.kind == frame_kind::keyframe};
        return true;
      }
      if (losses_.skipped_lines++ == 0) {
        losses_.first_skipped_line = frame.stamp.tick + 1;
        losses_.first_skipped_offset = frames_.chunk().offset;
      }
    }
  }

  std::string_view session_json() const noexcept override { return line_.session; }
  std::string_view bones_json() const noexcept override { return line_.bones; }
  std::string_view source_line() const noexcept override { return text_; }

  result<void> rewind() override {
    losses_ = {};
    place_ = {};
    start_at(0);
    return {};
  }

  void set_tolerant(bool tolerant) noexcept override {
    options_.tolerant = tolerant;
    frames_.set_tolerant(tolerant);
  }
  const std::vector<error>& faults() const noexcept override { return frames_.faults(); }

 private:
  void start_at(std::size_t record) override {
    frames_.restart(record);
    line_ = {};
  }

  reel_frames frames_;
  echo::json_parser parser_;
  echoreplay::line line_;
  std::string_view text_;  // that line as it stands
};

}  // namespace

result<std::unique_ptr<echo_input>> open_echo_reel(const std::filesystem::path& path,
                                                   const echo_options& options) {
  auto source = reel::reader::open(path);
  if (!source) return fail(source.error());
  const reel::header& head = source->head();
  const bool current = head.encoder_name == butter::encoder::encoder_name
                           ? head.encoder_version == butter::encoder::encoder_version
                           : head.encoder_version == echoreplay::encoder::encoder_version;
  if (head.encoder_name != butter::encoder::encoder_name &&
      head.encoder_name != echoreplay::encoder::encoder_name) {
    return fail(error_code::unsupported_operation, 0, "the reel's frames are not Echo VR ticks");
  }
  if (!current) {
    return fail(error_code::unsupported_version, 0, "frame format version {}", head.encoder_version);
  }
  if (head.encoder_name == butter::encoder::encoder_name) {
    return butter_reel_input::open(std::move(*source), options);
  }
  return std::make_unique<echoreplay_reel_input>(std::move(*source), options);
}

}  // namespace tickreel::recording
