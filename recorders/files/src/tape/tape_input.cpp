// A source of ticks from .tape and .nevrcap captures.
#include <algorithm>

#include "echo/echo_recording.hpp"
#include "tape_format.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/tape/capture.hpp"
#include "tickreel/tape/container.hpp"

namespace tickreel::files {

namespace {

class capture_input final : public echo_input {
 public:
  static result<std::unique_ptr<echo_input>> open(const byte_source& from, const echo_options& options) {
    const auto size = from.size();
    if (!size) return fail(size.error());
    std::unique_ptr<capture_input> made(new capture_input(from, options));
    auto records = tape::record_reader::open(
        [input = made.get()](std::uint64_t offset, std::size_t count) {
          return input->from_.view(offset, count);
        },
        *size);
    if (!records) return fail(records.error());
    made->records_.emplace(std::move(*records));
    made->decoder_.set_listener(&made->losses_.left_out);
    if (auto begun = made->begin(); !begun) return fail(begun.error());
    made->read_table(*size);
    return made;
  }

  result<bool> next(echo::state& out) override {
    while (!ended_) {
      byte_span record;
      const auto more = records_->next(record);
      if (!more) {
        if (auto passed = end_with(more.error()); !passed) return fail(passed.error());
        break;
      }
      if (!*more) {
        end_at(records_->file_bytes());
        break;
      }
      if ((ticks_ != 0 || decoder_.footer()) && begins_another_capture(*records_, record)) {
        end_at(records_->block_offset());
        break;
      }
      record_ = record;
      const bool is_saved = save_snapshot();
      losses_.left_out.set_place({ticks_, 0, 0});
      const auto part = decoder_.read(record, out);
      if (!part) {
        if (auto passed = pass_over(part.error()); !passed) return fail(passed.error());
        continue;
      }
      if (*part == tape::capture_decoder::part::nothing) {
        keeps_records_ = false;
        continue;
      }
      if (*part == tape::capture_decoder::part::end) {
        if (auto checked = check_footer(record); !checked) return fail(checked.error());
        continue;
      }
      if (records_->begins_block()) note_block();
      latest_ms_ = ticks_ == 0 ? out.recorded_time_ms : std::max(latest_ms_, out.recorded_time_ms);
      if (ticks_ == 0) first_ms_ = out.recorded_time_ms;
      if (is_saved) snapshots_.back().latest_ms = latest_ms_;
      place_ = {ticks_, records_->block_offset(), records_->begins_block() || ticks_ == 0};
      ++ticks_;
      if (out.bones == echo::bones_kind::present) ++with_bones_;
      return true;
    }
    ended_ = true;
    return false;
  }

  result<void> rewind() override {
    records_->rewind();
    losses_ = {};
    forgotten_ = {};
    faults_.clear();
    ticks_ = with_bones_ = rejected_ = 0;
    blocks_.clear();
    ended_ = index_is_wrong_ = false;
    return begin();
  }

  // The state of a tick depends on all events before it: reading resumes at the snapshot before `where`.
  result<void> approach(const moment& where) override {
    const auto is_before = [&](const snapshot& each) {
      if (where.unit == moment::by::tick) return each.tick <= where.tick;
      return where.unit == moment::by::time &&
             static_cast<double>(each.latest_ms - first_ms_) < where.seconds * 1000 - 0.5;
    };
    const auto end = std::partition_point(snapshots_.begin(), snapshots_.end(), is_before);
    const snapshot* const nearest = end == snapshots_.begin() ? nullptr : &*std::prev(end);
    const bool is_ahead = where.unit == moment::by::tick && ticks_ != 0 && !ended_ && ticks_ <= where.tick;
    if (is_ahead && (nearest == nullptr || nearest->tick <= ticks_)) return {};
    if (nearest == nullptr) return rewind();
    restore(*nearest);
    return {};
  }

  void forget_losses(bool) override {
    losses_ = {};
    forgotten_ = decoder_.oddities();
  }
  source_losses losses() const override {
    source_losses all = losses_;
    for (std::string& each : oddities()) all.places.push_back(std::move(each));
    return all;
  }
  // Each lost tick is a damaged place, too.
  loss_count lost_to_date() const noexcept override {
    return {losses_.lost_ticks, losses_.damaged_places - losses_.lost_ticks};
  }
  void set_tolerant(bool tolerant) noexcept override { options_.tolerant = tolerant; }
  const std::vector<error>& faults() const noexcept override { return faults_; }
  const tick_place& place() const noexcept override { return place_; }
  // Records after a lost one refer to it by their numbers.
  byte_span kept_capture_header() const noexcept override {
    return decoder_.facts().kind == tape::capture_kind::tape ? byte_span(header_) : byte_span();
  }
  byte_span kept_record() const noexcept override { return keeps_records_ ? record_ : byte_span(); }
  void leave_bones_out(bool left_out) override { decoder_.leave_bones_out(left_out); }
  std::uint64_t bytes_done() const noexcept override { return records_->file_position(); }
  std::uint64_t bytes_total() const noexcept override { return records_->file_bytes(); }

  void describe(summary& out) const override {
    const tape::capture_facts& facts = decoder_.facts();
    const bool is_tape = facts.kind == tape::capture_kind::tape;
    out.format = is_tape ? tape_format.name : nevrcap_format.name;
    out.format_version = is_tape ? 2 : 1;
    out.facts.push_back({"layout", std::string(!records_->is_compressed() ? "plain"
                                               : has_table_               ? "blocks"
                                                                          : "whole stream")});
    if (is_tape) out.facts.push_back({"minor_version", static_cast<std::int64_t>(facts.minor)});
    if (!facts.producer.empty()) out.facts.push_back({"producer", facts.producer});
    out.facts.push_back({"ticks_with_bones", static_cast<std::int64_t>(with_bones_)});
  }

  void inspect(std::vector<finding>& out) const override {
    for (std::string& each : oddities()) {
      out.push_back({severity::warning, error::no_offset, std::move(each)});
    }
    if (losses_.cut_short) out.push_back({severity::error, cut_offset_, cut_reason_});
    if (table_problem_) {
      error without_offset = *table_problem_;
      without_offset.offset = error::no_offset;
      out.push_back({severity::error, table_problem_->offset, tickreel::describe(without_offset)});
    }
    if (records_->sizes_are_wrong()) {
      out.push_back({severity::error, error::no_offset, "the seek table contradicts the zstd frames"});
    }
    if (index_is_wrong_) {
      out.push_back({severity::error, error::no_offset, "the index of keyframes names offsets without one"});
    }
  }

 private:
  capture_input(const byte_source& from, const echo_options& options) : from_(from), options_(options) {}

  [[nodiscard]] std::vector<std::string> oddities() const {
    std::vector<std::string> all;
    const tape::capture_oddities& seen = decoder_.oddities();
    const auto add = [&](std::uint64_t count, std::uint64_t before, const char* one, const char* many) {
      if (count > before) all.push_back(counted(count - before, one, many));
    };
    add(seen.unknown_records, forgotten_.unknown_records, "record of unknown content was skipped",
        "records of unknown content were skipped");
    add(seen.unknown_numbers, forgotten_.unknown_numbers, "unknown number was read as an empty text",
        "unknown numbers were read as empty texts");
    add(seen.invalid_values, forgotten_.invalid_values, "invalid value was read as absent",
        "invalid values were read as absent");
    add(seen.extra_bones, forgotten_.extra_bones, "bone beyond the 23 of a skeleton was skipped",
        "bones beyond the 23 of a skeleton were skipped");
    add(seen.generic_events, forgotten_.generic_events, "event of unknown content was skipped",
        "events of unknown content were skipped");
    return all;
  }

  // Reads the header.
  result<void> begin() {
    byte_span record;
    const auto more = records_->next(record);
    if (!more) return fail(more.error());
    if (!*more) return fail(error_code::not_recognised, 0, "there is no record");
    header_.assign(record.begin(), record.end());
    auto begun = decoder_.begin(record);
    keeps_records_ = decoder_.facts().kind == tape::capture_kind::tape;
    return begun;
  }

  // The table is only compared, because every tick needs the events before it.
  void read_table(std::uint64_t file_bytes) {
    auto table = tape::read_seek_table(
        [this](std::uint64_t offset, std::size_t count) { return table_source_.view(offset, count); },
        file_bytes);
    if (!table) {
      table_problem_ = table.error();
      return;
    }
    has_table_ = !table->empty();
    if (has_table_) records_->check_sizes(std::move(*table));
  }

  // Everything before a record at which reading can begin.
  struct snapshot {
    tape::record_reader::entry place;
    std::uint64_t tick = 0;
    std::int64_t latest_ms = 0;  // of that tick and all ticks before it
    std::uint64_t rejected = 0;
    std::uint64_t with_bones = 0;
    std::size_t faults = 0;
    tape::capture_decoder decoder;
    source_losses losses;
  };
  // About as far apart as the blocks of the known writers; farther in a long recording.
  static constexpr std::uint64_t min_snapshot_ticks = 100;
  static constexpr std::size_t max_snapshots = 128;

  // Before the record that was read is decoded. Not in a single zstd frame, which has no entry.
  bool save_snapshot() {
    const std::uint64_t last = snapshots_.empty() ? 0 : snapshots_.back().tick;
    if (ticks_ < last + snapshot_ticks_) return false;
    const auto place = records_->last_entry();
    if (!place) return false;
    if (snapshots_.size() == max_snapshots) {
      // The second of each pair stays.
      for (std::size_t i = 0; i < max_snapshots / 2; ++i) snapshots_[i] = std::move(snapshots_[2 * i + 1]);
      snapshots_.resize(max_snapshots / 2);
      snapshot_ticks_ *= 2;
      return false;
    }
    snapshots_.push_back(
        {*place, ticks_, latest_ms_, rejected_, with_bones_, faults_.size(), decoder_, losses_});
    return true;
  }
  void restore(const snapshot& from) {
    records_->seek(from.place);
    const bool is_without_bones = decoder_.leaves_bones_out();
    decoder_ = from.decoder;
    decoder_.leave_bones_out(is_without_bones);
    losses_ = from.losses;
    forgotten_ = {};
    faults_.resize(std::min(faults_.size(), from.faults));
    ticks_ = from.tick;
    latest_ms_ = from.latest_ms;
    with_bones_ = from.with_bones;
    rejected_ = from.rejected;
    while (!blocks_.empty() && blocks_.back().tick >= ticks_) blocks_.pop_back();
    keeps_records_ = false;  // of a part
    ended_ = index_is_wrong_ = false;
  }

  struct block {
    std::uint64_t tick = 0;
    std::uint64_t offset = 0;
  };
  void note_block() {
    if (blocks_.size() < tape::max_blocks) blocks_.push_back({ticks_, records_->block_offset()});
  }

  result<void> check_footer(byte_span record) {
    const tape::capture_footer& footer = *decoder_.footer();
    if (has_table_) {
      std::size_t at = 0;
      tape::visit_keyframes(record, [&](std::uint64_t number, std::uint64_t offset) {
        while (at < blocks_.size() && blocks_[at].tick < number) ++at;
        const bool is_block =
            at < blocks_.size() && blocks_[at].tick == number && blocks_[at].offset == offset;
        index_is_wrong_ = index_is_wrong_ || (!is_block && blocks_.size() < tape::max_blocks);
      });
    }
    if (footer.frame_count == ticks_ + rejected_) return {};
    const error wrong{error_code::malformed,
                      records_->block_offset(),
                      "the footer counts {} tick{s}, instead of {}",
                      {static_cast<std::int64_t>(footer.frame_count), static_cast<std::int64_t>(ticks_)}};
    return note_fault(wrong);
  }

  // Keeps the error if errors are tolerated. A failure to read is none of the file's.
  result<void> note_fault(const error& what) {
    if (!options_.tolerant || !is_damage(what.code)) {
      ended_ = true;
      return fail(what);
    }
    ++losses_.damaged_places;
    losses_.damaged = true;
    if (faults_.size() < max_faults) faults_.push_back(what);
    return {};
  }

  // A rejected record: later ones may be valid.
  result<void> pass_over(error what) {
    what.offset = records_->block_offset();
    const bool may_continue = decoder_.may_continue();
    keeps_records_ = false;
    if (may_continue) {
      ++rejected_;
      ++losses_.lost_ticks;
    } else {
      ended_ = true;
    }
    return note_fault(what);
  }

  result<void> end_with(const error& what) {
    if (what.code == error_code::truncated) {
      cut_reason_ = what.detail;
      cut_offset_ = what.offset;
      losses_.cut_short = true;
      losses_.ends_at = what.offset;
      losses_.torn_bytes = records_->file_bytes() - std::min(records_->file_bytes(), what.offset);
      return {};
    }
    return note_fault(what);
  }
  void end_at(std::uint64_t offset) {
    // Only a .tape says where it ends.
    if (decoder_.facts().kind != tape::capture_kind::tape || decoder_.footer()) return;
    cut_reason_ = "the file has no footer: it is truncated or still being written";
    cut_offset_ = offset;
    losses_.cut_short = true;
    losses_.ends_at = cut_offset_;
  }

  byte_source from_;
  byte_source table_source_ = from_;
  echo_options options_;
  std::optional<tape::record_reader> records_;
  tape::capture_decoder decoder_;
  std::optional<error> table_problem_;
  bool has_table_ = false;
  bool index_is_wrong_ = false;
  std::vector<block> blocks_;
  tick_place place_;
  std::vector<snapshot> snapshots_;
  std::uint64_t snapshot_ticks_ = min_snapshot_ticks;
  std::int64_t first_ms_ = 0;
  std::int64_t latest_ms_ = 0;
  std::uint64_t ticks_ = 0;
  std::uint64_t rejected_ = 0;
  std::uint64_t with_bones_ = 0;
  bool ended_ = false;
  byte_vector header_;
  byte_span record_;  // the last one
  bool keeps_records_ = false;
  source_losses losses_;
  tape::capture_oddities forgotten_;
  std::vector<error> faults_;
  const char* cut_reason_ = "";
  std::uint64_t cut_offset_ = 0;
};

}  // namespace

result<std::unique_ptr<echo_input>> open_capture(const byte_source& from, const echo_options& options) {
  return capture_input::open(from, options);
}

result<std::unique_ptr<recording>> open_capture_recording(const byte_source& from, const open_options&) {
  auto input = open_capture(from, {});
  if (!input) return fail(input.error());
  summary head;
  (*input)->describe(head);
  const std::string_view name = head.format == tape_format.name ? tape_format.name : nevrcap_format.name;
  return make_echo_recording(name, std::move(*input));
}

}  // namespace tickreel::files
