// Every verb reports the parts that damage removed from an .icrep and that it would have printed.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <random>
#include <set>
#include <sstream>

#include "file_bytes.hpp"
#include "json_object.hpp"
#include "lines.hpp"
#include "random.hpp"
#include "reel_damage.hpp"
#include "run_program.hpp"
#include "taken.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/span.hpp"

BOOST_AUTO_TEST_SUITE(cli_icrep_tests)
BOOST_AUTO_TEST_SUITE(icrep_loss_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// 200 ticks, all orders in one block, all events in another.
const std::string whole = std::string(TICKREEL_KEPT_RECORDINGS) + "/0.1.0/recordings/plain.icrep";

// A copy with one flipped bit in the payload of the only block of that kind.
void write_damaged(const std::string& path, std::string_view block_magic) {
  byte_vector bytes = read_file(whole);
  const std::string_view text = as_text(bytes);
  const std::size_t block = text.find(block_magic);
  BOOST_REQUIRE(block != std::string_view::npos);
  BOOST_REQUIRE(text.find(block_magic, block + block_magic.size()) == std::string_view::npos);
  bytes[block + 60] ^= std::byte{1};
  write_file(path, bytes);
}

}  // namespace

// Every keyframe is intact, and the ticks between them are unknown.
BOOST_AUTO_TEST_CASE(lost_orders_are_not_reported_as_equal) {
  const scratch_folder folder;
  const std::string damaged = folder / "damaged.icrep";
  write_damaged(damaged, "ICOB");
  for (const bool first : {false, true}) {
    const std::string& one = first ? damaged : whole;
    const std::string& other = first ? whole : damaged;
    const outcome run_result = run({"diff", one, other, "--json"});
    BOOST_TEST(run_result.code == 1);
    BOOST_TEST(run_result.says("damaged.icrep: 200 ticks from tick 0 on are missing and were not compared"));
    dom::parser parser;
    const dom::object found = parse(parser, run_result.out);
    BOOST_TEST(simdjson::minify(found["same"]) == "false");
    BOOST_TEST(simdjson::minify(found["ticks_compared"]) == "0");
    const std::string has =
        first ? R"("in_first":false,"in_second":true)" : R"("in_first":true,"in_second":false)";
    BOOST_TEST(simdjson::minify(found["not_compared"]) == R"([{"first_tick":0,"ticks":200,)" + has + "}]");
  }
  BOOST_TEST(run({"diff", whole, damaged}).out == "no tick could be compared\n");
  BOOST_TEST(run({"diff", whole, whole}).code == 0);
}

BOOST_AUTO_TEST_CASE(ticks_missing_on_either_side_are_not_compared) {
  const scratch_folder folder;
  const std::string match =
      std::string(TICKREEL_KEPT_RECORDINGS) + "/0.1.0/recordings/match.icrep";  // a block for each tick
  const auto without = [&](const std::string& path, std::initializer_list<int> lost) {
    byte_vector bytes = read_file(match);
    for (const int tick : lost) {
      std::size_t block = as_text(bytes).find("ICOB");
      for (int i = 0; i < tick; ++i) block = as_text(bytes).find("ICOB", block + 4);
      bytes[block + 52] ^= std::byte{1};
    }
    write_file(path, bytes);
    return path;
  };
  const std::string one = without(folder / "one.icrep", {10, 11, 150});
  const std::string other = without(folder / "other.icrep", {11, 12});
  const outcome run_result = run({"diff", one, other});
  BOOST_TEST(run_result.code == 3);
  BOOST_TEST(run_result.out == "the same, for 196 ticks\n");
  BOOST_TEST(run_result.says("one.icrep: 1 tick from tick 10 on"));
  BOOST_TEST(run_result.says("one.icrep: 1 tick from tick 11 on"));
  BOOST_TEST(run_result.says("other.icrep: 1 tick from tick 11 on"));
  BOOST_TEST(run_result.says("other.icrep: 1 tick from tick 12 on"));
  BOOST_TEST(run_result.says("one.icrep: 1 tick from tick 150 on"));
  // What `cat` says of the same ticks is not repeated.
  BOOST_TEST(run({"cat", one}).says("the orders of 2 ticks from tick 10 on are missing"));
  BOOST_TEST(!run_result.says("the orders of"), run_result.err);
  BOOST_TEST(run({"diff", match, one}).out == "the same, for 197 ticks\n");
}

// Only ticks up to the end of the shorter recording are compared.
BOOST_AUTO_TEST_CASE(diff_reports_what_a_cut_recording_lacks) {
  const scratch_folder folder;
  const std::string cut = folder / "cut.reel";
  BOOST_REQUIRE(run({"convert", whole, cut}).code == 0);
  byte_vector bytes = read_file(cut);
  bytes.resize(bytes.size() * 3 / 4);
  write_file(cut, bytes);
  const outcome shown = run({"cat", cut});
  BOOST_TEST(shown.code == 3);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"diff", whole, cut}, {"diff", cut, whole}}) {
    const outcome said = run(words);
    BOOST_TEST(said.code == 3, said.out << said.err);
    BOOST_TEST(said.says(shown.err), said.err);
    const outcome printed = run({words[0], words[1], words[2], "--json"});
    BOOST_TEST(printed.code == 3);
    dom::parser parser;
    const dom::object found = parse(parser, printed.out);
    BOOST_TEST(simdjson::minify(found["same"]) == "false");
    BOOST_TEST(simdjson::minify(found["complete"]) == "false");
    const bool first_is_cut = words[1] == cut;
    BOOST_TEST((simdjson::minify(found["first_lost"]) == "[]") == !first_is_cut);
    BOOST_TEST((simdjson::minify(found["second_lost"]) == "[]") == first_is_cut);
  }
  // Bytes after the end are not compared either.
  const std::string longer = folder / "longer.icrep";
  byte_vector more = read_file(whole);
  more.resize(more.size() + 5);
  write_file(longer, more);
  const outcome printed = run({"diff", whole, longer, "--json"});
  BOOST_TEST(printed.code == 3);
  BOOST_TEST(contains(printed.out, R"("complete":false,"first_lost":[],"second_lost":["5 bytes)"),
             printed.out);
  BOOST_TEST(contains(run({"diff", whole, whole, "--json"}).out,
                      R"("complete":true,"first_lost":[],"second_lost":[],"same":true)"));
}

// What both lack before their beginnings is not part of them.
BOOST_AUTO_TEST_CASE(diff_compares_clips_from_the_earlier_beginning) {
  const scratch_folder folder;
  const std::string match = std::string(TICKREEL_KEPT_RECORDINGS) + "/0.2.0/recordings/match.chained.reel";
  for (const std::string_view extension : {".reel", ".icrep"}) {
    const std::string late = folder / ("late" + std::string(extension));
    const std::string early = folder / ("early" + std::string(extension));
    BOOST_REQUIRE(run({"clip", match, "--from", "tick:100", "-o", late}).code == 0);
    BOOST_REQUIRE(run({"clip", match, "--from", "tick:50", "-o", early}).code == 0);
    const outcome same = run({"diff", late, late});
    BOOST_TEST(same.code == 0, same.err);
    BOOST_TEST(same.out == "the same, for 50 ticks\n");
    BOOST_TEST(same.err.empty(), same.err);
    BOOST_TEST(contains(run({"diff", late, late, "--json"}).out, R"("not_compared":[])"));
    const outcome other = run({"diff", late, early});
    BOOST_TEST(other.code == 3);
    BOOST_TEST(other.out == "the same, for 50 ticks\n");
    BOOST_TEST(other.err ==
               "tickreel: " + late + ": 40 ticks from tick 40 on are missing and were not compared\n");
  }
}

BOOST_AUTO_TEST_CASE(lost_orders_are_reported_with_the_states_around_them) {
  const scratch_folder folder;
  const std::string damaged = folder / "damaged.icrep";
  write_damaged(damaged, "ICOB");
  const outcome shown = run({"cat", damaged});
  BOOST_TEST(shown.code == 3);
  BOOST_TEST((shown.out == run({"cat", whole}).out));
  BOOST_TEST(shown.says("the orders of 200 ticks from tick 0 on are missing"));
  // Only the orders between the printed states.
  const outcome part = run({"cat", damaged, "--from", "60", "--to", "90"});
  BOOST_TEST(part.code == 3);
  BOOST_TEST(part.says("ticks from tick 60 on are missing"));
  BOOST_TEST(run({"cat", whole, "--from", "60", "--to", "90"}).code == 0);
}

BOOST_AUTO_TEST_CASE(lost_events_are_reported) {
  const scratch_folder folder;
  const std::string damaged = folder / "damaged.icrep";
  write_damaged(damaged, "ICEB");
  const outcome run_result = run({"events", damaged});
  BOOST_TEST(run_result.code == 3);
  BOOST_TEST(run_result.says("events are missing"));
}

namespace {

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.insert(line);
  return all;
}

bool is_called_whole(const std::string& path) {
  return run({"info", "--json", path}).out.find(R"("health":"whole")") != std::string::npos;
}

// Bytes of the header and of the metadata have no check value in the format.
std::size_t end_of_unchecked(byte_span file) {
  byte_reader in(file);
  in.skip(8);
  const std::size_t begin = in.u32();
  return begin + in.u32();
}

}  // namespace

// Whatever is flipped: the output was in the file, or a loss is reported; and copies keep reporting it.
BOOST_AUTO_TEST_CASE(no_verb_makes_a_complete_file_of_a_damaged_one) {
  std::mt19937_64 random = seeded_random("flipped bits");
  const scratch_folder folder;
  const std::set<std::string> states = lines_of(run({"cat", whole}).out);
  const std::string whole_reel = folder / "whole.reel";
  BOOST_REQUIRE(run({"convert", whole, whole_reel}).code == 0);
  const auto check = [&](const outcome& run_result, const std::string& made, const std::string& what) {
    BOOST_TEST_CONTEXT(what) {
      BOOST_TEST((run_result.code == 0 || run_result.code == 1 || run_result.code == 3), run_result.err);
      if (!std::filesystem::exists(made)) {
        BOOST_TEST(run_result.code == 1);
        return;
      }
      const outcome again = run({"cat", made});
      const std::set<std::string> shown = lines_of(again.out);
      BOOST_TEST((std::ranges::includes(states, shown)), "values that were never recorded");
      if (shown == states) return;
      BOOST_TEST(run_result.code != 0, "it does not report its loss");
      BOOST_TEST(again.code != 0, "the copy does not report its loss");
    }
  };
  for (int trial = 0; trial < 16; ++trial) {
    const bool is_reel = trial % 4 == 3;
    const byte_vector good = read_file(is_reel ? whole_reel : whole);
    const std::size_t from = is_reel ? 0 : end_of_unchecked(good);
    BOOST_REQUIRE(from < good.size());
    const std::string damaged = folder / (is_reel ? "damaged.reel" : "damaged.icrep");
    byte_vector bytes = good;
    const std::size_t place = from + random() % (good.size() - from);
    const auto bit = static_cast<unsigned>(random() % 8);
    const bool is_cut = trial % 8 >= 6;
    if (is_cut) {
      bytes.resize(place);
    } else {
      bytes[place] ^= std::byte{1} << bit;
    }
    write_file(damaged, bytes);
    const std::string at = std::string(is_reel ? "reel, " : "") + (is_cut ? "cut at " : "") + "byte " +
                           std::to_string(place) + " bit " + std::to_string(bit);
    const int verified = run({"verify", damaged}).code;
    const bool is_sound = verified == 0;
    const outcome shown = run({"cat", damaged});
    const std::set<std::string> lines = lines_of(shown.out);
    BOOST_TEST((std::ranges::includes(states, lines)), at + " cat");
    if (lines != states) BOOST_TEST(shown.code != 0, at + " cat");
    if (is_sound) BOOST_TEST((lines == states), at + " verify");
    if (lines != states) BOOST_TEST(run({"diff", whole, damaged}).code != 0, at + " diff");
    if (verified == 1) BOOST_TEST(!is_called_whole(damaged), at + " info");
    const std::string reel = folder / "made.reel";
    const std::string file = folder / "made.icrep";
    const auto fresh = [&](const std::string& path) {
      std::filesystem::remove(path);
      return path;
    };
    check(run({"clip", damaged, "--from", "tick:0", "-o", fresh(file)}), file, at + " clip");
    check(run({"clip", damaged, "--from", "tick:0", "-o", fresh(reel)}), reel, at + " clip to a reel");
    const std::string& other = is_reel ? file : reel;
    const std::string& same = is_reel ? reel : file;
    check(run({"convert", damaged, fresh(other)}), other, at + " convert");
    check(run({"recompress", damaged, "-o", fresh(same)}), same, at + " recompress");
    check(run({"recover", damaged, "-o", fresh(same)}), same, at + " recover");
  }
}

// A clip on purpose is not a loss, in either container and between them.
BOOST_AUTO_TEST_CASE(a_clip_that_starts_later_lacks_nothing) {
  const scratch_folder folder;
  const std::string part = folder / "part.icrep";
  const std::string reel = folder / "part.reel";
  const std::string back = folder / "back.icrep";
  const outcome cut = run({"clip", whole, "--from", "tick:150", "-o", part});
  BOOST_TEST(cut.code == 0, cut.err);
  BOOST_REQUIRE(!cut.says("ticks 0 to"));
  BOOST_TEST(run({"convert", part, reel}).code == 0);
  const outcome again = run({"convert", reel, back});
  BOOST_TEST(again.code == 0, again.err);
  const outcome shown = run({"cat", part});
  for (const std::string& each : {part, reel, back}) {
    const outcome run_result = run({"cat", each});
    BOOST_TEST(run_result.code == 0, run_result.err);
    BOOST_TEST((run_result.out == shown.out));
    const outcome verified = run({"verify", each});
    BOOST_TEST(verified.code == 0);
    BOOST_TEST(!verified.says("warning"), verified.out);
  }
}

namespace {

// Whether the copy exists and reports that it lacks something, as its writer did.
void check_incomplete_copy(const outcome& made, const std::string& copy) {
  BOOST_TEST(made.code == 3, made.err);
  BOOST_REQUIRE(std::filesystem::exists(copy));
  BOOST_TEST(!is_called_whole(copy));
  BOOST_TEST(run({"verify", copy}).code == 3);
  BOOST_TEST(run({"cat", copy}).code == 3);
  std::filesystem::remove(copy);
}

}  // namespace

// Also if all of its ticks and the end of the match are there: only an end record proves that nothing followed.
BOOST_AUTO_TEST_CASE(copies_of_a_reel_without_end_are_incomplete) {
  const scratch_folder folder;
  const std::string all = folder / "all.reel";
  const std::string part = folder / "part.reel";
  BOOST_REQUIRE(run({"convert", whole, all}).code == 0);
  BOOST_REQUIRE(run({"clip", whole, "--from", "tick:150", "-o", part}).code == 0);
  const std::string cut = folder / "cut.reel";
  const std::string file = folder / "made.icrep";
  const std::string reel = folder / "made.reel";
  for (const std::string& from : {all, part}) {
    const byte_vector bytes = read_file(from);
    const auto records = taken(reel::reader::from_memory(bytes)).contents().records;
    const auto chunks = std::ranges::count(records, reel::record_kind::chunk, &reel::record_info::kind);
    std::ptrdiff_t chunks_before = 0;
    std::string tick;
    for (const reel::record_info& each : records) {
      const bool is_last = &each == &records.back();
      // Before each record, and within the last.
      write_file(cut,
                 byte_span(bytes).first(is_last ? bytes.size() - 10 : static_cast<std::size_t>(each.offset)));
      BOOST_TEST_CONTEXT(from + " cut at " + std::to_string(each.offset)) {
        if (chunks_before == chunks) {
          check_incomplete_copy(run({"convert", cut, file}), file);
          check_incomplete_copy(run({"clip", cut, "--from", tick, "-o", file}), file);
          check_incomplete_copy(run({"clip", cut, "--from", tick, "-o", reel}), reel);
          check_incomplete_copy(run({"recover", cut, "-o", file}), file);
        }
        if (is_last) {
          for (const std::string& inner : {file, reel}) {
            BOOST_TEST(run({"clip", cut, "--from", "tick:150", "--to", "tick:160", "-o", inner}).code == 0);
            BOOST_TEST(is_called_whole(inner));
            BOOST_TEST(run({"verify", inner}).code == 0);
            std::filesystem::remove(inner);
          }
        }
      }
      if (each.kind != reel::record_kind::chunk) continue;
      tick = "tick:" + std::to_string(each.last_tick);
      ++chunks_before;
    }
    BOOST_REQUIRE(!tick.empty());
  }
}

BOOST_AUTO_TEST_CASE(copies_of_a_damaged_clip_are_incomplete) {
  const scratch_folder folder;
  const std::string part = folder / "part.reel";
  const std::string file = folder / "made.icrep";
  BOOST_REQUIRE(run({"clip", whole, "--from", "tick:150", "-o", part}).code == 0);
  const byte_vector good = read_file(part);
  const auto records = taken(reel::reader::from_memory(good)).contents().records;
  std::size_t copies = 0;
  for (const reel::record_info& each : records) {
    // Readers can do without the index.
    if (each.kind == reel::record_kind::index) continue;
    byte_vector bytes = good;
    bytes[static_cast<std::size_t>(each.offset + each.bytes / 2)] ^= std::byte{1};
    write_file(part, bytes);
    BOOST_TEST_CONTEXT("a bit of the record at " + std::to_string(each.offset)) {
      const outcome made = run({"convert", part, file});
      if (!std::filesystem::exists(file)) continue;
      check_incomplete_copy(made, file);
      ++copies;
    }
  }
  BOOST_TEST(copies > 0u);
}

// A clip of an incomplete recording is incomplete only if it reaches the end.
BOOST_AUTO_TEST_CASE(a_clip_to_the_end_of_an_incomplete_recording_is_incomplete) {
  const scratch_folder folder;
  const std::string cut = folder / "cut.reel";
  const std::string unfinished = folder / "unfinished.icrep";
  BOOST_REQUIRE(run({"convert", whole, cut}).code == 0);
  std::filesystem::resize_file(cut, places_of(read_file(cut)).back().offset);
  BOOST_REQUIRE(run({"convert", cut, unfinished}).code == 3);
  for (const char* const extension : {".icrep", ".reel"}) {
    const std::string part = folder / (std::string("part") + extension);
    check_incomplete_copy(run({"clip", unfinished, "--from", "tick:150", "-o", part}), part);
    const outcome inner = run({"clip", unfinished, "--from", "tick:150", "--to", "tick:160", "-o", part});
    BOOST_TEST(inner.code == 0, inner.err);
    BOOST_TEST(run({"verify", part}).code == 0);
    std::filesystem::remove(part);
  }
}

// The file that recover writes reports what could not be recovered.
BOOST_AUTO_TEST_CASE(a_recovered_file_reports_its_losses) {
  const scratch_folder folder;
  byte_vector bytes = read_file(whole);
  const std::size_t index_end = as_text(bytes).find("ICKC");
  BOOST_REQUIRE(index_end != std::string_view::npos);
  bytes[index_end - 40] ^= std::byte{1};
  const std::string damaged = folder / "damaged.icrep";
  const std::string saved = folder / "saved.icrep";
  write_file(damaged, bytes);
  BOOST_TEST(run({"recover", damaged, "-o", saved}).code == 3);
  const outcome run_result = run({"cat", saved});
  BOOST_TEST(run_result.code == 3);
  BOOST_TEST(run_result.says("the recording reports that it lacks"), run_result.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
