// Forgeries around the recorded content: signatures, header, layout, another match.
#pragma once

#include "forger_trial.hpp"
#include "hex.hpp"

namespace tickreel::test {

inline void forge_signatures(trial& on) {
  const icrep::signature_chain forged = [&] {
    icrep::chain_signer mine(seed_of(9), {on.parts().facts.replay_id, {}, 42});
    for (const auto& entry : on.parts().chain.chain) got(mine.add(entry.tick, entry.state_hash));
    return mine.chain();
  }();
  on.forge("signature: of another key", [&](match_parts& it) { it.chain = forged; });
  on.forge("signature: of another key, the seal gone", [&](match_parts& it) {
    it.chain = forged;
    it.has_seal = false;
  });
  on.bytes("signature: all of it with another key", [&](byte_vector& file) {
    file = got(icrep::sign_file(file, seed_of(9), {.replace = true})).file;
  });
  on.forge("signature: another key's name",
           [&](match_parts& it) { it.chain.relay_public_key = forged.relay_public_key; });
  const std::size_t entries = on.parts().chain.chain.size();
  for (std::size_t entry = 0; entry < entries; ++entry) {
    const std::string where = ", entry " + std::to_string(entry);
    const auto at = static_cast<std::ptrdiff_t>(entry);
    on.forge("signature: one less" + where, [&](match_parts& it) {
      it.chain.chain.erase(it.chain.chain.begin() + at);
      it.seal.entries.erase(it.seal.entries.begin() + at);
    });
    on.forge("signature: one less in the seal" + where,
             [&](match_parts& it) { it.seal.entries.erase(it.seal.entries.begin() + at); });
    on.forge("signature: one less in the chain" + where,
             [&](match_parts& it) { it.chain.chain.erase(it.chain.chain.begin() + at); });
    on.forge("signature: skipped" + where, [&](match_parts& it) { ++it.chain.chain[entry].skipped_ticks; });
    on.forge("signature: tick" + where, [&](match_parts& it) { ++it.chain.chain[entry].tick; });
    on.forge("signature: counts" + where, [&](match_parts& it) { ++it.seal.entries[entry].events; });
    on.forge("signature: state" + where,
             [&](match_parts& it) { it.chain.chain[entry].state_hash[9] ^= std::byte{1}; });
  }
  on.forge("signature: order of entries",
           [](match_parts& it) { std::swap(it.seal.entries[1], it.seal.entries[2]); });
  on.forge("signature: order of both", [](match_parts& it) {
    std::swap(it.seal.entries[1], it.seal.entries[2]);
    std::swap(it.chain.chain[1], it.chain.chain[2]);
  });
  on.forge("signature: an entry as the end", [](match_parts& it) { it.seal.end = it.seal.entries.back(); });
  on.forge("signature: counts of the end", [](match_parts& it) { ++it.seal.end->voice; });
  on.forge("signature: no end", [](match_parts& it) { it.seal.end.reset(); });
  on.forge("signature: no entries", [](match_parts& it) {
    it.seal.entries.clear();
    it.chain.chain.clear();
  });
  on.forge("signature: no entries, no end", [](match_parts& it) {
    it.seal = {};
    it.chain.chain.clear();
    it.incomplete = true;
  });
  // The header states the remaining number.
  on.forge("seal: all of it", [](match_parts& it) { it.has_seal = false; });
  BOOST_TEST((state_of([&] {
                match_parts bare = on.parts();
                bare.has_seal = false;
                return put_together(bare);
              }()) == signature_state::states_only));
  on.forge("no signature", [](match_parts& it) { it.has_chain = false; });
  on.forge("no signature and no seal", [](match_parts& it) { it.has_chain = it.has_seal = false; });
}

inline void forge_headers(trial& on) {
  on.forge("header: a tick more", [](match_parts& it) { ++it.total_ticks; });
  on.forge("header: a tick less", [](match_parts& it) { --it.total_ticks; });
  on.forge("header: final state", [](match_parts& it) { it.final_state_hash[20] ^= std::byte{1}; });
  on.forge("header: another final state", [](match_parts& it) { it.final_state_hash.fill(std::byte{7}); });
  on.forge("header: incomplete", [](match_parts& it) { it.incomplete = true; });
  on.forge("header: lost frames", [](match_parts& it) { it.lost_frame_count = 1; });
  on.forge("resources: a map", [](match_parts& it) { it.resources.map_data = byte_vector(9, std::byte{1}); });
  on.forge("resources: a manifest", [](match_parts& it) { it.resources.mod_manifest = from_hex("7b7d"); });
  on.forge("resources: balance", [](match_parts& it) { it.resources.balance_preset = "mine"; });
  on.forge("resources: a first state",
           [](match_parts& it) { it.resources.initial_state = it.keyframes[0].raw; });
  for (std::size_t bit = 0; bit < 8 * icrep::header_bytes; ++bit) {
    on.bytes("header: byte " + std::to_string(bit / 8),
             [&](byte_vector& file) { file[bit / 8] ^= static_cast<std::byte>(1u << bit % 8); });
  }
}

// Places that no reader reads, where data could be hidden.
inline void forge_layout(trial& on) {
  const auto header = got(icrep::read_header(on.good()));
  const std::size_t size = on.good().size();
  on.bytes("layout: a byte behind the end", [](byte_vector& file) { file.push_back(std::byte{0}); });
  using header_field = icrep::section icrep::file_header::*;
  const std::vector<std::pair<std::string, header_field>> all = {
      {"metadata", &icrep::file_header::metadata},   {"orders", &icrep::file_header::orders},
      {"keyframes", &icrep::file_header::keyframes}, {"events", &icrep::file_header::events},
      {"voice", &icrep::file_header::voice},         {"signature", &icrep::file_header::signature},
      {"embedded", &icrep::file_header::embedded}};
  for (const auto& [name, which] : all) {
    on.bytes("layout: bytes before " + name, [&, which = which](byte_vector& file) {
      const std::uint32_t at = (header.*which).offset;
      file.insert(file.begin() + at, 5, std::byte{7});
      icrep::file_header moved = header;
      for (const auto& one : all) {
        if ((moved.*one.second).offset >= at) (moved.*one.second).offset += 5;
      }
      std::ranges::copy(icrep::to_bytes(moved), file.begin());
    });
    on.bytes("layout: " + name + " at the end, the old ones left", [&, which = which](byte_vector& file) {
      icrep::file_header moved = header;
      const icrep::section old = header.*which;
      (moved.*which).offset = static_cast<std::uint32_t>(size);
      const byte_vector copy(file.begin() + old.offset, file.begin() + old.offset + old.length);
      file.insert(file.end(), copy.begin(), copy.end());
      std::ranges::copy(icrep::to_bytes(moved), file.begin());
    });
  }
  on.bytes("layout: events and voice exchanged", [&](byte_vector& file) {
    icrep::file_header moved = header;
    std::rotate(file.begin() + header.events.offset, file.begin() + header.voice.offset,
                file.begin() + header.voice.offset + header.voice.length);
    moved.voice.offset = header.events.offset;
    moved.events.offset = header.events.offset + header.voice.length;
    std::ranges::copy(icrep::to_bytes(moved), file.begin());
  });
  const auto with = [&](const std::string& kind, byte_vector match_sections::* which,
                        byte_span icrep::file_sections::* to, auto&& change) {
    on.sections("layout: " + kind, [&](match_sections& made) {
      change(made.*which);
      made.all.*to = made.*which;
    });
  };
  struct stream {
    std::string name;
    icrep::block_kind kind;
    byte_vector match_sections::* bytes;
    byte_span icrep::file_sections::* place;
  };
  for (const stream& each :
       {stream{"orders", icrep::block_kind::orders, &match_sections::orders, &icrep::file_sections::orders},
        stream{"events", icrep::block_kind::events, &match_sections::events, &icrep::file_sections::events},
        stream{"voice", icrep::block_kind::voice, &match_sections::voice, &icrep::file_sections::voice}}) {
    const auto remade = [&](byte_vector& bytes, auto&& change) {
      byte_vector buffer;
      byte_vector out;
      auto blocks = icrep::index_blocks(bytes, each.kind).blocks;
      for (auto& one : blocks) {
        const byte_span raw = got(icrep::open_block(one, buffer));
        byte_vector content(raw.begin(), raw.end());
        change(one.head, content);
        got(icrep::append_block(out, one.head, content, true));
      }
      bytes = out;
    };
    with(each.name + ", bytes after the blocks", each.bytes, each.place,
         [](byte_vector& bytes) { bytes.resize(bytes.size() + 3); });
    with(each.name + ", an empty block", each.bytes, each.place, [&](byte_vector& bytes) {
      icrep::block_header head;
      head.kind = each.kind;
      head.first_tick = match_ticks;
      got(icrep::append_block(bytes, head, {}, false));
    });
    with(each.name + ", one counted less", each.bytes, each.place,
         [&](byte_vector& bytes) { remade(bytes, [](auto& head, auto&) { --head.count; }); });
    with(each.name + ", another first tick", each.bytes, each.place,
         [&](byte_vector& bytes) { remade(bytes, [](auto& head, auto&) { ++head.first_tick; }); });
    with(each.name + ", not the last block", each.bytes, each.place,
         [&](byte_vector& bytes) { remade(bytes, [](auto& head, auto&) { head.last = false; }); });
    with(each.name + ", a flag of keyframes", each.bytes, each.place,
         [&](byte_vector& bytes) { remade(bytes, [](auto& head, auto&) { head.full = true; }); });
  }
  with("orders, not sorted", &match_sections::orders, &icrep::file_sections::orders, [&](byte_vector& bytes) {
    icrep::block_stream_writer writer(icrep::block_kind::orders, {});
    bytes.clear();
    byte_vector item;
    for (auto frame : on.parts().frames) {
      if (frame.tick == 20) std::swap(frame.orders[0], frame.orders[1]);
      item.clear();
      icrep::append_bc1(item, frame);
      got(writer.add(frame.tick, item, bytes));
    }
    got(writer.finish(bytes));
  });
  const std::size_t index_end = 8 + 21 * on.parts().keyframes.size();
  with("keyframes without check values", &match_sections::keyframes, &icrep::file_sections::keyframes,
       [&](byte_vector& bytes) { bytes.resize(bytes.size() - 8 - 4 * on.parts().keyframes.size()); });
  with("keyframes from the section's start", &match_sections::keyframes, &icrep::file_sections::keyframes,
       [&](byte_vector& bytes) {
         for (std::size_t i = 0; i < on.parts().keyframes.size(); ++i) {
           const auto value =
               tickreel::detail::load<std::endian::little, std::uint32_t>(&bytes[8 + 21 * i + 8]);
           tickreel::detail::store<std::endian::little>(&bytes[8 + 21 * i + 8],
                                                        value + static_cast<std::uint32_t>(index_end));
         }
       });
}

// Two matches of the same relay.
inline void splice(trial& on, const match_parts& other, const std::string& which) {
  on.forge("splice: events of " + which, [&](match_parts& it) { it.events = other.events; });
  on.forge("splice: voice of " + which, [&](match_parts& it) { it.voice = other.voice; });
  on.forge("splice: orders of " + which, [&](match_parts& it) { it.frames = other.frames; });
  on.forge("splice: keyframes of " + which, [&](match_parts& it) { it.keyframes = other.keyframes; });
  on.forge("splice: metadata of " + which, [&](match_parts& it) { it.facts = other.facts; });
  on.forge("splice: signatures of " + which, [&](match_parts& it) {
    it.chain = other.chain;
    it.seal = other.seal;
  });
  on.forge("splice: the seal of " + which, [&](match_parts& it) { it.seal = other.seal; });
  on.forge("splice: the end of " + which, [&](match_parts& it) { it.seal.end = other.seal.end; });
  on.forge("splice: all but the name of " + which, [&](match_parts& it) {
    const std::string id = it.facts.replay_id;
    it = other;
    it.facts.replay_id = id;
    it.facts.players[0].name = "Mallory";
  });
}

}  // namespace tickreel::test
