// Every kind of record in reels of every encoder, damaged, with every verb. No verb returns a wrong tick or event; missing ones
// are reported with exit code 3, or the verb fails without output.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "every_format.hpp"
#include "lines.hpp"
#include "random.hpp"
#include "reel_damage.hpp"
#include "run_program.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(cli_matrix_tests)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct token {
  float x = 0;
  std::uint32_t round = 0;
};
TICKREEL_DESCRIBE(token, x, round);
struct bell {
  std::uint8_t count = 0;
};
TICKREEL_DESCRIBE(bell, count);

// Reels, by their encoder.

constexpr std::uint64_t recorded_ticks = 60;

template <class Encoder, class Fill>
void record_echo(const std::string& path, Fill fill) {
  recorder_options options = short_chunks();
  options.metadata.push_back(files::echo_events_entry());
  auto to = recorder<Encoder>::open(path, Encoder(), options);
  BOOST_REQUIRE(to);
  echo_vr::match_simulator match(short_match());
  const auto state = std::make_unique<echo::state>();
  files::echo_event_log<recorder<Encoder>> events;
  frame_stamp stamp;
  for (std::uint64_t tick = 0; tick < recorded_ticks && match.next(*state); ++tick) {
    stamp = {stamp.tick + 1, stamp.time_us + 33'333};
    BOOST_REQUIRE(to->capture(stamp, [&](auto& slot) { fill(slot, *state); }));
    events.see(*to, stamp, *state);
    if (tick == 22) {
      to->note_gap(2, {stamp.tick + 1, stamp.time_us}, {stamp.tick + 2, stamp.time_us},
                   reel::gap_reason::source_failed);
      stamp.tick += 2;
    }
    (void)to->pump();
  }
  events.finish(*to);
  BOOST_REQUIRE(to->close());
}

void record_butter(const std::string& path) {
  record_echo<butter::encoder>(
      path, [](echo::state& slot, const echo::state& tick) { echo::copy_state(slot, tick); });
}

void record_lines(const std::string& path) {
  record_echo<echoreplay::encoder>(path, [](echoreplay::answer& slot, const echo::state& tick) {
    std::string session;
    echo::append_session_json(tick, echo::json_shape::api, echo::number_style::shortest, session);
    (void)slot.assign(tick.recorded_time_ms, session, {}, false);
  });
}

void convert_match(const std::string& path, const char* by_way_of) {
  const scratch_folder folder;
  const std::string from = folder / (std::string("match.") + by_way_of);
  write_match(from);
  files::convert_options options;
  options.keyframe_interval_ticks = 15;
  const auto made = files::convert(from, path, options);
  BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
}

void record_tokens(const std::string& path) {
  auto out = record<token>(path, short_chunks());
  BOOST_REQUIRE(out);
  for (std::uint32_t tick = 0; tick < recorded_ticks; ++tick) {
    BOOST_REQUIRE(out->push({static_cast<float>(tick) * 0.5f, tick / 20}));
    if (tick % 20 == 7) BOOST_REQUIRE(out->event(bell{static_cast<std::uint8_t>(tick)}));
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
}

struct reel_kind {
  const char* name;
  void (*make)(const std::string& path);
  bool is_echo;
  bool keeps_events;
  std::string_view published;  // the extension of the output of `recover`; empty: a reel
};

const reel_kind reel_kinds[] = {
    {"butter", record_butter, true, true, ".butter"},
    {"echoreplay", record_lines, true, true, ".echoreplay"},
    {"rows of lines", [](const std::string& path) { convert_match(path, "echoreplay"); }, true, true,
     ".echoreplay"},
    {"rows of states", [](const std::string& path) { convert_match(path, "butter"); }, true, true, ".butter"},
    {"compacted rows",
     [](const std::string& path) {
       const scratch_folder folder;
       convert_match(folder / "rows.reel", "echoreplay");
       const auto made = files::compact(file_path(folder / "rows.reel"), file_path(path));
       BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
     },
     true, true, ".echoreplay"},
    {"described", record_tokens, false, true, {}},
    {"orders",
     [](const std::string& path) {
       const scratch_folder folder;
       write_file(folder.path() / "match.icrep", from_hex(golden::complete_file));
       convert(folder.path() / "match.icrep", path, "reel");
     },
     false, true, ".icrep"},
    {"unknown", [](const std::string& path) { write_ints(path); }, false, false, {}},
};

// The contents of a recording.

using tick_texts = std::map<std::uint64_t, std::set<std::string>>;

// Of a copy whose values or names differ from its source: only the parts that every format stores exactly.
std::string exact_part(const echo::state& tick) {
  std::string text = std::to_string(tick.match.game_clock) + ' ' + std::string(tick.match.game_status.view());
  text += ' ' + std::to_string(tick.match.player_count);
  for (std::size_t each = 0; each < tick.match.player_count; ++each) {
    text += ' ' + std::to_string(tick.players[each].stats.points);
    text += tick.players[each].stunned ? 's' : '-';
  }
  return text;
}

// Of Echo VR by the recorded time, since formats number ticks differently.
void add_ticks(const std::string& path, bool exact_only, tick_texts& to) {
  auto opened = files::open(path);
  BOOST_REQUIRE_MESSAGE(opened, path << (opened ? "" : describe(opened.error())));
  std::string text;
  for (;;) {
    const auto more = (*opened)->next();
    BOOST_REQUIRE_MESSAGE(more, path << (more ? "" : describe(more.error())));
    if (!*more) return;
    text.clear();
    if (const echo::state* const tick = (*opened)->echo_state(); tick == nullptr) {
      (*opened)->append_state(text);
      to[(*opened)->position().tick].insert(text);
    } else {
      if (exact_only) {
        text = exact_part(*tick);
      } else {
        echo::append_session_json(*tick, echo::json_shape::api, echo::number_style::shortest, text);
      }
      to[static_cast<std::uint64_t>(tick->recorded_time_ms)].insert(text);
    }
  }
}

// Verbs.

enum class output_of : std::uint8_t { ticks, events, text };

struct verb {
  const char* name;
  std::vector<std::string> (*words)(const std::string& input, const std::string& output);
  const char* extension = nullptr;  // of its output file
  output_of what = output_of::text;
  bool exact_only = false;  // values or names differ
  bool needs_lines = true;  // a missing line counts as its loss
  bool (*applies)(const reel_kind&) = [](const reel_kind&) { return true; };
};

bool is_echo(const reel_kind& kind) {
  return kind.is_echo;
}

const verb verbs[] = {
    {.name = "cat",
     .words = [](const std::string& in, const std::string&) { return std::vector<std::string>{"cat", in}; },
     .what = output_of::ticks},
    {.name = "verify",
     .words = [](const std::string& in,
                 const std::string&) { return std::vector<std::string>{"verify", in}; }},
    {.name = "info",
     .words = [](const std::string& in, const std::string&) { return std::vector<std::string>{"info", in}; }},
    {.name = "seek",
     .words = [](const std::string& in,
                 const std::string&) { return std::vector<std::string>{"seek", "--time", "1", in}; }},
    {.name = "events",
     .words = [](const std::string& in,
                 const std::string&) { return std::vector<std::string>{"events", in}; },
     .what = output_of::events,
     .needs_lines = false,
     .applies = [](const reel_kind& kind) { return kind.keeps_events; }},
    {.name = "stats",
     .words = [](const std::string& in, const std::string&) { return std::vector<std::string>{"stats", in}; },
     .needs_lines = false,
     .applies = is_echo},
    {.name = "report",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"report", in, "-o", out}; },
     .extension = ".html",
     .needs_lines = false,
     .applies = is_echo},
    {.name = "view --html",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"view", "--html", out, in}; },
     .extension = ".html"},
    {.name = "diff with itself",
     .words = [](const std::string& in,
                 const std::string&) { return std::vector<std::string>{"diff", in, in}; }},
    {.name = "serve",
     .words =
         [](const std::string& in, const std::string&) {
           return std::vector<std::string>{"serve", in, "--port", "0", "--speed", "1000"};
         },
     .applies = is_echo},
    {.name = "convert to .echoreplay",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"convert", in, out}; },
     .extension = ".echoreplay",
     .what = output_of::ticks,
     .applies = is_echo},
    {.name = "convert to .butter",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"convert", in, out}; },
     .extension = ".butter",
     .what = output_of::ticks,
     .exact_only = true,
     .needs_lines = false,
     .applies = is_echo},
    {.name = "convert to .tape",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"convert", in, out}; },
     .extension = ".tape",
     .what = output_of::ticks,
     .exact_only = true,
     .needs_lines = false,
     .applies = is_echo},
    {.name = "convert to .reel",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"convert", in, out}; },
     .extension = ".reel",
     .what = output_of::ticks,
     .applies = is_echo},
    {.name = "convert to .icrep",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"convert", in, out}; },
     .extension = ".icrep",
     .what = output_of::ticks,
     .applies = [](const reel_kind& kind) { return kind.published == ".icrep"; }},
    {.name = "convert to .ndjson",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"convert", in, out}; },
     .extension = ".ndjson",
     .applies = [](const reel_kind& kind) { return kind.make == record_tokens; }},
    {.name = "clip",
     .words =
         [](const std::string& in, const std::string& out) {
           return std::vector<std::string>{"clip", in, "--from", "1s", "-o", out};
         },
     .extension = ".reel",
     .what = output_of::ticks},
    {.name = "recover to a reel",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"recover", in, "-o", out}; },
     .extension = ".reel",
     .what = output_of::ticks,
     .applies = [](const reel_kind& kind) { return kind.keeps_events; }},
    {.name = "recover to .butter",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"recover", in, "-o", out}; },
     .extension = ".butter",
     .what = output_of::ticks,
     .exact_only = true,
     .needs_lines = false,
     .applies = [](const reel_kind& kind) { return kind.published == ".butter"; }},
    {.name = "recover to .echoreplay",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"recover", in, "-o", out}; },
     .extension = ".echoreplay",
     .what = output_of::ticks,
     .applies = [](const reel_kind& kind) { return kind.published == ".echoreplay"; }},
    {.name = "compact",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"compact", in, "-o", out}; },
     .extension = ".reel",
     .what = output_of::ticks},
    {.name = "anonymise",
     .words =
         [](const std::string& in, const std::string& out) {
           return std::vector<std::string>{"anonymise", in, "-o", out, "--salt", "x"};
         },
     .extension = ".reel",
     .what = output_of::ticks,
     .exact_only = true,
     .needs_lines = false,
     .applies = is_echo},
    {.name = "derive",
     .words = [](const std::string& in,
                 const std::string& out) { return std::vector<std::string>{"derive", in, "-o", out}; },
     .extension = ".reel",
     .what = output_of::ticks,
     .applies = is_echo},
};

// The messages and output of a verb.
struct answer {
  outcome said;
  bool wrote = false;
  tick_texts ticks;
  std::set<std::string> lines;  // printed ticks or events
};

std::uint64_t tick_of_line(const std::string& line) {
  constexpr std::string_view begin = "{\"tick\":";
  return line.starts_with(begin) ? std::strtoull(line.c_str() + begin.size(), nullptr, 10) : 0;
}

void replace_all(std::string& text, const std::string& from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Without paths, so that reports about different files can be compared.
answer answer_of(const verb& what, const scratch_folder& folder, const std::string& input) {
  answer out;
  const std::string output = folder / "out" + (what.extension == nullptr ? "" : what.extension);
  out.said = run(what.words(input, output));
  for (std::string* const text : {&out.said.out, &out.said.err}) {
    replace_all(*text, input, "INPUT");
    replace_all(*text, output, "OUTPUT");
  }
  if (what.extension == nullptr) {
    for (const std::string& line : lines_of(out.said.out)) {
      if (what.what == output_of::ticks) out.ticks[tick_of_line(line)].insert(line);
      if (what.what == output_of::events) out.lines.insert(line);
    }
    return out;
  }
  out.wrote = std::filesystem::exists(output);
  if (out.wrote && what.what == output_of::ticks) add_ticks(output, what.exact_only, out.ticks);
  std::filesystem::remove(output);
  return out;
}

// The matrix.

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
