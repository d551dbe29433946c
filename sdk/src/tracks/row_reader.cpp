#include "tickreel/tracks/row_reader.hpp"

#include <algorithm>
#include <utility>

#include "tickreel/reel/reader.hpp"

namespace tickreel::tracks {

struct row_reader::state {
  state(reel::reader&& from, row_decoder&& first, row_decoder&& second, bool live)
      : source(std::move(from)),
        walk(source, {0, live}),
        in_order(std::move(first)),
        wanted_walk(source, {0, live}),
        wanted(std::move(second)),
        is_live(live) {}

  reel::reader source;
  // Two positions in the reel: that of next(), and the last requested chunk.
  reel::frame_stream walk;
  row_decoder in_order;
  reel::frame_stream wanted_walk;
  row_decoder wanted;
  static constexpr std::size_t no_chunk = static_cast<std::size_t>(-1);
  std::size_t wanted_chunk = no_chunk;
  bool can_resume = false;  // wanted_walk is at the end of that chunk, and has read nothing of the next
  // After open_chunk() failed: the first of the lost chunks, up to the wanted one.
  std::size_t lost_from = 0;
  std::vector<frame_stamp> wanted_stamps;
  bool is_live;

  // The last chunk from that one on for which `begins` is true, up to the next one that starts with a keyframe.
  template <class Begins>
  [[nodiscard]] std::size_t last_that(std::size_t entrance, Begins&& begins) const {
    const auto& records = source.contents().records;
    std::size_t found = entrance;
    for (std::size_t number = entrance + 1; number < records.size() && !records[number].is_entrance();
         ++number) {
      if (records[number].kind == reel::record_kind::chunk && begins(records[number])) found = number;
    }
    return found;
  }

  // Opens the block of that chunk, and those that it continues, unless it is open.
  result<void> open_chunk(std::size_t chunk) {
    if (chunk == wanted_chunk) return {};
    std::size_t first = chunk;
    while (first != 0 && !source.contents().records[first].is_entrance()) --first;
    const bool is_ahead = can_resume && first <= wanted_chunk && wanted_chunk < chunk;
    lost_from = is_ahead ? wanted_chunk + 1 : first;
    wanted_chunk = no_chunk;
    can_resume = false;
    wanted_stamps.clear();
    if (!is_ahead) wanted_walk.restart(first);
    reel::item next;
    for (;;) {
      const auto more = wanted_walk.next(next);
      if (!more) return fail(more.error());
      if (!*more) break;
      // A loss before the chunk, or in it.
      if (next.kind == reel::item_kind::loss && wanted_walk.next_record_number() > chunk) break;
      if (next.kind != reel::item_kind::frame) continue;
      const bool opens = row_decoder::begins_block(next.frame.kind, next.frame.bytes);
      const bool belongs = wanted_walk.next_record_number() == chunk + 1;
      // The first frame of a chunk is its block. Another block is not opened here: the stamps are not those of its rows.
      if (wanted_walk.next_record_number() > chunk + 1 || (belongs && wanted_stamps.empty() != opens)) break;
      if (opens) {
        if (auto opened = wanted.open_block(next.frame.kind, next.frame.bytes); !opened) return opened;
      }
      if (!belongs) {
        lost_from = wanted_walk.next_record_number();
        continue;
      }
      wanted_stamps.push_back(next.frame.stamp);
      // A block has as many rows as its chunk has frames.
      can_resume = wanted_stamps.size() == wanted.rows();
      if (can_resume) break;
    }
    if (wanted_stamps.empty())
      return fail(error_code::out_of_range, error::no_offset, "these ticks are lost");
    wanted_chunk = chunk;
    return {};
  }

  // The record at which decoding begins for that time. After the last chunk, its last state applies.
  [[nodiscard]] result<std::size_t> entrance_for(std::int64_t time_us) const {
    const auto found = source.chunk_for_time(time_us);
    if (found || found.error().code != error_code::out_of_range) return found;
    const auto& records = source.contents().records;
    const auto last = std::find_if(records.rbegin(), records.rend(), [](const reel::record_info& each) {
      return each.kind == reel::record_kind::chunk;
    });
    if (last == records.rend() || time_us <= last->last_time_us) return found;
    return source.chunk_for_time(last->last_time_us);
  }

  // Whether ticks are, or may be, lost between that tick of the chunk, which may be its last, and that time.
  [[nodiscard]] bool is_lost_after(frame_stamp last, std::size_t chunk, bool is_last,
                                   std::int64_t time_us) const {
    const auto& records = source.contents().records;
    const auto reports_loss = [&](const reel::record_info& info) {
      if (info.kind != reel::record_kind::gap || info.first_time_us > time_us) return false;
      // One that has that tick's stamp follows it, as note_gap() writes it.
      const bool follows = info.first_tick == last.tick && info.first_time_us >= last.time_us;
      return info.last_tick > last.tick || (follows && info.last_tick == last.tick);
    };
    // A gap precedes the chunk in which, or after which, its ticks would have been.
    for (std::size_t number = chunk; number-- > 0 && records[number].kind != reel::record_kind::chunk;) {
      if (reports_loss(records[number])) return true;
    }
    for (std::size_t number = chunk + 1; is_last && number < records.size(); ++number) {
      const reel::record_info& info = records[number];
      if (may_lack_ticks(records[number - 1], info) || reports_loss(info)) return true;
      if (info.kind != reel::record_kind::chunk) continue;
      return info.damaged && info.first_time_us <= time_us;
    }
    return is_last && is_torn_before(time_us);
  }
  // Whether ticks are, or may be, missing between a record and the next known one.
  [[nodiscard]] static bool may_lack_ticks(const reel::record_info& before,
                                           const reel::record_info& info) noexcept {
    const bool is_end = info.kind == reel::record_kind::end;
    if (before.ticks_before && info.ticks_before) {
      if (*info.ticks_before > *before.ticks_before + (before.counts_ticks() ? before.frames : 0))
        return true;
      // A missing record before the end may be a gap of an unknown number of ticks.
      if (!is_end && info.kind != reel::record_kind::index) return false;
    }
    // Between the last recorded data and the end there is only the index.
    return info.sequence - before.sequence > (is_end ? 2u : 1u);
  }
  // Whether the incomplete last record has, or may have, ticks up to that time.
  [[nodiscard]] bool is_torn_before(std::int64_t time_us) const {
    const reel::table_of_contents& contents = source.contents();
    if (is_live || contents.end != reel::reel_end::torn) return false;
    const reel::record_info& last = contents.records.back();
    const auto& torn = contents.torn_record;
    if (!torn) return last.kind != reel::record_kind::index;
    return torn->sequence != last.sequence + 1 || (torn->counts_ticks() && torn->first_time_us <= time_us);
  }

  result<row_view> row(std::size_t number) {
    if (auto done = wanted.go_to_row(number); !done) return fail(done.error());
    return row_view{wanted_stamps[number], wanted.state()};
  }
};

row_reader::row_reader(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
row_reader::row_reader(row_reader&&) noexcept = default;
row_reader& row_reader::operator=(row_reader&&) noexcept = default;
row_reader::~row_reader() = default;

result<row_reader> row_reader::open(const file_path& path, bool live) {
  return start(reel::reader::open(path), live);
}

result<row_reader> row_reader::open(const byte_source& from, bool live) {
  return start(reel::reader::open(from), live);
}

result<row_reader> row_reader::start(result<reel::reader> source, bool live) {
  if (!source) return fail(source.error());
  const reel::header& head = source->head();
  if (head.encoder_name != rows_name) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "the reel holds another format's ticks, no described struct");
  }
  if (!row_decoder::reads_version(head.encoder_version)) {
    return fail(error_code::unsupported_version, error::no_offset,
                "tracks of version {}, this program reads {}", head.encoder_version, rows_version);
  }
  auto in_order = row_decoder::create(head.schema);
  if (!in_order) return fail(in_order.error());
  auto wanted = row_decoder::create(head.schema);
  if (!wanted) return fail(wanted.error());
  return row_reader(
      std::make_unique<state>(std::move(*source), std::move(*in_order), std::move(*wanted), live));
}

const reel::header& row_reader::head() const noexcept {
  return state_->source.head();
}

const reel::table_of_contents& row_reader::contents() const noexcept {
  return state_->source.contents();
}

const schema& row_reader::described() const noexcept {
  return state_->wanted.described();
}

result<row_view> row_reader::at_tick(std::uint64_t tick) {
  const auto entrance = state_->source.chunk_for_tick(tick);
  if (!entrance) return fail(entrance.error());
  const std::size_t chunk =
      state_->last_that(*entrance, [&](const reel::record_info& info) { return info.first_tick <= tick; });
  if (auto opened = state_->open_chunk(chunk); !opened) return fail(opened.error());
  const auto& stamps = state_->wanted_stamps;
  const auto found =
      std::lower_bound(stamps.begin(), stamps.end(), tick,
                       [](const frame_stamp& each, std::uint64_t wanted) { return each.tick < wanted; });
  if (found == stamps.end() || found->tick != tick) {
    return fail(error_code::out_of_range, error::no_offset, "tick {} was not recorded, or is lost",
                static_cast<std::int64_t>(tick));
  }
  return state_->row(static_cast<std::size_t>(found - stamps.begin()));
}

result<row_view> row_reader::at_time(std::int64_t time_us) {
  const auto entrance = state_->entrance_for(time_us);
  if (!entrance) return fail(entrance.error());
  const std::size_t chunk = state_->last_that(
      *entrance, [&](const reel::record_info& info) { return info.first_time_us <= time_us; });
  if (auto opened = state_->open_chunk(chunk); !opened) return fail(opened.error());
  const auto& stamps = state_->wanted_stamps;
  const auto after =
      std::upper_bound(stamps.begin(), stamps.end(), time_us,
                       [](std::int64_t wanted, const frame_stamp& each) { return wanted < each.time_us; });
  if (after == stamps.begin())
    return fail(error_code::out_of_range, error::no_offset, "before the first tick");
  const frame_stamp found = *(after - 1);
  if (found.time_us < time_us && state_->is_lost_after(found, chunk, after == stamps.end(), time_us)) {
    return fail(error_code::out_of_range, error::no_offset, "the state at that time is lost");
  }
  return state_->row(static_cast<std::size_t>(after - stamps.begin()) - 1);
}

result<row_view> row_reader::last() {
  const auto& records = state_->source.contents().records;
  for (std::size_t number = records.size(); number-- > 0;) {
    if (records[number].kind != reel::record_kind::chunk || records[number].damaged) continue;
    const auto opened = state_->open_chunk(number);
    if (opened) return state_->row(state_->wanted_stamps.size() - 1);
    if (opened.error().code != error_code::out_of_range) return fail(opened.error());
    number = state_->lost_from;
  }
  return fail(error_code::out_of_range, error::no_offset, "no tick at all");
}

result<bool> row_reader::next(row_view& out) {
  reel::frame frame;
  for (;;) {
    const auto more = state_->walk.next(frame);
    if (!more || !*more) return more;
    if (auto done = state_->in_order.decode(frame.kind, frame.bytes); !done) return fail(done.error());
    out = {frame.stamp, state_->in_order.state()};
    return true;
  }
}

void row_reader::rewind() noexcept {
  state_->walk.restart(0);
}

const reel::loss_totals& row_reader::totals() const noexcept {
  return state_->walk.totals();
}

const std::vector<reel::loss>& row_reader::skipped_losses() const noexcept {
  return state_->walk.skipped_losses();
}

event_reader row_reader::events() const {
  return event_reader(state_->source, state_->is_live);
}

result<std::size_t> row_reader::refresh() {
  return state_->source.refresh();
}

}  // namespace tickreel::tracks
