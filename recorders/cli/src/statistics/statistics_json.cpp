// Statistics as one JSON document.
#include "statistics_output.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

void append_sums(const files::statistics_sums::entry& from, text::json_writer& json) {
  json.member("games", from.games).member("won", from.won).member("lost", from.lost);
  files::append_statistics(from.row, json);
}

class json_document final : public statistics_writer {
 public:
  std::string begin() override { return "{\"matches\":["; }

  std::string match(std::string_view file, std::size_t number, const files::match_rows& rows) const override {
    std::string out;
    files::append_match(file, number, rows, out);
    return out;
  }
  std::string_view between() const override { return ","; }

  std::string end(const files::statistics_sums& sums, const std::vector<left_out_match>& left_out) override {
    std::string out = "],\"by_player\":";
    text::json_writer json(out);
    json.begin_array();
    for (const files::statistics_sums::entry* each : sums.by_player()) {
      json.begin_object().member("player", each->row.player);
      if (!each->row.id.empty()) json.member("id", each->row.id);
      json.member("format", each->format);
      append_sums(*each, json);
      json.end_object();
    }
    json.end_array().key("all").begin_object();
    append_sums(sums.all(), json);
    json.end_object().key("left_out").begin_array();
    for (const left_out_match& each : left_out) {
      json.begin_object();
      files::add_file_member(each.file, json);
      json.member("match", each.match);
      json.member("reason", std::string_view(each.reason)).end_object();
    }
    json.end_array();
    return out + "}\n";
  }
};

}  // namespace

std::unique_ptr<statistics_writer> make_json_writer() {
  return std::make_unique<json_document>();
}

}  // namespace tickreel::cli
