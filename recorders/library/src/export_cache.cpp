// Import and export of caches of the DotA replay manager.
#include <algorithm>

#include "describe_file.hpp"
#include "file_identity.hpp"
#include "filter.hpp"
#include "rows.hpp"
#include "state.hpp"
#include "tickreel/gamecache/convert.hpp"
#include "tickreel/gamecache/file.hpp"
#include "tickreel/gamecache/store.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::library {

namespace {

// The games of one cache, in order.
struct source_cache {
  std::int64_t file = 0;
  gamecache::contents all;
};

gamecache::layout layout_of(std::string_view name) {
  return name == "flat" ? gamecache::layout::flat : gamecache::layout::flagged;
}

result<std::vector<source_cache>> load_caches(connection& index, const filter& conditions) {
  auto rows = index.prepare(
      "SELECT c.file, c.layout, c.version, c.next_age, i.item FROM games g JOIN files f ON f.id = g.file "
      "JOIN caches c ON c.file = f.id JOIN cache_items i ON i.game = g.id" +
      conditions.where() + " ORDER BY f.path, g.place");
  if (!rows) return fail(rows.error());
  (void)conditions.bind(*rows);
  std::vector<source_cache> out;
  for (;;) {
    const auto more = rows->step();
    if (!more) return fail(more.error());
    if (!*more) return out;
    if (out.empty() || out.back().file != rows->integer(0)) {
      source_cache fresh;
      fresh.file = rows->integer(0);
      fresh.all.layout = layout_of(rows->text(1));
      if (fresh.all.layout == gamecache::layout::flagged) {
        fresh.all.stored_version = static_cast<std::uint32_t>(rows->integer(2));
      }
      fresh.all.next_age = static_cast<std::uint32_t>(rows->integer(3));
      out.push_back(std::move(fresh));
    }
    auto item = gamecache::read_item(as_bytes(rows->text(4)), out.back().all);
    if (!item) return fail(item.error());
    out.back().all.items.push_back(std::move(*item));
  }
}

// Converts an item to the version of the file.
void adapt(gamecache::item& item, std::uint32_t from_version, std::uint32_t to_version) {
  using namespace gamecache;
  if (normalised_version(to_version) >= version_1_05) item.claimed_size.reset();
  const bool had_assists = item.stats_per_player == 5;
  if (from_version != to_version) item.stats_per_player = 0;
  if (normalised_version(to_version) < version_2_05 && had_assists && from_version != to_version) {
    for (gamecache::player& each : item.players) each.assists = 0;
  }
}

bool fits(const gamecache::item& item, const gamecache::contents& like) {
  return gamecache::write_item(item, like).has_value();
}

// Merges several caches: the longest unused first, one item per path.
gamecache::contents merge(const std::vector<source_cache>& sources, gamecache::layout layout,
                          const export_options& options, export_report& report) {
  gamecache::contents fresh{.layout = layout, .items = {}};
  if (layout == gamecache::layout::flagged) {
    const auto version_of = [](const source_cache& each) {
      return each.all.layout == gamecache::layout::flagged ? each.all.stored_version
                                                           : gamecache::version_2_09;
    };
    const bool one_version = std::ranges::all_of(
        sources, [&](const source_cache& each) { return version_of(each) == version_of(sources.front()); });
    if (one_version && !sources.empty()) fresh.stored_version = version_of(sources.front());
  }
  gamecache::store out(fresh, {.max_items = options.max_items});
  for (const source_cache& each : sources) {
    gamecache::conversion_losses lost;
    gamecache::contents converted = gamecache::convert(each.all, layout, lost);
    report.lost_fields += lost.total() - lost.not_understood;
    if (lost.not_understood != 0) report.left_out["gamecache"] += lost.not_understood;
    std::ranges::stable_sort(converted.items, {}, &gamecache::item::age);
    for (gamecache::item& item : converted.items) {
      adapt(item, converted.stored_version, fresh.stored_version);
      if (!fits(item, fresh)) {
        ++report.left_out["gamecache"];
        continue;
      }
      if (const auto known = out.find_path(item.path)) {
        ++report.duplicates;
        if (out.all().items[*known].modified > item.modified) continue;
      }
      report.evicted += out.put(std::move(item)).evicted;
    }
  }
  return std::move(out).take();
}

result<void> count_left_out(connection& index, const filter& conditions, export_report& report) {
  auto rows = index.prepare(
      "SELECT f.format, count(*) FROM games g JOIN files f ON f.id = g.file" + conditions.where() +
      " AND NOT EXISTS (SELECT 1 FROM cache_items WHERE game = g.id) GROUP BY f.format");
  if (!rows) return fail(rows.error());
  (void)conditions.bind(*rows);
  for (;;) {
    const auto more = rows->step();
    if (!more) return fail(more.error());
    if (!*more) return {};
    report.left_out[std::string(rows->text(0))] += static_cast<std::uint64_t>(rows->integer(1));
  }
}

}  // namespace

result<export_report> catalogue::export_cache(const file_path& path, const export_options& options) const {
  const filter conditions(options.games);
  auto sources = load_caches(state_->index, conditions);
  if (!sources) return fail(sources.error());
  export_report report;
  if (auto counted = count_left_out(state_->index, conditions, report); !counted)
    return fail(counted.error());

  gamecache::layout layout = gamecache::layout::flat;
  if (options.layout) {
    layout = *options.layout == cache_layout::flat ? gamecache::layout::flat : gamecache::layout::flagged;
  } else if (!sources->empty() && std::ranges::all_of(*sources, [](const source_cache& each) {
               return each.all.layout == gamecache::layout::flagged;
             })) {
    layout = gamecache::layout::flagged;
  }
  // An unchanged cache is written with its ages and all other content.
  const bool as_it_was =
      sources->size() == 1 && sources->front().all.layout == layout && options.max_items == 0;
  const gamecache::contents all =
      as_it_was ? std::move(sources->front().all) : merge(*sources, layout, options, report);

  const auto bytes = gamecache::write(all, {.program_limits = false});
  if (!bytes) return fail(bytes.error());
  auto file = published_file::create(full_path(filesystem_path(path)), options.overwrite);
  if (!file) return fail(file.error());
  if (auto written = file->append(*bytes); !written) return fail(written.error());
  if (auto done = file->commit(); !done) return fail(done.error());
  report.games = all.items.size();
  report.bytes = bytes->size();
  report.layout = layout == gamecache::layout::flat ? cache_layout::flat : cache_layout::flagged;
  return report;
}

result<import_report> catalogue::import_cache(const file_path& path) {
  if (auto checked = check_path(path); !checked) return fail(checked.error());
  const std::filesystem::path full = full_path(filesystem_path(path));
  const auto identity = identify(full);
  if (!identity) return fail(identity.error());
  const std::string format = format_of(full);
  if (!is_collection(format)) {
    return fail(error_code::not_recognised, 0, "not a cache of the DotA replay manager");
  }
  const auto hash = fingerprint(full, identity->bytes);
  if (!hash) return fail(hash.error());
  const auto facts = describe_file(full, format, false, {});
  if (!facts) return fail(facts.error());
  if (facts->damaged()) {
    // Nothing is imported from an unreadable cache, and the reader reports the reason.
    const auto opened = files::open(full);
    return opened ? fail(error_code::malformed) : fail(opened.error());
  }
  auto rows = row_writer::prepare(state_->index);
  if (!rows) return fail(rows.error());
  auto all = transaction::begin(state_->index);
  if (!all) return fail(all.error());
  const auto id = rows->put(file_path(full).utf8(), *identity, *hash, *facts);
  if (!id) return fail(id.error());
  if (auto marked = rows->mark_imported(*id); !marked) return fail(marked.error());
  if (auto done = all->commit(); !done) return fail(done.error());
  return import_report{facts->games.size(), facts->health == "incomplete"};
}

}  // namespace tickreel::library
