#include "icrep_recording.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "byte_stream.hpp"
#include "icrep_keyframes.hpp"
#include "icrep_layout.hpp"
#include "icrep_orders.hpp"
#include "tickreel/icrep/edit.hpp"

namespace tickreel::recording {

namespace {

constexpr std::uint32_t version = 1;
// Of a file that says no speed: the format's slower one, its default.
constexpr double default_tick_seconds = 0.067;

finding finding_of(severity level, const error& what) {
  error without_offset = what;
  without_offset.offset = error::no_offset;
  return {level, what.offset, describe(without_offset)};
}

bool same_error(const error& a, const error& b) noexcept {
  return a.code == b.code && a.offset == b.offset && a.detail == b.detail && a.values[0] == b.values[0];
}

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
        tick_seconds_(icrep::tick_seconds(match_.facts()).value_or(default_tick_seconds)) {}

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
    const auto tick = tick_of(where);
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

  result<summary> summarise(const monitor& watch) override;
  result<summary> glance(const monitor& watch) override;
  result<verification> verify(const monitor& watch) override;
  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor& watch) override;

 private:
  [[nodiscard]] std::int64_t time_ms_of(std::uint64_t tick) const {
    return std::llround(static_cast<double>(tick) * tick_seconds_ * 1000);
  }
  [[nodiscard]] tick_position position_of(const icrep::stored_keyframe& keyframe) const {
    return {keyframe.tick, time_ms_of(keyframe.tick), keyframe.offset, true};
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

  result<std::uint64_t> tick_of(const moment& where) const {
    switch (where.unit) {
      case moment::by::tick:
        return where.tick;
      case moment::by::time: {
        // Times are whole milliseconds, so half of one is rounding.
        const double ticks = std::ceil((where.seconds - 0.0005) / tick_seconds_);
        if (ticks > 1e15)
          return fail(error_code::out_of_range, error::no_offset, "the recording ends before that");
        return static_cast<std::uint64_t>(std::max(ticks, 0.0));
      }
      case moment::by::clock:
        break;
    }
    return fail(error_code::unsupported_operation, error::no_offset,
                "an .icrep has no game clock; give a tick or a time");
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

  // What only reading everything tells.
  struct counts {
    std::uint64_t orders = 0;
    std::uint64_t events = 0;
  };
  [[nodiscard]] summary describe_match(const std::optional<counts>& counted) const;
  [[nodiscard]] finding signature_finding(const icrep::signature_report& report) const;
  [[nodiscard]] std::optional<std::uint32_t> player_of(const std::string& words) const;
  [[nodiscard]] std::vector<finding> damage_of_streams(counts& counted, const monitor& watch) const;

  std::string_view format_;
  game::replay match_;
  std::uint64_t file_bytes_;
  open_options options_;
  icrep_layout layout_;
  icrep::slot_table slots_;
  icrep_keyframes keyframes_;
  double tick_seconds_;

  std::size_t number_ = 0;  // of the keyframe behind the current one
  const icrep::sim_snapshot* state_ = nullptr;
  tick_position position_;
  std::optional<icrep::restored_state> sought_;
  std::uint64_t wanted_tick_ = 0;
  std::vector<std::string> losses_;
};

// What can be found without restoring states.
std::vector<finding> icrep_recording::damage_of_streams(counts& counted, const monitor& watch) const {
  std::vector<finding> out;
  const auto add = [&](std::span<const icrep::stream_damage> all) {
    for (const icrep::stream_damage& one : all) out.push_back(finding_of(severity::error, one.what));
  };
  icrep::tick_frame frame;
  auto frames = match_.orders(0, match_.total_ticks());
  while (frames.next(frame) && !watch.stop()) counted.orders += frame.orders.size();
  add(frames.damage());
  analysis::event happened;
  auto happenings = match_.events();
  while (happenings.next(happened) && !watch.stop()) ++counted.events;
  add(happenings.damage());
  byte_vector buffer;
  for (const icrep::stored_keyframe& keyframe : match_.keyframes()) {
    watch.report(keyframe.offset, file_bytes_);
    if (const auto raw = icrep::open_keyframe(keyframe, buffer); !raw) {
      out.push_back(finding_of(severity::error, raw.error()));
    }
    if (watch.stop()) break;
  }
  return out;
}

result<summary> icrep_recording::summarise(const monitor& watch) {
  counts counted;
  const std::vector<finding> damage = damage_of_streams(counted, watch);
  if (watch.stop()) return fail(error_code::interrupted);
  summary out = describe_match(counted);
  if (!damage.empty()) out.health = health::damaged;
  number_ = match_.keyframes().size();
  return out;
}

result<summary> icrep_recording::glance(const monitor& watch) {
  const icrep::file_header& header = match_.file().header();
  const bool finished = !header.live && !header.incomplete && header.lost_frame_count == 0;
  if (!finished || !match_.file().findings().empty()) return summarise(watch);
  number_ = match_.keyframes().size();
  return describe_match(std::nullopt);
}

summary icrep_recording::describe_match(const std::optional<counts>& counted) const {
  const icrep::metadata& facts = match_.facts();
  const icrep::file_header& header = match_.file().header();
  summary out;
  out.format = format_;
  out.format_version = version;
  out.bytes = file_bytes_;
  out.ticks = match_.total_ticks();
  out.keyframes = match_.keyframes().size();
  out.duration_ms = out.ticks == 0 ? 0 : time_ms_of(out.ticks - 1);
  for (const icrep::player_entry& player : facts.players) {
    player_summary& one = out.players.emplace_back();
    one.name = player.name;
    one.team = player.faction;
    one.facts.push_back({"number", static_cast<std::int64_t>(player.slot)});
    if (!player.outcome.empty()) one.facts.push_back({"outcome", player.outcome});
  }

  if (header.live || header.lost_frame_count != 0) {
    out.health = health::incomplete;
  } else if (header.incomplete) {
    out.health = health::recovered;
  }

  const auto text = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out.facts.push_back({std::string(key), value});
  };
  const auto number = [&](std::string_view key, std::uint64_t value) {
    out.facts.push_back({std::string(key), static_cast<std::int64_t>(value)});
  };
  text("game", facts.game_module);
  text("game_version", facts.engine_version);
  text("map_name", facts.map_name);
  text("timestamp", facts.timestamp);
  text("replay_id", facts.replay_id);
  text("game_speed", facts.game_speed);
  out.facts.push_back({"ticks_per_second", 1 / tick_seconds_});
  number("full_keyframes", static_cast<std::uint64_t>(
                               std::ranges::count(match_.keyframes(), true, &icrep::stored_keyframe::full)));
  number("order_blocks", match_.file().order_blocks().size());
  if (counted) {
    number("orders", counted->orders);
    number("events", counted->events);
  }
  out.facts.push_back({"has_voice", header.has_voice});
  out.facts.push_back({"has_embedded_resources", header.embedded.offset != 0});
  number("lost_frames", header.lost_frame_count);
  if (header.live) out.facts.push_back({"live", true});
  // Whether a signature holds is for those to say who read what it signs.
  if (counted || !header.is_signed) {
    const icrep::signature_report signatures = match_.file().verify_signatures();
    text("signature", std::string(name(signatures.state)));
    if (signatures.signer) text("signer", hex_text(*signatures.signer));
  }
  return out;
}

result<verification> icrep_recording::verify(const monitor&) {
  const icrep::reader& file = match_.file();
  const icrep::signature_report signatures = options_.trusted_key
                                                 ? icrep::verify_signatures_of(file, *options_.trusted_key)
                                                 : file.verify_signatures();
  verification out;
  out.ticks = match_.total_ticks();
  // Without a description of components deltas can't be followed; that is no damage.
  constexpr std::string_view not_described = "slot {} is not in the schema";
  std::uint64_t not_checked = 0;
  for (const icrep::finding& each : file.verify()) {
    if (!match_.facts().schema && each.what.detail == not_described) {
      ++not_checked;
    } else if (!signatures.why || !same_error(each.what, *signatures.why)) {
      out.findings.push_back(finding_of(
          each.severity == icrep::severity::damage ? severity::error : severity::warning, each.what));
    }
  }
  if (not_checked != 0) {
    out.findings.push_back(
        {severity::warning, error::no_offset,
         std::to_string(not_checked) +
             " keyframes are deltas that cannot be followed: the metadata do not describe the "
             "components"});
  }
  if (file.header().live) {
    out.findings.push_back({severity::warning, error::no_offset,
                            "the recording was not ended: it goes on, or its recorder died"});
  }
  out.findings.push_back(signature_finding(signatures));
  out.facts.push_back({"signature", std::string(name(signatures.state))});
  if (signatures.signer) out.facts.push_back({"signer", hex_text(*signatures.signer)});
  number_ = match_.keyframes().size();
  return out;
}

finding icrep_recording::signature_finding(const icrep::signature_report& report) const {
  const std::uint64_t offset = report.state == icrep::signature_state::not_signed
                                   ? error::no_offset
                                   : match_.file().header().signature.offset;
  const std::string signer = report.signer ? " with the key " + hex_text(*report.signer) : std::string();
  switch (report.state) {
    case icrep::signature_state::not_signed:
      return {options_.trusted_key ? severity::error : severity::note, offset, "unsigned"};
    case icrep::signature_state::whole:
      return {severity::note, offset,
              "signed" + signer + ": all " + std::to_string(report.entries) + " signatures hold"};
    case icrep::signature_state::incomplete:
      return {severity::warning, offset,
              "signed" + signer + ", but the recording is incomplete: all " + std::to_string(report.entries) +
                  " signatures hold for what is there"};
    case icrep::signature_state::tampered:
      break;
  }
  if (options_.trusted_key && report.signer && *report.signer != *options_.trusted_key) {
    return {severity::error, offset, "signed" + signer + ", which is not the one expected"};
  }
  finding out = finding_of(severity::error, report.why.value_or(error{error_code::checksum_mismatch}));
  out.message = "tampered: " + out.message;
  if (out.offset == error::no_offset) out.offset = offset;
  return out;
}

result<std::uint64_t> icrep_recording::events(const event_query& query,
                                              const std::function<bool(std::string_view)>& each,
                                              const monitor& watch) {
  icrep::event_filter filter;
  if (query.from) {
    const auto first = tick_of(*query.from);
    if (!first) return fail(first.error());
    filter.first_tick = *first;
  }
  if (query.to) {
    auto last = tick_of(*query.to);
    if (!last) return fail(last.error());
    // A time between two ticks ends with the one before.
    const bool between = query.to->unit == moment::by::time &&
                         static_cast<double>(time_ms_of(*last)) > query.to->seconds * 1000 + 0.5;
    if (between && *last == 0) return 0;
    filter.end_tick = *last + (between ? 0 : 1);
  }
  if (!query.types.empty()) {
    filter.types = 0;
    for (const std::string& name : query.types) {
      const auto type = analysis::type_from_name(name);
      if (!type)
        return fail(error_code::invalid_argument, error::no_offset, "there is no such type of event");
      filter.types |= std::uint32_t{1} << *type;
    }
  }
  if (!query.player.empty()) {
    filter.player = player_of(query.player);
    if (!filter.player)
      return fail(error_code::invalid_argument, error::no_offset, "there is no such player");
  }
  auto found = match_.events(filter);
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

// By name, else by number.
std::optional<std::uint32_t> icrep_recording::player_of(const std::string& words) const {
  for (const icrep::player_entry& player : match_.facts().players) {
    if (player.name == words) return player.slot;
  }
  std::uint32_t number = 0;
  const char* const end = words.data() + words.size();
  const auto [stopped, code] = std::from_chars(words.data(), end, number);
  if (code != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

result<std::unique_ptr<recording>> open_as(std::string_view format, const std::filesystem::path& path,
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
  return open_as("reel", path, options);
}

}  // namespace tickreel::recording
