// The same work for many files, on all cores.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/files/distant_files.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/result.hpp"

namespace tickreel::cli {

// A file that an argument names.
struct named_file {
  std::string file;
  bool found_in_folder = false;                                // skipped and counted if it is not a recording
  std::optional<files::object_version> object = std::nullopt;  // as its store lists it
};

// Adds the files, and all files in folders and below s3:// addresses, sorted. Reports those that cannot be listed
// completely, and then returns false.
bool add_named_files(const std::vector<std::string>& named, std::vector<named_file>& out);

// Arguments name no file, for example an empty folder.
void report_no_files();

// The outcome of one file.
struct file_outcome {
  std::string text;                             // for the standard output
  std::optional<error> failure = std::nullopt;  // reported; other files are still processed
  std::string failed_file = {};                 // the file that it concerns, if it is another one
  bool sound = true;                            // false: the file was read and is not sound
  bool left_out = false;                        // sound, but part of its content is not shown
  // Called once before the outcome is written, on the caller's thread, in the order of the files; may change
  // the other members.
  std::function<void(file_outcome&)> in_turn = {};
};

// Calls `work` once for each file, on several threads for several files. `work` gets a progress callback,
// which also cancels. Outputs are written in the order of `files`, each as soon as those before it are
// written. Returns `failed` if a file failed or is not sound; with several files, a last line reports how
// many failed. `doing` is for the progress bar: "reading".
int run_batch(const std::vector<std::string>& files, const char* doing,
              const std::function<file_outcome(const std::string& file, const files::monitor& watch)>& work);
// The same, with the file's index in `files`.
int run_batch(const std::vector<std::string>& files, const char* doing,
              const std::function<file_outcome(std::size_t place, const files::monitor& watch)>& work);

}  // namespace tickreel::cli
