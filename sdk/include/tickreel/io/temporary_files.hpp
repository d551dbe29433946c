// The temporary files of published_file: their names, and those that killed processes left.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

inline constexpr std::string_view temporary_file_ending = ".part";

// The name of the output that the temporary file `name` belongs to: "match.butter" of "match.butter.0123abcd.part"
// and of "match.butter.chunks.0123abcd.part". Empty for any other name. Of an output with a long name, its beginning.
[[nodiscard]] std::string_view output_of_temporary(std::string_view name) noexcept;

// Whether `name` is that of a temporary file of `output`.
[[nodiscard]] bool is_temporary_of(std::string_view name, const std::string& output);

// The temporary file at `path`, locked, if no process writes it and it has not changed for `settled`.
[[nodiscard]] std::optional<file> open_abandoned(const file_path& path, std::chrono::minutes settled,
                                                 system_calls& calls = system_calls::real());

// Removes the temporary files in `folder` for whose names `accepts` is true and which open_abandoned() opens; never
// links. Returns the removed ones in order of their names. Fails if the folder cannot be read to its end.
result<std::vector<file_path>> remove_abandoned_in(const file_path& folder, std::chrono::minutes settled,
                                                   const std::function<bool(std::string_view)>& accepts,
                                                   system_calls& calls = system_calls::real());

// Removes temporary files of `output` that killed processes left more than ten minutes ago, except those that this
// process has read or keeps. published_file does this too; call it where a run may fail before it creates one.
void remove_abandoned_parts(const file_path& output, system_calls& calls = system_calls::real());

// Removes the temporary files of all published_files of this process. For programs that end without destructors: in a
// terminate handler, before std::_Exit, or after an exception that passed through the SDK, which is compiled without
// exceptions. Needs no memory. From then on no published_file can be created; such a call does not return.
void remove_unpublished_files();

// While one exists, published_file and remove_abandoned_parts() do not remove temporary files of `output`.
class kept_temporary_files {
 public:
  explicit kept_temporary_files(const file_path& output);
  kept_temporary_files(const kept_temporary_files&) = delete;
  kept_temporary_files& operator=(const kept_temporary_files&) = delete;
  ~kept_temporary_files();

 private:
  std::string output_;
};

// The files with that ending that this process opened for reading, as the callers spelled them.
[[nodiscard]] std::vector<std::string> temporary_files_read();

}  // namespace tickreel
