// Which picture fits a recording: by its format, and for a reel, which may hold anything, by a tick of it.

const byFormat = {
  butter: "echo", echoreplay: "echo", nevrcap: "echo", rec: "path", sc2replay: "starcraft", icrep: "world", gamecache: "table",
};

// null: only a tick can tell.
export function kindOf(info, state) {
  const format = String(info?.format ?? "").toLowerCase();
  if (Object.hasOwn(byFormat, format)) return byFormat[format];
  if (!state) return null;
  if (Array.isArray(state.session?.teams) || state.session?.disc) return "echo";
  if (Array.isArray(state.position) && "left_right" in state) return "path";
  if (Array.isArray(state.events) && state.events.some?.((e) => e?.stream !== undefined)) return "starcraft";
  return "world";
}
