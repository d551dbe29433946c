// Gives the events of a recording to the parts of its view, again whenever it has grown.
import { findFights } from './fights.js';
import { Kinds } from './kinds.js';
import { maxEvents } from './recording.js';

// Merges two lists by tick.
function merged(first, second) {
  const out = [];
  let at = 0;
  for (const each of second) {
    while (at < first.length && first[at].tick <= each.tick) out.push(first[at++]);
    out.push(each);
  }
  while (at < first.length) out.push(first[at++]);
  return out;
}

// The gaps between ticks are events, too. Kinds that the user selected stay selected.
export function showEvents(list, parts, player) {
  const { timeline, events, facts, nameOf, overview, firstNames } = parts;
  const gaps = overview?.gaps ?? [];
  const all = gaps.length === 0 ? list : merged(list, gaps);
  const kinds = new Kinds(all);
  for (const kind of kinds.list) kind.shown = parts.kinds?.byType.get(kind.type)?.shown ?? kind.shown;
  const fights = findFights(list);
  Object.assign(parts, { kinds, fights });
  parts.watch.show(all, nameOf, fights);
  parts.highlights.show(list, nameOf);
  timeline.show({ kinds, nameOf, fights });
  events.show(all, kinds, list.length < maxEvents);
  const came = new Map();
  for (const { type, tick, player: who } of list)
    if (type === 'player_joined' && who?.name && !came.has(who.name)) came.set(who.name, tick);
  facts.met = (name) => !came.has(name) || came.get(name) <= player.tick || Boolean(firstNames?.has(name));
}
