// Every kind of damage in a recording of every format, with every verb. No verb crashes, hangs, needs much memory, leaves a file
// behind, changes its input, or is silent about what `cat` reports.
//
//   TICKREEL_TEST_FILES=N    damaged files of each kind and recording, all of them if there are not more (default 1)
//   TICKREEL_TEST_SKIP=N     without the first of them: the next part of a long run with the same seed (default 0)
//   TICKREEL_TEST_SHARE=N    on each file `cat`, `verify` and every N-th of the other verbs (default 4)
//   TICKREEL_TEST_VERBS=A,B  `cat`, `verify` and these
//   TICKREEL_TEST_ONLY=A,B   these recordings
//   TICKREEL_TEST_DAMAGE=A,B cut, flip, splice, number, part: only these
//   TICKREEL_TEST_TICKS=N    in the recordings (default 3)
//   TICKREEL_TEST_KEEP=DIR   keep the files of findings there
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <iostream>
#include <optional>

#include "../../fuzz/mutators/archive.hpp"
#include "../../fuzz/mutators/butter.hpp"
#include "../../fuzz/mutators/capture.hpp"
#include "../../fuzz/mutators/icrep.hpp"
#include "../../fuzz/mutators/mcap.hpp"
#include "../../fuzz/mutators/reel.hpp"
#include "bad_input.hpp"
#include "random.hpp"
#include "small_recordings.hpp"

BOOST_AUTO_TEST_SUITE(cli_bad_input_tests)
BOOST_AUTO_TEST_SUITE(bad_input_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// Divides a file into parts, and writes it again with valid lengths and checksums.
struct part_format {
  std::optional<fuzz::parts> (*split)(byte_span file) = nullptr;
  std::optional<byte_vector> (*join)(const fuzz::parts& from) = nullptr;
};
template <class Format>
constexpr part_format parts_of = {Format::split, Format::join};

// `ticks` is the usual number for the recording, one less for the other one that is joined to it.
struct small_kind {
  const char* name;
  void (*make)(const std::string& path, std::uint64_t ticks);
  part_format parts = {};
  bool is_checked = false;
};

template <codec_id Codec>
void make_small_match(const std::string& path, std::uint64_t ticks) {
  make_match(path, ticks, Codec);
}
void make_small_lamp(const std::string& path, std::uint64_t ticks) {
  make_lamp(path, static_cast<int>(ticks));
}
void make_small_orders(const std::string& path, std::uint64_t ticks) {
  make_orders(path, ticks, 1);
}

const small_kind small_kinds[] = {
    {"none.butter", make_small_match<codec_id::none>, parts_of<fuzz::butter_format>},
    {"gzip.butter", make_small_match<codec_id::gzip>, parts_of<fuzz::butter_format>},
    {"zstd.butter", make_small_match<codec_id::zstd>, parts_of<fuzz::butter_format>},
    {"plain.echoreplay", make_small_match<codec_id::none>},
    {"zipped.echoreplay", make_small_match<codec_id::gzip>},
    {"match.tape", make_small_match<codec_id::zstd>, parts_of<fuzz::capture_format>},
    {"match.nevrcap", make_small_match<codec_id::zstd>, parts_of<fuzz::capture_format>},
    {"rows.reel", make_small_match<codec_id::zstd>, parts_of<fuzz::reel_format>, true},
    {"gap.reel", [](const std::string& path, std::uint64_t) { make_reel_with_gap(path); },
     parts_of<fuzz::reel_format>, true},
    {"lamp.reel", make_small_lamp, parts_of<fuzz::reel_format>, true},
    {"orders.reel",
     [](const std::string& path, std::uint64_t ticks) {
       const scratch_folder folder;
       make_small_orders(folder / "a.icrep", ticks);
       convert(folder.path() / "a.icrep", path, "reel");
     },
     parts_of<fuzz::reel_format>, true},
    {"orders.icrep", make_small_orders, parts_of<fuzz::icrep_format>},
    {"walk.rec", [](const std::string& path, std::uint64_t ticks) { make_short_walk(path, ticks); }},
    {"one.gamecache", [](const std::string& path, std::uint64_t) { make_cache_of_one(path); }},
    {"flat.gamecache",
     [](const std::string& path, std::uint64_t) { write_file(path, a_cache(gamecache::layout::flat)); }},
    {"sample.SC2Replay", [](const std::string& path, std::uint64_t) { write_file(path, sample_file()); },
     parts_of<fuzz::archive_format>},
    {"lamp.mcap",
     [](const std::string& path, std::uint64_t ticks) {
       const scratch_folder folder;
       make_small_lamp(folder / "a.reel", ticks);
       convert(folder.path() / "a.reel", path, "mcap");
     },
     parts_of<fuzz::mcap_format>},
};

constexpr const char* column_names[damage_columns] = {"cut", "flip", "splice", "number", "part"};

// Of a part, or that part replaced by one of the other file.
struct part_damage {
  std::size_t part = 0;
  std::optional<byte_damage> within;
  std::size_t other = 0;
};

// Those of a whole file, and those of its parts with checksums computed again.
class damages {
 public:
  // Only those of the named kinds: all of a large file need more memory than a verb may use.
  template <class IsNamed>
  damages(const small_kind& kind, byte_vector file, byte_vector other, std::mt19937_64& random,
          const IsNamed& is_named)
      : kind_(kind), file_(std::move(file)), other_(std::move(other)) {
    if (is_named("cut")) add(every_cut(file_));
    if (is_named("flip")) add(every_flip(file_));
    if (is_named("splice")) add(every_splice(file_, other_, random));
    if (is_named("number")) add(every_number(file_));
    if (kind.parts.split == nullptr || !is_named("part")) return;
    const auto split = kind.parts.split(file_);
    const auto other_split = kind.parts.split(other_);
    BOOST_REQUIRE((split && other_split));
    parts_ = *split;
    other_parts_ = *other_split;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      for (std::size_t each = 0; each < other_parts_.size(); ++each) in_parts_.push_back({part, {}, each});
      for (const byte_damage& each : every_number(parts_[part])) in_parts_.push_back({part, each});
    }
  }

  // At most `count` of each column, after the first `skipped` ones of a random order.
  void take_sample(std::size_t skipped, std::size_t count, std::mt19937_64& random) {
    std::shuffle(whole_.begin(), whole_.end(), random);
    std::ranges::stable_sort(whole_, {}, &byte_damage::kind);
    std::vector<byte_damage> kept;
    std::size_t begin = 0;
    for (std::size_t each = 0; each < whole_.size(); ++each) {
      if (whole_[each].kind != whole_[begin].kind) begin = each;
      if (each - begin >= skipped && each - begin - skipped < count) kept.push_back(whole_[each]);
    }
    whole_ = std::move(kept);
    std::shuffle(in_parts_.begin(), in_parts_.end(), random);
    in_parts_.erase(in_parts_.begin(),
                    in_parts_.begin() + static_cast<std::ptrdiff_t>(std::min(in_parts_.size(), skipped)));
    in_parts_.resize(std::min(in_parts_.size(), count));
  }

  [[nodiscard]] std::size_t size() const { return whole_.size() + in_parts_.size(); }
  [[nodiscard]] bad_file make(std::size_t number) const {
    if (number < whole_.size()) {
      const byte_damage& damage = whole_[number];
      return {static_cast<std::size_t>(damage.kind), damage.text(), apply(damage, file_, other_)};
    }
    const part_damage& damage = in_parts_[number - whole_.size()];
    fuzz::parts made = parts_;
    made[damage.part] =
        damage.within ? apply(*damage.within, parts_[damage.part], {}) : other_parts_[damage.other];
    const std::string what =
        damage.within ? damage.within->text() : "part " + std::to_string(damage.other) + " of another file";
    return {repaired_column, "part " + std::to_string(damage.part) + ": " + what,
            kind_.parts.join(made).value_or(file_)};
  }

 private:
  void add(const std::vector<byte_damage>& more) { whole_.insert(whole_.end(), more.begin(), more.end()); }

  const small_kind& kind_;
  byte_vector file_;
  byte_vector other_;
  fuzz::parts parts_;
  fuzz::parts other_parts_;
  std::vector<byte_damage> whole_;
  std::vector<part_damage> in_parts_;
};

// In another process, so that this one stays small and without threads: it is forked often.
void make(const small_kind& kind, const scratch_folder& messages, const std::string& path,
          std::uint64_t ticks) {
  const outcome made = in_child(messages, [&] {
    kind.make(path, ticks);
    return 0;
  });
  BOOST_REQUIRE_MESSAGE(made.code == 0, kind.name << made.out << made.err);
}

std::size_t number_of(const char* variable, std::size_t usual) {
  const char* const given = std::getenv(variable);
  return given == nullptr ? usual : std::strtoull(given, nullptr, 10);
}
// Whether the variable is not set, or lists the name.
bool lists(const char* variable, const std::string& name) {
  const char* const given = std::getenv(variable);
  return given == nullptr || contains(std::string(",") + given + ",", "," + name + ",");
}

// With the verbs that work on it.
whole_recording whole_of(const small_kind& kind, const scratch_folder& folder, std::uint64_t ticks) {
  whole_recording of;
  of.name = kind.name;
  of.extension = std::filesystem::path(kind.name).extension().string();
  of.is_checked = kind.is_checked;
  const std::string path = folder / kind.name;
  const scratch_folder messages;
  make(kind, messages, path, ticks);
  of.bytes = read_file(path);
  BOOST_REQUIRE(run_verb_in_child(messages, {"keygen", messages / "key"}).code == 0);
  for (const tried_verb& each : every_tried_verb()) {
    if (of.verbs.size() > verify_verb && !lists("TICKREEL_TEST_VERBS", each.name)) continue;
    std::vector<std::string> words = each.words;
    const std::string extension = each.extension == "=" ? of.extension : each.extension;
    for (std::string& word : words) {
      if (word == "INPUT" || word == "WHOLE") word = path;
      if (word == "FOLDER") word = folder.path().string();
      if (word == "KEY") word = messages / "key";
      if (word == "OUTPUT") word = messages / ("output" + std::to_string(of.verbs.size()) + extension);
    }
    const outcome said =
        in_child(messages, [&] { return run_tried(each, words, path, of.bytes, messages / "out"); });
    if (each.client == verb_client::growing_page) write_file(path, of.bytes);
    if (said.code == 0 || said.code == 3) of.verbs.push_back(each);
    // These texts keep the bytes after the last block, and restore the file.
    const bool keeps_all =
        of.extension == ".rec" && (each.extension == ".csv" || each.extension == ".ndjson");
    if (keeps_all && !of.verbs.empty()) of.verbs.back().reads_all = false;
    if (each.name == "cat") of.cat = {said.code, said.out, without_paths(said.err)};
  }
  BOOST_REQUIRE(of.verbs.size() > verify_verb);
  BOOST_REQUIRE(of.verbs[verify_verb].name == "verify");
  return of;
}

void print_counts(const whole_recording& of, const bad_input_counts& counts) {
  std::cout << of.name << ": " << of.bytes.size() << " bytes, " << of.verbs.size() << " verbs, at most "
            << counts.max_kib / 1024 << " MiB and " << counts.longest_us / 1000 << " ms\n";
  for (std::size_t column = 0; column < damage_columns; ++column) {
    if (counts.files[column] == 0) continue;
    std::cout << "  " << column_names[column] << ": " << counts.files[column] << " files, "
              << counts.unnoticed[column] << " unnoticed";
    for (std::size_t each = 0; each < verb_class_names.size(); ++each) {
      const auto& cell = counts.cells[column][each];
      std::cout << "; " << verb_class_names[each] << ' ' << cell.runs << ": " << cell.done << " done, "
                << cell.reported << " reported, " << cell.failed << " failed";
    }
    std::cout << '\n';
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(diff_reports_a_missing_end_of_structs) {
  const scratch_folder folder;
  const std::string whole = folder / "whole.reel";
  make_lamp(whole, 3);
  byte_vector bytes = read_file(whole);
  bytes.pop_back();
  write_file(folder / "cut.reel", bytes);
  const outcome said = run_verb_in_child(folder, {"diff", whole, folder / "cut.reel"});
  BOOST_TEST(said.code == 3, said.out << said.err);
  BOOST_TEST(said.says("cut.reel: the file ends early at offset "), said.err);
}

BOOST_AUTO_TEST_CASE(serve_reports_bytes_after_the_end) {
  const scratch_folder folder;
  const std::string path = folder / "twice.butter";
  make_match(path, 3, codec_id::none);
  byte_vector bytes = read_file(path);
  const std::size_t size = bytes.size();
  bytes.resize(2 * size);
  std::copy_n(bytes.begin(), size, bytes.begin() + static_cast<std::ptrdiff_t>(size));
  write_file(path, bytes);
  const outcome said = run_verb_in_child(folder, {"serve", path, "--port", "0", "--speed", "1000"});
  BOOST_TEST(said.code == 3, said.out << said.err);
  BOOST_TEST(said.says(" bytes after the end at offset " + std::to_string(size)), said.err);
}

BOOST_AUTO_TEST_CASE(every_verb_on_damage_of_every_kind) {
  auto random = seeded_random("bad input");
  const std::size_t max_files = number_of("TICKREEL_TEST_FILES", 1);
  const std::size_t share = number_of("TICKREEL_TEST_SHARE", 4);
  const std::size_t ticks = number_of("TICKREEL_TEST_TICKS", 3);
  for (const small_kind& kind : small_kinds) {
    if (!lists("TICKREEL_TEST_ONLY", kind.name)) continue;
    const scratch_folder folder;
    whole_recording of = whole_of(kind, folder, ticks);
    const std::string other = folder / "other" + of.extension;
    make(kind, folder, other, ticks - 1);
    of.other_cat = run_verb_in_child(folder, {"cat", other}).out;
    damages all(kind, of.bytes, read_file(other), random,
                [](const char* name) { return lists("TICKREEL_TEST_DAMAGE", name); });
    all.take_sample(number_of("TICKREEL_TEST_SKIP", 0), max_files, random);
    bad_input_judge judge(of);
    constexpr std::size_t files_at_once = 64;
    std::vector<bad_file> files;
    for (std::size_t each = 0; each < all.size(); ++each) {
      files.push_back(all.make(each));
      if (files.size() < files_at_once && each + 1 < all.size()) continue;
      judge.check(each + 1 - files.size(), files, share);
      files.clear();
    }
    print_counts(of, judge.counts());
    for (const std::string& each : judge.findings()) BOOST_TEST(false, each);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
