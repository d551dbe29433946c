// A match on disk, opened for reading: a finished .icrep, one that is being recorded, or a reel.
#pragma once

#include <memory>
#include <vector>

#include "file_view.hpp"
#include "tickreel/icrep/reader.hpp"

namespace tickreel::game {

class opened_match {
 public:
  static result<std::unique_ptr<opened_match>> open(const file_path& path, system_calls& calls);
  // From memory, which must outlive it.
  static result<std::unique_ptr<opened_match>> open(byte_span match);
  opened_match(const opened_match&) = delete;
  opened_match& operator=(const opened_match&) = delete;

  [[nodiscard]] const icrep::reader& reader() const noexcept { return *reader_; }
  [[nodiscard]] bool is_mapped() const noexcept { return main_.is_mapped(); }
  // For a match in several files: the parts that are missing beside the first, or damaged.
  [[nodiscard]] const std::vector<std::uint32_t>& missing_parts() const noexcept { return missing_parts_; }

 private:
  opened_match() = default;
  result<void> start(byte_span file, std::vector<byte_span> continued = {});
  [[nodiscard]] result<void> start_all();
  void find_parts(const file_path& first, system_calls& calls);

  file_view main_;
  byte_span first_;
  std::vector<byte_vector> images_;  // of a reel
  std::vector<file_view> parts_;     // after the first
  std::vector<std::uint32_t> missing_parts_;
  byte_vector keyframes_;
  byte_vector events_;
  byte_vector voice_;
  std::optional<icrep::reader> reader_;
};

}  // namespace tickreel::game
