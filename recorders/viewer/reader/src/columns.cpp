// Numbers of ticks as columns: their paths, and one column over the whole recording.
#include <simdjson.h>

#include <algorithm>

#include "tickreel/text/json.hpp"
#include "tickreel/viewer/reader.hpp"
#include "tickreel/viewer/tick_values.hpp"

namespace tickreel::viewer {

namespace {

constexpr std::uint32_t max_curve_points = 100'000;

// One bucket of ticks in a curve.
struct stretch {
  std::uint64_t tick = 0;
  std::int64_t time_ms = 0;
  std::optional<double> min = std::nullopt;
  std::optional<double> max = std::nullopt;

  void add(const std::optional<double>& low, const std::optional<double>& high) noexcept {
    if (low && (!min || *low < *min)) min = low;
    if (high && (!max || *high > *max)) max = high;
  }
};

// At most the requested number, for any number of ticks: when there are too many, each is merged with the
// next.
class curve {
 public:
  explicit curve(std::size_t points) : points_(points) { stretches_.reserve(points); }

  void add(const files::tick_position& at, const std::optional<double>& value) {
    if (in_last_ == 0 || in_last_ == ticks_each_) {
      if (stretches_.size() == points_) {
        join();
        if (in_last_ != 0 && in_last_ < ticks_each_) return extend(value);
      }
      stretches_.push_back({at.tick, at.time_ms});
      in_last_ = 0;
    }
    extend(value);
  }
  [[nodiscard]] const std::vector<stretch>& stretches() const noexcept { return stretches_; }

 private:
  void extend(const std::optional<double>& value) {
    ++in_last_;
    stretches_.back().add(value, value);
  }
  void join() {
    const std::size_t before = stretches_.size();
    for (std::size_t i = 1; i < before; i += 2) stretches_[i - 1].add(stretches_[i].min, stretches_[i].max);
    for (std::size_t i = 1; 2 * i < before; ++i) stretches_[i] = stretches_[2 * i];
    stretches_.resize((before + 1) / 2);
    // The last one may have had none to merge with.
    in_last_ = before % 2 == 0 ? 2 * ticks_each_ : ticks_each_;
    ticks_each_ *= 2;
  }

  std::size_t points_;
  std::size_t ticks_each_ = 1;
  std::size_t in_last_ = 0;
  std::vector<stretch> stretches_;
};

}  // namespace

const std::string& reader::fields() {
  if (open_ == nullptr) return refuse({error_code::wrong_state, error::no_offset, "no recording is open"});
  tick_fields found;
  const std::uint64_t apart = std::max<std::uint64_t>(1, ticks_ / tick_fields::looked_at_ticks);
  for (std::uint64_t each = 0;
       each < tick_fields::looked_at_ticks && each * apart < std::max<std::uint64_t>(ticks_, 1); ++each) {
    const auto there = go_to(first_tick_ + each * apart);
    // Unreadable ticks are reported by state().
    if (!there || !*there) break;
    found.look(*open_);
  }
  answer_ = found.json(source());
  return answer_;
}

const std::string& reader::series(std::string_view path, std::uint32_t points) {
  if (open_ == nullptr) return refuse({error_code::wrong_state, error::no_offset, "no recording is open"});
  auto values = tick_values::create(*open_, {&path, 1});
  if (!values || points == 0) {
    return refuse({error_code::invalid_argument, error::no_offset, "not the path of a number"});
  }
  curve line(std::clamp<std::uint32_t>(points, 2, max_curve_points));
  const auto walked = walk([&] {
    line.add(open_->position(), number_of(values->read().front()));
    return true;
  });
  // Up to the unreadable part, which state() reports.
  if (!walked && line.stretches().empty()) return refuse(walked.error());
  answer_.clear();
  text::json_writer json(answer_);
  const auto list = [&](std::string_view name, auto&& value) {
    json.key(name).begin_array();
    for (const stretch& each : line.stretches()) value(each);
    json.end_array();
  };
  const auto number = [&](const std::optional<double>& value) { value ? json.value(*value) : json.null(); };
  json.begin_object();
  list("ticks", [&](const stretch& each) { json.value(each.tick); });
  list("time_ms", [&](const stretch& each) { json.value(each.time_ms); });
  list("min", [&](const stretch& each) { number(each.min); });
  list("max", [&](const stretch& each) { number(each.max); });
  json.end_object();
  return answer_;
}

}  // namespace tickreel::viewer
