#include "extra_file.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "paths.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::files {

namespace {

constexpr std::uint64_t max_file_bytes = 2 * echo::extra_writer::max_bytes;

class enriched final : public echo_source {
 public:
  enriched(std::unique_ptr<echo_source> source, byte_vector text, std::string name)
      : source_(std::move(source)), text_(std::move(text)), name_(std::move(name)) {
    begin();
  }
  enriched(std::unique_ptr<echo_source> source, std::string wrong)
      : source_(std::move(source)), wrong_(std::move(wrong)) {}

  result<bool> next(echo::state& out) override {
    auto more = source_->next(out);
    if (!more || !*more || !extra_) return more;
    const std::uint64_t number = number_++;
    if (number == extra_->until()) report_failure(", which ends at tick " + std::to_string(number));
    if (const auto done = extra_->apply(number, out); !done) report_failure(": " + describe(done.error()));
    return true;
  }
  result<void> rewind() override {
    begin();
    return source_->rewind();
  }
  [[nodiscard]] bool is_doubtful() const noexcept override { return source_->is_doubtful(); }
  [[nodiscard]] source_losses losses() const override {
    source_losses all = source_->losses();
    if (!wrong_.empty()) all.places.push_back(wrong_);
    return all;
  }
  [[nodiscard]] std::uint64_t bytes_done() const noexcept override { return source_->bytes_done(); }
  [[nodiscard]] std::uint64_t bytes_total() const noexcept override { return source_->bytes_total(); }

 private:
  void begin() {
    number_ = 0;
    extra_.reset();
    if (text_.empty()) return;
    auto opened = echo::extra_reader::open(as_text(text_));
    if (opened) {
      extra_.emplace(std::move(*opened));
    } else {
      report_failure(": " + describe(opened.error()));
    }
  }
  void report_failure(const std::string& what) {
    if (wrong_.empty()) wrong_ = "the side data of the .butter is incomplete: " + name_ + what;
  }

  std::unique_ptr<echo_source> source_;
  byte_vector text_;
  std::string name_;
  std::string wrong_;
  std::optional<echo::extra_reader> extra_;
  std::uint64_t number_ = 0;
};

// Both must be of the same match, and of the same length.
result<bool> fits(echo_source& source, const echo::extra_reader& extra) {
  const auto tick = std::make_unique<echo::state>();
  std::uint64_t ticks = 0;
  for (;; ++ticks) {
    const auto more = source.next(*tick);
    if (!more) return fail(more.error());
    if (!*more) break;
    // A .butter stores a session's number, not the case of its letters.
    const bool same =
        ticks != 0 || text::equal_ignoring_case(tick->match.sessionid.view(), extra.sessionid());
    if (!same || ticks >= extra.ticks()) return false;
  }
  if (auto back = source.rewind(); !back) return fail(back.error());
  return ticks == extra.ticks();
}

}  // namespace

file_path extra_path(const file_path& butter) {
  std::filesystem::path path = filesystem_path(butter);
  path.replace_extension();
  path += ".extra.json";
  return path;
}

result<published_file> begin_extra_file(const file_path& butter, bool overwrite) {
  return published_file::create(extra_path(butter), overwrite);
}

result<void> finish_extra_file(published_file& to, const echo::extra_writer& from) {
  const std::string text = from.file_text();
  if (auto written = to.append(as_bytes(text)); !written) return written;
  return to.commit();
}

std::unique_ptr<echo_source> with_extra(std::unique_ptr<echo_source> source, const file_path& butter) {
  const file_path path = extra_path(butter);
  if (!is_file(path)) return source;
  const auto wrong = [&](const std::string& why) {
    return std::make_unique<enriched>(std::move(source), name_of(path) + " was ignored: " + why);
  };
  auto text = read_whole_file(path, max_file_bytes);
  if (!text) return wrong(describe(text.error()));
  const auto extra = echo::extra_reader::open(as_text(*text));
  if (!extra) return wrong(describe(extra.error()));
  const auto same = fits(*source, *extra);
  // Errors of the recording itself are reported by its reader.
  if (auto back = source->rewind(); !back || !same) return source;
  if (!*same) return wrong("it belongs to another recording");
  return std::make_unique<enriched>(std::move(source), std::move(*text), name_of(path));
}

}  // namespace tickreel::files
