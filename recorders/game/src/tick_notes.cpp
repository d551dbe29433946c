#include "tick_notes.hpp"

namespace tickreel::game {

void skip_note(note kind, byte_reader& in) noexcept {
  std::size_t head = 0;
  switch (kind) {
    case note::entity:
      return in.skip(8);
    case note::remove:
      return in.skip(4);
    case note::cell:
      return in.skip(20);
    case note::component:
    case note::singleton:
      head = 1;
      break;
    case note::player:
      head = 5;
      break;
    case note::order:
      head = 10;
      break;
    case note::generator:
    case note::text:
    case note::event:
    case note::voice:
    case note::described:
      break;
  }
  in.skip(head);
  in.skip(in.u32());
}

}  // namespace tickreel::game
