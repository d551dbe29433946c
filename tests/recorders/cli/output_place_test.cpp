// `-` is never an output file, for any verb and option: every place of every verb that accepts text is tried, as the help lists
// them.
#include <boost/test/unit_test.hpp>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "file_bytes.hpp"
#include "fixtures.hpp"
#include "run_program.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(output_place_test)

namespace {

using namespace tickreel::test;
using words = std::vector<std::string>;

// An option or an argument that accepts text.
struct place {
  std::string name;
  bool required = false;
  [[nodiscard]] bool is_option() const { return name.starts_with('-'); }
};

// Its own options, without those of its sub-verbs.
std::vector<place> places_of(const std::string& help) {
  static const std::regex line(R"(^  (\S+) TEXT(:\S+)?( \.\.\.)?( REQUIRED)?( .*)?$)");
  std::vector<place> out;
  std::istringstream lines(help);
  for (std::string each; std::getline(lines, each);) {
    std::smatch parts;
    if (!std::regex_match(each, parts, line)) continue;
    const std::string names = parts[1];
    out.push_back({names.substr(names.rfind(',') + 1), parts[4].matched});
  }
  return out;
}

// The verbs, as they are typed, with their options and arguments.
void list_verbs(const words& verb, std::map<words, std::vector<place>>& all) {
  words asked = verb;
  asked.emplace_back("--help");
  const std::string help = run(asked).out;
  const auto begin = help.find("Subcommands:\n");
  if (begin == std::string::npos) {
    all.emplace(verb, places_of(help));
    return;
  }
  std::istringstream lines(help.substr(begin));
  std::string each;
  std::getline(lines, each);
  while (std::getline(lines, each) && each.starts_with("  ")) {
    words below = verb;
    below.push_back(each.substr(2, each.find(' ', 2) - 2));
    list_verbs(below, all);
  }
}

// The current folder of a user.
class standing_in {
 public:
  explicit standing_in(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  standing_in(const standing_in&) = delete;
  standing_in& operator=(const standing_in&) = delete;
  ~standing_in() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

// The output options of verbs; each has to reject `-`, so that no check is missing.
const std::map<std::string, std::set<std::string>> writing = {
    {"archive", {"--spool", "--to"}},
    {"anonymise", {"--output"}},
    {"clip", {"--output"}},
    {"compact", {"--output"}},
    {"convert", {"OUT"}},
    {"derive", {"--output"}},
    {"follow", {"--output"}},
    {"keygen", {"KEYFILE"}},
    {"library export", {"--db", "--gamecache"}},
    {"library find", {"--db"}},
    {"library import", {"--db"}},
    {"library scan", {"--db"}},
    {"library stats", {"--db", "--html", "--svg"}},
    {"library watch", {"--db"}},
    {"npc build", {"--out"}},
    {"npc edit", {"OUT"}},
    {"npc plot", {"--html", "--out"}},
    {"record echo", {"--out"}},
    {"recompress", {"--output"}},
    {"recover", {"--output"}},
    {"report", {"--out"}},
    {"sign", {"--output"}},
    {"strip-voice", {"--output"}},
    {"view", {"--html"}},
};

struct everything {
  scratch_folder folder;
  std::string match = folder / "m.butter";
  std::map<words, std::vector<place>> verbs;

  everything() {
    write_match(match, {});
    list_verbs({}, verbs);
  }

  // Other required options, and options that end verbs that otherwise continue.
  [[nodiscard]] words besides(const words& verb, const std::string& tried,
                              const std::vector<place>& places) const {
    words out;
    const auto add = [&](const std::string& name, const std::string& value) {
      if (name == tried) return;
      if (name.starts_with('-')) out.push_back(name);
      out.push_back(value);
    };
    for (const place& each : places) {
      if (!each.required) continue;
      const bool made = each.name == "OUT" || each.name == "KEYFILE" || each.name.starts_with('-');
      add(each.name, each.name == "ADDRESS" ? "nats://127.0.0.1:1/l/m" : made ? folder / "made" : match);
    }
    if (verb.front() == "library") add("--db", folder / "index");
    if (verb.front() == "view") add("--html", folder / "page");
    if (verb.front() == "follow" || verb.front() == "relay") add("--idle", "0.05");
    if (verb.front() == "archive") out.emplace_back("--once");
    if (verb.front() == "record") out.insert(out.end(), {"--no-config", "--duration", "0.05", "127.0.0.1:1"});
    return out;
  }
  [[nodiscard]] outcome give(const std::string& value, const words& verb, const place& to,
                             const std::vector<place>& places) const {
    words line = verb;
    if (!to.is_option()) line.push_back(value);  // the first, except for options before an output
    words rest = besides(verb, to.name, places);
    if (!to.is_option() && to.name == "OUT") {
      line.pop_back();
      line.insert(line.end(), rest.begin(), rest.end());
      line.push_back(value);
      return run(line);
    }
    line.insert(line.end(), rest.begin(), rest.end());
    if (to.is_option()) line.insert(line.end(), {to.name, value});
    return run(line);
  }
};

std::string joined(const words& verb) {
  std::string out;
  for (const std::string& each : verb) out += (out.empty() ? "" : " ") + each;
  return out;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_dash_is_never_an_output_file, everything) {
  BOOST_TEST(verbs.size() > 30u);
  scratch_folder here;
  const standing_in inside(here.path());
  for (const auto& [verb, places] : verbs) {
    const auto written = writing.find(joined(verb));
    std::set<std::string> left = written == writing.end() ? std::set<std::string>() : written->second;
    for (const place& each : places) {
      BOOST_TEST_CONTEXT(joined(verb) << ' ' << each.name) {
        // The verb waits for input that never arrives.
        if (joined(verb) == "library watch" && each.name == "DIR") continue;
        const outcome said = give("-", verb, each, places);
        for (const auto& made : std::filesystem::recursive_directory_iterator(here.path())) {
          BOOST_TEST(made.path().filename().string().front() != '-', said.err);
        }
        if (left.erase(each.name) == 0) continue;
        BOOST_TEST(said.code == 2, said.err);
        BOOST_TEST(said.says("standard output"), said.err);
        BOOST_TEST(said.out == "");
#ifndef _WIN32
        // Here the output goes to a file.
        const outcome stream = give("/dev/stdout", verb, each, places);
        BOOST_TEST(stream.code == 2, stream.err);
        BOOST_TEST(stream.says("own streams"), stream.err);
#endif
      }
    }
    BOOST_TEST(left.empty(), joined(verb) << " has no " << (left.empty() ? "" : *left.begin()));
  }
}

// A file may have this name anyway.
BOOST_FIXTURE_TEST_CASE(a_file_named_dash_needs_a_folder, everything) {
  scratch_folder here;
  const standing_in inside(here.path());
  const outcome made = run({"convert", match, "./-", "--to", "reel"});
  BOOST_TEST(made.code == 0, made.err);
  BOOST_TEST(std::filesystem::exists(here.path() / "-"));
  BOOST_TEST(run({"info", "./-"}).code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
