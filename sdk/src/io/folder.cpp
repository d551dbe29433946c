#include "tickreel/io/folder.hpp"

namespace tickreel {

bool is_folder(const file_path& path) {
  const auto there = status_of(path);
  return there && there->kind == entry_kind::folder;
}

}  // namespace tickreel
