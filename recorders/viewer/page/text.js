// Formatting and parsing of numbers, times and places, and parsing of the reader's JSON.

const twoDigits = (value) => String(value).padStart(2, '0');

// 1:02:03.45; with `digits` decimals.
export function timeText(ms, digits = 0) {
  const unit = 10 ** digits;
  const all = Math.round((Math.abs(ms) / 1000) * unit);
  const seconds = Math.floor(all / unit);
  const sign = ms < 0 && all > 0 ? '-' : '';
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = digits ? `.${String(all % unit).padStart(digits, '0')}` : '';
  return sign + (hours ? `${hours}:${twoDigits(minutes)}` : String(minutes)) + `:${twoDigits(seconds % 60)}${rest}`;
}

// A game clock in seconds, as the game shows it.
export const clockText = (seconds) => timeText(seconds * 1000, 2);

export function bytesText(count) {
  if (count < 1000) return `${count} bytes`;
  const step = Math.min(3, Math.floor(Math.log10(count) / 3));
  return `${(count / 1000 ** step).toFixed(1)} ${['', 'kB', 'MB', 'GB'][step]}`;
}

export function numberText(value) {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 1e-3 && Math.abs(value) < 1e7 ? String(+value.toPrecision(7)) : value.toPrecision(6);
}

// The units of Echo VR's numbers, which its API does not contain.
/** @type {[RegExp, string][]} */
const echoUnits = [
  [/(^|[.\]])(speed|velocity|rim_speed|total_speed|arm_speed|top_speed)$/, 'm/s'],
  [/(^|[.\]])(position|disc_distance|distance_thrown|goal_distance)$/, 'm'],
  [/(^|[.\]])ping$/, 'ms'],
  [/(^|[.\]])(game_clock|possession_time)$/, 's'],
];
export const unitOf = (path) =>
  path.startsWith('session.') ? (echoUnits.find(([of]) => of.test(path.replace(/\[[0-9]+\]$/, '')))?.[1] ?? '') : '';

// For reading, not for comparing: four digits, thousands apart, and the unit.
export const readableText = (value, unit = '') =>
  `${
    Number.isFinite(value)
      ? value.toLocaleString('en', Number.isInteger(value) ? {} : { maximumSignificantDigits: 4 })
      : String(value)
  }${unit ? `\u00a0${unit}` : ''}`;

// Names that Echo VR shows for its maps and matches.
const mapTitles = {
  mpl_arena_a: 'Echo Arena',
  mpl_lobby_b2: 'Lobby',
  mpl_combat_combustion: 'Combustion',
  mpl_combat_dyson: 'Dyson',
  mpl_combat_fission: 'Fission',
  mpl_combat_gauss: 'Surge',
};
export const mapTitle = (name) => (Object.hasOwn(mapTitles, name ?? '') ? mapTitles[name] : name);
export const matchTitle = (type) =>
  type?.replace(/^Echo_(Arena|Combat)(_(.*))?$/, (_, __, ___, rest) => rest?.toLowerCase() ?? '');

export const wordsOf = (name) => String(name).replaceAll('_', ' ');

// Texts of a file may be long or contain invisible characters; here they are shortened and made visible.
export function shownText(value, most = 200) {
  const text = String(value).replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    '\u00b7',
  );
  return text.length > most ? `${text.slice(0, most)}\u2026` : text;
}

// Bidirectional control characters. They are removed from every element of the page.
export const withoutTurns = (text) => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

// Keeps 64-bit integers as digits: a double would change them.
export function parseJson(text) {
  if (/\d{16}/.test(text)) {
    text = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (found) =>
      found[0] === '"' || Number.isSafeInteger(Number(found)) ? found : `"${found}"`,
    );
  }
  return JSON.parse(text);
}

const unitSeconds = { h: 3600, m: 60, s: 1, ms: 0.001 };

// Parses a place as on the command line (docs/command-line.md#places-in-a-recording): {tick}, {ms}, {clock},
// or null.
export function parsePlace(text) {
  const all = text.trim().replace(/\s+/g, '');
  const tick = /^(?:tick:)?(\d{1,15})$/i.exec(all);
  if (tick) return { tick: Number(tick[1]) };
  // No game clock has hours.
  const time = /^(\d+):([0-5]?\d):([0-5]?\d(?:\.\d+)?)$/.exec(all);
  if (time) return { ms: (Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3])) * 1000 };
  const clock = /^(?:clock:)?(?:(\d+):)?(\d+):([0-5]?\d(?:\.\d+)?)$/i.exec(all);
  if (clock) return { clock: Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]) };
  const seconds = /^clock:(\d+(?:\.\d+)?)$/i.exec(all);
  if (seconds) return { clock: Number(seconds[1]) };
  if (!/^(?:\d+(?:\.\d+)?(?:ms|h|m|s))+$/i.test(all)) return null;
  let sum = 0;
  for (const [, count, unit] of all.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/gi))
    sum += Number(count) * unitSeconds[unit.toLowerCase()];
  return { ms: sum * 1000 };
}

// Quotes any name for a shell.
export const shellWord = (text) =>
  /^[\w.,/+@%-]+$/.test(text) && !text.startsWith('-')
    ? text
    : `'${(text.startsWith('-') ? './' : '') + text.replaceAll("'", "'\\''")}'`;

// `panel=0` of an address: hidden; `panel=1`: shown; `panel=40`: shown, 40 % of the window wide.
function panelOf(text) {
  const number = /^\d{1,2}$/.test(text ?? '') ? Number(text) : NaN;
  if (number === 0 || number === 1) return number === 1;
  return number >= narrowestPanel && number <= widestPanel ? number : null;
}
export const narrowestPanel = 15;
export const widestPanel = 70;

// `range=1200-1500` of an address: ticks.
function rangeOf(text) {
  const [, first, last] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? [];
  return Number(first) < Number(last) ? { first: Number(first), last: Number(last) } : null;
}

// The moment in an address: #t=120&speed=2&follow=Ada&view=top&spoiler-free
export function parseMoment(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const speed = Number(given.get('speed'));
  return {
    tick: /^\d{1,15}$/.test(given.get('t') ?? '') ? Number(given.get('t')) : null,
    speed: speed >= 0.1 && speed <= 16 ? speed : null,
    follow: given.get('follow'),
    view: given.get('view'),
    spoilerFree: given.has('spoiler-free') && given.get('spoiler-free') !== '0',
    hideLength: given.get('spoiler-free') === 'length',
    range: rangeOf(given.get('range')),
    panel: panelOf(given.get('panel')),
    tab: /^[a-z]{1,20}$/.test(given.get('tab') ?? '') ? given.get('tab') : null,
  };
}

export function momentText({
  tick,
  speed,
  follow,
  view,
  spoilerFree,
  hideLength,
  range = null,
  panel = null,
  tab = null,
}) {
  const said = new URLSearchParams({ t: tick });
  if (speed && speed !== 1) said.set('speed', speed);
  if (follow) said.set('follow', follow);
  if (view) said.set('view', view);
  if (spoilerFree) said.set('spoiler-free', hideLength ? 'length' : '1');
  if (range) said.set('range', `${range.first}-${range.last}`);
  if (panel !== null) said.set('panel', String(Number(panel)));
  if (tab) said.set('tab', tab);
  return `#${said}`;
}
