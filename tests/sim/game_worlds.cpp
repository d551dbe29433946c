// Described structs, and matches that become .icrep.
#include <optional>

#include "reel_follower.hpp"
#include "small_world.hpp"
#include "tickreel/game/recover.hpp"
#include "tickreel/game/replay.hpp"
#include "tickreel/tickreel.hpp"
#include "worlds.hpp"

namespace tickreel::sim {

struct token {
  std::uint64_t number = 0;
  float x = 0;
  double y = 0;
  std::int16_t height = 0;
  short_text<12> label;
  bool operator==(const token&) const = default;
};
TICKREEL_DESCRIBE(token, number, x, y, height, label);
struct crowd {
  std::array<token, 24> tokens;
  bool operator==(const crowd&) const = default;
};
TICKREEL_DESCRIBE(crowd, tokens);
struct bell {
  std::uint8_t count = 0;
};
TICKREEL_DESCRIBE(bell, count);

namespace {

token token_of(std::uint64_t content, std::uint64_t number) {
  generator random(content * 1000 + number);
  token made;
  made.number = number;
  made.x = static_cast<float>(number / 3) * 0.25f;
  made.y = random.chance(5) ? static_cast<double>(random.next()) / 3.0 : 0;
  made.height = static_cast<std::int16_t>(number % 7 == 0 ? random.next() : 0);
  made.label = std::string_view(std::to_string(number / 20));
  return made;
}

// Structs with two ways to describe the same: `Way` has the state of a tick, and opens the recorder.
template <class Way>
class described_world final : public world_with_recorder<recording<typename Way::state>> {
  using state = typename Way::state;
  using world_with_recorder<recording<state>>::recorder_;

 public:
  std::string reel_path() const override { return "/sim/match.reel"; }
  std::string final_path() const override { return reel_path(); }

  result<void> open(const script& how) override {
    content_ = how.content;
    auto opened = Way::open(reel_path(), options_of(how), std::exchange(this->sinks, {}));
    if (!opened) return fail(opened.error());
    recorder_.emplace(std::move(*opened));
    return {};
  }
  void push(std::uint64_t number, std::int64_t time_us) override {
    (void)recorder_->push({number, time_us}, Way::state_of(content_, number));
  }
  void event() override { (void)recorder_->event(bell{1}); }

  result<read_ticks> read(const std::string& path) override {
    auto from = replay<state>(path);
    if (!from) return fail(from.error());
    return rest_of(*from);
  }
  result<void> publish() override { return {}; }
  result<read_ticks> follow() override {
    if (!follower_) {
      auto from = tickreel::follow<state>(reel_path());
      if (!from) return fail(from.error());
      follower_.emplace(std::move(*from));
    } else if (const auto more = follower_->refresh(); !more) {
      return fail(more.error());
    }
    return rest_of(*follower_);
  }
  void end_following() override { follower_.reset(); }

 private:
  result<read_ticks> rest_of(replay_of<state>& from) const {
    read_ticks all;
    for (;;) {
      const auto next = from.next();
      if (!next) return fail(next.error());
      if (!*next) return all;
      all.numbers.push_back((*next)->tick);
      if (all.wrong.empty() && !((*next)->state == Way::state_of(content_, (*next)->tick))) {
        all.wrong = "tick " + std::to_string((*next)->tick) + " has other content";
      }
    }
  }

  std::uint64_t content_ = 0;
  std::optional<replay_of<state>> follower_;
};

struct one_token {
  using state = token;
  static result<recording<token>> open(const std::string& path, const recorder_options& options,
                                       std::vector<std::unique_ptr<reel::sink>> sinks) {
    return record<token>(path, options, std::move(sinks));
  }
  static token state_of(std::uint64_t content, std::uint64_t number) { return token_of(content, number); }
};

// Chunks that continue the one before, which record() writes for larger structs.
struct many_tokens {
  using state = crowd;
  static result<recording<crowd>> open(const std::string& path, const recorder_options& options,
                                       std::vector<std::unique_ptr<reel::sink>> sinks) {
    auto encoder = tracks::row_encoder<crowd>::create({.max_rows = 64, .min_change_row_bytes = 0});
    if (!encoder) return fail(encoder.error());
    encoder->take_events();
    recorder_options described = options;
    described.schema = to_bytes(schema_of<crowd>());
    auto opened =
        recorder<tracks::row_encoder<crowd>>::open(path, std::move(*encoder), described, std::move(sinks));
    if (!opened) return fail(opened.error());
    return recording<crowd>(std::move(*opened), path);
  }
  // One of the tokens changes in each tick.
  static crowd state_of(std::uint64_t content, std::uint64_t number) {
    crowd made;
    const std::uint64_t count = made.tokens.size();
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t since = (number + count - i) % count;
      if (since <= number) made.tokens[i] = token_of(content, number - since);
    }
    return made;
  }
};

class match_world final : public recorded_world {
 public:
  std::string reel_path() const override { return final_path() + ".reel"; }
  std::string final_path() const override { return "/sim/match.icrep"; }

  result<void> open(const script& how) override {
    game::match_options options = test::pumped_options(how.keyframe_ticks);
    options.seal_interval_ms = how.seal_frames * how.tick_ms;
    options.sync_interval_ms = std::max(how.sync_interval_ms, 1u);
    options.ring_ticks = how.ring_ticks;
    auto begun = test::little_recorder::begin(final_path(), test::little_match(), options);
    if (!begun) return fail(begun.error());
    recorder_.emplace(std::move(*begun));
    world_.random = how.content * 2 + 1;
    return {};
  }
  void push(std::uint64_t number, std::int64_t) override {
    while (hashes_.size() <= number) {
      hashes_.push_back(world_.hash());
      if (hashes_.size() <= number) world_.step();
    }
    (void)recorder_->tick(number, world_.hash(), [&](auto& to) { world_.describe(to); });
    world_.step();
  }
  void pump() override { (void)recorder_->pump(); }
  void event() override { (void)recorder_->event(analysis::pause_event{hashes_.size(), 0, true}); }
  void gap(std::uint64_t, std::uint64_t, std::int64_t) override {}
  result<close_report> close() override {
    auto ended = recorder_->end();
    if (!ended) return fail(ended.error());
    return close_report{ended->counters, ended->earlier_failure};
  }
  void abandon() override { recorder_.reset(); }
  recorder_counters counters() const override { return recorder_->counters(); }

  result<read_ticks> read(const std::string& path) override {
    auto from = game::replay::open(path);
    if (!from) return fail(from.error());
    read_ticks all;
    auto frames = from->orders(0, hashes_.size() + 1);
    icrep::tick_frame frame;
    while (frames.next(frame)) {
      all.numbers.push_back(frame.tick);
      const bool same = frame.tick < hashes_.size() && frame.state_hash == hashes_[frame.tick];
      if (!same && all.wrong.empty()) all.wrong = "tick " + std::to_string(frame.tick) + " has another hash";
    }
    if (!frames.damage().empty() && all.wrong.empty()) all.wrong = "orders are damaged";
    return all;
  }
  result<void> publish() override {
    const auto done = game::recover(final_path());
    if (!done) return fail(done.error());
    return {};
  }
  result<read_ticks> follow() override { return follower_.read(reel_path()); }
  void end_following() override { follower_ = {}; }

 private:
  test::small_world world_;
  std::vector<std::uint64_t> hashes_;  // by tick
  std::optional<test::little_recorder> recorder_;
  reel_follower follower_;
};

}  // namespace

std::unique_ptr<recorded_world> make_world(recorded_as format) {
  if (format == recorded_as::described) return std::make_unique<described_world<one_token>>();
  if (format == recorded_as::changes) return std::make_unique<described_world<many_tokens>>();
  if (format == recorded_as::icrep) return std::make_unique<match_world>();
  return make_echo_world(format);
}

}  // namespace tickreel::sim
