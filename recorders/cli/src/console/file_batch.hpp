// The same work for many files, on all cores.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/result.hpp"

namespace tickreel::cli {

// What came of one file.
struct file_outcome {
  std::string text;                             // for the standard output
  std::optional<error> failure = std::nullopt;  // reported; does not stop the others
  std::string failed_file = {};                 // what that is about, where it is another file
  bool sound = true;                            // false: looked at, and not as it should be
  bool left_out = false;                        // sound, but not all of its content is shown
  // Called once before the outcome is written, on the caller's thread, in the order of the files; for what
  // has to see them in that order. May change the rest.
  std::function<void(file_outcome&)> in_turn = {};
};

// `work` is called once for each file, from several threads at once when there are several files; it gets
// what shows its progress and tells it to give up. Texts are written in the order of `files`, each as soon as
// those before it are there. The exit code is `failed` when a file failed or is not sound; with several
// files, how many of them failed is said at the end. `doing` is for the progress bar: "reading".
int run_batch(const std::vector<std::string>& files, const char* doing,
              const std::function<file_outcome(const std::string& file, const files::monitor& watch)>& work);
// The same where `work` needs the file's place in `files`.
int run_batch(const std::vector<std::string>& files, const char* doing,
              const std::function<file_outcome(std::size_t place, const files::monitor& watch)>& work);

}  // namespace tickreel::cli
