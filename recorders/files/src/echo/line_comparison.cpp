#include "tickreel/files/line_comparison.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "aligned_ticks.hpp"
#include "tickreel/files/echo_source.hpp"

namespace tickreel::files {

namespace {

// One side, read one tick ahead, with the text of its ticks.
class line_side {
 public:
  static result<line_side> open(const file_path& path) {
    auto source = open_echo(path);
    if (!source) return fail(source.error());
    if (!(*source)->keeps_source_text()) {
      return fail(error_code::unsupported_operation, error::no_offset,
                  "the recording does not contain the source lines of its ticks");
    }
    line_side made(std::move(*source));
    if (auto read = made.read_next(); !read) return fail(read.error());
    return made;
  }

  result<void> advance() {
    std::swap(now_, next_);
    return read_next();
  }
  [[nodiscard]] bool has_tick() const noexcept { return now_.there; }
  [[nodiscard]] std::int64_t time_ms() const noexcept { return now_.time_ms; }
  [[nodiscard]] std::optional<std::int64_t> next_time_ms() const noexcept {
    return next_.there ? std::optional(next_.time_ms) : std::nullopt;
  }
  // A lost line does not equal another lost one.
  [[nodiscard]] bool has_line() const noexcept { return now_.has_line; }
  // The line, with the text before it that contains no tick; after the last tick, the remaining text.
  [[nodiscard]] const std::string& text() const noexcept { return now_.text; }
  [[nodiscard]] const echo_source& source() const noexcept { return *source_; }

 private:
  struct held_line {
    std::string text;
    std::int64_t time_ms = 0;
    bool has_line = false;
    bool there = false;
  };

  explicit line_side(std::unique_ptr<echo_source> source)
      : source_(std::move(source)), state_(std::make_unique<echo::state>()) {}

  result<void> read_next() {
    const auto more = ended_ ? result<bool>(false) : source_->next(*state_);
    if (!more) return fail(more.error());
    next_.there = *more;
    next_.has_line = false;
    next_.text.clear();
    if (*more) {
      next_.time_ms = state_->recorded_time_ms;
      next_.text = source_->text_before();
      next_.text += source_->whole_line();
      next_.has_line = !source_->whole_line().empty();
      // Reels that store lines without their ends had a carriage return and a line feed there.
      if (!next_.has_line && !source_->source_line().empty()) {
        next_.text.append(source_->source_line()).append("\r\n");
        next_.has_line = true;
      }
    } else if (!ended_) {
      next_.text = source_->text_after();
    }
    ended_ = !*more;
    return {};
  }

  std::unique_ptr<echo_source> source_;
  std::unique_ptr<echo::state> state_;
  held_line now_;
  held_line next_;
  bool ended_ = false;
};

std::string excerpt(const std::string& text, std::size_t at) {
  constexpr std::size_t around = 20;
  const std::size_t begin = at > around ? at - around : 0;
  return text.substr(begin, 2 * around);
}

std::string difference_of(std::uint64_t tick, const std::string& a, const std::string& b) {
  std::string where = "the line of tick " + std::to_string(tick);
  const auto at =
      static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  return where + " differs from byte " + std::to_string(at) + " on: '" + excerpt(a, at) + "' is '" +
         excerpt(b, at) + "' in the other recording";
}

}  // namespace

result<line_comparison> compare_lines(const file_path& recording, const file_path& against,
                                      const monitor& watch, std::size_t* failed) {
  auto a = line_side::open(recording);
  if (!a) return fail_of(0, a.error(), failed);
  auto b = line_side::open(against);
  if (!b) return fail_of(1, b.error(), failed);
  std::array<line_side, 2> sides{std::move(*a), std::move(*b)};
  line_comparison found;
  const auto report = [&](std::string difference) {
    if (found.different++ == 0) {
      found.first_tick = found.ticks;
      found.first = std::move(difference);
    }
  };
  const auto in_both = [&] {
    if (!sides[0].has_line() || !sides[1].has_line()) {
      report("the line of tick " + std::to_string(found.ticks) + " is missing");
    } else if (sides[0].text() != sides[1].text()) {
      report(difference_of(found.ticks, sides[0].text(), sides[1].text()));
    }
    ++found.ticks;
  };
  const auto in_one = [&](std::size_t which) {
    report("the line of tick " + std::to_string(found.ticks) +
           (which == 0 ? " is not in the other recording" : " is missing"));
    ++found.ticks;
  };
  const monitor with_progress{.progress = {}, .cancelled = [&] {
                                watch.report(sides[0].source().bytes_done(), sides[0].source().bytes_total());
                                return watch.stop();
                              }};
  if (const auto read = align_by_time(sides, with_progress, failed, in_both, in_one); !read) {
    return fail(read.error());
  }
  if (sides[0].text() != sides[1].text()) report("the text after the last tick differs");
  found.not_compared =
      sides[0].source().losses().lines_without_text + sides[1].source().losses().lines_without_text;
  return found;
}

}  // namespace tickreel::files
