// Every kind of record in reels of every encoder, damaged, with every verb. No verb returns a wrong tick or event; missing ones
// are reported with exit code 3, or the verb fails without output.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "matrix_reels.hpp"
#include "matrix_verbs.hpp"
#include "random.hpp"
#include "reel_damage.hpp"

BOOST_AUTO_TEST_SUITE(cli_matrix_tests)

namespace {

// An intact reel and the results of the verbs on it, each computed at its first use.
class made_reel {
 public:
  explicit made_reel(const reel_kind& kind) : kind_(kind), path_(folder_ / "whole.reel") {
    kind.make(path_);
    bytes_ = read_file(path_);
  }
  [[nodiscard]] const byte_vector& bytes() const noexcept { return bytes_; }

  // Null if the verb does not support this format.
  const answer* whole(const verb& what) {
    if (!what.applies(kind_)) return nullptr;
    const auto known = answers_.find(what.name);
    if (known != answers_.end()) return known->second ? &*known->second : nullptr;
    std::optional<answer>& made = answers_[what.name];
    answer whole = answer_of(what, folder_, path_);
    const bool works = whole.said.code == 0 || whole.said.code == 3;
    BOOST_TEST_CONTEXT(kind_.name << ", whole, " << what.name) {
      const bool may_refuse = std::string_view(kind_.name) == "unknown" ||
                              std::string_view(kind_.name) == "orders" ||
                              what.name == std::string_view("compact");
      BOOST_TEST((works || may_refuse), whole.said.code << whole.said.err);
    }
    if (!works) return nullptr;
    if (what.what == output_of::ticks) allow_earlier_headers(what, whole.ticks);
    made = std::move(whole);
    return &*made;
  }

 private:
  // A player's number, for example, is known only from a later header update: without it, the tick is as it was sealed.
  void allow_earlier_headers(const verb& what, tick_texts& ticks) {
    auto reader = reel::reader::from_memory(bytes_);
    BOOST_REQUIRE(reader);
    for (const reel::record_info& each : reader->contents().records) {
      if (each.kind != reel::record_kind::header_update || (each.flags & reel::repeats_header) != 0) continue;
      const std::string path = folder_ / "earlier.reel";
      write_file(path, byte_span(bytes_).first(static_cast<std::size_t>(each.offset)));
      for (const auto& [tick, texts] : answer_of(what, folder_, path).ticks)
        ticks[tick].insert(texts.begin(), texts.end());
    }
  }

  const reel_kind& kind_;
  scratch_folder folder_;
  std::string path_;
  byte_vector bytes_;
  std::map<std::string_view, std::optional<answer>> answers_;
};

// Losses that affect verbs that need no lines.
bool reports_lost_ticks(const outcome& cat) {
  const std::vector<std::string> lines = lines_of(cat.err);
  return cat.code != 0 && std::ranges::any_of(lines, [](const std::string& line) {
           return line.find("returned with their known fields only") == std::string::npos;
         });
}

void check_verb(const verb& what, const answer& whole, const outcome& whole_cat, const outcome& cat,
                const scratch_folder& folder, const std::string& path) {
  const answer now = answer_of(what, folder, path);
  const int code = now.said.code;
  const std::string report = now.said.out + now.said.err;
  BOOST_TEST((code == 0 || code == 1 || code == 3), code << ": " << report);
  const bool fails = code == 1 && what.name != std::string_view("verify");
  if (code != 0) BOOST_TEST(!report.empty());
  if (what.extension != nullptr) BOOST_TEST(now.wrote == (code != 1), report);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    BOOST_TEST((entry.path().extension() != ".part"), entry.path());
  }
  // No differences.
  std::size_t composed = 0;
  for (const auto& [tick, texts] : now.ticks) {
    const auto expected = whole.ticks.find(tick);
    if (expected == whole.ticks.end()) {
      // A clip may begin at an earlier keyframe.
      BOOST_TEST(what.name == std::string_view("clip"), "tick " << tick << " is invented");
      continue;
    }
    BOOST_TEST(texts.size() == 1u, "tick " << tick << " twice");
    if (expected->second.contains(*texts.begin())) continue;
    ++composed;
    BOOST_TEST(now.said.err.find("returned with their known fields only") != std::string::npos,
               "tick " << tick << ":\n"
                       << *texts.begin() << "\ninstead of\n"
                       << *expected->second.begin() << '\n'
                       << report);
  }
  for (const std::string& line : now.lines) BOOST_TEST(whole.lines.contains(line), "invented: " << line);
  // No unreported loss.
  const bool lacks =
      now.ticks.size() < whole.ticks.size() || now.lines.size() < whole.lines.size() || composed != 0;
  if (lacks && !fails) {
    BOOST_TEST(code == 3, now.ticks.size()
                              << " of " << whole.ticks.size() << " ticks, " << now.lines.size() << " of "
                              << whole.lines.size() << " events, exit code " << code << ": " << report);
    BOOST_TEST((whole.said.code == 0 || now.said.err != whole.said.err || now.said.out != whole.said.out));
  }
  const bool concerns = what.needs_lines ? cat.code != 0 : reports_lost_ticks(cat);
  const bool reads_all = what.name != std::string_view("seek") && what.name != std::string_view("info") &&
                         what.name != std::string_view("view --html") &&
                         what.name != std::string_view("clip");
  const bool is_new = cat.err != whole_cat.err;
  if (reads_all && concerns && is_new) BOOST_TEST(code != 0, "cat: " << cat.err << '\n' << report);
  if (what.name == std::string_view("info") && concerns && is_new && reports_lost_ticks(cat)) {
    BOOST_TEST(report != whole.said.out + whole.said.err);
  }
}

void check_damage(made_reel& made, const byte_vector& damaged, const scratch_folder& folder,
                  const std::function<bool(const verb&)>& is_chosen) {
  const std::string path = folder / "damaged.reel";
  write_file(path, damaged);
  const answer* const whole_cat = made.whole(verbs[0]);
  BOOST_REQUIRE(whole_cat != nullptr);
  const outcome cat = answer_of(verbs[0], folder, path).said;
  for (const verb& each : verbs) {
    if (!is_chosen(each)) continue;
    const answer* const whole = made.whole(each);
    if (whole == nullptr) continue;
    BOOST_TEST_CONTEXT(each.name) {
      check_verb(each, *whole, whole_cat->said, cat, folder, path);
    }
  }
}

void check_kind(const reel_kind& kind, const byte_vector& other, std::mt19937_64& random, bool everything) {
  const scratch_folder folder;
  made_reel made(kind);
  auto reader = reel::reader::from_memory(made.bytes());
  BOOST_REQUIRE(reader);
  std::map<reel::record_kind, std::vector<std::size_t>> by_kind;
  const auto& records = reader->contents().records;
  for (std::size_t number = 0; number < records.size(); ++number)
    by_kind[records[number].kind].push_back(number);
  const auto places = places_of(made.bytes());
  for (const auto& [record, numbers] : by_kind) {
    for (int what = reel_damage::head; what <= reel_damage::torn; ++what) {
      const reel_damage damage{everything
                                   ? static_cast<reel_damage::kind>(what)
                                   : static_cast<reel_damage::kind>(random() % (reel_damage::torn + 1)),
                               numbers[random() % numbers.size()]};
      const auto damaged = apply(damage, made.bytes(), places, other, random);
      if (!damaged) continue;
      const std::uint64_t choice = random();
      BOOST_TEST_CONTEXT(kind.name << ", " << damage.name() << " at record " << damage.record << " of "
                                   << places.size() << ", kind " << int(record)) {
        check_damage(made, *damaged, folder, [&](const verb& each) {
          const auto number = static_cast<std::uint64_t>(&each - verbs);
          return everything || number % 7 == choice % 7;
        });
      }
      if (!everything) break;
    }
  }
}

void check_all(bool everything) {
  auto random = seeded_random("damage of every record kind");
  const scratch_folder folder;
  record_tokens(folder / "other.reel");
  const byte_vector other = read_file(folder.path() / "other.reel");
  for (const reel_kind& kind : reel_kinds) check_kind(kind, other, random, everything);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(damage_matrix_test)

BOOST_AUTO_TEST_CASE(a_sample_of_damage_with_a_sample_of_verbs) {
  check_all(std::getenv("TICKREEL_TEST_WHOLE_MATRIX") != nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
