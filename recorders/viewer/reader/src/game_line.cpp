#include "game_line.hpp"

#include <string_view>

#include "tickreel/echo/state.hpp"
#include "tickreel/echoreplay/line.hpp"

namespace tickreel::viewer {

result<void> append_game_line(files::recording& from, std::string& out) {
  const echo::state* const state = from.echo_state();
  if (state == nullptr) {
    return fail(error_code::unsupported_operation, error::no_offset, "only Echo VR has lines of a game");
  }
  if (!from.offers().echo->keeps_text()) {
    echoreplay::append_line(*state, out);
  } else {
    std::string members;
    from.append_state(members);
    std::string session;
    (void)from.append_member("session", session);
    constexpr std::string_view session_key = "\"session\":";
    constexpr std::string_view bones_key = ",\"bones\":";
    const std::size_t at = members.find(session);
    if (!session.starts_with(session_key) || at == std::string::npos) {
      return fail(error_code::malformed, error::no_offset, "the tick has no session");
    }
    std::string_view bones = std::string_view(members).substr(at + session.size());
    bones = bones.starts_with(bones_key) ? bones.substr(bones_key.size()) : std::string_view{};
    echoreplay::append_line(state->recorded_time_ms, std::string_view(session).substr(session_key.size()),
                            bones, out);
  }
  while (out.ends_with('\n') || out.ends_with('\r')) out.pop_back();
  return {};
}

}  // namespace tickreel::viewer
