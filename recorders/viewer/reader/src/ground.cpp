#include "tickreel/files/ground.hpp"

#include "tickreel/viewer/reader.hpp"

namespace tickreel::viewer {

const std::string& reader::ground(std::string_view played) {
  const std::size_t space = played.find(' ');
  const auto found = files::read_ground(
      source(), {std::string(played.substr(0, space)), std::string(played.substr(space + 1))});
  if (!found) return refuse(found.error());
  answer_ = files::edges_text(*found) + '\t';
  answer_ += found->doubt;
  answer_ += '\n';
  answer_ += files::bitmap_of(*found);
  return answer_;
}

}  // namespace tickreel::viewer
