#include "tickreel/samp_rec/writer.hpp"

#include "tickreel/samp_rec/fault.hpp"

namespace tickreel::samp_rec {

template <block_type Block>
result<void> writer<Block>::begin(byte_writer& out) noexcept {
  if (begun_) return fail(error_code::wrong_state, error::no_offset, "the header is written");
  if (out.remaining() < file_header::wire_bytes) return fail(error_code::buffer_too_small);
  write(out, file_header{file_header::samp_version, Block::kind});
  begun_ = true;
  return {};
}

template <block_type Block>
result<void> writer<Block>::append(const Block& block, byte_writer& out) noexcept {
  if (!begun_) return fail(error_code::wrong_state, error::no_offset, "the header comes first");
  if (blocks_ != 0 && block.time_ms < last_time_ms_) {
    return fail(error_code::invalid_argument, bytes(), "time goes back from {} ms to {} ms", last_time_ms_,
                block.time_ms);
  }
  if (const block_fault fault = fault_of(block); fault != block_fault::none) {
    return fail(error_code::invalid_argument, bytes(), sentence(fault), static_cast<std::int64_t>(blocks_));
  }
  if (blocks_ >= most_.blocks || bytes() + Block::wire_bytes > most_.file_bytes) {
    return fail(error_code::over_limit, bytes(), "a recording has at most {} blocks",
                static_cast<std::int64_t>(most_.blocks));
  }
  if (out.remaining() < Block::wire_bytes) return fail(error_code::buffer_too_small);
  write(out, block);
  last_time_ms_ = block.time_ms;
  ++blocks_;
  return {};
}

template <block_type Block>
byte_vector to_bytes(std::span<const Block> blocks) {
  byte_vector bytes(file_header::wire_bytes + blocks.size() * Block::wire_bytes);
  byte_writer to(bytes);
  write(to, file_header{file_header::samp_version, Block::kind});
  for (const Block& block : blocks) write(to, block);
  return bytes;
}

template class writer<vehicle_block>;
template class writer<on_foot_block>;
template byte_vector to_bytes(std::span<const vehicle_block>);
template byte_vector to_bytes(std::span<const on_foot_block>);

}  // namespace tickreel::samp_rec
