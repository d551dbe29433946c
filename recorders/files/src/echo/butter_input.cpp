// A source of ticks from .butter files.
#include <algorithm>

#include "butter_format.hpp"
#include "butter_pieces.hpp"
#include "clock_search.hpp"
#include "echo_recording.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/counted.hpp"

namespace tickreel::files {

namespace {

class butter_input final : public butter_input_base {
 public:
  static result<std::unique_ptr<butter_input_base>> open(const byte_source& from,
                                                         const echo_options& options) {
    const auto size = from.size();
    if (!size) return fail(size.error());
    std::unique_ptr<butter_input> made(new butter_input(from, *size, options));
    if (auto opened = made->open_reader(); !opened) return fail(opened.error());
    return made;
  }

  result<bool> next(echo::state& out) override { return next_from(0, out); }

  result<bool> next_from(std::uint64_t tick, echo::state& out) override {
    while (!ended_) {
      auto more = reader_->skip();
      if (more && *more) {
        count_frame(reader_->frame().recorded_time_ms);
        if (place_.tick < tick) continue;
        echo::copy_state(out, reader_->frame());
        return true;
      }
      if (more) break;
      if (auto carried_on = pass_over(more.error()); !carried_on) {
        ended_ = true;
        return fail(carried_on.error());
      }
    }
    ended_ = true;
    return false;
  }

  result<void> rewind() override {
    place_ = {};
    next_chunk_ = 0;
    begins_damaged_ = false;
    damaged_chunks_ = 0;
    frames_ = frames_since_keyframe_ = longest_run_ = 0;
    chunks_without_keyframe_ = 0;
    losses_ = {};
    faults_.clear();
    has_numbers_ = true;
    ended_ = reader_->chunk_count() == 0;
    return ended_ ? result<void>{} : reader_->seek_chunk(0);
  }

  // The file has no index, and chunks do not store their number of frames: positions come from what was read
  // before.
  result<void> approach(const moment& where) override {
    const entrance* nearest = nullptr;
    for (const entrance& each : entries_) {
      const bool before =
          where.unit == moment::by::tick
              ? each.tick <= where.tick
              : static_cast<double>(each.time_ms - entries_.front().time_ms) <= where.seconds * 1000;
      if (before) nearest = &each;
    }
    const entrance found = nearest == nullptr ? entrance{} : *nearest;
    // Continues from here if the place is ahead and no known chunk is closer to it.
    const bool ahead = where.unit == moment::by::tick && frames_ != 0 && !ended_ && place_.tick < where.tick;
    if (ahead && found.place <= chunk_) return {};
    // Repairing depends on all earlier ticks.
    if (auto back = rewind(); !back || found.tick == 0 || options_.repair) return back;
    frames_ = found.tick;
    return reader_->seek_chunk(static_cast<std::size_t>(found.place));
  }

  std::vector<entrance> entrances() const override { return entries_; }
  void learn(const std::vector<entrance>& known) override {
    if (known.size() <= entries_.size()) return;
    const entrance* before = nullptr;
    for (const entrance& each : known) {
      const bool rises = before == nullptr || (each.place > before->place && each.tick > before->tick);
      if (!rises || each.place >= reader_->chunk_count()) return;
      before = &each;
    }
    entries_ = known;
  }

  // Uses the times and clocks in the first frame of each chunk.
  result<bool> approach_without_number(const moment& where) override {
    if (where.unit == moment::by::tick || options_.repair) {
      return echo_input::approach_without_number(where);
    }
    const auto found = where.unit == moment::by::time ? chunk_before(where) : chunk_above(where);
    if (!found) return fail(found.error());
    const std::optional<std::size_t> chunk = *found;
    const auto back = rewind();
    if (!back || !chunk || *chunk == 0) return true_after(back);
    has_numbers_ = false;
    if (auto there = reader_->seek_chunk(*chunk); !there) return fail(there.error());
    return false;
  }

  void leave_bones_out(bool left_out) override { reader_->set_bones(!left_out); }
  void forget_losses(bool by_number) override {
    if (!is_shifted(by_number ? moment::by::tick : moment::by::time)) losses_ = {};
  }
  // Numbers count no tick of a damaged chunk; times count from the first tick that is there.
  bool is_shifted(moment::by unit) const noexcept override {
    return unit == moment::by::tick ? damaged_chunks_ != 0 : begins_damaged_;
  }

  byte_span stored_frame() const noexcept override {
    const butter::frame_position& at = reader_->position();
    return reader_->chunk_content().subspan(static_cast<std::size_t>(at.frame_offset), at.frame_bytes);
  }
  byte_span stored_head() const noexcept override {
    if (reader_->chunk_count() == 0) return {};
    // The number of chunks and their sizes are directly before the first chunk.
    const std::size_t table_bytes = 4 + 4 * reader_->chunk_count();
    return byte_span(head_).first(static_cast<std::size_t>(reader_->chunk_offset(0)) - table_bytes);
  }
  // Repaired ticks are not those of the stored frames.
  frame kept_frame() const noexcept override { return {stored_frame(), place_.keyframe}; }
  byte_vector kept_frame_header() override {
    if (options_.repair || reader_->head().version != butter::encoder::encoder_version) return {};
    const byte_span head = stored_head();
    return {head.begin(), head.end()};
  }
  frame_place stored_place() const noexcept override {
    const butter::frame_position& at = reader_->position();
    return {at.chunk, at.frame_offset, reader_->chunk_content().size(), damaged_chunks_};
  }
  result<byte_span> stored_chunk(std::size_t chunk) override {
    const std::uint32_t bytes = reader_->chunk_bytes(chunk);
    auto stored = pieces_.read(reader_->chunk_offset(chunk), bytes);
    if (stored && stored->size() != bytes) return byte_span{};
    return stored;
  }
  const butter::file_header& head() const noexcept override { return reader_->head(); }

  source_losses losses() const override { return losses_; }
  std::uint64_t bytes_total() const noexcept override { return file_bytes_; }
  std::uint64_t bytes_done() const noexcept override {
    if (ended_) return file_bytes_;
    return frames_ == 0 ? 0 : reader_->position().chunk_offset;
  }
  loss_count lost_to_date() const noexcept override { return {0, losses_.damaged_places}; }
  const tick_place& place() const noexcept override { return place_; }
  void set_tolerant(bool tolerant) noexcept override { options_.tolerant = tolerant; }
  const std::vector<error>& faults() const noexcept override { return faults_; }

  void describe(summary& out) const override {
    const butter::file_header& head = reader_->head();
    const auto text = [&](const char* key, std::string value) {
      out.facts.push_back({key, std::move(value)});
    };
    const auto number = [&](const char* key, std::uint64_t value) {
      out.facts.push_back({key, static_cast<std::int64_t>(value)});
    };
    out.format = "butter";
    out.format_version = head.version;
    text("codec", std::string(tickreel::name(butter::codec_of(head.codec).codec)));
    number("compression_byte", static_cast<std::uint64_t>(head.codec));
    number("keyframe_interval_ticks", head.keyframe_interval_ticks);
    number("chunks", reader_->chunk_count());
    text("session_id", head.session_id);
    text("session_ip", head.session_ip);
    text("client_name", head.client_name);
    text("map_name", head.map_name);
    out.facts.push_back({"private_match", head.private_match});
    number("total_round_count", head.total_round_count);
    number("blue_round_score", head.blue_round_score);
    number("orange_round_score", head.orange_round_score);
    for (const butter::player_entry& each : head.players) {
      out.players.push_back({each.name, "", static_cast<std::uint64_t>(each.userid)});
    }
  }

  void inspect(std::vector<finding>& out) const override {
    const butter::file_header& head = reader_->head();
    if (head.keyframe_interval_ticks == 0) {
      out.push_back({severity::note, 1, "the header's keyframe interval is 0"});
    }
    if (butter::codec_of(head.codec).codec == codec_id::zstd && head.version == 3) {
      out.push_back({severity::warning, 3,
                     "compressed with zstd, which the known readers of version 3 cannot open; convert it "
                     "with --codec gzip"});
    }
    inspect_table(out);
    if (chunks_without_keyframe_ > 0) {
      out.push_back(
          {severity::warning, first_without_keyframe_,
           counted(chunks_without_keyframe_, "chunk does", "chunks do") + " not begin with a keyframe"});
    }
    if (head.keyframe_interval_ticks != 0 && longest_run_ > head.keyframe_interval_ticks) {
      out.push_back({severity::warning, 1,
                     "up to " + counted(longest_run_, "frame") + " without a keyframe, the header says " +
                         std::to_string(head.keyframe_interval_ticks)});
    }
  }

 private:
  butter_input(const byte_source& from, std::uint64_t file_bytes, const echo_options& options)
      : pieces_(from), file_bytes_(file_bytes), options_(options) {}

  result<void> open_reader() {
    auto opened = read_head(pieces_, file_bytes_, {.repair = options_.repair});
    if (!opened) return fail(opened.error());
    reader_.emplace(std::move(opened->reader));
    head_ = std::move(opened->head);
    ended_ = reader_->chunk_count() == 0;
    pieces_.look_ahead(*reader_);
    return {};
  }

  void count_frame(std::int64_t time_ms) {
    const butter::frame_position& at = reader_->position();
    if (frames_ == 0 || at.chunk != chunk_) {
      chunk_ = at.chunk;
      const bool unknown = has_numbers_ && (entries_.empty() || at.chunk > entries_.back().place);
      if (at.keyframe && unknown && damaged_chunks_ == 0) entries_.push_back({at.chunk, frames_, time_ms});
      if (!at.keyframe) {
        if (chunks_without_keyframe_++ == 0) first_without_keyframe_ = at.chunk_offset;
      }
    }
    frames_since_keyframe_ = at.keyframe ? 1 : frames_since_keyframe_ + 1;
    longest_run_ = std::max(longest_run_, frames_since_keyframe_);
    place_ = {frames_, at.chunk_offset, at.keyframe};
    ++frames_;
  }

  // The last chunk that begins at or before a time; assumes that times increase.
  result<std::optional<std::size_t>> chunk_before(const moment& where) {
    const auto first = reader_->first_frame(0);
    if (!first) return fail(first.error());
    if (*first == nullptr) return std::nullopt;
    const double wanted_ms = static_cast<double>((*first)->recorded_time_ms) + where.seconds * 1000;
    std::size_t low = 0;
    for (std::size_t high = reader_->chunk_count(); high - low > 1;) {
      const std::size_t middle = low + (high - low) / 2;
      // A damaged chunk cannot be compared; continues with the one before.
      std::size_t look = middle;
      const echo::state* at = nullptr;
      for (; look > low; --look) {
        const auto begin = reader_->first_frame(look);
        if (!begin) return fail(begin.error());
        at = *begin;
        if (at != nullptr) break;
      }
      const bool before = at == nullptr || static_cast<double>(at->recorded_time_ms) <= wanted_ms;
      if (before) {
        low = middle;
      } else {
        high = look;
      }
    }
    return low;
  }

  // The first chunk that begins above a game clock, and in which the clock falls to it or is reset.
  result<std::optional<std::size_t>> chunk_above(const moment& where) {
    clock_search search(where.seconds);
    for (std::size_t chunk = 0; chunk < reader_->chunk_count(); ++chunk) {
      const auto begin = reader_->first_frame(chunk);
      if (!begin) return fail(begin.error());
      const echo::state* const at = *begin;
      if (at == nullptr || (at->match.fields & echo::session::has_game_clock) == 0) return std::nullopt;
      if (search.pass(chunk, static_cast<double>(at->match.game_clock))) break;
    }
    return search.found();
  }

  // Skips the damage of `what` and continues after it, or returns the error.
  result<void> pass_over(const error& what) {
    // Always advances, even if the error names an earlier chunk.
    const std::size_t broken = std::max(chunk_at(what.offset), next_chunk_);
    if (broken >= reader_->chunk_count()) return fail(what);
    const std::uint64_t end = reader_->chunk_offset(broken) + reader_->chunk_bytes(broken);
    if (end > file_bytes_ && what.code == error_code::truncated) {
      // The file is truncated inside this chunk: all earlier ticks are valid.
      losses_.cut_short = true;
      losses_.ends_at = file_bytes_;
      losses_.torn_bytes = file_bytes_ - std::min(file_bytes_, reader_->chunk_offset(broken));
      ended_ = true;
      return {};
    }
    // Repairing depends on all earlier chunks.
    const bool may_skip = options_.tolerant || !options_.repair;
    if (!may_skip || !is_damage(what.code)) return fail(what);
    next_chunk_ = broken + 1;
    ++damaged_chunks_;
    if (losses_.damaged_places++ == 0) {
      // A search by time or clock enters in the middle: the first ticks are there.
      if (frames_ == 0 && has_numbers_) begins_damaged_ = true;
      losses_.places.push_back("chunk " + std::to_string(broken + 1) + " of " +
                               std::to_string(reader_->chunk_count()) +
                               " is damaged: an unknown number of ticks: " + tickreel::describe(what));
      if (begins_damaged_) {
        losses_.places.emplace_back(
            "the first ticks are missing: numbers and times count from the first existing tick");
      }
    }
    if (faults_.size() < max_faults) faults_.push_back(what);
    if (broken + 1 >= reader_->chunk_count()) {
      ended_ = true;
      return {};
    }
    return reader_->seek_chunk(broken + 1);
  }

  [[nodiscard]] std::size_t chunk_at(std::uint64_t offset) const {
    // Not from the first one each time: every chunk of a file may be damaged.
    std::size_t found = std::max(next_chunk_, frames_ == 0 ? 0 : reader_->position().chunk);
    if (offset == error::no_offset) return found;
    for (std::size_t each = found; each < reader_->chunk_count(); ++each) {
      if (reader_->chunk_offset(each) > offset) break;
      found = each;
    }
    return found;
  }

  void inspect_table(std::vector<finding>& out) const {
    const std::size_t count = reader_->chunk_count();
    std::size_t empty = 0;
    std::uint64_t end = 0;
    for (std::size_t each = 0; each < count; ++each) {
      if (reader_->chunk_bytes(each) == 0) ++empty;
      end = reader_->chunk_offset(each) + reader_->chunk_bytes(each);
    }
    if (count == 0) out.push_back({severity::warning, error::no_offset, "no chunks"});
    if (empty > 0) {
      out.push_back({severity::note, error::no_offset,
                     counted(empty, "empty entry", "empty entries") + " in the chunk table"});
    }
    if (count > 0 && end < file_bytes_) {
      out.push_back({severity::note, end, counted(file_bytes_ - end, "byte") + " after the last chunk"});
    }
    if (end > file_bytes_) {
      out.push_back(
          {severity::error, file_bytes_, "the file ends " + counted(end - file_bytes_, "byte") + " early"});
    }
  }

  pieces_of_source pieces_;
  std::uint64_t file_bytes_;
  byte_vector head_;  // up to the first chunk
  echo_options options_;
  std::optional<butter::reader> reader_;
  // The chunks that were read without damage and begin with a keyframe; `place` is the chunk's number.
  std::vector<entrance> entries_;
  tick_place place_;
  source_losses losses_;
  std::vector<error> faults_;
  std::uint64_t frames_ = 0;
  std::size_t chunk_ = 0;
  std::size_t next_chunk_ = 0;  // after the last damaged chunk
  bool begins_damaged_ = false;
  std::uint64_t damaged_chunks_ = 0;  // since the last rewind(), forgotten or not
  std::uint64_t frames_since_keyframe_ = 0;
  std::uint64_t longest_run_ = 0;
  std::uint64_t chunks_without_keyframe_ = 0;
  std::uint64_t first_without_keyframe_ = 0;
  bool ended_ = false;
  bool has_numbers_ = true;
};

}  // namespace

result<std::unique_ptr<butter_input_base>> open_butter(const byte_source& from, const echo_options& options) {
  return butter_input::open(from, options);
}

result<std::unique_ptr<echo_input>> open_butter_ticks(const byte_source& from, const echo_options& options) {
  auto input = open_butter(from, options);
  if (!input) return fail(input.error());
  return std::unique_ptr<echo_input>(std::move(*input));
}

result<std::unique_ptr<recording>> open_butter_recording(const byte_source& from,
                                                         const open_options& options) {
  auto input = open_butter(from, {.repair = options.repair});
  if (!input) return fail(input.error());
  return make_echo_recording("butter", std::move(*input));
}

}  // namespace tickreel::files
