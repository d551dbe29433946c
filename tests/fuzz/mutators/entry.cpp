// What libFuzzer calls. TICKREEL_FUZZ_PLAIN=1 disables the mutator, to compare a run with and without it.
#include <cstdlib>
#include <cstring>
#include <span>

#include "mutator.hpp"

namespace {

using namespace tickreel;

bool is_plain() {
  static const bool plain = std::getenv("TICKREEL_FUZZ_PLAIN") != nullptr;
  return plain;
}

// 0 if `made` is no input.
std::size_t copy_if_fits(const std::optional<byte_vector>& made, std::uint8_t* to, std::size_t max_size) {
  if (!made || made->empty() || made->size() > max_size) return 0;
  std::memcpy(to, made->data(), made->size());
  return made->size();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  fuzz::random_source random(seed);
  if (!is_plain() && fuzz::below(random, fuzz::program_mutator.plain_share) != 0) {
    const auto made = fuzz::program_mutator.mutate(std::as_bytes(std::span(data, size)), random);
    if (const std::size_t bytes = copy_if_fits(made, data, max_size); bytes != 0) return bytes;
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  fuzz::random_source random(seed);
  // libFuzzer would cross every second input.
  constexpr std::size_t share = 4;
  if (is_plain() || fuzz::below(random, share) != 0) return 0;
  const auto made = fuzz::program_mutator.cross_over(std::as_bytes(std::span(one, one_size)),
                                                     std::as_bytes(std::span(other, other_size)), random);
  return copy_if_fits(made, out, max_size);
}
