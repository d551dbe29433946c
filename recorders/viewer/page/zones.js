// Time in a zone of the heat map: who was in it, how long and how often. A zone is a rectangle on the ground, chosen
// from a list or drawn with the pointer.
import { arena } from '../stage/echo_measures.js';
import { fill, make } from './dom.js';
import { shownText, timeText } from './text.js';

// A position stands for the time until the player's next one. If that takes this many times as long as usual, the
// player was absent.
const absentAfter = 3;

/**
 * Per player with positions: milliseconds in the zone and in all, and the number of visits.
 * @param {number[][]} samples of positions(), in the order of their ticks
 * @param {{left: number, right: number, low: number, high: number}} zone
 * @param {number[]} axes which of x, y, z are across and up
 * @param {(tick: number) => number} timeOf in milliseconds
 */
export function timeInZone(samples, zone, axes, timeOf) {
  const visits = new Map();
  for (const [tick, who, ...place] of samples) {
    const [x, y] = axes.map((axis) => place[axis]);
    const inside = x >= zone.left && x <= zone.right && y >= zone.low && y <= zone.high;
    if (!visits.has(who)) visits.set(who, []);
    visits.get(who).push([timeOf(tick), inside]);
  }
  return [...visits].map(([who, positions]) => {
    const gaps = positions.slice(1).map(([time], i) => time - positions[i][0]);
    const usual = gaps.slice().sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
    const times = { who, insideMs: 0, allMs: 0, visits: 0 };
    let wasInside = false;
    for (const [i, [, inside]] of positions.entries()) {
      const isAbsent = i >= gaps.length || gaps[i] > absentAfter * usual;
      const ms = isAbsent ? usual : gaps[i];
      times.allMs += ms;
      if (inside) times.insideMs += ms;
      if (inside && !wasInside) ++times.visits;
      wasInside = inside && !isAbsent;
    }
    return times;
  });
}

const third = arena.halfLength / 3;
const across = { low: -arena.halfWidth, high: arena.halfWidth };
const arenaZones = {
  'Blue third': { left: -arena.halfLength, right: -third, ...across },
  'Middle third': { left: -third, right: third, ...across },
  'Orange third': { left: third, right: arena.halfLength, ...across },
};

export class ZonePanel {
  #list = make('select', { 'aria-label': 'Zone' });
  #table = make('div', { class: 'scrolls-wide', tabindex: '0', role: 'region', 'aria-label': 'Time in the zone' });
  #zones = {};
  #drawn = null;
  zone = null;

  constructor(onchange) {
    this.#list.addEventListener('change', () => {
      this.zone = this.#list.value === 'drawn' ? this.#drawn : (this.#zones[this.#list.value] ?? null);
      onchange();
    });
    this.element = make(
      'div',
      {},
      make('div', { class: 'row-of' }, make('label', {}, 'Zone ', this.#list), 'or drag on the map'),
      this.#table,
    );
    this.onchange = onchange;
  }

  offer(isArena) {
    this.#zones = isArena ? arenaZones : {};
    const chosen = this.#list.value || 'none';
    fill(
      this.#list,
      make('option', { value: 'none' }, 'none'),
      Object.keys(this.#zones).map((name) => make('option', { value: name }, name)),
      this.#drawn ? make('option', { value: 'drawn' }, 'drawn') : null,
    );
    this.#list.value = chosen;
  }

  // A drag on the canvas of `picture` draws a zone.
  listen(canvas, picture) {
    let begun = null;
    const at = ({ offsetX, offsetY }) =>
      picture.placeAt((offsetX * canvas.width) / canvas.clientWidth, (offsetY * canvas.height) / canvas.clientHeight);
    canvas.style.touchAction = 'none';
    canvas.addEventListener('pointerdown', (event) => {
      begun = at(event);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointerup', (event) => {
      if (!begun) return;
      const [x, y] = at(event);
      const zone = {
        left: Math.min(x, begun[0]),
        right: Math.max(x, begun[0]),
        low: Math.min(y, begun[1]),
        high: Math.max(y, begun[1]),
      };
      begun = null;
      if (zone.left === zone.right || zone.low === zone.high) return;
      this.#drawn = this.zone = zone;
      this.offer(Object.keys(this.#zones).length > 0);
      this.#list.value = 'drawn';
      this.onchange();
    });
  }

  show(players, samples, axes, timeOf) {
    if (!this.zone) return fill(this.#table);
    const rows = timeInZone(samples, this.zone, axes, timeOf).sort((a, b) => b.insideMs - a.insideMs);
    const heads = ['Who', 'in the zone', 'share', 'visits'];
    return fill(
      this.#table,
      make(
        'table',
        { 'aria-label': 'Time in the zone' },
        make(
          'thead',
          {},
          make(
            'tr',
            {},
            heads.map((text) => make('th', { scope: 'col' }, text)),
          ),
        ),
        make(
          'tbody',
          {},
          rows.slice(0, 200).map(({ who, insideMs, allMs, visits }) =>
            make(
              'tr',
              {},
              make('td', {}, shownText(players[who]?.name ?? '', 60)),
              [timeText(insideMs), `${Math.round((100 * insideMs) / Math.max(1, allMs))} %`, String(visits)].map(
                (text) => make('td', { class: 'number' }, text),
              ),
            ),
          ),
        ),
      ),
    );
  }
}
