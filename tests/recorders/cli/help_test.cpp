// Descriptions of the program's options: help, manual page, completions and docs/options.md.
#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "file_bytes.hpp"
#include "fixtures.hpp"
#include "run_program.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(help_test)

namespace {

using namespace tickreel::test;

// "record echo" and all others, as the documentation lists them.
std::vector<std::vector<std::string>> all_verbs() {
  std::vector<std::vector<std::string>> verbs;
  const std::string page = run({"man", "--markdown"}).out;
  for (std::size_t at = 0; (at = page.find("\n## ", at)) != std::string::npos; ++at) {
    std::istringstream line(page.substr(at + 4, page.find('\n', at + 4) - at - 4));
    verbs.emplace_back(std::istream_iterator<std::string>(line), std::istream_iterator<std::string>());
  }
  return verbs;
}

}  // namespace

BOOST_AUTO_TEST_CASE(help_and_version_succeed_and_wrong_usage_fails) {
  const outcome version = run({"--version"});
  BOOST_TEST(version.code == 0);
  BOOST_TEST(version.out.starts_with("tickreel "));
  BOOST_TEST(std::count(version.out.begin(), version.out.end(), '.') == 2);
  for (const char* verb : {"record", "serve", "info", "cat", "seek", "verify", "recover", "convert"}) {
    const outcome help = run({verb, "--help"});
    BOOST_TEST(help.code == 0, verb);
    BOOST_TEST(help.out.find("Usage: ") != std::string::npos, verb);
    if (std::string_view(verb) != "record") {
      BOOST_TEST(help.out.find("Examples:\n  tickreel " + std::string(verb)) != std::string::npos, verb);
    }
    // FILE, or the source, is missing.
    BOOST_TEST(run({verb}).code == 2, verb);
    BOOST_TEST(run({verb, "--no-such-option"}).code == 2, verb);
  }
  BOOST_TEST(run({"record", "echo", "--help"}).out.find("Examples:") != std::string::npos);
  BOOST_TEST(run({}).code == 2);
  BOOST_TEST(run({"no-such-verb"}).code == 2);
}

BOOST_AUTO_TEST_CASE(every_verb_explains_itself) {
  const auto verbs = all_verbs();
  BOOST_TEST(verbs.size() > 30);
  const std::string manual = run({"man"}).out;
  for (std::vector<std::string> words : verbs) {
    std::string name = "tickreel";
    for (const std::string& each : words) name += ' ' + each;
    words.emplace_back("--help");
    const outcome said = run(words);
    BOOST_TEST(said.code == 0, name);
    BOOST_TEST(said.out.find("Usage: " + name) != std::string::npos, said.out);
    BOOST_TEST(said.out.find("Example") != std::string::npos, said.out);
    std::string section = "\n.SS " + name + '\n';
    for (std::size_t at = 0; (at = section.find('-', at)) != std::string::npos; at += 2) {
      section.insert(at, "\\");
    }
    BOOST_TEST(manual.find(section) != std::string::npos, section);
  }
}

BOOST_AUTO_TEST_CASE(help_describes_types_limits_and_related_options) {
  const std::string serve = run({"serve", "--help"}).out;
  BOOST_TEST(serve.find("--port UINT:INT in [0 - 65535]") != std::string::npos, serve);
  BOOST_TEST(serve.find("--speed FLOAT:FLOAT in [0.001 - 1000]") != std::string::npos, serve);
  BOOST_TEST(serve.find("--mode TEXT:{arena,combat} Needs: --simulate") != std::string::npos, serve);
  BOOST_TEST(serve.find("--repair Excludes: --simulate") != std::string::npos, serve);
  BOOST_TEST(serve.find("  tickreel serve match.butter --speed 2\n") != std::string::npos, serve);
  const std::string edit = run({"npc", "edit", "--help"}).out;
  BOOST_TEST(edit.find("OUT TEXT REQUIRED") != std::string::npos, edit);
  BOOST_TEST(edit.find("--cut FLOAT:TIME x 2") != std::string::npos, edit);
  BOOST_TEST(edit.find("--join TEXT ...") != std::string::npos, edit);
  // Only for engineers who work on the page.
  BOOST_TEST(run({"view", "--help"}).out.find("--page") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(values_are_checked_before_anything_is_opened) {
  struct mistake {
    std::vector<std::string> words;
    std::string said;
  };
  const std::vector<mistake> mistakes = {
      {{"serve", "--simulate", "--port", "70000"}, "--port: Value 70000 not in range 0 to 65535"},
      {{"serve", "--simulate", "--port", "9x"}, "--port: Value 9x not in range 0 to 65535"},
      {{"serve", "x", "--speed", "1e9"}, "--speed: Value 1e9 not in range 0.001 to 1000"},
      {{"convert", "a", "b", "--codec", "zip"}, "--codec: zip not in {none,gzip,lz4,zstd}"},
      {{"archive", "x", "--to", "y", "--idle", "5y"}, "--idle: y unit not recognized"},
      {{"archive", "x", "--to", "y", "--idle", "long"}, "--idle: "},
      {{"publish", "x", "--keep-bytes", "5Q"}, "--keep-bytes: Q unit not recognized"},
      {{"publish", "x", "--keep-bytes", "-5"}, "--keep-bytes: -5 is less than 0"},
      {{"publish", "x", "--keep-bytes", "99999E"}, "--keep-bytes: 99999E is too large"},
      {{"publish", "x", "--keep-bytes", "10E"}, "--keep-bytes"},
      {{"record", "echo", "--keep", "1e300d"}, "--keep: 1e300d: Value 8.64e+304 not in range"},
      {{"npc", "edit", "a", "b", "--cut", "1"}, "--cut: 2 values are required"},
      {{"npc", "edit", "a", "b", "--shift", "1", "2"}, "--shift: 3 values are required"},
      {{"seek", "x", "--tick"}, "--tick: its value is missing"},
      {{"record", "echo", "--out", "a", "--out", "b"}, "--out: it is given more than once"},
      {{"npc"}, "npc: a verb is missing; the verbs are build, check, plot, edit"},
      {{"seek", "x", "--tick", "1.5"}, "--tick: 1.5 is not a non-negative integer"},
      {{"report", "x", "-o", "y", "--shard", "17/16"}, "--shard: 17/16 is not a shard such as 3/16"},
      {{"completion", "csh"}, "SHELL: csh not in {bash,fish,zsh}"},
  };
  for (const auto& [words, text] : mistakes) {
    check_run(words, 2, {text});
  }
}

BOOST_AUTO_TEST_CASE(the_manual_page_is_roff) {
  const std::string manual = run({"man"}).out;
  BOOST_TEST(manual.starts_with(".TH TICKREEL 1 "));
  BOOST_TEST(manual.find("\n.B \\-\\-publish\\-keep\\-bytes SIZE\n") != std::string::npos);
  // Lines of text are not requests: only lines with a leading point or apostrophe are.
  std::istringstream lines(manual);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('.') && !line.starts_with('\'')) continue;
    const std::string request = line.substr(0, line.find(' '));
    const std::vector<std::string> known = {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".nf", ".fi"};
    BOOST_TEST((std::find(known.begin(), known.end(), request) != known.end()), line);
  }
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(bash_completes_verbs_options_and_values) {
  const scratch_folder folder;
  const std::string script = folder / "tickreel.bash";
  write_file(script, tickreel::as_bytes(run({"completion", "bash"}).out));
  // The words of a command line; the last one is incomplete.
  const auto offered = [&](const std::string& words) {
    const std::string out = folder / "offered";
    const std::string line =
        "source " + shell_word(script) + "; compopt() { :; }; COMP_WORDS=(" + words +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tickreel; printf '%s\\n' \"${COMPREPLY[@]}\" > " +
        shell_word(out);
    BOOST_REQUIRE(run_line("bash -euc " + shell_word(line)) == 0);
    return text_of_file(out);
  };
  BOOST_TEST(offered("tickreel conv") == "convert\n");
  BOOST_TEST(offered("tickreel record ''") == "echo\n");
  BOOST_TEST(offered("tickreel record echo --publish-k") == "--publish-keep\n--publish-keep-bytes\n");
  BOOST_TEST(offered("tickreel convert a b --codec z") == "zstd\n");
  BOOST_TEST(offered("tickreel completion ''") == "bash\nfish\nzsh\n");
  BOOST_TEST(offered("tickreel serve --port ''") == "\n");
  std::filesystem::create_directory(folder / "recordings");
  write_file(folder / "reading.txt", tickreel::byte_span());
  const std::string begun = shell_word(folder / "rec");
  BOOST_TEST(offered("tickreel record echo --out " + begun) == (folder / "recordings") + "\n");
  BOOST_TEST(offered("tickreel info " + shell_word(folder / "reading")) == (folder / "reading.txt") + "\n");
  // A file named like a verb.
  BOOST_TEST(offered("tickreel info record --j") == "--json\n");
}
#endif

BOOST_AUTO_TEST_CASE(every_shell_knows_every_option) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = run({"completion", shell}).out;
    for (const char* word : {"record echo", "strip-voice", "publish-drop-oldest", "no-bones", "gzip"}) {
      BOOST_TEST(script.find(word) != std::string::npos, shell << ": " << word);
    }
    BOOST_TEST(script.find("view-page") == std::string::npos, shell);
  }
}

#ifdef TICKREEL_OPTIONS_PAGE
BOOST_AUTO_TEST_CASE(the_page_of_options_is_what_the_program_prints) {
  const std::string page = text_of_file(TICKREEL_OPTIONS_PAGE);
  BOOST_TEST((page == run({"man", "--markdown"}).out),
             "docs/options.md is old: 'tickreel man --markdown > docs/options.md'");
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
