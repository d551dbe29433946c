// Selects the picture of a recording: the stage of its format, and for a reel, which may contain any game, by
// one of its ticks.

// `recording`: of page/recording.js, or any object with its `stage`. null: depends on a tick.
export function kindOf(recording, state) {
  if (recording?.stage) return String(recording.stage);
  if (!state) return null;
  if (Array.isArray(state.session?.teams) || state.session?.disc) return "arena";
  if (Array.isArray(state.position) && "left_right" in state) return "path";
  if (Array.isArray(state.events) && state.events.some?.((e) => e?.stream !== undefined)) return "starcraft";
  return "world";
}
