// The table `recordings`: one row per file.
#include <algorithm>
#include <utility>

#include "inputs.hpp"
#include "path_values.hpp"
#include "rows.hpp"
#include "tickreel/echo/time.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/library/game.hpp"

namespace tickreel::query {

namespace {

class recording_rows final : public file_rows {
 public:
  recording_rows(const request& what, const input& from, viewer::json_values values)
      : what_(&what), input_(&from), values_(std::move(values)) {}

  result<void> begin(const limits& /*within*/) override {
    is_given_ = false;
    if (found_) return {};
    auto opened = open_recording(*input_);
    if (!opened) return fail(opened.error());
    if (!needs_summary()) {
      found_.emplace().format = (*opened)->format();
      return {};
    }
    const bool is_thorough = !what_->paths.empty() || what_->needs(recordings_column::health) ||
                             what_->needs(recordings_column::info);
    auto found = is_thorough ? (*opened)->summarise(what_->watch) : (*opened)->quick_summary(what_->watch);
    if (!found) return fail(found.error());
    found_ = std::move(*found);
    const auto trailing = find_trailing_bytes(*input_);
    if (!trailing) return fail(trailing.error());
    if (*trailing) {
      found_->health = files::health::damaged;
      found_->left_out.push_back((*trailing)->sentence());
    }
    return {};
  }

  result<bool> next(std::span<value> row) override {
    if (std::exchange(is_given_, true)) return false;
    const library::game game = library::game_of(*found_);
    std::size_t slot = 0;
    std::string info;
    if (!what_->paths.empty() || what_->needs(recordings_column::info)) {
      files::append_summary(input_->file, *found_, info);
    }
    for (const int each : what_->fixed) fill(each, game, info, row[slot++]);
    if (what_->paths.empty()) return true;
    const auto values = values_.read(info);
    if (!values) return fail(values.error());
    for (const viewer::tick_value& each : *values) row[slot++] = value_of(each);
    return true;
  }

  std::uint64_t row_id() const override { return 0; }
  std::vector<std::string> losses() const override {
    return found_ ? found_->left_out : std::vector<std::string>();
  }

 private:
  // For the number of files and their formats none is read.
  [[nodiscard]] bool needs_summary() const {
    const auto is_read = [](int column) { return column != recordings_column::format; };
    return !what_->paths.empty() || std::ranges::any_of(what_->fixed, is_read);
  }

  void fill(int column, const library::game& game, const std::string& info, value& to) const {
    to = {};
    const auto text = [&to](const std::string& from) {
      if (!from.empty()) to = from;
    };
    using namespace recordings_column;
    switch (column) {
      case format:
        return text(found_->format);
      case format_version:
        to = std::int64_t{found_->format_version};
        return;
      case bytes:
        to = value_of(found_->bytes);
        return;
      case ticks:
        to = value_of(found_->ticks);
        return;
      case duration_ms:
        to = found_->duration_ms;
        return;
      case started:
        return text(echo::format_to_seconds(game.started_ms));
      case session:
        return text(game.session);
      case map:
        return text(game.map);
      case mode:
        return text(game.mode);
      case recordings_column::result:
        return text(game.result);
      case health:
        return text(std::string(files::name(found_->health)));
      case recordings_column::info:
        return text(info);
      default:
        return;
    }
  }

  const request* what_;
  const input* input_;
  viewer::json_values values_;
  std::optional<files::summary> found_;
  bool is_given_ = false;
};

}  // namespace

result<std::unique_ptr<file_rows>> open_recording_rows(const request& what, const input& from) {
  const auto views = views_of(what.paths);
  auto values = viewer::json_values::create(views);
  if (!values) return fail(values.error());
  return std::make_unique<recording_rows>(what, from, std::move(*values));
}

}  // namespace tickreel::query
