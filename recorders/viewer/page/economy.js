// Curves of a StarCraft II economy.
import { parseJson } from './text.js';

export const fighters = (info) =>
  (info.players ?? []).filter((player) => player.number !== undefined && player.team !== 'spectator');

// As in `stats`: values of the game's snapshots, rates per minute of game time (16 steps per second).
/** @type {[string, string, (now: any, divisor?: number) => number][]} */
const rates = [
  ['Army value', 'minerals and vespene', (now) => now.minerals_used_current_army + now.vespene_used_current_army],
  [
    'Income a minute',
    'of game time',
    (now, divisor) => (now.minerals_collection_rate + now.vespene_collection_rate) / divisor,
  ],
  ['Supply', '', (now) => now.food_used / 4096],
  ['Workers', '', (now) => now.workers_active_count],
];

// Since 3.2 the game stores rates per minute of real time at the speed "faster".
function rateDivisor({ version = '' }) {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 2) ? 1.4 : 1;
}

// The snapshots in a tick's line: {player, stats}.
const snapshotsOf = (state) =>
  (state?.events ?? [])
    .filter(({ type, stats }) => type === 'player_stats' && stats)
    .map(({ player_id: player, stats }) => ({ player, stats }));

// Returns {ticks, times: [ms], curves: [{title, unit, players: [{number, values}]}]}; null for values missing
// in a snapshot.
export async function readCurves(recording, events) {
  const numbers = fighters(recording.info).map(({ number }) => number);
  const taken = [...new Set(events.filter(({ type }) => type === 'player_stat_snapshot').map(({ tick }) => tick))];
  const divisor = rateDivisor(recording.info);
  const curves = rates.map(([title, unit, value]) => ({
    title,
    unit,
    value,
    players: numbers.map((number) => ({ number, values: taken.map(() => null) })),
  }));
  const times = taken.map((tick) => recording.timeOf(tick));
  for (const [at, tick] of taken.entries()) {
    const [line] = await recording.lines(tick, 1);
    if (!line) continue;
    const state = parseJson(line);
    times[at] = state.time_ms ?? times[at];
    for (const { player, stats } of snapshotsOf(state)) {
      const place = numbers.indexOf(player);
      if (place < 0) continue;
      for (const curve of curves) {
        const value = curve.value(stats, divisor);
        if (Number.isFinite(value)) curve.players[place].values[at] = value;
      }
    }
  }
  const apm = numbers.map((number) => ({ number, values: taken.map(() => null) }));
  const place = new Map(taken.map((tick, at) => [tick, at]));
  for (const { tick, type, player, stats } of events) {
    const line = type === 'player_stat_snapshot' && apm.find(({ number }) => number === player);
    if (line && typeof stats?.apm_x100 === 'number') line.values[place.get(tick)] = stats.apm_x100 / 100;
  }
  curves.push({ title: 'Actions a minute', unit: 'average to date', value: null, players: apm });
  return { ticks: taken, times, curves };
}
