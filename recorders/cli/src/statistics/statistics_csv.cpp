// Statistics as comma-separated values, with one header for all formats.
#include "statistics_output.hpp"
#include "tickreel/echo/time.hpp"
#include "tickreel/text/csv.hpp"

namespace tickreel::cli {

namespace {

std::string time_of(const std::optional<std::int64_t>& ms) {
  if (!ms) return {};
  const auto text = echo::format_time(*ms);
  std::string out(text.data(), 19);  // without the fraction
  out[4] = out[7] = '-';
  return out;
}

class line {
 public:
  // Spreadsheets must not interpret it as a formula.
  line& text(std::string_view cell) {
    next();
    text::append_csv_text(cell, out_);
    return *this;
  }
  line& number(std::string_view digits) {
    next();
    out_ += digits;
    return *this;
  }
  line& values(const files::player_row& row) {
    std::string names;
    for (std::size_t at = 0; at < files::statistic_count; ++at) {
      if (!row.uncertain.test(at)) continue;
      if (!names.empty()) names += ' ';
      names += files::column_of(static_cast<files::statistic>(at)).name;
    }
    text(names);
    for (const auto& each : row.values) number(files::statistic_text(each));
    return *this;
  }
  line& column_names() {
    text("uncertain");
    for (std::size_t at = 0; at < files::statistic_count; ++at) {
      text(files::column_of(static_cast<files::statistic>(at)).name);
    }
    return *this;
  }
  [[nodiscard]] std::string end() { return std::move(out_) + "\n"; }

 private:
  void next() {
    if (any_) out_ += ',';
    any_ = true;
  }
  std::string out_;
  bool any_ = false;
};

class csv_writer final : public statistics_writer {
 public:
  explicit csv_writer(bool sums_only) : sums_only_(sums_only) {}

  std::string begin() override {
    line names;
    if (sums_only_) {
      for (const char* each : {"player", "id", "format", "games", "won", "lost"}) names.text(each);
      return names.column_names().end();
    }
    for (const char* each : {"file", "match", "format", "session", "map", "started", "duration_ms", "player",
                             "id", "team", "result", "partial"}) {
      names.text(each);
    }
    return names.column_names().end();
  }

  std::string match(std::string_view file, std::size_t number, const files::match_rows& rows) const override {
    std::string out;
    for (const files::player_row& each : rows.players) {
      line cells;
      cells.text(file).number(std::to_string(number)).text(rows.format).text(rows.session).text(rows.map);
      cells.text(time_of(rows.started_ms)).number(std::to_string(rows.duration_ms));
      cells.text(each.player).text(each.id).text(each.team).text(each.result);
      cells.text(each.partial ? "yes" : "").values(each);
      out += cells.end();
    }
    return out;
  }

  std::string end(const files::statistics_sums& sums, const std::vector<left_out_match>&) override {
    std::string out;
    if (!sums_only_) return out;
    for (const files::statistics_sums::entry* each : sums.by_player()) {
      line cells;
      cells.text(each->row.player).text(each->row.id).text(each->format).number(std::to_string(each->games));
      cells.number(std::to_string(each->won)).number(std::to_string(each->lost)).values(each->row);
      out += cells.end();
    }
    return out;
  }

 private:
  bool sums_only_;
};

}  // namespace

std::unique_ptr<statistics_writer> make_csv_writer(bool sums_only) {
  return std::make_unique<csv_writer>(sums_only);
}

}  // namespace tickreel::cli
