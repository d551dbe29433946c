#include "json_reel.hpp"

#include "json_events.hpp"
#include "reels/frame_check.hpp"
#include "reels/ticked_reel.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

namespace {

class json_ticks {
 public:
  using state_type = std::string;
  static constexpr std::string_view decoder_name = json_reel_name;
  static constexpr bool frames_stand_alone = true;
  static bool reads_version(std::uint32_t version) noexcept { return version == json_reel_version; }

  result<void> decode(frame_kind, byte_span bytes) {
    whole_ = '{';
    whole_ += as_text(bytes);
    whole_ += '}';
    if (!text::is_json(whole_)) return fail(error_code::bad_json);
    members_ = as_text(bytes);
    return {};
  }
  [[nodiscard]] const state_type& state() const noexcept { return members_; }
  void append_state(std::string& json, bool /*keyframe*/) const { json += members_; }
  void describe(summary& /*out*/) const {}

 private:
  std::string whole_;
  std::string members_;
};

class json_reel_recording final : public ticked_reel<json_ticks>, public event_source {
 public:
  using ticked_reel::ticked_reel;
  capabilities offers() noexcept override { return {.events = this, .growth = this}; }

  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor& watch) override {
    if (!query.types.empty()) {
      if (auto known = check_types(query, event_types()); !known) return fail(known.error());
    }
    reel::frame_stream walk(source());
    reel::item found;
    const auto given = select_events(walk_over(walk, found), query, {}, each, watch);
    if (!given) return given;
    // The ticks report the lost records of every kind.
    if (auto back = rewind(); !back) return fail(back.error());
    for (;;) {
      const auto more = next();
      if (!more) return fail(more.error());
      if (!*more) return given;
    }
  }
  result<std::vector<std::string>> event_types() override {
    reel::frame_stream walk(source());
    reel::item found;
    return types_of_events(walk_over(walk, found));
  }

 private:
  static json_event_walk walk_over(reel::frame_stream& walk, reel::item& found) {
    return {.next = [&]() -> result<bool> {
              for (;;) {
                const auto more = walk.next(found);
                if (!more || !*more) return more;
                if (found.kind == reel::item_kind::event && found.event.type == json_event_type &&
                    text::is_json(as_text(found.event.bytes))) {
                  return true;
                }
              }
            },
            .event = [&] { return as_text(found.event.bytes); },
            .time_ms = [&] { return found.in->info.first_time_us / 1000; }};
  }
};

}  // namespace

result<reel::frame_check> check_json_frames(reel::reader& source) {
  return check_with(source, json_ticks());
}

result<std::unique_ptr<recording>> open_json_reel(const byte_source& from, const open_options& options) {
  auto source = reel::reader::open(from);
  if (!source) return fail(source.error());
  return std::make_unique<json_reel_recording>(std::move(*source), json_ticks(), options.live);
}

}  // namespace tickreel::files
