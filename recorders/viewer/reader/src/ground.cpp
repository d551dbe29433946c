#include "tickreel/files/ground.hpp"

#include "tickreel/viewer/reader.hpp"

namespace tickreel::viewer {

const std::string& reader::ground(std::string_view played) {
  const std::size_t space = played.find(' ');
  const files::played_map map{std::string(played.substr(0, space)), std::string(played.substr(space + 1))};
  const auto found = files::read_ground(source(), map);
  if (!found) return refuse(found.error(), files::refusal_text(found.error(), map));
  answer_ = files::edges_text(*found) + '\t';
  answer_ += found->doubt;
  answer_ += '\n';
  answer_ += files::bitmap_of(*found);
  return answer_;
}

}  // namespace tickreel::viewer
