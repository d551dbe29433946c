#include <array>
#include <memory>
#include <unordered_map>

#include "aligned_ticks.hpp"
#include "butter_rounding.hpp"
#include "echo_access.hpp"
#include "open_file.hpp"
#include "reels/reel_encoders.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo/time.hpp"
#include "tickreel/echoreplay/json_values.hpp"
#include "tickreel/files/compare.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::files {

namespace {

constexpr const char* absent = "absent";

// One recording, read one tick ahead. Copies the text of its ticks, because a source overwrites it.
class echo_side {
 public:
  static result<echo_side> open(const file_path& path) {
    const auto from = open_file(path);
    if (!from) return fail(from.error());
    auto input = open_echo_input(*from, {.repair = false, .tolerant = true});
    if (!input) return fail(input.error());
    echo_side made(std::move(*input));
    if (auto read = made.read_next(); !read) return fail(read.error());
    return made;
  }

  result<void> advance() {
    std::swap(now_, next_);
    return read_next();
  }
  [[nodiscard]] bool has_tick() const noexcept { return now_->there; }
  [[nodiscard]] std::int64_t time_ms() const noexcept { return now_->state.recorded_time_ms; }
  [[nodiscard]] std::optional<std::int64_t> next_time_ms() const noexcept {
    return next_->there ? std::optional(next_->state.recorded_time_ms) : std::nullopt;
  }
  [[nodiscard]] std::uint64_t tick() const noexcept { return now_->tick; }
  [[nodiscard]] const echo::state& state() const noexcept { return now_->state; }
  [[nodiscard]] std::string_view session_json() const noexcept { return now_->session; }
  [[nodiscard]] std::string_view bones_json() const noexcept { return now_->bones; }
  [[nodiscard]] const echo_input& input() const noexcept { return *input_; }

 private:
  struct held_tick {
    echo::state state;
    std::uint64_t tick = 0;
    std::string session;
    std::string bones;
    bool there = false;
  };

  explicit echo_side(std::unique_ptr<echo_input> input)
      : input_(std::move(input)),
        now_(std::make_unique<held_tick>()),
        next_(std::make_unique<held_tick>()),
        there_(true) {}

  result<void> read_next() {
    const auto more = there_ ? input_->next(next_->state) : result<bool>(false);
    if (!more) return fail(more.error());
    next_->there = there_ = *more;
    if (!there_) return {};
    next_->tick = input_->place().tick;
    next_->session = input_->session_json();
    next_->bones = input_->bones_json();
    return {};
  }

  std::unique_ptr<echo_input> input_;
  std::unique_ptr<held_tick> now_;
  std::unique_ptr<held_tick> next_;
  bool there_;
};

// 1 and 1.0 and 1.00000001 are one number to the game, whose fractional numbers are floats; integers are
// compared as text.
bool is_same_value(std::string_view a, std::string_view b) {
  if (a == b) return true;
  constexpr std::string_view signs_of_floats = ".eE";
  double one = 0, other = 0;
  const bool any_float = a.find_first_of(signs_of_floats) != std::string_view::npos ||
                         b.find_first_of(signs_of_floats) != std::string_view::npos;
  return any_float && text::parse_number(a, one) && text::parse_number(b, other) &&
         static_cast<float>(one) == static_cast<float>(other);
}

// Finds the first value in which two responses differ. Reuses its memory between calls.
class answer_comparer {
 public:
  // A value of `b` may also equal that of `exact`, of which `a` is a rounded copy, or be missing in both.
  std::optional<value_difference> compare(std::string_view root, std::string_view a, std::string_view b,
                                          std::string_view exact) {
    if (a == b || exact == b) return std::nullopt;
    texts_[0] = a;
    texts_[1] = b;
    texts_[2] = exact;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      leaves_[i].clear();
      by_path_[i].clear();
      if (i == 2 && exact == a) continue;
      (void)echoreplay::visit_json_values(texts_[i], std::uint64_t{1},
                                          [&](std::uint64_t path, std::size_t offset, std::size_t size) {
                                            leaves_[i].push_back({path, offset, size});
                                          });
    }
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t n = 0; n < leaves_[i].size(); ++n) {
        const leaf& one = leaves_[i][n];
        const leaf* const other = find(1 - i, n, one.path);
        if (other != nullptr && (i == 1 || is_same_value(text(i, one), text(1 - i, *other)))) continue;
        if (exact != a && is_excused(i == 1 ? &one : other, n, one.path)) continue;
        value_difference found;
        found.field = name_of(root, i, one.offset);
        (i == 0 ? found.first : found.second) = text(i, one);
        (i == 0 ? found.second : found.first) = other == nullptr ? absent : text(1 - i, *other);
        return found;
      }
    }
    return std::nullopt;
  }

 private:
  struct leaf {
    std::uint64_t path = 0;
    std::size_t offset = 0;
    std::size_t size = 0;
  };

  [[nodiscard]] std::string_view text(std::size_t of, const leaf& at) const {
    return texts_[of].substr(at.offset, at.size);
  }
  // Usually at the same index.
  const leaf* find(std::size_t in, std::size_t place, std::uint64_t path) {
    const std::vector<leaf>& all = leaves_[in];
    if (place < all.size() && all[place].path == path) return &all[place];
    if (by_path_[in].empty()) {
      for (const leaf& each : all) by_path_[in].insert_or_assign(each.path, &each);
    }
    const auto found = by_path_[in].find(path);
    return found == by_path_[in].end() ? nullptr : found->second;
  }
  [[nodiscard]] std::string name_of(std::string_view root, std::size_t in, std::size_t wanted) const {
    std::string name;
    (void)echoreplay::visit_json_values(
        texts_[in], echoreplay::json_path{std::string(root)},
        [&](const echoreplay::json_path& path, std::size_t offset, std::size_t) {
          if (offset == wanted) name = path.text;
        });
    return name;
  }

  // Whether the value of `b` at a path, or its absence, equals that of the exact response.
  bool is_excused(const leaf* in_b, std::size_t place, std::uint64_t path) {
    const leaf* const in_exact = find(2, place, path);
    if (in_b == nullptr || in_exact == nullptr) return in_b == in_exact;
    return is_same_value(text(1, *in_b), text(2, *in_exact));
  }

  std::array<std::string_view, 3> texts_;
  std::array<std::vector<leaf>, 3> leaves_;
  std::array<std::unordered_map<std::uint64_t, const leaf*>, 3> by_path_;
};

class tick_comparer {
 public:
  explicit tick_comparer(bool with_text) : with_text_(with_text) {}

  std::optional<value_difference> compare(const echo_side& a, const echo_side& b) {
    const bool as_text = with_text_ && !a.session_json().empty() && !b.session_json().empty();
    const answers one = as_text ? text_of(a) : written(a.state(), 0);
    return compare(one, as_text ? text_of(b) : written(b.state(), 1), one);
  }
  // Values within the precision of a .butter are made equal by `kept`. Values that a .butter stores exactly
  // are equal too, even if the current encoder would not store them: an older version may have.
  std::optional<value_difference> compare_as_butter(const echo::state& exact, const echo::state& stored,
                                                    butter_rounding& kept) {
    const answers other = written(stored, 1);
    const answers fine = written(exact, 2);
    return compare(written(kept.of(exact, stored), 0), other, fine);
  }

 private:
  struct answers {
    std::string_view session;
    std::string_view bones;
  };

  std::optional<value_difference> compare(const answers& of_a, const answers& of_b, const answers& exact) {
    if (auto found = answers_.compare("", of_a.session, of_b.session, exact.session)) return found;
    const std::string_view bones =
        of_a.bones.empty() != of_b.bones.empty() && exact.bones.empty() == of_b.bones.empty() ? exact.bones
                                                                                              : of_a.bones;
    if (bones.empty() != of_b.bones.empty()) {
      return value_difference{0, "bones", bones.empty() ? absent : "there",
                              of_b.bones.empty() ? absent : "there"};
    }
    return answers_.compare("bones", bones, of_b.bones, exact.bones);
  }
  static answers text_of(const echo_side& from) { return {from.session_json(), from.bones_json()}; }
  answers written(const echo::state& tick, std::size_t which) {
    std::string& session = session_[which];
    std::string& bones = bones_[which];
    session.clear();
    bones.clear();
    echo::append_session_json(tick, echo::json_shape::api, echo::number_style::shortest, session);
    if (tick.bones != echo::bones_kind::absent) {
      echo::append_bones_json(tick, echo::json_shape::api, echo::number_style::shortest, bones);
    }
    return {session, bones};
  }

  bool with_text_;
  answer_comparer answers_;
  std::array<std::string, 3> session_;
  std::array<std::string, 3> bones_;
};

std::string time_text(const echo_side& side) {
  const auto time = echo::format_time(side.time_ms());
  return {time.data(), time.size()};
}

// Whether values are rounded as in a .butter.
result<bool> is_rounded(const file_path& file) {
  const auto format = detect(file);
  if (!format) return fail(format.error());
  if (!(*format)->has_records) return (*format)->echo != nullptr && (*format)->echo->is_rounded;
  const auto source = reel::reader::open(file);
  if (!source) return fail(source.error());
  const reel_encoder* const known = known_reel_encoder(source->head());
  return known != nullptr && known->is_rounded;
}

}  // namespace

result<bool> is_echo_recording(const file_path& file) {
  const auto found = content_of(file);
  if (!found) return fail(found.error());
  return *found == content::echo_ticks;
}

result<echo_comparison> compare_echo(const file_path& first, const file_path& second, const monitor& watch,
                                     std::size_t* failed) {
  const auto first_butter = is_rounded(first);
  if (!first_butter) return fail_of(0, first_butter.error(), failed);
  const auto second_butter = is_rounded(second);
  if (!second_butter) return fail_of(1, second_butter.error(), failed);
  auto one = echo_side::open(first);
  if (!one) return fail_of(0, one.error(), failed);
  auto other = echo_side::open(second);
  if (!other) return fail_of(1, other.error(), failed);
  std::array<echo_side, 2> sides{std::move(*one), std::move(*other)};

  echo_comparison out;
  out.as_butter = *first_butter != *second_butter;
  tick_comparer ticks(sides[0].input().keeps_source_text() && sides[1].input().keeps_source_text());
  butter_rounding kept;
  const std::size_t exact = *first_butter ? 1 : 0;
  std::optional<value_difference> first_other_time;
  std::uint64_t other_time_second_tick = 0;
  const auto in_both = [&] {
    ++out.total[0];
    ++out.total[1];
    ++out.ticks;
    const std::uint64_t apart = distance_ms(sides[0].time_ms(), sides[1].time_ms());
    if (apart != 0) {
      ++out.nearest;
      out.max_apart_ms = std::max(out.max_apart_ms, apart);
      if (!first_other_time) {
        first_other_time = {sides[0].tick(), "recorded_time", time_text(sides[0]), time_text(sides[1])};
        other_time_second_tick = sides[1].tick();
      }
    }
    auto found = out.as_butter ? ticks.compare_as_butter(sides[exact].state(), sides[1 - exact].state(), kept)
                               : ticks.compare(sides[0], sides[1]);
    if (!found) return;
    if (out.as_butter && exact == 1) std::swap(found->first, found->second);
    found->tick = sides[0].tick();
    if (out.different++ == 0) {
      out.state = std::move(found);
      out.second_tick = sides[1].tick();
    }
  };
  const auto in_one = [&](std::size_t which) {
    ++out.total[which];
    if (out.ticks == 0 || !sides[1 - which].has_tick()) {
      ++out.outside[which];
    } else {
      note_lacking(sides[which].tick(), which == 1, out.not_compared);
    }
  };
  if (const auto read = align_by_time(sides, watch, failed, in_both, in_one); !read) {
    return fail(read.error());
  }
  if (!out.state && first_other_time) {
    out.state = std::move(first_other_time);
    out.second_tick = other_time_second_tick;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const source_losses lost = sides[i].input().losses();
    out.lost[i] = sentences(sides[i].input().keeps_source_text() ? losses_of_source_text(lost) : lost);
  }
  return out;
}

}  // namespace tickreel::files
