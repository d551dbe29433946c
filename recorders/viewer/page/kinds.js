// Kinds of events: each has a colour and a shape, so that they do not differ only in colour.
import { isLoss } from './fights.js';
import { isSentence } from './sentences.js';
import { shownText, timeText, wordsOf } from './text.js';

// The colours of Okabe and Ito, ordered so that neighbours differ most, in shades for dark and light pages.
const light = ['#0072b2', '#d55e00', '#009e73', '#b0578d', '#8a6d00', '#2a8fc0', '#555555'];
const dark = ['#56b4e9', '#e69f00', '#2fc79b', '#d896b8', '#f0e442', '#7d9dff', '#bbbbbb'];
const shapes = ['circle', 'square', 'triangle', 'diamond', 'cross'];

export const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
// Calls `changed` when the system switches between light and dark, until the AbortSignal `gone`.
export const onTheme = (changed, gone) =>
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed, { signal: gone });
export const teamColours = () =>
  isDark() ? { blue: '#56b4e9', orange: '#e69f00' } : { blue: '#0072b2', orange: '#d55e00' };
export const curveColour = (number) => (isDark() ? dark : light)[number % light.length];

// Frequent events, hidden until the user selects them.
const quiet = new Set([
  'camera_position_sample',
  'selection_changed',
  'ability_used',
  'control_group_event',
  'resource_collected',
  'player_stat_snapshot',
  'unit_position_sample',
  'unit_type_change',
  'possession_changed',
  'unit_created',
  'unit_removed',
  'ticks_missing',
]);

// An event of the game's own protocol, which the reader passes on with the name of its stream because no analysis event
// corresponds to it. If no sentence describes it, it has no meaning for a viewer.
const isProtocol = ({ type, stream, seconds }) =>
  typeof stream === 'string' && typeof seconds === 'number' && !isSentence(type);

// A unit without a killer changed or merged; one without an owner is minerals or a rock.
const kindOf = (event) =>
  event.type === 'unit_destroyed' && 'killer_owner' in event && !isLoss(event) ? 'unit_removed' : event.type;

// Sorted times; a malicious file's may decrease.
function rising(events) {
  let most = -Infinity;
  return Float64Array.from(events, ({ time_ms: ms }) => (most = ms >= most ? ms : most));
}

export class Kinds {
  constructor(events) {
    const byType = new Map();
    for (const event of events) {
      const type = kindOf(event);
      const list = byType.get(type);
      if (list) list.push(event);
      else byType.set(type, [event]);
    }
    const rank = (type, [first]) => (isProtocol(first) ? 2 : Number(quiet.has(type)));
    this.list = [...byType]
      .map(([type, list]) => ({ type, list, rank: rank(type, list) }))
      .sort((a, b) => a.rank - b.rank || (a.type < b.type ? -1 : 1))
      .map(({ type, list, rank }, number) => ({
        type,
        count: list.length,
        number,
        shape: shapes[number % shapes.length],
        shown: rank === 0,
        protocol: rank === 2,
        // Sorted times, so that a range is found without a scan of all events.
        events: list,
        ticks: Float64Array.from(list, ({ tick }) => tick),
        times: rising(list),
      }));
    // If all events are frequent kinds, they are shown.
    if (!this.list.some((kind) => kind.shown)) for (const kind of this.list) kind.shown = true;
    this.byType = new Map(this.list.map((kind) => [kind.type, kind]));
  }

  colour(kind) {
    // The first two are the team colours. Kinds of the same shape have different colours.
    return curveColour(2 + ((kind.number + Math.floor(kind.number / shapes.length)) % 5));
  }

  of(event) {
    return this.byType.get(kindOf(event));
  }
}

export function shapePath(shape, x, y, size) {
  const path = new Path2D();
  if (shape === 'circle') path.arc(x, y, size, 0, 7);
  else if (shape === 'square') path.rect(x - size * 0.85, y - size * 0.85, size * 1.7, size * 1.7);
  else {
    const corners = {
      triangle: [
        [0, -1.15],
        [1.05, 0.8],
        [-1.05, 0.8],
      ],
      diamond: [
        [0, -1.25],
        [1.05, 0],
        [0, 1.25],
        [-1.05, 0],
      ],
      cross: [
        [-0.35, -1.1],
        [0.35, -1.1],
        [0.35, -0.35],
        [1.1, -0.35],
        [1.1, 0.35],
        [0.35, 0.35],
        [0.35, 1.1],
        [-0.35, 1.1],
        [-0.35, 0.35],
        [-1.1, 0.35],
        [-1.1, -0.35],
        [-0.35, -0.35],
      ],
    }[shape];
    corners.forEach(([dx, dy], at) =>
      at ? path.lineTo(x + dx * size, y + dy * size) : path.moveTo(x + dx * size, y + dy * size),
    );
    path.closePath();
  }
  return path;
}

const unsaid = new Set([
  'tick',
  'until_ms',
  'time_ms',
  'type',
  'derived',
  'derived_from',
  'game_clock',
  'stream',
  'seconds',
  'tag',
  'unit_type',
  'unit_tag_index',
  'unit_tag_recycle',
  'sessionid',
  'killer_tag',
  'upgrade_id',
  'pos',
  'userid',
]);

function valueText(value, names) {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return shownText(JSON.stringify(value), 60);
  if (typeof value === 'object')
    return 'name' in value ? shownText(value.name, 60) : shownText(JSON.stringify(value), 60);
  if (typeof value === 'number') return String(Number.isInteger(value) ? value : +value.toFixed(2));
  return shownText(names?.(value) ?? value, 120);
}

// One line with an event's fields; `nameOf` maps player numbers to names.
export function eventText(event, nameOf) {
  const parts = [];
  for (const [key, value] of Object.entries(event)) {
    if (unsaid.has(key) || value === false || value === null) continue;
    const player = ['player', 'owner', 'killer_owner'].includes(key) && typeof value === 'number';
    const text = player ? shownText(nameOf(value) ?? `player ${value}`, 60) : valueText(value);
    if (text === '') continue;
    if (value === true) parts.push(wordsOf(key));
    else if (['player', 'text', 'unit_type_name', 'upgrade_name', 'from_name', 'owner'].includes(key)) parts.push(text);
    else parts.push(`${wordsOf(key)} ${text}`);
  }
  return parts.join(' \u00b7 ');
}

// By the game's own clock, if it has one.
export const eventTime = (recording, event) =>
  typeof event.game_clock === 'number'
    ? timeText(event.game_clock * 1000)
    : timeText(event.time_ms - recording.firstTimeMs, 1);

export function playerNames(info) {
  const byNumber = new Map(
    (info.players ?? []).filter((player) => player.number !== undefined).map((player) => [player.number, player.name]),
  );
  return (number) => byNumber.get(number);
}
