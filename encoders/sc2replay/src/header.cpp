#include "tickreel/sc2replay/header.hpp"

#include <algorithm>
#include <limits>

#include "tickreel/bytes/bits.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/sc2replay/versioned.hpp"
#include "tickreel/sc2replay/versioned_writer.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr std::byte beta_signature_bytes{21};
constexpr std::size_t beta_fixed_bits = 8 + 4 * 8 + 2 * 32 + 3 + 32;

using hash = std::array<std::byte, 16>;

std::uint32_t number(versioned_reader& from) noexcept {
  const std::int64_t value = from.any_integer();
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) {
    from.fail_with(error_code::malformed);
    return 0;
  }
  return static_cast<std::uint32_t>(value);
}

// {1: 16 bytes}; a hash of another length counts as absent.
std::optional<hash> hash_struct(versioned_reader& from) noexcept {
  std::optional<hash> out;
  from.fields([&](std::int64_t field, versioned_reader& value) {
    if (field != 1) return value.skip();
    const byte_span bytes = value.blob();
    if (bytes.size() != hash{}.size()) return;
    out.emplace();
    std::copy(bytes.begin(), bytes.end(), out->begin());
  });
  return out;
}

result<header> read_versioned(byte_span bytes, std::uint64_t base_offset) {
  header out;
  out.signature.clear();
  versioned_reader from(bytes, base_offset);
  from.fields([&](std::int64_t field, versioned_reader& value) {
    switch (field) {
      case 0:
        out.signature = value.text();
        return;
      case 1:
        value.fields([&](std::int64_t part, versioned_reader& version) {
          std::uint32_t* const parts[] = {&out.flags,    &out.major, &out.minor,
                                          &out.revision, &out.build, &out.base_build};
          if (part < 0 || part > 5) return version.skip();
          *parts[part] = number(version);
        });
        return;
      case 2:
        out.type = number(value);
        return;
      case 3:
        out.loops = number(value);
        return;
      case 4:
        out.scaled_time = value.flag();
        return;
      case 5:
        out.root_key = hash_struct(value);
        return;
      case 6:
        out.data_build = number(value);
        return;
      case 7:
        out.compatibility_hash = hash_struct(value);
        return;
      case 8:
        out.root_key_is_development_data = value.flag();
        return;
      default:
        value.skip();
    }
  });
  if (!from.ok()) return from.failure("replay header");
  return out;
}

result<header> read_beta(byte_span bytes, std::uint64_t base_offset) {
  header out;
  out.encoding = header_encoding::beta;
  bit_reader<bit_order::high_first> from(bytes, base_offset);
  out.signature = as_text(from.aligned_bytes(static_cast<std::size_t>(from.bits(8))));
  for (std::uint32_t* part : {&out.flags, &out.major, &out.minor, &out.revision}) {
    *part = static_cast<std::uint32_t>(from.bits(8));
  }
  out.build = static_cast<std::uint32_t>(from.bits(32));
  out.base_build = static_cast<std::uint32_t>(from.bits(32));
  out.type = static_cast<std::uint32_t>(from.bits(3));
  out.loops = static_cast<std::uint32_t>(from.bits(32));
  if (!from.ok()) return from.failure("replay header");
  return out;
}

result<byte_vector> write_beta(const header& what) {
  const bool fits = what.signature.size() <= 255 && what.type < 8 &&
                    std::max({what.flags, what.major, what.minor, what.revision}) <= 255;
  if (!fits) return fail(error_code::invalid_argument, error::no_offset, "replay header");
  byte_vector out(what.signature.size() + (beta_fixed_bits + 7) / 8);
  bit_writer<bit_order::high_first> to(out);
  to.bits(what.signature.size(), 8);
  to.aligned_bytes(as_bytes(what.signature));
  for (const std::uint32_t part : {what.flags, what.major, what.minor, what.revision}) to.bits(part, 8);
  to.bits(what.build, 32);
  to.bits(what.base_build, 32);
  to.bits(what.type, 3);
  to.bits(what.loops, 32);
  return out;
}

void write_hash(versioned_writer& to, std::int64_t field, const hash& value) {
  to.field(field);
  to.structure(1);
  to.field(1);
  to.blob(value);
}

byte_vector write_versioned(const header& what) {
  versioned_writer to;
  to.structure(4u + (what.scaled_time ? 1 : 0) + (what.root_key ? 1 : 0) + (what.data_build ? 1 : 0) +
               (what.compatibility_hash ? 1 : 0) + (what.root_key_is_development_data ? 1 : 0));
  to.field(0);
  to.text(what.signature);
  to.field(1);
  const std::uint32_t version[] = {what.flags,    what.major, what.minor,
                                   what.revision, what.build, what.base_build};
  to.structure(std::size(version));
  for (std::size_t part = 0; part < std::size(version); ++part) {
    to.field(static_cast<std::int64_t>(part));
    to.integer(version[part]);
  }
  to.field(2);
  to.integer(what.type);
  to.field(3);
  to.integer(what.loops);
  if (what.scaled_time) {
    to.field(4);
    to.flag(*what.scaled_time);
  }
  if (what.root_key) write_hash(to, 5, *what.root_key);
  if (what.data_build) {
    to.field(6);
    to.integer(*what.data_build);
  }
  if (what.compatibility_hash) write_hash(to, 7, *what.compatibility_hash);
  if (what.root_key_is_development_data) {
    to.field(8);
    to.flag(*what.root_key_is_development_data);
  }
  return to.take();
}

}  // namespace

std::string version_text(const header& of) {
  return std::to_string(of.major) + '.' + std::to_string(of.minor) + '.' + std::to_string(of.revision) + '.' +
         std::to_string(of.build);
}

result<header> read_header(byte_span bytes, std::uint64_t base_offset) {
  const bool beta = !bytes.empty() && bytes.front() == beta_signature_bytes;
  auto out = beta ? read_beta(bytes, base_offset) : read_versioned(bytes, base_offset);
  if (out && !out->signature.starts_with("StarCraft II replay")) {
    return fail(error_code::bad_magic, base_offset, "replay header");
  }
  return out;
}

result<byte_vector> write_header(const header& what) {
  if (what.encoding == header_encoding::beta) return write_beta(what);
  return write_versioned(what);
}

}  // namespace tickreel::sc2replay
