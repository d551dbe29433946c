#include <algorithm>
#include <map>
#include <set>

#include "anonymise_state.hpp"
#include "edit_sections.hpp"
#include "item_walk.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/icrep/delta.hpp"
#include "tickreel/icrep/edit.hpp"
#include "tickreel/icrep/embedded.hpp"

namespace tickreel::icrep {

namespace {

class anonymisation {
 public:
  anonymisation(const reader& from, byte_span file, const anonymise_options& options)
      : from_(from), options_(options), names_(from.facts().players), sections_(sections_of(from, file)) {}

  result<anonymised_file> run() {
    const auto& described = options_.schema ? options_.schema : from_.facts().schema;
    slot_table table;
    if (described) {
      auto made = slot_table::create(*described);
      if (!made) return fail(made.error());
      table = *made;
    }
    slots_ = described ? &table : nullptr;
    state_anonymiser states(names_, options_, described ? &*described : nullptr, slots_, options_.most);

    auto done = keyframes(states);
    if (done) done = orders(states);
    if (done) done = events(states);
    if (done) done = embedded(states);
    if (!done) return fail(done.error());
    const std::string json = facts();
    sections_.metadata_json = json;
    anonymised_file out;
    out.dropped_signature = !sections_.signature.empty();
    out.has_voice = !sections_.voice.empty();
    sections_.signature = {};
    auto made = encode_file(sections_);
    if (!made) return fail(made.error());
    out.file = std::move(*made);
    out.changes = names_.changes() + renamed_players_ + emptied_names_;
    out.unreadable_places = states.unreadable_places();
    return out;
  }

 private:
  std::string facts() {
    metadata facts = from_.facts();
    const std::size_t limit = options_.most.metadata_bytes;
    for (auto* others : {&facts.others, facts.converted_from ? &facts.converted_from->others : nullptr,
                         facts.branch_from ? &facts.branch_from->others : nullptr}) {
      if (others == nullptr) continue;
      std::set<std::string> keys;
      for (const auto& each : *others) keys.insert(each.first);
      for (auto& [key, json] : *others) {
        if (std::ranges::find(options_.keep_keys, key) != options_.keep_keys.end()) continue;
        names_.replace_in_json(json, limit);
        if (names_.replace(key, limit)) key = name_replacer::unused_key(key, keys);
      }
    }
    if (facts.converted_from) {
      // File names often contain players' names, also unknown nicknames.
      if (!facts.converted_from->original_file.empty()) ++emptied_names_;
      facts.converted_from->original_file.clear();
      names_.replace(facts.converted_from->original_mod, limit);
      names_.replace_in_json(facts.converted_from->translation_warnings_json, limit);
    }
    if (facts.branch_from) names_.replace_in_json(facts.branch_from->ai_assignments_json, limit);
    anonymize(facts);
    for (std::size_t i = 0; i < facts.players.size(); ++i) {
      if (facts.players[i].name != from_.facts().players[i].name) ++renamed_players_;
    }
    facts.is_signed = false;
    return to_json(facts);
  }

  result<void> keyframes(state_anonymiser& states) {
    byte_vector buffer;
    for (const stored_keyframe& one : from_.keyframes()) {
      const auto raw = open_keyframe(one, buffer);
      if (!raw) return fail(raw.error());
      if (one.full) {
        const auto full = read_snapshot(*raw, options_.most);
        if (!full) return fail(at(full.error(), one));
        states.protect(*full);
      } else {
        const auto delta = read_delta(*raw, options_.most);
        if (!delta) return fail(at(delta.error(), one));
        states.protect(*delta);
      }
    }
    keyframe_section_writer writer;
    bool any = false;
    for (const stored_keyframe& one : from_.keyframes()) {
      const auto raw = open_keyframe(one, buffer);
      if (!raw) return fail(raw.error());
      auto changed = one.full ? change_full(*raw, states) : change_delta(*raw, states);
      if (!changed) return fail(at(changed.error(), one));
      any |= changed->second;
      if (auto done = writer.add(one.tick, one.full, changed->first); !done) return done;
    }
    if (!any) return {};
    states_changed_ = true;
    keyframes_ = writer.finish();
    sections_.keyframes = keyframes_;
    // The hash cannot be computed here.
    if (from_.facts().hashes_core()) sections_.final_state_hash = {};
    return {};
  }

  static error at(error what, const stored_keyframe& keyframe) {
    what.offset = keyframe.offset;
    return what;
  }

  result<std::pair<byte_vector, bool>> change_full(byte_span raw, state_anonymiser& states) {
    auto full = read_snapshot(raw, options_.most);
    if (!full) return fail(full.error());
    old_full_ = full->core;
    old_last_ = full->core;
    old_full_hash_ = core_hash(old_full_);
    const auto any = states.change(*full);
    if (!any) return fail(any.error());
    full_ = full->core;
    last_ = full->core;
    full_hash_ = core_hash(full_);
    hashes_[full_.tick] = {sync_hash(old_full_hash_), sync_hash(full_hash_)};
    return std::pair(to_bytes(*full), *any);
  }

  // Deltas depend on the group's full keyframe, or on the keyframe before. A wrong hash stays wrong.
  result<std::pair<byte_vector, bool>> change_delta(byte_span raw, state_anonymiser& states) {
    auto delta = read_delta(raw, options_.most);
    if (!delta) return fail(delta.error());
    const bool hashes_core = from_.facts().hashes_core();
    const bool grouped = delta->core.baseline_tick == full_.tick;
    const digest old_hash = delta->core.baseline_hash;
    const digest old_baseline = grouped || !hashes_core ? old_full_hash_ : core_hash(old_last_);
    if (slots_ != nullptr && hashes_core) {
      if (grouped) old_last_ = old_full_;
      if (auto done = apply(old_last_, delta->core, *slots_, options_.most); !done) return fail(done.error());
    }
    auto any = states.change(*delta);
    if (!any) return fail(any.error());
    if (old_hash == old_baseline && (grouped || hashes_core)) {
      delta->core.baseline_hash = grouped ? full_hash_ : core_hash(last_);
    }
    if (slots_ != nullptr) {
      if (grouped) last_ = full_;
      if (auto done = apply(last_, delta->core, *slots_, options_.most); !done) return fail(done.error());
      if (hashes_core) {
        hashes_[delta->core.tick] = {sync_hash(core_hash(old_last_)), sync_hash(core_hash(last_))};
      }
    }
    return std::pair(to_bytes(*delta), *any || delta->core.baseline_hash != old_hash);
  }

  result<void> orders(state_anonymiser& states) {
    order_stream_writer writer;
    byte_vector out;
    order_cursor frames = from_.orders();
    tick_frame frame;
    while (frames.next(frame)) {
      for (timestamped_order& one : frame.orders) change_order(one.order, states);
      if (states_changed_ && from_.facts().hashes_core() && frame.state_hash != 0) {
        const auto known = hashes_.find(frame.tick);
        if (known == hashes_.end()) {
          frame.state_hash = 0;
        } else if (frame.state_hash == known->second.before) {
          frame.state_hash = known->second.after;
        }
      }
      if (auto done = writer.add(frame, out); !done) return done;
    }
    if (!frames.damage().empty()) return fail(frames.damage().front().what);
    if (auto done = writer.finish(out); !done) return done;
    orders_ = std::move(out);
    sections_.orders = orders_;
    return {};
  }

  void change_order(player_order& given, state_anonymiser& states) {
    const std::size_t limit = options_.most.string_bytes;
    if (auto* chat = std::get_if<order::chat_message>(&given)) names_.replace(chat->text, limit);
    if (auto* command = std::get_if<order::chat_command>(&given)) {
      for (std::string& argument : command->arguments) names_.replace(argument, limit);
    }
    if (auto* setting = std::get_if<order::set_cvar>(&given)) names_.replace(setting->value, limit);
    if (auto* vote = std::get_if<order::vote>(&given)) {
      if (auto* proposed = std::get_if<order::propose>(&vote->action)) change_motion(proposed->vote_type);
    }
    if (auto* own = std::get_if<order::game_order>(&given)) states.look_into(own->payload);
  }

  bool change_motion(analysis::vote::motion& motion) {
    auto* custom = std::get_if<analysis::vote::custom>(&motion);
    return custom != nullptr && names_.replace(custom->name, options_.most.string_bytes);
  }

  // Only votes contain text. Events newer than this code stay unchanged.
  result<void> events(state_anonymiser& states) {
    const block_index index =
        index_blocks(sections_.events, block_kind::events, options_.most, from_.header().events.offset);
    if (!index.damage.empty()) return fail(index.damage.front().what);
    block_stream_writer writer(block_kind::events, {256, 64u << 10, true});
    byte_vector out;
    byte_vector buffer;
    for (const block& one : index.blocks) {
      const auto content = open_block(one, buffer);
      if (!content) return fail(content.error());
      byte_reader in(*content, one.offset);
      while (!in.at_end()) {
        byte_span record = in.bytes(in.u32());
        if (!in.ok()) return fail(in.failure("a record that ends outside its block").value());
        byte_reader head(record, one.offset);
        head.skip(sizeof(std::uint32_t));
        const std::uint64_t tick = head.u64();
        if (!head.ok()) return fail(head.failure("an event without type and tick").value());
        byte_vector renamed;
        auto happened = read_event(record, options_.most, one.offset);
        if (!happened) return fail(happened.error());
        if (!*happened) states.look_into(record);
        if (auto* vote = *happened ? std::get_if<analysis::vote_event>(&(*happened)->what) : nullptr) {
          auto* proposed = std::get_if<analysis::vote::proposed>(&vote->event);
          if (proposed != nullptr && change_motion(proposed->vote_type)) {
            append_event(renamed, **happened);
            record = renamed;
          }
        }
        byte_vector item(sizeof(std::uint32_t));
        byte_writer(item).u32(static_cast<std::uint32_t>(record.size()));
        item.insert(item.end(), record.begin(), record.end());
        if (auto done = add_in_order(writer, tick, item, one.offset, out); !done) return done;
      }
    }
    if (auto done = writer.finish(out); !done) return done;
    events_ = std::move(out);
    sections_.events = events_;
    return {};
  }

  result<void> embedded(state_anonymiser& states) {
    if (sections_.embedded.empty()) return {};
    auto resources = from_.embedded();
    if (!resources) return fail(resources.error());
    bool any = false;
    if (resources->mod_manifest) {
      std::string manifest(as_text(*resources->mod_manifest));
      if (names_.replace_in_json(manifest, options_.most.snapshot_bytes)) {
        const byte_span bytes = as_bytes(manifest);
        resources->mod_manifest = byte_vector(bytes.begin(), bytes.end());
        any = true;
      }
    }
    if (resources->initial_state) {
      auto state = read_snapshot(*resources->initial_state, options_.most);
      if (!state) return fail(state.error());
      const auto changed = states.change(*state);
      if (!changed) return fail(changed.error());
      if (*changed) resources->initial_state = to_bytes(*state);
      any |= *changed;
    }
    if (resources->map_data) states.look_into(*resources->map_data);
    resources->seal.reset();
    auto section = any ? to_bytes(*resources) : with_seal(sections_.embedded, nullptr);
    if (!section) return fail(section.error());
    embedded_ = std::move(*section);
    sections_.embedded = embedded_;
    return {};
  }

  const reader& from_;
  const anonymise_options& options_;
  name_replacer names_;
  file_sections sections_;
  const slot_table* slots_ = nullptr;
  std::uint64_t renamed_players_ = 0;
  std::uint64_t emptied_names_ = 0;  // of files

  byte_vector keyframes_;
  byte_vector orders_;
  byte_vector events_;
  byte_vector embedded_;

  bool states_changed_ = false;
  struct state_hash {
    std::uint64_t before = 0;
    std::uint64_t after = 0;
  };
  std::map<std::uint64_t, state_hash> hashes_;  // of the states at keyframes, as in frames
  sim_core_snapshot full_;
  sim_core_snapshot last_;
  sim_core_snapshot old_full_;
  sim_core_snapshot old_last_;
  digest full_hash_{};
  digest old_full_hash_{};
};

}  // namespace

result<anonymised_file> anonymise_file(byte_span file, const anonymise_options& options) {
  reader_options reading;
  reading.most = options.most;
  reading.schema = options.schema;
  const auto from = open_finished(file, reading);
  if (!from) return fail(from.error());
  if (auto sound = refuse_damage(from->findings()); !sound) return fail(sound.error());
  return anonymisation(*from, file, options).run();
}

}  // namespace tickreel::icrep
