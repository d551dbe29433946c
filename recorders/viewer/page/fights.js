// Fights of StarCraft II: at least five units are lost within ten seconds, as on the map.
const fewest = 5;
const withinMs = 10_000;
// A block of minutes says nothing about a battle, and is too long for a highlight: a longer one is cut at its longest
// lull after half of this time.
const longestMs = 60_000;

// Depleted minerals and broken rocks belong to player 0, who is none. A unit without a killer has changed or merged.
export const isLoss = ({ type, owner, killer_owner: killer }) =>
  type === 'unit_destroyed' && owner !== 0 && Boolean(killer);

// The last loss before a cut of the losses `begin` to `end`. Both parts have enough losses to be fights.
function cutOf(lost, begin, end) {
  const since = (at) => lost[at].time_ms - lost[begin].time_ms;
  let cut = end;
  let longest = 0;
  if (since(end) > longestMs)
    for (let at = begin + fewest - 1; at + fewest <= end && since(at) <= longestMs; ++at) {
      const lull = since(at + 1) - since(at);
      if (lull < 0) break; // only a malicious file's times decrease
      if (since(at) >= longestMs / 2 && lull > longest) [cut, longest] = [at, lull];
    }
  return cut;
}

function fightOf(lost) {
  const sides = new Map();
  for (const { owner, count = 1 } of lost) sides.set(owner, (sides.get(owner) ?? 0) + count);
  const { tick, time_ms } = lost[0];
  const { tick: until_tick, time_ms: until_ms } = lost.at(-1);
  const count = [...sides.values()].reduce((sum, each) => sum + each, 0);
  return { type: 'fight', tick, time_ms, until_tick, until_ms, count, sides: [...sides].filter(([owner]) => owner) };
}

// As events: {type, tick, time_ms, until_tick, until_ms, count, sides}. A fight lasts while losses are as frequent;
// `sides` are pairs of a player who lost units and their number.
export function findFights(events) {
  const lost = events.filter(isLoss);
  const out = [];
  let begin = 0;
  let end = -1; // the last loss of the last fight
  const take = () => {
    for (let cut; begin <= end; begin = cut + 1) {
      cut = cutOf(lost, begin, end);
      out.push(fightOf(lost.slice(begin, cut + 1)));
    }
  };
  for (let at = 0; at + fewest <= lost.length; ++at) {
    const until = at + fewest - 1;
    if (lost[until].time_ms - lost[at].time_ms > withinMs) continue;
    if (at > end) {
      take();
      begin = at;
    }
    end = until;
  }
  take();
  return out;
}
