// The tickreel program.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "console/console.hpp"
#include "console/own_window.hpp"
#include "console/stop_signal.hpp"
#include "console/system_console.hpp"
#include "console/verb.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/text/suggestion.hpp"
#include "tickreel/version.hpp"

namespace {

// The library only says that a verb is missing, not that the one given is none. Empty when all is well.
std::string unknown_verb(CLI::App& program, const std::vector<std::string>& words) {
  CLI::App* at = &program;
  std::string path = "tickreel";
  for (std::size_t each = 1; each < words.size() && at->get_require_subcommand_min() > 0; ++each) {
    const std::string& word = words[each];
    if (word.starts_with('-')) return {};
    const auto found = at->get_subcommands([&](CLI::App* verb) { return verb->check_name(word); });
    if (found.empty()) {
      std::vector<std::string> verbs;
      for (const CLI::App* known : at->get_subcommands([](CLI::App*) { return true; })) {
        verbs.push_back(known->get_name());
      }
      return "'" + path + "' has no verb '" + word + "'" + tickreel::text::suggestion(word, verbs);
    }
    path += ' ' + word;
    at = found.front();
  }
  return {};
}

// The verb that was named, with those in it.
CLI::App& deepest(CLI::App& program, std::string& path) {
  CLI::App* at = &program;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    path += (path.empty() ? "" : " ") + at->get_name();
  }
  return *at;
}

// What the library has to say about the words, and what may have been meant.
int report_parse_error(CLI::App& program, const CLI::ParseError& problem,
                       const std::vector<std::string>& words) {
  std::string path;
  const CLI::App& verb = deepest(program, path);
  tickreel::cli::set_running_verb(path);
  std::string text = problem.what();
  for (const std::string& extra : program.remaining(true)) {
    if (!extra.starts_with("--")) continue;
    std::vector<std::string> options;
    for (const CLI::Option* each : verb.get_options()) {
      for (const std::string& name : each->get_lnames()) options.push_back("--" + name);
    }
    const std::string word = extra.substr(0, extra.find('='));
    // Only where it stands is wrong.
    const bool is_known = std::find(options.begin(), options.end(), word) != options.end();
    text +=
        is_known ? "; " + word + " stands behind '" + path + "'" : tickreel::text::suggestion(word, options);
  }
  for (const std::string& word : words) {
    std::error_code unknown;
    if (word.size() > 1 && word.starts_with('-') &&
        std::filesystem::exists(tickreel::filesystem_path(word), unknown)) {
      text += "; for the file of that name write './" + word + "'";
    }
  }
  return tickreel::cli::report_usage(text);
}

// 'tickreel help VERB' is 'tickreel VERB --help', and 'tickreel version' is 'tickreel --version'.
void put_plain_words_right(std::vector<std::string>& words) {
  if (words.size() == 2 && words[1] == "version") words[1] = "--version";
  if (words.size() >= 2 && words[1] == "help") {
    words.erase(words.begin() + 1);
    words.emplace_back("--help");
  }
}

int run(std::vector<std::string> words) {
  if (words.empty()) words.emplace_back("tickreel");
  using namespace tickreel::cli;
  outlive_closed_pipes();  // what help prints, too
  CLI::App program(
      "Records live games tick by tick, and reads, checks, recovers and converts the recordings.",
      "tickreel");
  // On Windows too: what begins with / is a path.
  program.allow_windows_style_options(false);
  program.set_version_flag("--version", "tickreel " + std::string(tickreel::version_text));
  program.require_subcommand(1);
  program.footer(
      "Every verb tells the format of a file by its content, not by its name.\n"
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done with a stated loss.\n"
      "'tickreel help VERB' shows options and examples.");
  verb_list verbs;
  add_record(program, verbs);
  add_serve(program, verbs);
  add_info(program, verbs);
  add_cat(program, verbs);
  add_seek(program, verbs);
  add_events(program, verbs);
  add_derive(program, verbs);
  add_stats(program, verbs);
  add_view(program, verbs);
  add_report(program, verbs);
  add_diff(program, verbs);
  add_verify(program, verbs);
  add_recover(program, verbs);
  add_clip(program, verbs);
  add_convert(program, verbs);
  add_compact(program, verbs);
  add_recompress(program, verbs);
  add_anonymise(program, verbs);
  add_strip_voice(program, verbs);
  add_keygen(program, verbs);
  add_sign(program, verbs);
  add_npc(program, verbs);
  add_library(program, verbs);
  add_publish(program, verbs);
  add_follow(program, verbs);
  add_relay(program, verbs);
  add_fleet(program, verbs);
  add_archive(program, verbs);
  put_plain_words_right(words);
  if (const std::string unknown = unknown_verb(program, words); !unknown.empty()) {
    return report_usage(unknown);
  }
  try {
    // Without the program's own name, and the last first.
    program.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() != 0) return report_parse_error(program, problem, words);
    std::ostringstream text;
    (void)program.exit(problem, text, text);
    standard_output().write(text.str());
    return finish_output(done);
  }
  std::string running;
  (void)deepest(program, running);
  set_running_verb(running);
  catch_stop_signals();
  for (const verb& each : verbs) {
    if (each.app->parsed()) return finish_output(each.run());
  }
  return wrong_usage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const tickreel::cli::system_console console;
    std::vector<std::string> words = tickreel::cli::words_of(argc, argv);
    if (!tickreel::cli::is_in_own_window(words)) return run(std::move(words));
    words = tickreel::cli::ask_in_own_window(words);
    if (words.size() == 1) return tickreel::cli::finish_output(tickreel::cli::done);
    int code = run(words);
    if (const auto more = tickreel::cli::ask_for_more(words, code)) {
      // Who wants no more has read what stands there.
      if (more->size() == 1) return code;
      code = run(*more);
    }
    tickreel::cli::keep_own_window();
    return code;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "tickreel: %s\n", problem.what());
    return tickreel::cli::failed;
  }
}
