// tickreel query: SQL over recordings.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/file_batch.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "library/library_verbs.hpp"
#include "query_output.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/distant_files.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/temporary_files.hpp"
#include "tickreel/query/query.hpp"
#include "tickreel/query/table_file.hpp"
#include "tickreel/query/table_format.hpp"

namespace tickreel::cli {

namespace {

struct query_arguments {
  std::string sql;
  std::vector<std::string> files;
  row_arguments rows;
  std::string output;  // a table; empty: standard output
  bool force = false;
  double timeout_s = 300;
  double memory_bytes = 1 << 30;
  bool explain = false;
  bool uses_library = false;
  bool keeps_columns = false;
  library_place library;
};

// 30 years. A longer limit is none.
constexpr double longest_s = 1e9;

// Ends the program if a function of SQLite does not return, which nothing else can interrupt.
class query_watchdog {
 public:
  explicit query_watchdog(double timeout_s) {
    if (timeout_s <= 0 || timeout_s > longest_s) return;
    const auto limit = std::chrono::duration<double>(timeout_s + grace_s);
    try {
      thread_ = std::thread([this, limit] { wait(limit); });
    } catch (const std::system_error&) {
      // Statements are still interrupted between their steps.
    }
  }
  query_watchdog(const query_watchdog&) = delete;
  query_watchdog& operator=(const query_watchdog&) = delete;
  ~query_watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  static constexpr double grace_s = 5;

  void wait(std::chrono::duration<double> limit) {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, limit, [this] { return done_; })) return;
    report_error("the statement exceeds its limit of time in a function");
    standard_output().flush();
    remove_unpublished_files();
    std::_Exit(failed);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

// The same for all names of one file.
std::string name_of_itself(const std::string& file) {
  if (files::is_distant(file)) return file;
  std::error_code unknown;
  std::filesystem::path itself = std::filesystem::canonical(filesystem_path(file), unknown);
  if (unknown) {
    // A missing file, or a path of more than 260 characters in MinGW.
    itself = std::filesystem::absolute(filesystem_path(file), unknown).lexically_normal();
  }
  return file_path(itself).utf8();
}

// Each file once, even if several arguments or links name it: its rows would count twice.
std::vector<query::input> each_once(std::vector<named_file> named) {
  std::vector<query::input> out;
  std::map<std::string, std::size_t> seen;
  for (named_file& each : named) {
    const auto [known, is_new] = seen.emplace(name_of_itself(each.file), out.size());
    if (is_new) {
      out.push_back({std::move(each.file), each.found_in_folder, std::move(each.object)});
      continue;
    }
    report_note(each.file, "given more than once; read once");
    // An argument must be a recording.
    if (!each.found_in_folder) out[known->second].found_in_folder = false;
  }
  return out;
}

// Losses and unreadable files, as other verbs report them.
int report_query_files(const query::report& about) {
  int code = done;
  std::size_t unreadable = 0;
  for (const query::file_note& each : about.files) {
    if (each.failure) {
      report_error(each.file, *each.failure);
      ++unreadable;
    }
    if (report_losses(each.file, each.losses) == done_with_loss) code = done_with_loss;
  }
  if (about.not_recordings != 0) {
    report_error(counted(about.not_recordings, "file in a folder was skipped: it is not a recording",
                         "files in folders were skipped: they are not recordings"));
  }
  for (const std::string& each : about.notes) report_error(each);
  return unreadable == 0 ? code : failed;
}

int report_query_error(const query_arguments& arguments, const error& why, const std::string& problem) {
  switch (why.code) {
    case error_code::invalid_argument:
      return report_usage(problem.empty() ? describe(why) : printable(problem));
    case error_code::timed_out:
      report_error(fmt::format("the statement exceeds its limit of {} s", arguments.timeout_s));
      report_advice("--timeout SECONDS raises the limit; --explain with a LIMIT shows what is read");
      return failed;
    case error_code::out_of_memory:
      if (why.values[0] == 0) {  // refused by the system
        report_error(describe(why));
        return failed;
      }
      report_error(fmt::format("the statement exceeds its limit of {} of memory",
                               bytes_text(static_cast<std::uint64_t>(arguments.memory_bytes))));
      report_advice("--memory BYTES raises the limit");
      return failed;
    default:
      report_error(describe(why));
      return failed;
  }
}

query::options options_of(const query_arguments& arguments, const std::vector<query::input>& inputs) {
  query::options options;
  // A limit that is not 0 must not become 0, which is none.
  if (arguments.timeout_s > 0) {
    options.max_duration_ms =
        static_cast<std::uint64_t>(std::max(std::min(arguments.timeout_s, 2 * longest_s) * 1000, 1.0));
  } else {
    options.max_duration_ms = 0;
  }
  if (arguments.uses_library) options.library = arguments.library.path();
  options.keeps_columns = arguments.keeps_columns;
  // Threads that fetch wait more than they compute.
  constexpr std::size_t fetchers = 8;
  const bool any_distant =
      std::ranges::any_of(inputs, [](const query::input& each) { return files::is_distant(each.file); });
  if (any_distant) options.threads = std::max<std::size_t>(std::thread::hardware_concurrency(), fetchers);
  options.max_memory_bytes = static_cast<std::uint64_t>(std::min(arguments.memory_bytes, 1e18));
  return options;
}

// Runs the statement, or that of all columns of a table, with a watchdog.
result<void> run_statement(const query_arguments& arguments, const std::vector<query::input>& inputs,
                           const query::options& options, const query::receiver& to, std::string& sql,
                           query::report& about, std::string& problem) {
  sql = arguments.sql;
  if (query::is_table(sql)) {
    const query_watchdog watchdog(arguments.timeout_s);
    auto all = query::select_all(sql, inputs, options, problem);
    if (!all) return fail(all.error());
    sql = std::move(*all);
  }
  const query_watchdog watchdog(arguments.timeout_s);
  return query::run(sql, inputs, options, to, about, problem);
}

int report_two_columns(const std::string& name) {
  return report_usage(
      fmt::format("two columns are called \"{}\", and an object or a file has each name once; AS gives a "
                  "column another name",
                  printable(name)));
}

// To standard output.
int print_rows(const query_arguments& arguments, const std::vector<query::input>& inputs) {
  query_rows rows(arguments.rows.style());
  query::receiver to;
  if (!arguments.explain) {
    to.columns = [&](const std::vector<std::string>& names) { return rows.columns(names); };
    to.row = [&](const std::vector<query::value>& values) { return rows.row(values); };
  }
  query::report about;
  std::string sql;
  std::string problem;
  // Nothing is left behind that a signal could damage.
  let_stop_signals_end();
  const auto outcome =
      run_statement(arguments, inputs, options_of(arguments, inputs), to, sql, about, problem);
  catch_stop_signals();
  rows.finish();
  if (const auto twice = rows.name_used_twice()) return report_two_columns(*twice);
  if (arguments.explain && outcome) print_explanation(about, arguments.rows.style());
  const int code = report_query_files(about);
  return outcome ? code : report_query_error(arguments, outcome.error(), problem);
}

int report_unwritten(const query_arguments& arguments, const error& why) {
  report_error(arguments.output, why);
  return failed;
}

// The machine failed, not the recording: the same statement may read it later.
bool is_failure_of_machine(const query::file_note& note) {
  return note.failure &&
         (note.failure->code == error_code::out_of_memory || note.failure->code == error_code::io_failed);
}

// To a file, which is published if the statement succeeds, the machine does not fail, and at least one recording or row could
// be read.
int write_rows(const query_arguments& arguments, const std::vector<query::input>& inputs) {
  std::vector<std::string> read;
  for (const query::input& each : inputs) read.push_back(each.file);
  if (arguments.uses_library) read.push_back(arguments.library.path().utf8());
  if (const int problem = refuse_shared_outputs({arguments.output}, read); problem != done) return problem;
  if (const int problem = refuse_existing({arguments.output}, arguments.force); problem != done)
    return problem;
  auto file =
      query::table_file::create(arguments.output, files::format_of_name(arguments.output), arguments.force);
  if (!file) return report_unwritten(arguments, file.error());
  result<void> written;
  query::receiver to;
  to.columns = [&](const std::vector<std::string>& names) {
    written = file->columns(names);
    return written.has_value();
  };
  to.row = [&](const std::vector<query::value>& values) {
    written = file->row(values);
    return written.has_value();
  };
  query::options options = options_of(arguments, inputs);
  options.cancelled = [] { return stop_requested(); };
  query::report about;
  std::string sql;
  std::string problem;
  const auto outcome = run_statement(arguments, inputs, options, to, sql, about, problem);
  if (!file->name_used_twice().empty()) return report_two_columns(file->name_used_twice());
  const int code = report_query_files(about);
  if (!outcome && outcome.error().code == error_code::interrupted) {
    return report_unwritten(arguments, outcome.error());
  }
  if (!outcome) return report_query_error(arguments, outcome.error(), problem);
  if (!written) return report_unwritten(arguments, written.error());
  if (std::ranges::any_of(about.files, is_failure_of_machine)) {
    report_note(arguments.output, "not written");
    return failed;
  }
  const auto unread =
      std::ranges::count_if(about.files, [](const auto& each) { return each.failure.has_value(); });
  if (about.rows == 0 && static_cast<std::size_t>(unread) + about.not_recordings >= inputs.size()) {
    report_note(arguments.output, "not written, because no recording could be read");
    return failed;
  }
  std::vector<std::string> notes;
  const auto bytes = file->commit(sql, about, notes, options.cancelled);
  if (!bytes) return report_unwritten(arguments, bytes.error());
  standard_output().write_line(printable(arguments.output));
  report_note(arguments.output, fmt::format("{}, {}", counted(about.rows, "row"), bytes_text(*bytes)));
  for (const std::string& each : notes) report_note(arguments.output, printable(each));
  return code;
}

// Without arguments, the files are those of the index. Reports, and returns false, if it cannot be read.
bool add_indexed_files(const query_arguments& arguments, std::vector<named_file>& to) {
  // An older index is migrated before it is read.
  if (arguments.keeps_columns && !arguments.library.open_to_write()) return false;
  auto index = arguments.library.open_to_read();
  if (!index) return false;
  if (!arguments.files.empty()) return true;
  auto found = library::list_files(*index);
  if (!found) {
    report_error(arguments.library.path(), found.error());
    return false;
  }
  for (std::string& each : found->paths) to.push_back({std::move(each), false});
  if (found->in_stores == 0) return true;
  report_error(counted(found->in_stores, "recording in a store is", "recordings in stores are") +
               " not read: name their s3:// addresses to read them");
  return true;
}

int run(const query_arguments& arguments) {
  const bool is_file = !arguments.output.empty();
  if (is_file && !query::is_table_format(files::format_of_name(arguments.output))) {
    return report_usage(
        "--output: the name of a table ends with .parquet or .arrow; --csv and --json print to "
        "standard output");
  }
  std::vector<named_file> named;
  if (arguments.files.empty() && !arguments.uses_library)
    return report_usage("query: FILE is required without --library");
  if (arguments.uses_library && !add_indexed_files(arguments, named)) return failed;
  const bool whole = add_named_files(arguments.files, named);
  const std::vector<query::input> inputs = each_once(std::move(named));
  const int code = is_file ? write_rows(arguments, inputs) : print_rows(arguments, inputs);
  if (code == wrong_usage) return code;
  if (inputs.empty()) report_no_files();
  return whole && !inputs.empty() ? code : failed;
}

}  // namespace

void add_query(command& program) {
  auto arguments = std::make_shared<query_arguments>();
  command& app = program.add_subcommand("query", "Answers questions about recordings in SQL");
  app.add_option("SQL", arguments->sql, "One SELECT statement, or the name of a table for all of its columns")
      .required();
  app.add_option("FILE", arguments->files,
                 "Recordings, and folders or s3://bucket/prefix with recordings; with --library, by default "
                 "those of the "
                 "index");
  arguments->rows.add_to(app);
  app.add_option("-o,--output", arguments->output,
                 "Write the rows as a Parquet or Arrow file: NAME.parquet, NAME.arrow")
      .check(file_to_write())
      .excludes("--json")
      .excludes("--csv");
  app.add_flag("--force", arguments->force, "Overwrite an existing output").needs("--output");
  app.add_flag("--library", arguments->uses_library,
               "Add the tables library_games and library_players, and read events and kept columns of "
               "unchanged files, "
               "from the index of 'tickreel library'");
  arguments->library.add_to(app);
  app.options.back().needs("--library");
  app.add_flag("--keep-columns", arguments->keeps_columns,
               "Store the columns of ticks and players that the statement reads from whole recordings in the "
               "index, so that later statements need not read the recordings")
      .needs("--library");
  app.add_flag("--explain", arguments->explain,
               "Print which files, columns and ticks the statement reads, instead of its rows")
      .excludes("--output");
  app.add_option("--timeout", arguments->timeout_s, "Longest time of the statement (5m); 0: no limit")
      .check(seconds_with_unit())
      .check(not_negative());
  app.add_option("--memory", arguments->memory_bytes,
                 "Most memory for sorting and grouping (1GiB); 0: no limit")
      .check(bytes_with_unit())
      .check(not_negative());
  app.notes =
      "Tables:\n"
      "  recordings   one row per file: recording, format, bytes, ticks, duration_ms, started, map, ...\n"
      "  ticks        recording, tick, time_ms, state\n"
      "  players      per tick and player of Echo VR: recording, tick, time_ms, team, player, id, state\n"
      "  events       recording, tick, time_ms, type, event\n"
      "  statistics   the columns of 'tickreel stats --csv'\n"
      "  library_games, library_players   with --library: games of the index, and their players\n"
      "Any other column is the path of a member of state, event or info, in double quotes if it has a point\n"
      "or a bracket: \"session.disc.position[0]\". Texts have single quotes. docs/query.md has worked "
      "questions.\n"
      "The statement only reads. The exit code is 3 if ticks, events or statistics with losses were read;\n"
      "the table recordings has the column health.";
  app.examples = {
      "tickreel query \"SELECT player, sum(possession_s) FROM statistics GROUP BY player\" season/",
      "tickreel query \"SELECT recording, time_ms, speed FROM events WHERE type = 'goal' AND speed > 20\" "
      "season/",
      "tickreel query 'SELECT max(\"session.disc.speed\") FROM ticks WHERE time_ms < 60000' match.butter",
      "tickreel query \"SELECT * FROM events WHERE type = 'stun'\" match.butter --explain",
      "tickreel query players season/ -o players.parquet",
      "tickreel query \"SELECT map, count(*) FROM library_games GROUP BY map\" --library",
      "tickreel query 'SELECT recording, max(\"session.disc.speed\") FROM ticks GROUP BY recording' "
      "--library "
      "--keep-columns"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
