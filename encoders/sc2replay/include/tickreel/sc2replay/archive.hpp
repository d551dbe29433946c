// The archive in a .SC2Replay file: the members that the game writes, and how it stores them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/archive.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2replay {

// The members that the game writes; some only in some versions.
[[nodiscard]] std::span<const char* const> known_members() noexcept;

// mpq::archive::open() with those names, because two replays in a hundred have no list of names. Its user
// data are the replay header, see tickreel/sc2replay/header.hpp. bad_magic if the file has no archive at the
// position of a replay's.
result<mpq::archive> open_archive(byte_span file, const mpq::limits& limits = {});
result<mpq::archive> open_archive(byte_vector&& file, const mpq::limits& limits = {});

// The member that marks an incomplete copy: one sentence per line about the losses of the copy. The game and
// other programs ignore it.
inline constexpr const char* losses_member = "tickreel.losses";

// The lines of that member; empty if the archive has none.
[[nodiscard]] std::vector<std::string> read_losses(const mpq::archive& of);
// The same file with `losses` added to that member, without duplicates.
result<byte_vector> add_losses(byte_span file, std::span<const std::string> losses,
                               const mpq::limits& limits = {});

}  // namespace tickreel::sc2replay
