// The tickreel program.
#include <cstdio>
#include <exception>
#include <string>

#include "console/console.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "tickreel/version.hpp"

namespace {

// The library only says that a verb is missing, not that the one given is none. Empty when all is well.
std::string unknown_verb(CLI::App& program, int argc, char** argv) {
  CLI::App* at = &program;
  std::string path = "tickreel";
  for (int each = 1; each < argc && at->get_require_subcommand_min() > 0; ++each) {
    const std::string word = argv[each];
    if (word.starts_with('-')) return {};
    const auto found = at->get_subcommands([&](CLI::App* verb) { return verb->check_name(word); });
    if (found.empty()) return "'" + path + "' has no verb '" + word + "'";
    path += ' ' + word;
    at = found.front();
  }
  return {};
}

int run(int argc, char** argv) {
  using namespace tickreel::cli;
  CLI::App program(
      "Records live games tick by tick, and reads, checks, recovers and converts the recordings.",
      "tickreel");
  program.set_version_flag("--version", "tickreel " + std::string(tickreel::version_text));
  program.require_subcommand(1);
  program.footer(
      "Every verb tells the format of a file by its content, not by its name.\n"
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done with a stated loss.\n"
      "'tickreel VERB --help' shows examples.");
  verb_list verbs;
  add_record(program, verbs);
  add_serve(program, verbs);
  add_info(program, verbs);
  add_cat(program, verbs);
  add_seek(program, verbs);
  add_events(program, verbs);
  add_diff(program, verbs);
  add_verify(program, verbs);
  add_recover(program, verbs);
  add_convert(program, verbs);
  add_compact(program, verbs);
  add_recompress(program, verbs);
  add_anonymise(program, verbs);
  add_strip_voice(program, verbs);
  add_keygen(program, verbs);
  add_sign(program, verbs);
  add_npc(program, verbs);
  add_library(program, verbs);
  if (const std::string unknown = unknown_verb(program, argc, argv); !unknown.empty()) {
    return report_usage(unknown);
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return program.exit(problem) == 0 ? finish_output(done) : wrong_usage;
  }
  catch_stop_signals();
  for (const verb& each : verbs) {
    if (each.app->parsed()) return finish_output(each.run());
  }
  return wrong_usage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "tickreel: %s\n", problem.what());
    return tickreel::cli::failed;
  }
}
