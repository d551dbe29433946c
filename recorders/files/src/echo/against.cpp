#include "tickreel/files/against.hpp"

#include <algorithm>
#include <memory>

#include "paired_ticks.hpp"
#include "tickreel/files/echo_source.hpp"

namespace tickreel::files {

namespace {

// One side, with the text of the tick it is at.
class line_side {
 public:
  static result<line_side> open(const file_path& path) {
    auto source = open_echo(path);
    if (!source) return fail(source.error());
    if (!(*source)->keeps_words()) {
      return fail(error_code::unsupported_operation, error::no_offset,
                  "the recording does not hold the lines that its ticks came in");
    }
    return line_side(std::move(*source));
  }

  // False at the end, when text() is what stands behind the last tick.
  result<bool> next() {
    const auto more = ended_ ? result<bool>(false) : source_->next(*state_);
    if (!more) return more;
    if (ended_) {
      text_.clear();
    } else if (*more) {
      text_ = source_->text_before();
      text_ += source_->whole_line();
      has_line_ = !source_->whole_line().empty();
      // Reels of lines alone have them without what ended them, which was always that.
      if (!has_line_ && !source_->source_line().empty()) {
        text_.append(source_->source_line()).append("\r\n");
        has_line_ = true;
      }
    } else {
      text_ = source_->text_behind();
    }
    ended_ = !*more;
    return more;
  }
  // Of the tick that next() gave last: a line that cannot be had is not equal to another such one.
  [[nodiscard]] bool has_line() const noexcept { return has_line_; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] const echo_source& source() const noexcept { return *source_; }

 private:
  explicit line_side(std::unique_ptr<echo_source> source)
      : source_(std::move(source)), state_(std::make_unique<echo::state>()) {}

  std::unique_ptr<echo_source> source_;
  std::unique_ptr<echo::state> state_;
  std::string text_;
  bool ended_ = false;
  bool has_line_ = false;
};

std::string excerpt(const std::string& text, std::size_t at) {
  constexpr std::size_t around = 20;
  const std::size_t begin = at > around ? at - around : 0;
  return text.substr(begin, 2 * around);
}

std::string difference_of(std::uint64_t tick, const std::string& a, const std::string& b) {
  std::string where = "the line of tick " + std::to_string(tick);
  if (a.empty()) return where + " is missing";
  if (b.empty()) return where + " is not in the other recording";
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
  line_comparison found;
  for (;;) {
    if (found.ticks % 64 == 0) {
      watch.report(a->source().bytes_done(), a->source().bytes_total());
      if (watch.stop()) return fail(error_code::interrupted);
    }
    const auto more_a = a->next();
    if (!more_a) return fail_of(0, more_a.error(), failed);
    const auto more_b = b->next();
    if (!more_b) return fail_of(1, more_b.error(), failed);
    const bool is_tick = *more_a || *more_b;
    const bool missing = (*more_a && !a->has_line()) || (*more_b && !b->has_line());
    const bool differs = missing || *more_a != *more_b || a->text() != b->text();
    if (differs && found.different++ == 0) {
      found.first_tick = found.ticks;
      found.first = !is_tick  ? "what stands behind the last tick differs"
                    : missing ? "the line of tick " + std::to_string(found.ticks) + " is missing"
                              : difference_of(found.ticks, a->text(), b->text());
    }
    if (!is_tick) {
      found.not_compared = a->source().losses().lines_without_text + b->source().losses().lines_without_text;
      return found;
    }
    ++found.ticks;
  }
}

}  // namespace tickreel::files
