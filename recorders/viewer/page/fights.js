// Fights of StarCraft II: at least five units are lost within ten seconds, as on the map.
const fewest = 5;
const withinMs = 10_000;

// Depleted minerals are not a player's loss.
const isLoss = ({ type, killer_owner: killer }) => type === 'unit_destroyed' && Boolean(killer);

// As events: {type, tick, time_ms, until_tick, until_ms, count}. A fight lasts while losses are as frequent.
export function findFights(events) {
  const lost = events.filter(isLoss);
  const out = [];
  let end = -1; // the last loss of the last fight
  for (let at = 0; at + fewest <= lost.length; ++at) {
    const until = at + fewest - 1;
    if (lost[until].time_ms - lost[at].time_ms > withinMs) continue;
    if (at > end) {
      const { tick, time_ms } = lost[at];
      out.push({ type: 'fight', tick, time_ms, count: 0 });
      end = at - 1;
    }
    const fight = out.at(-1);
    while (end < until) fight.count += lost[++end].count ?? 1;
    Object.assign(fight, { until_tick: lost[end].tick, until_ms: lost[end].time_ms });
  }
  return out;
}
