#include "tickreel/recording/conversion.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "byte_stream.hpp"
#include "icrep_conversion.hpp"
#include "rec_conversion.hpp"
#include "sc2_convert.hpp"
#include "tickreel/recording/format.hpp"

namespace tickreel::recording {

std::span<const conversion> conversions() noexcept {
  static const std::vector<conversion> table = {
      {"icrep", "reel", &convert_icrep_to_reel},
      {"reel", "icrep", &convert_reel_to_icrep},
      {"rec", "csv", &convert_rec_to_csv},
      {"rec", "ndjson", &convert_rec_to_ndjson},
      {"csv", "rec", &convert_csv_to_rec},
      {"ndjson", "rec", &convert_ndjson_to_rec},
      {"sc2replay", "icrep", &convert_sc2replay_to_icrep},
  };
  return table;
}

result<const conversion*> find_conversion(const std::filesystem::path& input, std::string_view to) {
  const auto found = detect(input);
  if (!found && found.error().code != error_code::not_recognised) return fail(found.error());
  const std::string from = found ? std::string((*found)->name) : format_of_name(input);
  for (const conversion& each : conversions()) {
    if (each.from == from && each.to == to) return &each;
  }
  return nullptr;
}

std::string format_of_name(const std::filesystem::path& path) {
  std::string extension = utf8(path.extension());
  if (extension.empty()) return extension;
  extension.erase(0, 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
  return extension;
}

}  // namespace tickreel::recording
