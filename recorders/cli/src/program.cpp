#include "program.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "console/console.hpp"
#include "console/own_window.hpp"
#include "console/parser.hpp"
#include "console/store_files.hpp"
#include "console/system_console.hpp"
#include "console/verb.hpp"
#include "tickreel/io/temporary_files.hpp"
#include "tickreel/query/table_format.hpp"

namespace tickreel::cli {

namespace {

int run(std::vector<std::string> words) {
  query::register_table_formats();
  read_objects_as_files();
  command program{
      .name = "tickreel",
      .summary = "Records live games tick by tick, and reads, checks, recovers and converts the recordings."};
  program.notes =
      "Every verb detects the format of a file by its content, not by its name.\n"
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done with a reported loss.\n"
      "'tickreel help VERB' shows options and examples.";
  add_record(program);
  add_serve(program);
  add_info(program);
  add_cat(program);
  add_seek(program);
  add_events(program);
  add_derive(program);
  add_stats(program);
  add_query(program);
  add_view(program);
  add_report(program);
  add_diff(program);
  add_verify(program);
  add_recover(program);
  add_clip(program);
  add_convert(program);
  add_compact(program);
  add_recompress(program);
  add_anonymise(program);
  add_strip_voice(program);
  add_keygen(program);
  add_sign(program);
  add_npc(program);
  add_library(program);
  add_publish(program);
  add_follow(program);
  add_relay(program);
  add_fleet(program);
  add_archive(program);
  add_completion(program);
  add_man(program);
  return run_command_line(program, std::move(words));
}

std::terminate_handler next_handler = nullptr;

// A fixed sentence: names would have to be made safe for terminals, which needs memory.
void report_no_memory() {
  std::fputs("tickreel: not enough memory\n", stderr);
}

// With very little memory there is none for an exception, and the library calls this without one.
bool has_memory() {
  constexpr std::size_t bytes_of_exception = 256;
  void* const some = std::malloc(bytes_of_exception);
  std::free(some);
  return some != nullptr;
}

// Threads without memory end here, and functions that cannot fail. What is sealed stays recoverable.
void end_at_once() {
  remove_unpublished_files();
  bool is_memory = !has_memory();
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    is_memory = true;
  } catch (...) {}
  if (!is_memory) next_handler();
  report_no_memory();
  std::_Exit(failed);
}

int run_words(int argc, char** argv) {
  try {
    const system_console console;
    std::vector<std::string> words = words_of(argc, argv);
    if (!is_in_own_window(words)) return run(std::move(words));
    words = ask_in_own_window(words);
    if (words.size() == 1) return finish_output(done);
    int code = run(words);
    if (const auto more = ask_for_more(words, code)) {
      // A reader that closed the pipe has read enough.
      if (more->size() == 1) return code;
      code = run(*more);
    }
    keep_own_window();
    return code;
  } catch (const std::bad_alloc&) {
    report_no_memory();
    return failed;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "tickreel: %s\n", problem.what());
    return failed;
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  next_handler = std::set_terminate(end_at_once);
  const int code = run_words(argc, argv);
  // An exception skips the destructors of the SDK's functions.
  remove_unpublished_files();
  return code;
}

}  // namespace tickreel::cli
