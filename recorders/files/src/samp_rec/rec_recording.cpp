// SA-MP and VC-MP recordings: each block is a tick.
#include <optional>
#include <string>

#include "byte_stream.hpp"
#include "rec_file.hpp"
#include "rec_format.hpp"
#include "rec_layouts.hpp"
#include "rec_packets.hpp"
#include "rec_text.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/samp_rec/check.hpp"

namespace tickreel::files {

namespace {

using samp_rec::block_layout;
using samp_rec::check_report;

constexpr std::uint64_t blocks_between_reports = 1u << 16;

class rec_recording final : public recording, public surrounding_lines {
 public:
  explicit rec_recording(rec_file from) : file_(std::move(from)) {}

  std::string_view format() const noexcept override { return "rec"; }
  capabilities offers() noexcept override { return {.lines = this}; }

  result<bool> next() override {
    if (take_found()) return true;
    if (next_ >= shape().block_count) return false;
    const auto bytes = file_.block(next_);
    if (!bytes) {
      next_ = shape().block_count;
      return fail(bytes.error());
    }
    bytes_.assign(bytes->begin(), bytes->end());
    // Every layout begins with its time.
    position_ = {next_, byte_reader(bytes_).u32(), shape().block_offset(next_), true};
    ++next_;
    return true;
  }

  const tick_position& position() const noexcept override { return position_; }

  void append_state(std::string& json) const override {
    with_rec_block(shape().layout, [&]<class Block>(std::type_identity<Block>) {
      const auto block = rec_block<Block>(bytes_);
      append_rec_members(block, time_name<Block>, json);
      append_rec_meaning(block, json);
    });
  }

  // The same lines as in `convert` to NDJSON. VC-MP's texts cannot be converted back.
  std::string lines_before() const override {
    return samp_rec::is_vcmp(shape().layout) ? std::string()
                                             : rec_text_before(rec_text_form::ndjson, shape());
  }
  result<std::string> lines_after() override {
    if (samp_rec::is_vcmp(shape().layout)) return std::string();
    const auto tail = file_.tail();
    if (!tail) return fail(tail.error());
    return rec_text_after(rec_text_form::ndjson, *tail);
  }

  std::vector<std::string> losses() const override {
    if (next_ < shape().block_count || shape().tail_bytes == 0) return {};
    return {counted(shape().tail_bytes, "byte") + " of a truncated last block"};
  }

  result<void> rewind() override {
    found_ = false;
    next_ = 0;
    return {};
  }

  result<void> seek(const moment& where) override {
    if (where.unit != moment::by::tick) return recording::seek(where.without_game_clock());
    found_ = false;
    if (where.tick >= shape().block_count) {
      return fail(error_code::out_of_range, error::no_offset, "the recording has {} block{s}",
                  static_cast<std::int64_t>(shape().block_count));
    }
    next_ = where.tick;
    auto gone = next();
    if (!gone) return fail(gone.error());
    found_ = true;
    return {};
  }

  result<summary> summarise(const monitor& watch) override {
    summary out = outline();
    std::uint32_t first_ms = 0, last_ms = 0;
    auto checked = look(watch, first_ms, last_ms);
    if (!checked) return fail(checked.error());
    out.duration_ms = duration_between(first_ms, last_ms);
    if (*checked) {
      const check_report& report = **checked;
      for (const samp_rec::check_kind each :
           {samp_rec::check_kind::not_finite, samp_rec::check_kind::time_backwards}) {
        if (report.counts[static_cast<std::size_t>(each)] != 0) out.health = health::damaged;
      }
      out.facts.push_back({"first_time_ms", static_cast<std::int64_t>(first_ms)});
      out.facts.push_back({"last_time_ms", static_cast<std::int64_t>(last_ms)});
      out.facts.push_back({"length_m", report.statistics.path_length_m});
      out.facts.push_back({"top_speed_m_per_s", report.statistics.top_speed_m_per_s});
      out.facts.push_back({"interval_ms", report.statistics.moving_interval_ms.median});
    }
    return out;
  }

  // Blocks have a fixed size, so the file's size determines their number; the first and the last contain the
  // times.
  result<summary> quick_summary(const monitor& watch) override {
    if (shape().tail_bytes != 0 || shape().block_count == 0) return summarise(watch);
    const auto first = time_of(0);
    if (!first) return fail(first.error());
    const auto last = time_of(shape().block_count - 1);
    if (!last) return fail(last.error());
    next_ = shape().block_count;
    if (*last < *first) return summarise(watch);
    summary out = outline();
    out.duration_ms = duration_between(*first, *last);
    return out;
  }

  result<verification> verify(const monitor& watch) override {
    verification out;
    out.ticks = shape().block_count;
    std::uint32_t first_ms = 0, last_ms = 0;
    auto checked = look(watch, first_ms, last_ms);
    if (!checked) {
      out.findings.push_back({severity::error, checked.error().offset, describe(checked.error())});
    } else if (*checked) {
      for (const samp_rec::check_finding& each : (*checked)->findings) {
        out.findings.push_back({severity_of(each), each.offset, samp_rec::describe(each)});
      }
      if (const std::uint64_t more = (*checked)->total() - (*checked)->findings.size(); more != 0) {
        out.findings.push_back({severity::note, error::no_offset, counted(more, "further finding")});
      }
    }
    if (samp_rec::is_legacy(shape().layout)) {
      out.findings.push_back({severity::note, 0, "blocks of the layout before rotations were quaternions"});
    }
    if (shape().tail_bytes != 0) {
      out.findings.push_back({severity::warning, shape().file_bytes - shape().tail_bytes,
                              counted(shape().tail_bytes, "byte") + " of a truncated last block"});
    }
    return out;
  }

 private:
  template <class Block>
  static constexpr std::string_view time_name = is_samp_block<Block> ? "time_ms" : "time";

  [[nodiscard]] const samp_rec::file_shape& shape() const noexcept { return file_.shape(); }

  // Facts from the size and the header.
  [[nodiscard]] summary outline() const {
    summary out;
    out.format = "rec";
    out.format_version = shape().version;
    out.bytes = shape().file_bytes;
    out.ticks = out.keyframes = shape().block_count;
    if (shape().tail_bytes != 0) out.health = health::incomplete;
    out.facts.push_back({"layout", std::string(samp_rec::name(shape().layout))});
    out.facts.push_back({"kind", std::string(samp_rec::name(shape().kind))});
    out.facts.push_back({"block_bytes", static_cast<std::int64_t>(samp_rec::block_bytes(shape().layout))});
    out.facts.push_back({"header_bytes", static_cast<std::int64_t>(shape().header_bytes)});
    if (shape().tail_bytes != 0)
      out.facts.push_back({"cut_bytes", static_cast<std::int64_t>(shape().tail_bytes)});
    return out;
  }

  // Every layout begins with its time.
  result<std::uint32_t> time_of(std::uint64_t number) {
    const auto bytes = file_.part(shape().block_offset(number), sizeof(std::uint32_t));
    if (!bytes) return fail(bytes.error());
    return byte_reader(*bytes).u32();
  }

  // Suspicious values are not damage.
  static severity severity_of(const samp_rec::check_finding& each) noexcept {
    switch (each.kind) {
      case samp_rec::check_kind::not_finite:
      case samp_rec::check_kind::time_backwards:
        return severity::error;
      case samp_rec::check_kind::rotation_length:
      case samp_rec::check_kind::far_position:
      case samp_rec::check_kind::unknown_weapon:
        return severity::warning;
      default:
        return each.severity == samp_rec::check_severity::note ? severity::note : severity::warning;
    }
  }

  // Reads every block and checks SA-MP's; empty for VC-MP and for a file without blocks.
  result<std::optional<check_report>> look(const monitor& watch, std::uint32_t& first_ms,
                                           std::uint32_t& last_ms) {
    std::optional<check_report> report;
    std::optional<error> failure;
    with_rec_block(shape().layout, [&]<class Block>(std::type_identity<Block>) {
      const auto each_block = [&](auto&& use) {
        for (std::uint64_t i = 0; i < shape().block_count; ++i) {
          if (i % blocks_between_reports == 0) {
            watch.report(shape().block_offset(i), shape().file_bytes);
            if (watch.stop()) failure = error{error_code::interrupted};
          }
          const auto bytes = failure ? fail(*failure) : file_.block(i);
          if (!bytes) return (void)(failure = bytes.error());
          const std::uint32_t time_ms = byte_reader(*bytes).u32();
          if (i == 0) first_ms = time_ms;
          last_ms = time_ms;
          use(*bytes);
        }
      };
      if constexpr (is_samp_block<Block>) {
        samp_rec::checker<decltype(modern_block(Block{}))> checker({}, shape());
        each_block([&](byte_span bytes) { checker.add(modern_block(rec_block<Block>(bytes))); });
        report = checker.finish();
      } else {
        each_block([](byte_span) {});
      }
    });
    next_ = shape().block_count;
    if (failure) return fail(*failure);
    return report;
  }

  rec_file file_;
  std::uint64_t next_ = 0;
  byte_vector bytes_;  // of the current block
  tick_position position_;
};

}  // namespace

claim claims_rec(const probe& file) noexcept {
  const auto shape = samp_rec::detect(file.head, {}, file.file_bytes);
  if (shape) {
    if (shape->header_bytes != 0) return claim::certain;
    // Without a header only the content identifies the format, and a few blocks are not enough.
    constexpr std::uint64_t enough_blocks = 4;
    return shape->block_count >= enough_blocks ? claim::certain : claim::plausible;
  }
  // A valid header with other content after it: open() reports the error.
  byte_reader from(file.head);
  const std::uint32_t version = from.u32(), kind = from.u32();
  const bool samp = version == samp_rec::file_header::samp_version && kind <= 2;
  return from.ok() && (samp || samp_rec::vcmp::claims(version, kind)) ? claim::plausible : claim::no;
}

result<std::unique_ptr<recording>> open_rec_recording(const byte_source& from, const open_options&) {
  auto file = rec_file::open(from);
  if (!file) return fail(file.error());
  if (file->shape().layout == block_layout::vcmp_packets) return open_rec_packets(std::move(*file));
  return std::make_unique<rec_recording>(std::move(*file));
}

}  // namespace tickreel::files
