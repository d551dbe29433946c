// A match on the disk, ready to be read: a finished .icrep, one that is being recorded, or a reel.
#pragma once

#include <memory>

#include "file_view.hpp"
#include "tickreel/icrep/reader.hpp"

namespace tickreel::game {

class opened_match {
 public:
  static result<std::unique_ptr<opened_match>> open(const file_path& path, system_calls& calls);
  // In memory, which must outlive it.
  static result<std::unique_ptr<opened_match>> open(byte_span match);
  opened_match(const opened_match&) = delete;
  opened_match& operator=(const opened_match&) = delete;

  [[nodiscard]] const icrep::reader& reader() const noexcept { return *reader_; }
  [[nodiscard]] bool is_mapped() const noexcept { return main_.is_mapped(); }

 private:
  opened_match() = default;
  result<void> start(byte_span file);

  file_view main_;
  byte_vector image_;  // of a reel
  byte_vector keyframes_;
  byte_vector events_;
  byte_vector voice_;
  std::optional<icrep::reader> reader_;
};

}  // namespace tickreel::game
