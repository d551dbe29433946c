#include "icrep_recording.hpp"

#include <system_error>
#include <utility>

#include "byte_stream.hpp"
#include "icrep_keyframes.hpp"
#include "icrep_layout.hpp"
#include "icrep_orders.hpp"
#include "icrep_query.hpp"
#include "icrep_survey.hpp"
#include "reel_facts.hpp"

namespace tickreel::recording {

namespace {

// Of a file that says no speed: the format's slower one, its default.
constexpr double default_tick_seconds = 0.067;

class icrep_recording final : public recording {
 public:
  icrep_recording(std::string_view format, game::replay match, std::uint64_t file_bytes,
                  const open_options& options)
      : format_(format),
        match_(std::move(match)),
        file_bytes_(file_bytes),
        options_(options),
        layout_(match_.facts()),
        slots_(icrep::slot_table::create(match_.facts().schema.value_or(icrep::schema{}))
                   .value_or(icrep::slot_table{})),
        keyframes_(match_.file(), slots_),
        clock_{icrep::tick_seconds(match_.facts()).value_or(default_tick_seconds)} {}

  std::string_view format() const noexcept override { return format_; }

  // The next keyframe whose state can be restored.
  result<bool> next() override {
    if (take_found()) return true;
    sought_.reset();
    while (number_ < match_.keyframes().size()) {
      const icrep::stored_keyframe& keyframe = match_.keyframes()[number_];
      const auto state = keyframes_.state(number_++);
      if (!state) {
        note_loss(keyframe, state.error());
        continue;
      }
      state_ = *state;
      position_ = position_of(keyframe);
      return true;
    }
    return false;
  }

  const tick_position& position() const noexcept override { return position_; }

  void append_state(std::string& json) const override {
    json_writer writer(json);
    writer.member("keyframe", match_.keyframes()[shown_keyframe()].full ? "full" : "delta");
    if (sought_) append_search(writer);
    append_icrep_state(*state_, match_.facts(), layout_, slots_, writer);
  }

  std::vector<std::string> losses() const override { return losses_; }

  result<void> rewind() override {
    found_ = false;
    sought_.reset();
    number_ = 0;
    losses_.clear();
    return {};
  }

  // The state from which the tick can be reached: the last keyframe at or before it. How many ticks are to be
  // played from there, and their orders, then belong to the state.
  result<void> seek(const moment& where) override {
    const auto tick = clock_.tick_of(where);
    if (!tick) return fail(tick.error());
    if (auto back = rewind(); !back) return back;
    auto restored = match_.restore(*tick);
    if (!restored) return fail(restored.error());
    sought_ = std::move(*restored);
    wanted_tick_ = *tick;
    for (const error& each : sought_->warnings) losses_.push_back(describe(each));
    if (sought_->gap) losses_.push_back(gap_text(*sought_->gap));
    state_ = &sought_->snapshot;
    position_ = position_of(match_.keyframes()[sought_->keyframe]);
    number_ = sought_->keyframe + 1;
    found_ = true;
    return {};
  }

  // What is wrong with the file that the match lies in, for verify().
  void hold_against(std::vector<finding> container) { container_ = std::move(container); }

  result<summary> summarise(const monitor& watch) override {
    number_ = match_.keyframes().size();
    auto told = summarise_icrep(source(), watch);
    if (told && !container_.empty() && told->health != health::damaged) told->health = health::incomplete;
    return told;
  }
  result<summary> glance(const monitor& watch) override {
    if (auto told = container_.empty() ? outline_icrep(source()) : std::nullopt) {
      number_ = match_.keyframes().size();
      return std::move(*told);
    }
    return summarise(watch);
  }
  result<verification> verify(const monitor&) override {
    number_ = match_.keyframes().size();
    verification told = verify_icrep(match_, options_);
    told.findings.insert(told.findings.begin(), container_.begin(), container_.end());
    return told;
  }
  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor& watch) override;

 private:
  [[nodiscard]] icrep_source source() const noexcept { return {format_, &match_, file_bytes_, clock_}; }
  [[nodiscard]] tick_position position_of(const icrep::stored_keyframe& keyframe) const {
    return {keyframe.tick, clock_.time_ms_of(keyframe.tick), keyframe.offset, true};
  }
  [[nodiscard]] std::size_t shown_keyframe() const { return sought_ ? sought_->keyframe : number_ - 1; }

  void note_loss(const icrep::stored_keyframe& keyframe, const error& why) {
    losses_.push_back("the state at tick " + std::to_string(keyframe.tick) +
                      " cannot be restored: " + describe(why));
  }
  static std::string gap_text(const icrep::order_gap& gap) {
    std::string text = "the orders of tick " + std::to_string(gap.tick) + " are missing";
    if (gap.resume_tick) text += "; play can go on at tick " + std::to_string(*gap.resume_tick);
    return text;
  }

  void append_search(json_writer& json) const {
    json.member("sought_tick", wanted_tick_).member("ticks_to_play", sought_->tick_count);
    if (sought_->tick_count != 0) {
      auto frames = match_.orders(sought_->snapshot.core.tick, wanted_tick_);
      json.key("orders_to_play").begin_array();
      icrep::tick_frame frame;
      while (frames.next(frame)) append_orders(frame, json);
      json.end_array();
    }
    if (!sought_->gap) return;
    json.key("gap").begin_object().member("tick", sought_->gap->tick).key("resume_tick");
    sought_->gap->resume_tick ? json.value(*sought_->gap->resume_tick) : json.null();
    json.end_object();
  }

  std::string_view format_;
  game::replay match_;
  std::uint64_t file_bytes_;
  open_options options_;
  icrep_layout layout_;
  icrep::slot_table slots_;
  icrep_keyframes keyframes_;
  icrep_clock clock_;
  std::vector<finding> container_;

  std::size_t number_ = 0;  // of the keyframe behind the current one
  const icrep::sim_snapshot* state_ = nullptr;
  tick_position position_;
  std::optional<icrep::restored_state> sought_;
  std::uint64_t wanted_tick_ = 0;
  std::vector<std::string> losses_;
};

result<std::uint64_t> icrep_recording::events(const event_query& query,
                                              const std::function<bool(std::string_view)>& each,
                                              const monitor& watch) {
  const auto filter = event_filter_of(query, match_.facts(), clock_);
  if (!filter) return fail(filter.error());
  if (!*filter) return 0;
  auto found = match_.events(**filter);
  analysis::event happened;
  std::uint64_t count = 0;
  std::string line;
  while (found.next(happened)) {
    line.clear();
    analysis::append_json(happened, line);
    ++count;
    if (!each(line)) return count;
    if (count % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
  }
  for (const icrep::stream_damage& one : found.damage())
    losses_.push_back("events are missing: " + describe(one.what));
  if (found.unknown_events() != 0) {
    losses_.push_back(std::to_string(found.unknown_events()) +
                      " events are of types that are not known here");
  }
  number_ = match_.keyframes().size();
  return count;
}

result<std::unique_ptr<icrep_recording>> open_as(std::string_view format, const std::filesystem::path& path,
                                                 const open_options& options) {
  auto match = game::replay::open(utf8(path));
  if (!match) return fail(match.error());
  std::error_code unknown;
  const std::uint64_t bytes = std::filesystem::file_size(path, unknown);
  return std::make_unique<icrep_recording>(format, std::move(*match), unknown ? 0 : bytes, options);
}

}  // namespace

claim claims_icrep(const probe& file) noexcept {
  return as_text(file.head).starts_with("ICRP") ? claim::certain : claim::no;
}

result<std::unique_ptr<recording>> open_icrep_recording(const std::filesystem::path& path,
                                                        const open_options& options) {
  return open_as("icrep", path, options);
}

result<std::unique_ptr<recording>> open_match_reel(const std::filesystem::path& path,
                                                   const open_options& options) {
  auto opened = open_as("reel", path, options);
  if (!opened) return fail(opened.error());
  const auto around = reel::reader::open(utf8(path));
  if (!around) return fail(around.error());
  std::vector<finding> findings;
  inspect_end(around->contents(), findings);
  (*opened)->hold_against(std::move(findings));
  return std::move(*opened);
}

}  // namespace tickreel::recording
