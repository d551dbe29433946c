#include "tickreel/sc2replay/replay.hpp"

namespace tickreel::sc2replay {

namespace {

// The first of the two names that is there, unpacked. A member that cannot be read counts as a problem.
class loader {
 public:
  loader(const mpq::archive& from, replay& into) : from_(&from), into_(&into) {}

  bool load(const char* name, const char* backup, byte_vector& out) {
    const bool needs_backup =
        from_->find(name) == nullptr && backup != nullptr && from_->find(backup) != nullptr;
    current_ = needs_backup ? backup : name;
    if (from_->find(current_) == nullptr) return false;
    if (auto read = from_->read(current_, out); !read) {
      report(read.error());
      return false;
    }
    return true;
  }

  // What every replay of that time has.
  bool load_needed(const char* name, const char* backup, byte_vector& out) {
    if (load(name, backup, out)) return true;
    need(current_);
    return false;
  }

  void need(const char* name) {
    if (from_->find(name) != nullptr) return;
    current_ = name;
    report(error{error_code::not_found, error::no_offset, "the replay lacks this member", {0, 0}, 0});
  }

  // Keeps the value, or why there is none.
  template <class Value>
  void keep(result<Value>&& parsed, std::optional<Value>& out) {
    if (parsed) {
      out = std::move(*parsed);
    } else {
      report(parsed.error());
    }
  }

 private:
  void report(const error& what) { into_->problems.push_back({current_, what}); }

  const mpq::archive* from_;
  replay* into_;
  const char* current_ = "";
};

}  // namespace

void replay::join() {
  const auto setups = sc2replay::read_player_setups(tracker_events, base_build());
  players = sc2replay::join_players(
      {base_build(), details ? &*details : nullptr, lobby ? &*lobby : nullptr, setups});
}

result<replay> replay::open_without_events(const mpq::archive& from) {
  auto header = sc2replay::read_header(from.user_data());
  if (!header) return fail(header.error());
  replay out;
  out.file_bytes = from.file_bytes();
  out.members.assign(from.members().begin(), from.members().end());
  out.header = std::move(*header);
  const std::uint32_t base_build = out.base_build();
  const bool beta = out.header.encoding == sc2replay::header_encoding::beta;
  loader load(from, out);
  byte_vector bytes;
  if (beta) {
    if (load.load_needed("replay.info", nullptr, bytes)) {
      load.keep(sc2replay::read_lobby(bytes, base_build), out.lobby);
    }
  } else {
    if (load.load_needed("replay.details", "replay.details.backup", bytes)) {
      load.keep(sc2replay::read_details(bytes), out.details);
    }
    if (load.load_needed("replay.initData", "replay.initData.backup", bytes)) {
      load.keep(sc2replay::read_lobby(bytes, base_build), out.lobby);
    }
    if (load.load_needed("replay.attributes.events", nullptr, bytes)) {
      load.keep(sc2replay::read_attributes(bytes, base_build), out.attributes);
    }
  }
  load.need("replay.game.events");
  load.need("replay.message.events");
  out.join();
  return out;
}

void replay::unpack_events(const mpq::archive& from) {
  loader load(from, *this);
  load.load("replay.game.events", nullptr, game_events);
  load.load("replay.message.events", nullptr, message_events);
  load.load("replay.tracker.events", nullptr, tracker_events);
  join();
}

result<replay> replay::open(const mpq::archive& from) {
  auto out = open_without_events(from);
  if (out) out->unpack_events(from);
  return out;
}

result<replay> replay::open(byte_span file, const mpq::limits& limits) {
  auto from = open_archive(file, limits);
  if (!from) return fail(from.error());
  return open(*from);
}

std::string_view replay::map() const noexcept {
  if (details) return details->title;
  return lobby ? std::string_view(lobby->title) : std::string_view();
}

}  // namespace tickreel::sc2replay
