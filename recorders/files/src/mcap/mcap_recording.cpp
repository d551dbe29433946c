// .mcap files as recordings.
#include <algorithm>

#include "json_events.hpp"
#include "mcap_format.hpp"
#include "mcap_stream.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/mcap/reader.hpp"

namespace tickreel::files {

namespace {

class mcap_recording final : public recording, public event_source, public surrounding_lines {
 public:
  explicit mcap_recording(mcap_stream&& from) : from_(std::move(from)) {}

  std::string_view format() const noexcept override { return mcap_format.name; }
  capabilities offers() noexcept override {
    const recorded_facts& recorded = from_.recorded();
    const bool has_lines = !recorded.lines_before.empty() || !recorded.lines_after.empty();
    return {.events = from_.is_own() ? this : nullptr, .lines = has_lines ? this : nullptr};
  }

  result<bool> next() override {
    if (take_found()) return true;
    return next_tick();
  }
  const tick_position& position() const noexcept override { return from_.position(); }
  void append_state(std::string& json) const override { json += from_.state(); }

  std::vector<std::string> losses() const override {
    std::vector<std::string> out = from_.recorded().losses;
    from_.omissions().add_damage(out);
    from_.omissions().add_left_out(out);
    return out;
  }
  // Numbers of ticks are counted, except in files that Tickreel wrote.
  bool is_shifted(moment::by unit) const override {
    return unit == moment::by::tick && !from_.is_own() && from_.omissions().damage_count != 0;
  }
  result<void> rewind() override {
    found_ = false;
    from_.rewind();
    return {};
  }

  result<summary> summarise(const monitor& watch) override {
    summary out;
    if (auto read = read_all(watch, out); !read) return fail(read.error());
    out.format = mcap_format.name;
    out.bytes = from_.file_bytes();
    out.keyframes = out.ticks;
    out.players = from_.recorded().players;
    out.health = health_of_file();
    add_facts(out);
    from_.omissions().add_left_out(out.left_out);
    return out;
  }

  result<verification> verify(const monitor& watch) override {
    summary seen;
    if (auto read = read_all(watch, seen); !read) return fail(read.error());
    const mcap_omissions& omitted = from_.omissions();
    verification out;
    out.ticks = seen.ticks;
    out.findings = omitted.damage;
    const auto say = [&](severity level, std::string what) {
      out.findings.push_back({level, error::no_offset, std::move(what)});
    };
    if (omitted.damage_count > omitted.damage.size()) {
      say(severity::error, counted(omitted.damage_count - omitted.damage.size(), "more damaged place"));
    }
    if (omitted.bad_messages != 0) {
      out.findings.push_back(
          {severity::error, omitted.first_bad,
           counted(omitted.bad_messages, "message") + " without valid JSON of a tick or event"});
    }
    std::vector<std::string> left_out;
    omitted.add_left_out(left_out);
    for (std::string& each : left_out) say(severity::warning, std::move(each));
    for (const std::string& each : from_.recorded().losses)
      say(severity::warning, "recorded with a loss: " + each);
    out.content_left_out = !left_out.empty() || !from_.recorded().losses.empty();
    if (from_.falling_times() != 0) {
      say(severity::note,
          counted(from_.falling_times(), "tick") + " with a log_time before that of the tick before");
    }
    return out;
  }

  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor& watch) override {
    if (!query.types.empty()) {
      if (auto known = check_types(query, event_types()); !known) return fail(known.error());
    }
    if (auto back = rewind(); !back) return fail(back.error());
    const auto given = select_events(event_walk(watch), query, from_.recorded().players, each, watch);
    if (!given) return given;
    while (true) {
      const auto more = next_tick(watch);
      if (!more) return fail(more.error());
      if (!*more) return given;
    }
  }
  result<std::vector<std::string>> event_types() override {
    if (auto back = rewind(); !back) return fail(back.error());
    return types_of_events(event_walk({}));
  }

  std::string lines_before() const override { return from_.recorded().lines_before; }
  result<std::string> lines_after() override { return from_.recorded().lines_after; }

 private:
  result<bool> next_step(mcap_stream::step wanted, const monitor& watch) {
    for (;;) {
      const auto found = from_.next(watch);
      if (!found) return fail(found.error());
      if (*found == wanted) return true;
      if (*found == mcap_stream::step::end) return false;
    }
  }
  result<bool> next_tick(const monitor& watch = {}) { return next_step(mcap_stream::step::tick, watch); }
  json_event_walk event_walk(const monitor& watch) {
    return {.next = [this, watch] { return next_step(mcap_stream::step::event, watch); },
            .event = [this] { return from_.event(); },
            .time_ms = [this] { return from_.position().time_ms; }};
  }

  result<void> read_all(const monitor& watch, summary& seen) {
    if (auto back = rewind(); !back) return back;
    std::int64_t first_ms = 0;
    for (;;) {
      const auto more = next_tick(watch);
      if (!more) return fail(more.error());
      if (!*more) break;
      if (seen.ticks++ == 0) first_ms = position().time_ms;
    }
    if (seen.ticks != 0) seen.duration_ms = duration_between(first_ms, position().time_ms);
    return {};
  }

  // The recording's own, if the file is whole.
  [[nodiscard]] health health_of_file() const {
    const mcap_omissions& omitted = from_.omissions();
    if (omitted.has_other_damage() || omitted.bad_messages != 0) return health::damaged;
    if (omitted.is_cut) return health::incomplete;
    for (const health each : {health::incomplete, health::recovered, health::damaged}) {
      if (from_.recorded().health == name(each)) return each;
    }
    return health::whole;
  }

  void add_facts(summary& out) const {
    const mcap::reader& file = from_.file();
    const auto number = [&](const char* key, std::uint64_t value) {
      out.facts.push_back({key, static_cast<std::int64_t>(value)});
    };
    out.facts.push_back({"library", file.library()});
    if (!file.profile().empty()) out.facts.push_back({"profile", file.profile()});
    const recorded_facts& recorded = from_.recorded();
    if (recorded.are_known) out.facts.push_back({"recorded_format", recorded.format});
    if (!from_.clip_sentence().empty()) out.facts.push_back({cut_key, from_.clip_sentence()});
    if (out.ticks != 0) number("start_time_us", from_.start_ns() / 1000);
    number("messages", from_.messages());
    number("chunks", file.chunks());
    number("channels", file.channels().size());
    constexpr std::size_t max_topics = 20;
    std::string topics;
    std::size_t shown = 0;
    for (const auto& [id, each] : file.channels()) {
      if (++shown > max_topics) break;
      topics += (topics.empty() ? "" : ", ") + short_topic(each.topic);
    }
    if (shown > max_topics) topics += ", ...";
    out.facts.push_back({"topics", topics});
    if (from_.omissions().attachments != 0) number("attachments", from_.omissions().attachments);
    if (from_.omissions().unknown_records != 0) number("unknown_records", from_.omissions().unknown_records);
  }

  mcap_stream from_;
};

}  // namespace

claim claims_mcap(const probe& file) noexcept {
  return as_text(file.head).starts_with(mcap::magic) ? claim::certain : claim::no;
}

result<std::unique_ptr<recording>> open_mcap(const byte_source& from, const open_options&) {
  auto opened = mcap_stream::open(from);
  if (!opened) return fail(opened.error());
  return std::make_unique<mcap_recording>(std::move(*opened));
}

std::optional<std::uint64_t> find_end_of_mcap(byte_source& from, std::uint64_t file_bytes) {
  return mcap::find_end([&](std::uint64_t offset, std::size_t count) { return from.view(offset, count); },
                        file_bytes);
}

}  // namespace tickreel::files
