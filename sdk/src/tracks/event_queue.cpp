#include "tickreel/tracks/event_queue.hpp"

#include <algorithm>
#include <string>

#include "tickreel/bytes/endian.hpp"
#include "tickreel/describe/kept_sentence.hpp"

namespace tickreel::tracks {

event_queue::event_queue() : ring_(capacity) {}

void event_queue::report_again() noexcept {
  for (reported_kind& each : described_) each.is_reported = false;
}

event_queue::reported_kind* event_queue::described_as(const event_kind& kind) {
  const auto known = std::find_if(described_.begin(), described_.end(),
                                  [&](const reported_kind& each) { return each.kind == &kind; });
  if (known != described_.end()) return known->description.empty() ? nullptr : &*known;
  if (described_.size() == max_event_kinds) return nullptr;
  reported_kind& made = described_.emplace_back();
  made.kind = &kind;
  made.number = static_cast<std::uint32_t>(described_.size() - 1);
  const byte_vector schema = kind.schema(kind);
  // Equal descriptions are the same kind, also if two libraries of a program each have one.
  const auto of_one_name = std::find_if(described_.begin(), described_.end(), [&](const reported_kind& each) {
    return each.kind != &kind && each.kind->name == kind.name &&
           (each.kind->type_signature != kind.type_signature || each.kind->schema(*each.kind) != schema);
  });
  if (of_one_name != described_.end()) {
    if (!refused_) {
      refused_ = error{
          error_code::invalid_argument, error::no_offset,
          tickreel::detail::kept_sentence(
              "two structs of events are described as \"" + std::string(kind.name) +
                  "\", and those of the second are not recorded: rename one, or give it another name in a "
                  "described_as<T> of its own",
              "two structs of events are described by one name")};
    }
    return nullptr;
  }
  if (schema.size() > max_event_schema_bytes || !read_schema(schema)) return nullptr;
  made.description.resize(sizeof(std::uint32_t));
  tickreel::detail::store<std::endian::little>(made.description.data(), made.number);
  made.description.insert(made.description.end(), schema.begin(), schema.end());
  return &made;
}

}  // namespace tickreel::tracks
