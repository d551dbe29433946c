// The list of formats, and detection.
#include "tickreel/files/format.hpp"
#include "tickreel/files/distant_files.hpp"

#include <algorithm>
#include <array>

#include "echo/butter_format.hpp"
#include "echo/echoreplay_format.hpp"
#include "gamecache/gamecache_format.hpp"
#include "icrep/icrep_format.hpp"
#include "mcap/mcap_format.hpp"
#include "reel/reel_format.hpp"
#include "samp_rec/rec_format.hpp"
#include "sc2replay/sc2_format.hpp"
#include "tape/tape_format.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t probe_bytes = 64u << 10;

constexpr format own_formats[] = {
    icrep_format, reel_format,      echoreplay_format, butter_format,  gamecache_format,
    rec_format,   sc2replay_format, tape_format,       nevrcap_format, mcap_format,
};

struct format_list {
  std::array<format, std::size(own_formats) + max_registered_formats> all{};
  std::size_t count = 0;

  constexpr format_list() {
    std::ranges::copy(own_formats, all.begin());
    count = std::size(own_formats);
  }
};
constinit format_list listed;

}  // namespace

std::span<const format> formats() noexcept {
  return {listed.all.data(), listed.count};
}

result<void> register_format(const format& added) {
  if (added.name.empty() || added.extension.empty() || added.claims == nullptr || added.open == nullptr) {
    return fail(error_code::invalid_argument, error::no_offset,
                "a format needs a name, an extension, claims() and open()");
  }
  if (find_format(added.name) != nullptr ||
      std::ranges::count(formats(), added.extension, &format::extension) != 0) {
    return fail(error_code::already_exists);
  }
  if (listed.count == listed.all.size()) {
    return fail(error_code::over_limit, error::no_offset, "too many formats are registered");
  }
  listed.all[listed.count++] = added;
  return {};
}

const format* find_format(std::string_view name) noexcept {
  const auto all = formats();
  const auto found = std::ranges::find(all, name, &format::name);
  return found == all.end() ? nullptr : &*found;
}

const format* detect(const probe& file) noexcept {
  const format* plausible = nullptr;
  for (const format& each : formats()) {
    const claim how_sure = each.claims(file);
    if (how_sure == claim::certain) return &each;
    if (how_sure == claim::plausible && plausible == nullptr) plausible = &each;
  }
  return plausible;
}

result<const format*> detect(const byte_source& from) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  if (*size == 0) return fail(error_code::not_recognised, 0, "the file is empty");
  byte_vector head(static_cast<std::size_t>(std::min<std::uint64_t>(probe_bytes, *size)));
  const auto count = from.read_at(head, 0);
  if (!count) return fail(count.error());
  const format* found = detect(probe{byte_span(head).first(*count), *size});
  if (found == nullptr) return fail(error_code::not_recognised, 0);
  return found;
}

result<const format*> detect(const file_path& path) {
  const auto from = open_source(path);
  if (!from) return fail(from.error());
  return detect(*from);
}

std::string_view name(stage value) noexcept {
  switch (value) {
    case stage::by_tick:
      return "";
    case stage::arena:
      return "arena";
    case stage::path:
      return "path";
    case stage::starcraft:
      return "starcraft";
    case stage::world:
      return "world";
    case stage::table:
      return "table";
  }
  return "";
}

std::string_view module_of(page_reader reader) noexcept {
  switch (reader) {
    case page_reader::none:
    case page_reader::by_encoder:
      return "";
    case page_reader::echo:
      return "reader.wasm";
    case page_reader::others:
      return "others.wasm";
    case page_reader::captures:
      return "captures.wasm";
  }
  return "";
}

const reel_encoder* known_reel_encoder(const reel::header& head) noexcept {
  for (const format& each : formats()) {
    for (std::size_t at = 0; at < each.reel_encoders.count; ++at) {
      const reel_encoder& encoder = each.reel_encoders.first[at];
      if (encoder.name == head.encoder_name && (encoder.holds == nullptr || encoder.holds(head))) {
        return &encoder;
      }
    }
  }
  return nullptr;
}

result<const reel_encoder*> reel_encoder_of(const reel::header& head) noexcept {
  const reel_encoder* const found = known_reel_encoder(head);
  if (found == nullptr) {
    return fail(error_code::unsupported_operation, 0,
                "the reel's frames belong to no format that can be published");
  }
  if (!found->reads_version(head.encoder_version)) {
    return fail(error_code::unsupported_version, 0, found->other_version, head.encoder_version,
                found->newest_version);
  }
  return found;
}

}  // namespace tickreel::files
