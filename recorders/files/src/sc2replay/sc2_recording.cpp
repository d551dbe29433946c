// StarCraft II replays as recordings: a tick is a game loop with events.
#include <cmath>

#include "byte_stream.hpp"
#include "sc2_events.hpp"
#include "sc2_facts.hpp"
#include "sc2_format.hpp"
#include "sc2_problem.hpp"
#include "sc2_statistics.hpp"
#include "sc2_ticks.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/event_types.hpp"
#include "tickreel/files/state_stream.hpp"
#include "tickreel/icrep/digest.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/mpq/archive_end.hpp"
#include "tickreel/sc2replay/anonymise.hpp"
#include "tickreel/sc2replay/map_ground.hpp"

namespace tickreel::files {

namespace {

// Events are decompressed on demand.
class sc2_recording final : public recording,
                            public state_stream,
                            public event_source,
                            public statistics_source {
 public:
  sc2_recording(held_bytes file, mpq::archive archive, sc2replay::replay replay)
      : file_(std::move(file)), archive_(std::move(archive)), replay_(std::move(replay)), ticks_(replay_) {}

  std::string_view format() const noexcept override { return "sc2replay"; }

  result<bool> next() override {
    if (take_found()) return true;
    unpack();
    if (!ticks_.next()) return false;
    const auto loops = static_cast<double>(ticks_.tick());
    position_.tick = ticks_.tick();
    position_.time_ms = std::llround(loops * 1000 / clock_ticks_per_second(replay_));
    return true;
  }

  const tick_position& position() const noexcept override { return position_; }

  void append_state(std::string& json) const override {
    (void)write_state([&json](std::string_view piece) {
      json += piece;
      return true;
    });
  }

  capabilities offers() noexcept override { return {.events = this, .statistics = this, .pieces = this}; }
  bool write_state(const std::function<bool(std::string_view)>& piece) const override {
    return piece("\"events\":[") && ticks_.append_events(piece) && piece("]");
  }

  std::vector<std::string> losses() const override {
    std::vector<std::string> out;
    for (const sc2replay::member_problem& each : replay_.problems) {
      if (each.damages(replay_.base_build())) out.push_back(problem_text(each));
    }
    for (const sc2_stop& each : ticks_.stops()) {
      out.push_back(stop_text(each.member, each.what));
    }
    out.insert(out.end(), event_losses_.begin(), event_losses_.end());
    return out;
  }

  result<void> rewind() override {
    found_ = false;
    ticks_.restart();
    position_ = {};
    return {};
  }

  result<summary> summarise(const monitor& watch) override {
    sc2_activity activity;
    auto judgement = judge(watch, activity);
    if (!judgement) return fail(judgement.error());
    return summarise_sc2(replay_, activity, *judgement);
  }
  result<verification> verify(const monitor& watch) override {
    sc2_activity activity;
    return judge(watch, activity);
  }

  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor& watch) override {
    event_losses_.clear();
    unpack();
    return sc2_events(replay_, query, each, watch, event_losses_);
  }

  result<std::vector<std::string>> event_types() override {
    std::vector<std::string> out;
    for (std::size_t type = 0; type < analysis::type_count; ++type)
      out.emplace_back(analysis::type_name(type));
    for (const std::string_view own : sc2_event_types()) out.emplace_back(own);
    return out;
  }

  result<void> statistics(const std::function<bool(const match_rows&)>& each, const monitor& watch) override {
    event_losses_.clear();
    unpack();
    if (watch.stop()) return fail(error_code::interrupted);
    const match_rows match = statistics_of(replay_, event_losses_);
    (void)each(match);
    return {};
  }

 private:
  // The common source of health and of verify, so that they never differ.
  result<verification> judge(const monitor& watch, sc2_activity& activity) {
    verification out = judge_other_members(archive_, replay_);
    if (watch.stop()) return fail(error_code::interrupted);
    unpack();
    activity = activity_of(replay_, watch);
    if (watch.stop()) return fail(error_code::interrupted);
    judge_sc2(replay_, activity, out);
    accept_stated_losses(sc2replay::read_losses(archive_), out);
    return out;
  }

  void unpack() {
    if (unpacked_) return;
    replay_.unpack_events(archive_);
    unpacked_ = true;
  }

  held_bytes file_;
  mpq::archive archive_;  // in file_
  sc2replay::replay replay_;
  sc2_ticks ticks_;
  tick_position position_;
  std::vector<std::string> event_losses_;
  bool unpacked_ = false;
};

constexpr std::uint64_t file_limit = mpq::limits{}.file_bytes;

}  // namespace

claim claims_sc2replay(const probe& file) noexcept {
  return as_text(file.head).starts_with("MPQ\x1B") ? claim::certain : claim::no;
}

std::optional<std::uint64_t> find_end_of_sc2replay(byte_source& from, std::uint64_t file_bytes) {
  return mpq::find_archive_end(reads_of(from), file_bytes);
}

result<std::unique_ptr<recording>> open_sc2_recording(const byte_source& from, const open_options&) {
  auto bytes = from.whole(file_limit);
  if (!bytes) return fail(bytes.error());
  auto archive = sc2replay::open_archive(bytes->bytes());
  if (!archive) return fail(archive.error());
  auto replay = sc2replay::replay::open_without_events(*archive);
  if (!replay) return fail(replay.error());
  return std::make_unique<sc2_recording>(std::move(*bytes), std::move(*archive), std::move(*replay));
}

result<ground_picture> read_sc2_ground(const byte_source& map, const played_map& played) {
  const auto bytes = map.whole(file_limit);
  if (!bytes) return fail(bytes.error());
  auto found = sc2replay::read_map_ground(bytes->bytes());
  if (!found) return fail(found.error());
  std::string_view doubt;
  if (played.file != map_file_name(icrep::sha256(bytes->bytes()))) {
    if (!played.size.empty() && played.size != map_size_text(found->map_width, found->map_height)) {
      return fail(error_code::invalid_argument, error::no_offset,
                  "it is another map than that of the recording: its size is {} x {}", found->map_width,
                  found->map_height);
    }
    doubt = played.file.empty()
                ? "the recording does not state the file of its map, which may be another one"
                : "the recording states another file, so this may be another map or version of it";
  }
  return ground_picture{found->left,
                        found->bottom,
                        found->right,
                        found->top,
                        found->width,
                        found->height,
                        std::move(found->pixels),
                        doubt};
}

result<edit_report> anonymise_sc2replay(const file_path& input, const file_path& output,
                                        const edit_options& options) {
  auto bytes = read_whole_file(input, file_limit);
  if (!bytes) return fail(bytes.error());
  auto clean = sc2replay::anonymise(*bytes);
  if (!clean) return fail(clean.error());
  auto losses = losses_of_replay(*bytes, options.watch);
  if (!losses) return fail(losses.error());
  const auto copy = mark_losses(std::move(clean->file), *losses, options.watch);
  if (!copy) return fail(copy.error());
  auto file = published_file::create(output, options.overwrite);
  if (!file) return fail(file.error());
  if (auto added = file->append(*copy); !added) return fail(added.error());
  if (auto done = file->commit(); !done) return fail(done.error());
  edit_report out;
  out.bytes = copy->size();
  out.lost = std::move(*losses);
  out.changes = clean->names + clean->handles + clean->chat_lines + clean->texts;
  for (const std::string& each : clean->left_out) {
    out.notes.push_back(each + " is left out: it may name players");
  }
  if (clean->nameless > 0) {
    out.notes.push_back(counted(clean->nameless, "member without a name is", "members without a name are") +
                        " left out");
  }
  std::string kept;
  for (const std::string& each : clean->kept) kept += (kept.empty() ? "" : ", ") + each;
  if (!kept.empty()) out.notes.push_back("unchanged texts and members: " + kept);
  return out;
}

}  // namespace tickreel::files
