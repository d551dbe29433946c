#include "tickreel/files/structs.hpp"

#include "reels/schema_text.hpp"
#include "tickreel/files/distant_files.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/tracks/event_reader.hpp"
#include "tickreel/tracks/rows.hpp"

namespace tickreel::files {

std::string structs_json(const file_path& file) {
  const auto from = open_source(file);
  if (!from) return {};
  auto source = reel::reader::open(*from);
  if (!source || source->head().encoder_name != tracks::rows_name) return {};
  const auto described = read_schema(source->head().schema);
  if (!described) return {};
  std::string out = "\"described\":" + fields_json(*described);
  tracks::event_reader events(*source);
  const auto kinds = events.kinds();
  if (!kinds || (*kinds)->empty()) return out;
  const char* before = ",\"described_events\":[";
  for (const auto& [number, kind] : **kinds) {
    out += before + fields_json(kind);
    before = ",";
  }
  return out + "]";
}

}  // namespace tickreel::files
