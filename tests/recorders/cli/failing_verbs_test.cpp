// Every system call of every verb that writes fails once, at every position. The verb then leaves the old state or the new one,
// no temporary file, and reports the failure.
#include <sys/mman.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>

#include "chain_recordings.hpp"
#include "default_system_calls.hpp"
#include "failing_calls.hpp"
#include "run_in_child.hpp"

BOOST_AUTO_TEST_SUITE(cli_faults_tests)
BOOST_AUTO_TEST_SUITE(failing_verbs_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// INPUT, OUTPUT and KEY are replaced by paths. `output` is the extension of the output.
struct operation {
  const char* input;
  const char* output;
  std::vector<std::string> words;
};

const operation operations[] = {
    {"match.butter", ".echoreplay", {"convert", "INPUT", "OUTPUT"}},
    {"zipped.echoreplay", ".butter", {"convert", "INPUT", "OUTPUT"}},
    {"zipped.echoreplay", ".reel", {"convert", "INPUT", "OUTPUT"}},
    {"match.butter", ".tape", {"convert", "INPUT", "OUTPUT"}},
    {"match.tape", ".nevrcap", {"convert", "INPUT", "OUTPUT"}},
    {"match.icrep", ".reel", {"convert", "INPUT", "OUTPUT"}},
    {"icrep.reel", ".icrep", {"convert", "INPUT", "OUTPUT"}},
    {"walk.rec", ".csv", {"convert", "INPUT", "OUTPUT"}},
    {"sample.SC2Replay", ".icrep", {"convert", "INPUT", "OUTPUT"}},
    {"match.butter", ".butter", {"clip", "INPUT", "--from", "0.2s", "--to", "0.6s", "-o", "OUTPUT"}},
    {"lines.reel", ".reel", {"clip", "INPUT", "--from", "0.2s", "-o", "OUTPUT"}},
    {"match.icrep", ".icrep", {"clip", "INPUT", "--from", "tick:0", "-o", "OUTPUT"}},
    {"match.butter", ".butter", {"recover", "INPUT", "-o", "OUTPUT"}},
    {"lines.reel", ".echoreplay", {"recover", "INPUT", "-o", "OUTPUT"}},
    {"match.reel", ".reel", {"recover", "INPUT", "-o", "OUTPUT"}},
    {"match.icrep", ".icrep", {"recover", "INPUT", "-o", "OUTPUT"}},
    {"flat.gamecache", ".gamecache", {"recover", "INPUT", "-o", "OUTPUT"}},
    {"match.reel", ".reel", {"compact", "INPUT", "-o", "OUTPUT"}},
    {"match.butter", ".butter", {"recompress", "INPUT", "--codec", "zstd", "-o", "OUTPUT"}},
    {"match.butter", ".butter", {"anonymise", "INPUT", "--salt", "x", "-o", "OUTPUT"}},
    {"sample.SC2Replay", ".SC2Replay", {"anonymise", "INPUT", "-o", "OUTPUT"}},
    {"signable.icrep", ".icrep", {"sign", "INPUT", "--key", "KEY", "-o", "OUTPUT"}},
    {"match.butter", ".reel", {"derive", "INPUT", "-o", "OUTPUT"}},
    {"match.reel", "", {"derive", "--in-place", "INPUT"}},
    {"walk.rec", ".rec", {"npc", "edit", "INPUT", "OUTPUT", "--repeat", "2"}},
    {"walk.rec", ".svg", {"npc", "plot", "INPUT", "-o", "OUTPUT"}},
    {"match.butter", ".key", {"keygen", "OUTPUT"}},
    {"match.butter", ".html", {"view", "INPUT", "--html", "OUTPUT"}},
    {"icrep.reel", ".html", {"view", "INPUT", "--html", "OUTPUT"}},
    {"match.butter", ".html", {"report", "INPUT", "-o", "OUTPUT"}},
};

struct way_to_fail {
  fault kind;
  int errno_value;
  bool for_good;
};
constexpr way_to_fail ways[] = {
    {fault::refused, EIO, false}, {fault::torn_write, ENOSPC, false}, {fault::refused, ENOSPC, true}};

struct shared_facts {
  bool struck;
  bool failed_to_remove;
};

std::map<std::string, byte_vector> files_of(const scratch_folder& folder) {
  std::map<std::string, byte_vector> files;
  for (const auto& each : std::filesystem::directory_iterator(folder.path())) {
    if (each.is_regular_file()) files[each.path().filename().string()] = read_file(each.path());
  }
  return files;
}

class trial {
 public:
  trial(const operation& what, const scratch_folder& recordings) : what_(what) {
    input_ = folder_ / what.input;
    output_ = *what.output == '\0' ? input_ : folder_ / (std::string("output") + what.output);
    key_ = messages_ / "key";
    std::filesystem::copy_file(recordings.path() / what.input, input_);
    BOOST_REQUIRE(run_verb_in_child(messages_, {"keygen", key_}).code == 0);
    facts_ = static_cast<shared_facts*>(
        ::mmap(nullptr, sizeof(shared_facts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    BOOST_REQUIRE(facts_ != MAP_FAILED);
    before_ = files_of(folder_);
    (void)run({fault::refused, EIO, false}, UINT64_MAX, false);
    whole_ = contents_of(output_);
  }
  trial(const trial&) = delete;
  trial& operator=(const trial&) = delete;
  ~trial() { ::munmap(facts_, sizeof *facts_); }

  // Fails call number `at`. Returns whether there was such a call.
  bool run(const way_to_fail& way, std::uint64_t at, bool replaces) {
    reset(replaces);
    const auto old = files_of(folder_);
    std::vector<std::string> words = what_.words;
    for (std::string& each : words) {
      if (each == "INPUT") each = input_;
      if (each == "OUTPUT") each = output_;
      if (each == "KEY") each = key_;
    }
    if (replaces) words.push_back("--force");
    *facts_ = {};
    const outcome said = in_child(messages_, [&] {
      failing_calls calls(way.kind, way.errno_value, at, way.for_good);
      default_system_calls() = &calls;
      const int code = run_verb(words);
      facts_->struck = calls.struck();
      facts_->failed_to_remove = calls.failed_to_remove();
      std::fflush(nullptr);
      ::_exit(code);
      return code;
    });
    const auto now = files_of(folder_);
    BOOST_TEST_CONTEXT(said.code << ": " << said.out << said.err) {
      check(way, said, old, now);
    }
    return facts_->struck;
  }

 private:
  void reset(bool replaces) {
    for (const auto& each : std::filesystem::directory_iterator(folder_.path()))
      std::filesystem::remove(each.path());
    for (const auto& [name, bytes] : before_) write_file(folder_.path() / name, bytes);
    if (replaces && output_ != input_) write_file(output_, as_bytes("an old file"));
  }

  void check(const way_to_fail& way, const outcome& said, const std::map<std::string, byte_vector>& old,
             const std::map<std::string, byte_vector>& now) {
    const std::string name = std::filesystem::path(output_).filename().string();
    BOOST_TEST((said.code == 0 || said.code == 1 || said.code == 3));
    if (!facts_->struck) {
      BOOST_TEST((said.code == 0 || said.code == 3));
      BOOST_TEST(now.contains(name));
      return;
    }
    // No input is changed, and no temporary file remains, unless its removal is the call that fails.
    for (const auto& [each, bytes] : old) {
      BOOST_TEST(now.contains(each), each << " is gone");
      if (each != name && now.contains(each)) BOOST_TEST((now.at(each) == bytes), each << " changed");
    }
    for (const auto& [each, bytes] : now) {
      if (!way.for_good && !facts_->failed_to_remove)
        BOOST_TEST((each.starts_with("output") || old.contains(each)), each << " remains");
      if (!way.for_good && !facts_->failed_to_remove)
        BOOST_TEST((each.find(".part") == std::string::npos), each << " remains");
    }
    if (said.code == 0) {
      BOOST_TEST(now.contains(name));
      if (now.contains(name)) BOOST_TEST((contents_of(output_) == whole_), "half of a file with exit code 0");
    }
    if (said.code != 1) return;
    BOOST_TEST(said.err.find("tickreel: ") != std::string::npos);
    BOOST_TEST((said.err.find(name) != std::string::npos ||
                said.err.find(std::filesystem::path(input_).filename().string()) != std::string::npos ||
                said.err.find("key") != std::string::npos),
               "no file is named");
    const bool has_reason = said.err.find("Input/output error") != std::string::npos ||
                            said.err.find("No space left") != std::string::npos;
    BOOST_TEST(has_reason, "no reason");
    // The old file, or the whole new one.
    const bool is_new = now.contains(name) && (!old.contains(name) || now.at(name) != old.at(name));
    if (is_new) BOOST_TEST((contents_of(output_) == whole_), "half of a file");
  }

  // The ticks of a recording, whose session may differ; the size of a file of another kind.
  std::string contents_of(const std::string& path) {
    const outcome cat = run_verb_in_child(messages_, {"cat", path});
    return cat.code == 1 ? std::to_string(std::filesystem::file_size(path)) : cat.out;
  }

  const operation& what_;
  scratch_folder folder_;
  scratch_folder messages_;
  std::string input_;
  std::string output_;
  std::string key_;
  shared_facts* facts_ = nullptr;
  std::map<std::string, byte_vector> before_;
  std::string whole_;  // contents of the output without a failure
};

// Read number `at` fails once, as on a share of a network.
class failing_read final : public system_calls {
 public:
  explicit failing_read(std::uint64_t at) : at_(at) {}
  std::int64_t read_at(std::int64_t handle, mutable_byte_span into, std::uint64_t offset) override {
    return ++reads_ == at_ ? -EACCES : system_calls::read_at(handle, into, offset);
  }
  [[nodiscard]] bool struck() const { return reads_ >= at_; }

 private:
  const std::uint64_t at_;
  std::atomic<std::uint64_t> reads_{0};  // also on threads that prefetch
};

}  // namespace

// A failed read is an error or changes nothing: it is never taken for damage, which verbs skip. Some reads of each verb fail;
// TICKREEL_TEST_WHOLE_MATRIX=1: each of them.
BOOST_AUTO_TEST_CASE(each_verb_with_the_nth_read_failing) {
  const scratch_folder recordings;
  auto shorter = short_match();
  shorter.match_seconds = 0.5f;
  files::convert_options options;
  options.keyframe_interval_ticks = 8;
  for (const char* each : {"match.butter", "match.tape", "zipped.echoreplay", "match.reel"}) {
    write_match(recordings.path() / each, options, shorter);
  }
  BOOST_REQUIRE(files::convert(recordings.path() / "zipped.echoreplay", recordings.path() / "lines.reel"));
  generator random(3);
  make_described(recordings.path() / "described.reel", random);
  const bool in_every_way = std::getenv("TICKREEL_TEST_WHOLE_MATRIX") != nullptr;
  constexpr int no_run = 100;
  const scratch_folder messages;
  std::uint64_t runs = 0;
  for (const char* input :
       {"match.butter", "match.tape", "zipped.echoreplay", "match.reel", "lines.reel", "described.reel"}) {
    for (const std::vector<std::string>& verb : std::vector<std::vector<std::string>>{
             {"cat"}, {"events"}, {"cat", "--from", "0.3s"}, {"verify"}, {"convert", "--force"}}) {
      std::vector<std::string> words = verb;
      words.insert(words.begin() + 1, recordings / input);
      const bool writes = verb.front() == "convert";
      const std::string output =
          messages / (std::string("copy") + std::filesystem::path(input).extension().string());
      if (writes) words.insert(words.begin() + 2, output);
      const auto run = [&](std::uint64_t at) {
        outcome said = in_child(messages, [&] {
          failing_read calls(at);
          default_system_calls() = &calls;
          const int code = run_verb(words);
          std::fflush(nullptr);
          ::_exit(calls.struck() ? code : no_run + code);
          return code;
        });
        if (writes && said.code != 1) said.out += text_of_file(output);
        return said;
      };
      const outcome whole = run(UINT64_MAX);
      BOOST_REQUIRE_MESSAGE(whole.code >= no_run, whole.err);
      for (std::uint64_t at = 1;; at += in_every_way ? 1 : 1 + at / 2, ++runs) {
        const outcome said = run(at);
        if (said.code >= no_run) break;
        const bool is_same = said.code == whole.code - no_run && said.out == whole.out;
        // Text that was asked for after the last tick.
        const bool is_reported =
            said.code == 3 && said.out == whole.out && said.err.find("was not read: ") != std::string::npos;
        BOOST_TEST((said.code == 1 || is_same || is_reported),
                   input << ' ' << verb.front() << ", read " << at << ": " << said.code << ": " << said.err);
      }
    }
  }
  std::cout << runs << " runs\n";
}

// Each call fails in one way. TICKREEL_TEST_WHOLE_MATRIX=1: in every way, with and without an old file.
BOOST_AUTO_TEST_CASE(each_verb_with_the_nth_call_failing) {
  const scratch_folder recordings;
  (void)fixtures(recordings);
  auto shorter = short_match();
  shorter.match_seconds = 1;
  files::convert_options options;
  options.overwrite = true;
  options.keyframe_interval_ticks = 30;
  for (const char* each : {"match.butter", "match.reel", "match.tape", "zipped.echoreplay"}) {
    write_match(recordings.path() / each, options, shorter);
  }
  const auto lines = recordings.path() / "lines.reel";
  std::filesystem::remove(lines);
  generator random(1);
  make_icrep(recordings / "signable.icrep", random);
  BOOST_REQUIRE(files::convert(recordings.path() / "zipped.echoreplay", lines));
  const bool in_every_way = std::getenv("TICKREEL_TEST_WHOLE_MATRIX") != nullptr;
  constexpr std::size_t kinds = 2 * std::size(ways);
  std::uint64_t runs = 0;
  for (const operation& each : operations) {
    std::string line;
    for (const std::string& word : each.words) line += word + ' ';
    line += each.input + std::string(" -> ") + each.output;
    trial of(each, recordings);
    std::uint64_t at = 1;
    for (bool struck = true; struck; ++at) {
      struck = false;
      for (std::size_t kind = 0; kind < kinds; ++kind) {
        if (!in_every_way && kind != at % kinds) continue;
        const way_to_fail& way = ways[kind / 2];
        const bool replaces = kind % 2 == 1 && *each.output != '\0';
        BOOST_TEST_CONTEXT(line << ", call " << at << ", kind " << int(way.kind) << ", errno "
                                << way.errno_value << (way.for_good ? ", and all later ones" : "")
                                << (replaces ? ", replacing" : "")) {
          struck = of.run(way, at, replaces) || struck;
        }
        ++runs;
      }
    }
    BOOST_TEST(at > 5u, line);
  }
  std::cout << runs << " runs\n";
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
