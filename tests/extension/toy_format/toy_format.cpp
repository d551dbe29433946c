#include "toy_format.hpp"

#include <charconv>
#include <string>
#include <vector>

#include "tickreel/files/statistics.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/whole_file.hpp"

namespace toy {

namespace {

using namespace tickreel;
using namespace tickreel::files;

constexpr std::string_view magic = "toy\n";
constexpr std::uint64_t max_bytes = 1u << 20;
constexpr std::int64_t tick_ms = 100;

struct entry {
  std::int64_t number = 0;
  std::uint64_t offset = 0;
};

struct contents {
  std::vector<entry> ticks;
  std::uint64_t bytes = 0;
  std::uint64_t torn_bytes = 0;
  std::optional<std::uint64_t> first_bad;  // offset of the first line that is not a number
};

contents parse(std::string_view text) {
  contents out;
  out.bytes = text.size();
  for (std::size_t at = magic.size(); at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) {
      out.torn_bytes = text.size() - at;
      break;
    }
    entry one{.offset = at};
    const auto [stopped, code] = std::from_chars(text.data() + at, text.data() + end, one.number);
    if (code == std::errc{} && stopped == text.data() + end) {
      out.ticks.push_back(one);
    } else if (!out.first_bad) {
      out.first_bad = at;
    }
    at = end + 1;
  }
  return out;
}

class toy_recording final : public recording, public event_source, public statistics_source {
 public:
  explicit toy_recording(contents what) : what_(std::move(what)) {}

  std::string_view format() const noexcept override { return toy_format.name; }
  capabilities offers() noexcept override { return {.events = this, .statistics = this}; }
  result<bool> next() override {
    if (take_found()) return true;
    if (count_ == what_.ticks.size()) return false;
    position_ = {count_, static_cast<std::int64_t>(count_) * tick_ms, what_.ticks[count_].offset, true};
    ++count_;
    return true;
  }
  const tick_position& position() const noexcept override { return position_; }
  void append_state(std::string& json) const override {
    json += "\"number\":" + std::to_string(what_.ticks[position_.tick].number);
  }
  result<void> rewind() override {
    count_ = 0;
    found_ = false;
    return {};
  }
  std::vector<std::string> losses() const override {
    if (what_.torn_bytes == 0) return {};
    return {std::to_string(what_.torn_bytes) + " bytes of a last line that is not whole"};
  }
  result<summary> summarise(const monitor&) override {
    summary out;
    out.format = toy_format.name;
    out.format_version = 1;
    out.bytes = what_.bytes;
    out.ticks = out.keyframes = what_.ticks.size();
    out.duration_ms = what_.ticks.empty() ? 0 : static_cast<std::int64_t>(what_.ticks.size() - 1) * tick_ms;
    out.players = {{.name = "counter", .team = {}}};
    out.health = what_.first_bad         ? health::damaged
                 : what_.torn_bytes != 0 ? health::incomplete
                                         : health::whole;
    return out;
  }
  result<verification> verify(const monitor&) override {
    verification out;
    out.ticks = what_.ticks.size();
    if (what_.first_bad)
      out.findings.push_back({severity::error, *what_.first_bad, "a line that is not a number"});
    return out;
  }
  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor&) override {
    std::uint64_t given = 0;
    std::optional<std::int64_t> highest;
    const bool wanted = query.types.empty() || query.types.front() == "record";
    for (std::uint64_t tick = 0; tick < what_.ticks.size() && wanted; ++tick) {
      const std::int64_t number = what_.ticks[tick].number;
      if (highest && number <= *highest) continue;
      highest = number;
      ++given;
      if (!each("{\"tick\":" + std::to_string(tick) +
                ",\"type\":\"record\",\"number\":" + std::to_string(number) + "}"))
        break;
    }
    return given;
  }
  result<std::vector<std::string>> event_types() override { return std::vector<std::string>{"record"}; }
  result<void> statistics(const std::function<bool(const match_rows&)>& each, const monitor&) override {
    match_rows rows;
    rows.format = toy_format.name;
    player_row one;
    one.player = "counter";
    double sum = 0;
    for (const entry& tick : what_.ticks) sum += static_cast<double>(tick.number);
    one.set(statistic::points, sum);
    rows.players.push_back(one);
    each(rows);
    return {};
  }

 private:
  contents what_;
  std::size_t count_ = 0;
  tick_position position_;
};

claim claims(const probe& file) noexcept {
  return as_text(file.head).starts_with(magic) ? claim::certain : claim::no;
}

result<std::unique_ptr<recording>> open_toy(const byte_source& from, const open_options&) {
  const auto bytes = from.whole(max_bytes);
  if (!bytes) return fail(bytes.error());
  return std::make_unique<toy_recording>(parse(as_text(*bytes)));
}

result<std::uint64_t> write(const file_path& output, bool overwrite, const std::string& text) {
  auto file = published_file::create(output, overwrite);
  if (!file) return fail(file.error());
  if (auto done = file->append(as_bytes(text)); !done) return fail(done.error());
  if (auto done = file->commit(); !done) return fail(done.error());
  return text.size();
}

result<recover_report> recover_toy(const file_path& input, const file_path& output,
                                   const recover_options& options) {
  const auto bytes = read_whole_file(input, max_bytes);
  if (!bytes) return fail(bytes.error());
  const contents what = parse(as_text(*bytes));
  std::string text(magic);
  for (const entry& each : what.ticks) text += std::to_string(each.number) + "\n";
  const auto written = write(output, options.overwrite, text);
  if (!written) return fail(written.error());
  recover_report report;
  report.ticks = what.ticks.size();
  report.bytes = *written;
  if (what.torn_bytes != 0) report.lost.emplace_back("a last line that is not whole");
  return report;
}

result<conversion_report> convert_toy(const file_path& input, const file_path& output,
                                      const conversion_options& options, std::string begin) {
  auto from = open(input);
  if (!from) return fail(from.error());
  conversion_report report;
  report.files = {output};
  std::string text = std::move(begin);
  for (;;) {
    const auto more = (*from)->next();
    if (!more) return fail(more.error());
    if (!*more) break;
    const tick_position& at = (*from)->position();
    if (options.range.from && is_before(*options.range.from, at.tick, at.time_ms, {})) continue;
    if (options.range.to && is_after(*options.range.to, at.tick, at.time_ms, {})) break;
    std::string state;
    (*from)->append_state(state);
    text += state.substr(state.find(':') + 1) + "\n";
    ++report.ticks;
  }
  const auto written = write(output, options.overwrite, text);
  if (!written) return fail(written.error());
  report.bytes = *written;
  return report;
}

result<conversion_report> cut_toy(const file_path& input, const file_path& output,
                                  const conversion_options& options) {
  return convert_toy(input, output, options, std::string(magic));
}

result<conversion_report> convert_toy_to_csv(const file_path& input, const file_path& output,
                                             const conversion_options& options) {
  return convert_toy(input, output, options, "number\n");
}

constexpr conversion toy_conversions[] = {
    {.from = "toy", .to = "toy", .run = &cut_toy, .only_ranges = true},
    {.from = "toy", .to = "csv", .run = &convert_toy_to_csv},
};

}  // namespace

constexpr format toy_format{
    .name = "toy",
    .extension = ".toy",
    .looks_like = "the line \"toy\", then a number a line",
    .claims = &claims,
    .open = &open_toy,
    .conversions = toy_conversions,
    .recover = &recover_toy,
};

}  // namespace toy
