#include "scan_objects.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "describe_index.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/store/index_object.hpp"
#include "tickreel/store/object_bytes.hpp"

namespace tickreel::library {

namespace {

// Limit for an object without an index object, unless `thorough`.
constexpr std::uint64_t max_fetched = std::uint64_t{8} << 20;

// Whether the index object describes the recording's current content.
bool describes(const store::index_object& index, const job& found) {
  const std::string& key = found.stored->key;
  const std::string_view name = std::string_view(key).substr(key.rfind('/') + 1);
  return index.bytes == found.identity.bytes && index.key.ends_with(name);
}

std::uint64_t first_bits(const std::string& sha256) {
  std::uint64_t out = 0;
  if (sha256.size() == 64) (void)std::from_chars(sha256.data(), sha256.data() + 16, out, 16);
  return out;
}

}  // namespace

void walk_store(const store_root& root, shared_state& all) {
  const auto listed = store::list_recordings(*root.in, [&all] { return all.stop.load(); });
  if (all.stop) return;
  if (!listed) return all.cannot_list(root.address, listed.error());
  if (listed->empty()) {
    const auto inside = [&root](const auto& each) { return each.first.starts_with(root.address + '/'); };
    if (std::ranges::any_of(all.known, inside)) return;
    return all.cannot_list(root.address,
                           {error_code::not_found, error::no_offset, "no objects under this address"});
  }
  for (const store::listed_recording& each : *listed) {
    if (all.stop) return;
    job found;
    found.identity = {each.itself.bytes, 0, tag_number(each.itself.tag)};
    found.stored = {.root = &root.address, .key = each.itself.key, .index_key = {}, .tag = each.itself.tag};
    if (each.index) {
      found.stored->index_key = each.index->key;
      found.identity.modified_ns = tag_number(each.index->tag);
    }
    all.meet(root.in->url_of(each.itself.key), std::move(found));
  }
}

store::object_store* object_reader::store_of(const std::string& address) {
  auto& kept = stores_[address];
  if (kept) return kept.get();
  shared_state& all = *all_;
  auto opened = store::open(address, {.cancelled = [&all] { return all.stop.load(); }});
  if (!opened) {
    all.cannot_fetch(address, opened.error());
    return nullptr;
  }
  kept = std::move(*opened);
  return kept.get();
}

std::optional<outcome> object_reader::look_at(const job& found) {
  store::object_store* const in = store_of(*found.stored->root);
  if (in == nullptr) return std::nullopt;
  outcome out;
  out.path = in->url_of(found.stored->key);
  out.identity = found.identity;
  out.known = found.known;
  if (found.stored->index_key.empty() || all_->options->thorough) {
    return by_parts(*in, found, std::move(out));
  }
  const auto index = store::fetch_index(*in, found.stored->index_key);
  if (!index) {
    if (!all_->stop) all_->cannot_fetch(in->url_of(found.stored->index_key), index.error());
    return std::nullopt;
  }
  if (*index && describes(**index, found)) {
    if (auto facts = describe_index(**index)) {
      out.facts = std::move(*facts);
      out.hash = first_bits((*index)->sha256);
      return out;
    }
  }
  return by_parts(*in, found, std::move(out));
}

std::optional<outcome> object_reader::by_parts(store::object_store& in, const job& found, outcome&& out) {
  const bool thorough = all_->options->thorough;
  const auto bytes = std::make_shared<store::object_bytes>(
      in, found.stored->key, found.identity.bytes,
      thorough ? std::numeric_limits<std::uint64_t>::max() : max_fetched);
  const byte_source from(bytes, file_path(out.path));
  out.hash = xxh3_64(as_bytes(found.stored->tag));
  const std::string format = format_of(from);
  std::optional<files::summary> head;
  bool has_facts = false;
  if (!format.empty() && !bytes->failure()) {
    shared_state& all = *all_;
    const files::monitor watch{.cancelled = [&all] { return all.stop.load(); }};
    const auto described = [&] { has_facts = !bytes->failure(); };
    auto facts = describe_bytes(from, format, thorough, watch, head, described);
    if (!facts) return std::nullopt;
    out.facts = std::move(*facts);
  }
  auto failure = bytes->failure();
  // An object within the limit, of which the events need more.
  if (failure && failure->code == error_code::over_limit && has_facts) failure.reset();
  if (!failure) {
    // Of exactly the object that was listed.
    if (bytes->failure() || bytes->tag() != found.stored->tag) out.facts.events.reset();
    return out;
  }
  if (all_->stop) return std::nullopt;
  if (failure->code != error_code::over_limit) {
    // Removed since it was listed: the next scan detects it.
    if (failure->code != error_code::not_found) all_->cannot_fetch(out.path, *failure);
    return std::nullopt;
  }
  out.facts = {};
  out.facts.format = format;
  out.facts.health = "unread";
  out.facts.reason = "reading it needs more than 8 MiB of it; 'scan --thorough' fetches them";
  out.facts.games.push_back({});
  if (head) {
    out.facts.format_version = head->format_version;
    out.facts.games.back().facts = game_of(*head);
  }
  return out;
}

}  // namespace tickreel::library
