// Which picture fits a recording: the stage of its format, and for a reel, which may hold anything, by a tick of it.

// `recording`: of page/recording.js, or any object with its `stage`. null: only a tick shows it.
export function kindOf(recording, state) {
  if (recording?.stage) return String(recording.stage);
  if (!state) return null;
  if (Array.isArray(state.session?.teams) || state.session?.disc) return 'arena';
  if (Array.isArray(state.position) && 'left_right' in state) return 'path';
  if (Array.isArray(state.events) && state.events.some?.((e) => e?.stream !== undefined)) return 'starcraft';
  return 'world';
}
