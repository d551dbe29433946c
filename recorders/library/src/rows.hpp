// Writes the results of a scan.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "describe_file.hpp"
#include "file_identity.hpp"
#include "tickreel/library/sqlite.hpp"

namespace tickreel::library {

// A file in the index.
struct known_file {
  std::int64_t id = 0;
  file_identity identity;
  bool vanished = false;
  bool unread = false;
  bool seen = false;
};
using known_files = std::unordered_map<std::string, known_file>;

// Adds the known files in or at `root` to `out`.
result<void> load_known_files(connection& index, const std::filesystem::path& root, known_files& out);
result<void> load_known_files(connection& index, const std::string& root, char separator, known_files& out);

// Milliseconds since 1970.
[[nodiscard]] std::int64_t now_ms();

// The form in which names are compared: ASCII letters in lower case.
[[nodiscard]] std::string name_key(std::string_view name);

// The statements of a scan, prepared once. Must not outlive the connection.
class row_writer {
 public:
  static result<row_writer> prepare(connection& index);

  // Replaces or creates the row of this path.
  result<std::int64_t> put(std::string_view path, const file_identity& identity, std::uint64_t hash,
                           const description& what);
  // False if the row has changed meanwhile.
  result<bool> move(std::int64_t id, std::string_view from, std::string_view to,
                    const file_identity& identity);
  result<bool> mark_vanished(std::int64_t id, std::string_view path);
  result<void> mark_present(std::int64_t id);
  result<void> mark_imported(std::int64_t id);

 private:
  explicit row_writer(connection& index) noexcept : index_(&index) {}
  result<void> put_game(std::int64_t file, const described_game& what);
  result<void> put_events(std::int64_t file, const event_groups& what);

  connection* index_;
  statement put_file_, forget_games_, forget_cache_, put_game_, put_player_, put_cache_, put_item_;
  statement forget_events_, put_events_, forget_columns_;
  statement clear_path_, move_, vanish_, present_, imported_, was_imported_;
};

}  // namespace tickreel::library
