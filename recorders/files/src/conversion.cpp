#include "tickreel/files/conversion.hpp"

#include <vector>

#include "byte_stream.hpp"
#include "icrep/icrep_conversion.hpp"
#include "paths.hpp"
#include "reel/cut_reel.hpp"
#include "reel/described_conversion.hpp"
#include "samp_rec/rec_conversion.hpp"
#include "sc2replay/sc2_convert.hpp"
#include "tickreel/files/format.hpp"

namespace tickreel::files {

std::span<const conversion> conversions() noexcept {
  static const std::vector<conversion> table = {
      {"reel", "reel", &cut_reel, true},
      {"icrep", "icrep", &cut_icrep, true},
      {"rec", "rec", &cut_rec, true},
      {"icrep", "reel", &convert_icrep_to_reel},
      {"reel", "icrep", &convert_reel_to_icrep},
      {"reel", "csv", &convert_reel_to_csv},
      {"reel", "ndjson", &convert_reel_to_ndjson},
      {"rec", "csv", &convert_rec_to_csv},
      {"rec", "ndjson", &convert_rec_to_ndjson},
      {"csv", "rec", &convert_csv_to_rec},
      {"ndjson", "rec", &convert_ndjson_to_rec},
      {"sc2replay", "icrep", &convert_sc2replay_to_icrep},
  };
  return table;
}

result<const conversion*> find_conversion(const file_path& input, std::string_view to, bool of_range) {
  const auto found = detect(input);
  if (!found && found.error().code != error_code::not_recognised) return fail(found.error());
  const std::string from = found ? std::string((*found)->name) : format_of_name(input);
  for (const conversion& each : conversions()) {
    if (each.from == from && each.to == to && (of_range || !each.only_ranges)) return &each;
  }
  return nullptr;
}

std::string format_of_name(const file_path& path) {
  return extension_of(path);
}

}  // namespace tickreel::files
