// The whole recording as lanes: score and possession, events, gaps and keyframes; and the cursor over them.
// Everything except the cursor is one picture, redrawn only when its content changes; its cost depends on its
// columns of pixels, not on the amount of data.
import { eachColumn, firstAbove, GapIndex } from './density.js';
import { make, seldom } from './dom.js';
import { eventText, onTheme, shapePath, teamColours } from './kinds.js';
import { pinOf, sentenceOf } from './sentences.js';
import { shownText, timeText, wordsOf } from './text.js';

// Narrower gaps are shown only in the strip of gaps.
const wideGap = 4;
const gapStrip = 6;
const keyframeStrip = 5;
const shortestView = 1000;
const maxPins = 400;
const handleWide = 24; // of app.css

function stepsOf(max) {
  for (const step of [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200]) if (max / step <= 10) return step;
  return 14_400;
}

export class Timeline {
  #recording;
  #player;
  #canvas = make('canvas', { class: 'lanes' });
  #layer = document.createElement('canvas');
  #hand = make('div', { class: 'hand' });
  #tip = make('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  #handAt = '';
  #wide = 0;
  #gaps = new GapIndex([]);
  #score = [];
  #possession = { from: new Float64Array(0), who: [] };
  #keyframes = new Float64Array(0);
  #kinds = null;
  #nameOf = () => undefined;
  #marks = [];
  #notes = []; // ticks
  #pins = [];
  #stale = true;
  #paintedUntil = -1;
  #scoreSeen = 0;
  #frame = 0;
  #view = null; // [from, to] in milliseconds if only a part is shown
  #pointers = new Map();
  #drag = null;
  #selecting = null; // {id, from, x} while a part is selected with the pointer
  #part = make('div', { class: 'part', hidden: true });
  spoilerFree = false;
  difference = null;
  /** @type {(range: {from: number, to: number}) => void} */
  onselect = () => {};

  constructor(recording, player) {
    this.#recording = recording;
    this.#player = player;
    this.element = make(
      'div',
      {
        class: 'timeline',
        role: 'slider',
        tabindex: '0',
        'aria-label': 'Timeline',
        'aria-valuemin': '0',
      },
      this.#canvas,
      this.#part,
      this.#hand,
      this.#tip,
    );
    for (const end of ['from', 'to']) this.#part.append(this.#handle(end));
    this.element.addEventListener('pointerdown', (event) => this.#press(event));
    this.element.addEventListener('pointermove', (event) => this.#move(event));
    for (const end of ['pointerup', 'pointercancel'])
      this.element.addEventListener(end, (event) => this.#release(event));
    this.element.addEventListener('pointerleave', () => (this.#tip.hidden = true));
    this.element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.element.addEventListener('dblclick', () => this.show({ view: null }));
    this.element.addEventListener('keydown', (event) => {
      const factor = { '+': 0.5, '=': 0.5, '-': 2 }[event.key];
      if (!factor || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.#zoom(factor, this.#player.timeMs);
    });
    new ResizeObserver(() => {
      this.redraw();
      this.#follow();
    }).observe(this.element);
    onTheme(() => this.redraw(), player.gone);
    player.onchange(() => this.#follow());
    this.#follow();
  }

  /** @param {{overview?: any, kinds?: any, nameOf?: any, view?: number[] | null, notes?: number[]}} what */
  show({ overview, kinds, nameOf, view, notes }) {
    if (notes) this.#notes = notes;
    if (overview) this.#take(overview);
    this.#kinds = kinds ?? this.#kinds;
    this.#nameOf = nameOf ?? this.#nameOf;
    if (kinds) {
      this.#pins = kinds.list
        .map((kind) => ({ kind, events: kind.events.filter((event) => pinOf(event)) }))
        .filter(({ events }) => events.length > 0)
        .map((each) => ({ ...each, times: Float64Array.from(each.events, ({ time_ms: ms }) => ms).sort() }));
    }
    if (view !== undefined) this.#view = view;
    const lanes = this.#lanes();
    this.element.style.setProperty('--lanes', String(lanes));
    this.redraw();
    this.#follow();
  }

  #lanes() {
    return 1 + Number(this.#score.length > 0) + Number(this.#possession.who.length > 0);
  }

  // Converts ticks to times once, not for every picture.
  #take(overview) {
    const timeOf = (tick) => this.#recording.timeOf(tick);
    this.#gaps = new GapIndex(overview.gaps ?? []);
    this.#score = (overview.score ?? []).map(([tick, blue, orange]) => [timeOf(tick), blue, orange]);
    const changes = overview.possession ?? [];
    this.#possession = {
      from: Float64Array.from(changes, ([tick]) => timeOf(tick)),
      who: changes.map(([, who]) => who),
    };
    // Where every tick is one, marks would be a comb without a meaning.
    const { keyframes = [] } = overview;
    const { firstTick, lastTick } = this.#recording;
    this.#keyframes = Float64Array.from(keyframes.length * 2 > lastTick - firstTick ? [] : keyframes, timeOf);
  }

  #range() {
    const { firstTimeMs, lastTimeMs } = this.#recording;
    return this.#view ?? [firstTimeMs, Math.max(firstTimeMs, this.#end() ?? lastTimeMs)];
  }

  // If the length must stay hidden, the axis ends a little after the part already seen.
  #end() {
    return this.#player.shownEnd?.();
  }

  #share(ms) {
    const [from, to] = this.#range();
    return to > from ? Math.min(1, Math.max(0, (ms - from) / (to - from))) : 0;
  }

  #timeAt(clientX) {
    const box = this.element.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - box.left) / Math.max(1, box.width)));
    const [from, to] = this.#range();
    return from + share * (to - from);
  }

  #press(event) {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, event.clientX);
    if (this.#pointers.size > 1) return;
    // Along the scale, or with Shift, a part is selected.
    const scale = parseFloat(getComputedStyle(this.element).fontSize) * 1.3;
    if (event.shiftKey || event.clientY - this.element.getBoundingClientRect().top < scale) {
      this.#selecting = { id: event.pointerId, from: this.#timeAt(event.clientX), x: event.clientX };
      return;
    }
    const near = this.#near(event);
    if (near) this.#player.seekTick(near.event.tick);
    else this.#player.seekTime(this.#timeAt(event.clientX));
    this.#drag = event.pointerId;
  }

  #move(event) {
    const had = this.#pointers.get(event.pointerId);
    if (had !== undefined && this.#pointers.size === 2) {
      const [other] = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, x]) => x);
      const before = Math.max(8, Math.abs(had - other));
      this.#zoom(before / Math.max(8, Math.abs(event.clientX - other)), this.#timeAt((event.clientX + other) / 2));
      this.#drag = null;
    }
    if (had !== undefined) this.#pointers.set(event.pointerId, event.clientX);
    if (this.#drag === event.pointerId) this.#player.seekTime(this.#timeAt(event.clientX));
    if (this.#selecting?.id === event.pointerId && Math.abs(event.clientX - this.#selecting.x) > 3)
      this.#select(this.#selecting.from, this.#timeAt(event.clientX));
    this.#point(event);
  }

  #release(event) {
    this.#pointers.delete(event.pointerId);
    if (this.#selecting?.id === event.pointerId) {
      if (Math.abs(event.clientX - this.#selecting.x) <= 3) this.#player.seekTime(this.#selecting.from);
      this.#selecting = null;
    }
    if (this.#drag === event.pointerId) this.#drag = null;
  }

  #select(from, to) {
    this.onselect({ from: Math.min(from, to), to: Math.max(from, to) });
  }

  // One end of the part, which can be dragged.
  #handle(end) {
    const one = make('i', { class: `part-${end}` });
    one.addEventListener('pointerdown', (event) => {
      event.stopPropagation();
      one.setPointerCapture(event.pointerId);
    });
    one.addEventListener('pointermove', (event) => {
      if (!one.hasPointerCapture(event.pointerId)) return;
      event.stopPropagation();
      const range = { ...this.#player.range, [end]: this.#timeAt(event.clientX) };
      if (range.from < range.to) this.#select(range.from, range.to);
    });
    return one;
  }

  #wheel(event) {
    if (event.ctrlKey && !event.deltaY) return;
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const [from, to] = this.#range();
      this.#look(from + ((to - from) * (event.deltaX || event.deltaY)) / Math.max(200, this.#wide), to - from);
    } else
      this.#zoom(
        Math.exp(Math.max(-300, Math.min(300, event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY)) * 0.002),
        this.#timeAt(event.clientX),
      );
  }

  // The moment keeps its place on the screen.
  #zoom(factor, ms) {
    const [from, to] = this.#range();
    const long = Math.max(Math.min(shortestView, this.#player.duration), (to - from) * factor);
    this.#look(ms - this.#share(ms) * long, long);
  }

  #look(from, long) {
    const { firstTimeMs } = this.#recording;
    const end = Math.max(firstTimeMs, this.#end() ?? this.#recording.lastTimeMs);
    const begin = Math.max(firstTimeMs, Math.min(end - long, from));
    this.show({ view: long >= end - firstTimeMs ? null : [begin, begin + long] });
  }

  #near({ clientX, clientY }) {
    const box = this.element.getBoundingClientRect();
    let best = null;
    let away = 9;
    for (const mark of this.#marks) {
      if (mark.event.time_ms > this.#seenUntil()) continue;
      const distance = Math.hypot(mark.x - (clientX - box.left), mark.y - (clientY - box.top));
      if (distance < away) [best, away] = [mark, distance];
    }
    return best;
  }

  #point(event) {
    const near = this.#near(event);
    const ms = near ? near.event.time_ms : this.#timeAt(event.clientX);
    const [from, to] = this.#range();
    const gap = near || ms > this.#seenUntil() ? null : this.#gaps.at(ms, ((to - from) / Math.max(1, this.#wide)) * 2);
    const clock = this.#recording.clockOf(this.#recording.tickAt(ms));
    const words = [timeText(ms - this.#recording.firstTimeMs, 1)];
    if (clock !== null) words.push(`clock ${timeText(clock * 1000, 0)}`);
    if (near)
      words.push(
        sentenceOf(near.event, this.#nameOf) ?? `${wordsOf(near.event.type)} ${eventText(near.event, this.#nameOf)}`,
      );
    if (near?.more > 1) words.push(`and ${near.more - 1} more here`);
    if (gap) words.push(sentenceOf(gap));
    this.#tip.textContent = words.filter(Boolean).join(' \u00b7 ');
    this.#tip.hidden = false;
    const box = this.element.getBoundingClientRect();
    const half = this.#tip.offsetWidth / 2;
    const x = Math.min(box.width - half, Math.max(half, event.clientX - box.left));
    this.#tip.style.transform = `translate(${x - half}px, -100%)`;
  }

  // Of two visible limits: everything, or the part that the cursor has passed.
  #seenUntil() {
    return this.spoilerFree ? this.#player.timeMs : Infinity;
  }

  #follow() {
    const player = this.#player;
    const [from, to] = this.#range();
    // A zoomed view follows the playback.
    if (this.#view && player.playing && (player.timeMs > to || player.timeMs < from))
      return this.#look(player.timeMs - (to - from) * 0.1, to - from);
    // In whole pixels of the screen: an unchanged position is not redrawn.
    const dots = window.devicePixelRatio || 1;
    const share = this.#share(player.timeMs);
    const at = `translateX(${Math.round(share * this.#wide * dots) / dots}px)`;
    if (at !== this.#handAt) this.#hand.style.transform = this.#handAt = at;
    this.#hand.hidden = player.timeMs < from || player.timeMs > to;
    this.#placePart(from, to);
    this.#tellPlace();
    // Hidden data appears as the cursor moves, and a goal may change the scale of the score lane.
    if (!this.spoilerFree) return;
    const seen = firstAbove(
      this.#score.map(([ms]) => ms),
      player.timeMs,
    );
    if (seen !== this.#scoreSeen || this.#end() !== undefined) this.#stale = true;
    this.#scoreSeen = seen;
    if (this.#stale || Math.round(share * this.#wide) !== this.#paintedUntil) this.#compose();
  }

  #placePart(from, to) {
    const { range } = this.#player;
    this.#part.hidden = !range || range.to < from || range.from > to;
    if (this.#part.hidden) return;
    const left = this.#share(range.from) * this.#wide;
    const at = `${left.toFixed(1)} ${(this.#share(range.to) * this.#wide - left).toFixed(1)}`;
    if (at === this.#partAt) return;
    this.#partAt = at;
    const [x, wide] = at.split(' ');
    this.#part.style.transform = `translateX(${x}px)`;
    this.#part.style.width = `${wide}px`;
    // A handle that does not fit beside the part is inside of it.
    this.#part.classList.toggle('at-start', Number(x) < handleWide);
    this.#part.classList.toggle('at-end', Number(x) + Number(wide) > this.#wide - handleWide);
  }
  #partAt = '';

  // For screen readers.
  #tellPlace = seldom(250, () => {
    const { timeMs } = this.#player;
    const { firstTimeMs } = this.#recording;
    const gone = timeMs - firstTimeMs;
    const end = this.#end();
    const all = (end ?? this.#recording.lastTimeMs) - firstTimeMs;
    this.element.setAttribute('aria-valuemax', String(Math.round(all / 1000)));
    this.element.setAttribute('aria-valuenow', String(Math.round(gone / 1000)));
    this.element.setAttribute(
      'aria-valuetext',
      end === undefined ? `${timeText(gone, 1)} of ${timeText(all, 1)}` : timeText(gone, 1),
    );
  });

  redraw() {
    this.#stale = true;
    this.#compose();
  }

  // At most one redraw per frame.
  #compose() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
    });
  }

  #paint() {
    const wide = (this.#wide = this.element.clientWidth);
    const high = this.element.clientHeight;
    if (wide === 0 || high === 0) return;
    const dots = Math.min(2, window.devicePixelRatio || 1);
    const begun = performance.now();
    const style = getComputedStyle(this.element);
    const top = parseFloat(style.fontSize) * 1.3;
    if (this.#stale || this.#layer.width !== Math.round(wide * dots)) this.#makeLayer(wide, high, dots, style, top);
    const canvas = this.#canvas;
    if (canvas.width !== this.#layer.width) canvas.width = this.#layer.width;
    if (canvas.height !== this.#layer.height) canvas.height = this.#layer.height;
    const context = canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.#layer, 0, 0);
    if (this.spoilerFree) {
      const x = Math.round(this.#share(this.#player.timeMs) * wide);
      this.#paintedUntil = x;
      context.scale(dots, dots);
      context.clearRect(x, top, wide - x, high - top);
      context.fillStyle = style.getPropertyValue('--veil').trim();
      context.fillRect(x, top, wide - x, high - top);
    }
    this.#follow();
    this.element.dataset.drawn = (performance.now() - begun).toFixed(1);
  }

  #makeLayer(wide, high, dots, style, scale) {
    this.#stale = false;
    this.#layer.width = Math.round(wide * dots);
    this.#layer.height = Math.round(high * dots);
    const context = this.#layer.getContext('2d');
    context.scale(dots, dots);
    const colour = (name) => style.getPropertyValue(name).trim();
    const font = `${parseFloat(style.fontSize) * 0.8}px ${style.fontFamily}`;
    const markSize = parseFloat(style.fontSize) * 0.32;
    const [from, to] = this.#range();
    const paint = {
      context,
      wide,
      high,
      colour,
      font,
      markSize,
      until: this.#seenUntil(),
      from,
      to,
      columns: Math.max(1, Math.round(wide)),
    };
    this.#marks = [];
    this.#drawScale(paint, scale);
    if (this.#view) this.#drawOverview(paint, scale);
    let top = scale;
    const bottom = high - keyframeStrip - gapStrip - 4;
    const lane = (bottom - scale) / this.#lanes();
    if (this.#score.length) {
      this.#drawScore(paint, top + 2, lane - 4);
      top += lane;
    }
    if (this.#possession.who.length) {
      this.#drawPossession(paint, top + lane * 0.25, lane * 0.5);
      top += lane;
    }
    this.#drawGaps(paint, scale, bottom);
    this.#drawEvents(paint, top, lane, scale);
    this.#drawKeyframes(paint, high - keyframeStrip - 1, keyframeStrip);
    this.#drawNotes(paint, scale);
    this.#drawDifference(paint, 0, high);
  }

  #drawScale({ context, wide, colour, font, from, to }, high) {
    const { firstTimeMs } = this.#recording;
    const begin = (from - firstTimeMs) / 1000;
    const seconds = (to - from) / 1000;
    const step = Math.max(stepsOf((seconds * 600) / wide), 0.1) / (seconds > 0 && seconds < 2 ? 2 : 1);
    context.font = font;
    context.fillStyle = colour('--soft');
    context.strokeStyle = colour('--line');
    context.textBaseline = 'top';
    for (let at = Math.ceil(begin / step) * step; at <= begin + seconds; at += step) {
      const x = Math.round((seconds > 0 ? (at - begin) / seconds : 0) * wide) + 0.5;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, high - 2);
      context.stroke();
      const text = timeText(at * 1000, step < 1 ? 1 : 0);
      if (x + context.measureText(text).width + 4 < wide) context.fillText(text, x + 3, 1);
    }
  }

  // Shows which part of the whole is visible.
  #drawOverview({ context, wide, colour, from, to }, bottom) {
    const { firstTimeMs } = this.#recording;
    const all = Math.max(1, (this.#end() ?? this.#recording.lastTimeMs) - firstTimeMs);
    context.fillStyle = colour('--line');
    context.fillRect(0, bottom - 4, wide, 3);
    context.fillStyle = colour('--accent');
    context.fillRect(((from - firstTimeMs) / all) * wide, bottom - 4, Math.max(4, ((to - from) / all) * wide), 3);
  }

  #drawScore({ context, wide, until, colour, font, from, to }, top, high) {
    const seen = this.#score.filter(([ms]) => ms <= until);
    const most = Math.max(1, ...seen.map(([, blue, orange]) => Math.max(blue, orange)));
    const colours = teamColours();
    for (const { team, at, dashes } of [
      { team: 'blue', at: 1, dashes: [] },
      { team: 'orange', at: 2, dashes: [5, 3] },
    ]) {
      context.strokeStyle = colours[team];
      context.lineWidth = 2;
      context.setLineDash(dashes);
      context.beginPath();
      let y = top + high - 1;
      let begun = false;
      for (const row of seen) {
        const next = top + 1 + (1 - row[at] / most) * (high - 2);
        if (row[0] <= from) {
          y = next;
          continue;
        }
        if (row[0] > to) break;
        if (!begun) context.moveTo(0, y);
        begun = true;
        const x = this.#share(row[0]) * wide;
        context.lineTo(x, y);
        y = next;
        context.lineTo(x, y);
      }
      if (!begun) context.moveTo(0, y);
      context.lineTo(this.#share(Math.min(until, to)) * wide, y);
      context.stroke();
    }
    context.setLineDash([]);
    context.lineWidth = 1;
    context.font = font;
    context.fillStyle = colour('--soft');
    context.textBaseline = 'top';
    context.fillText('score', 4, top);
  }

  #drawPossession({ context, wide, from, to, columns }, top, high) {
    const { from: changes, who } = this.#possession;
    const colours = teamColours();
    const column = (to - from) / columns;
    for (let at = Math.max(0, firstAbove(changes, from) - 1); at < changes.length && changes[at] <= to;) {
      const begin = Math.max(from, changes[at]);
      const end = Math.min(to, at + 1 < changes.length ? changes[at + 1] : to);
      const colour = colours[who[at]];
      if (colour && end > begin) {
        context.fillStyle = colour;
        const x = this.#share(begin) * wide;
        // The teams' halves also differ in height.
        context.fillRect(
          x,
          who[at] === 'blue' ? top : top + high / 2,
          Math.max(1, this.#share(end) * wide - x),
          high / 2,
        );
      }
      // Of several changes in one column one is drawn.
      at = end - begin < column ? Math.max(at + 1, firstAbove(changes, begin + column, at) - 1) : at + 1;
    }
  }

  // Few events of a kind are drawn as marks, many as a band that is darker where they are denser.
  #drawEvents({ context, wide, from, to, columns, colour, markSize, font }, top, high, above) {
    if (!this.#kinds) return;
    const kinds = this.#kinds.list.filter((kind) => kind.shown);
    const rows = Math.max(1, Math.min(kinds.length, Math.floor(high / (markSize * 2))));
    const tall = high / rows;
    const spots = Math.max(1, Math.floor(columns / (markSize * 2)));
    context.strokeStyle = colour('--paper');
    const pins = [];
    kinds.forEach((kind, number) => {
      const y = top + ((number % rows) + 0.5) * tall;
      const tint = this.#kinds.colour(kind);
      context.fillStyle = tint;
      let used = 0;
      eachColumn(kind.times, from, to, spots, () => ++used);
      const first = firstAbove(kind.times, from - 1e-6);
      const many = firstAbove(kind.times, to, first) - first;
      if (many > spots && used > spots * 0.4) {
        const most = many / used;
        eachColumn(kind.times, from, to, columns, (at, begin, end) => {
          context.globalAlpha = Math.min(1, 0.35 + (0.45 * (end - begin)) / Math.max(1, (most * spots) / columns));
          context.fillRect((at / columns) * wide, y - markSize, wide / columns, markSize * 2);
        });
        context.globalAlpha = 1;
        eachColumn(kind.times, from, to, spots, (at, begin, end) =>
          this.#marks.push({ x: ((at + 0.5) / spots) * wide, y, event: kind.events[begin], more: end - begin }),
        );
        return;
      }
      // A thousand marks at one place look like one.
      eachColumn(kind.times, from, to, columns, (at, begin, end) => {
        const event = kind.events[begin];
        const x = Math.min(wide - markSize - 1, Math.max(markSize + 1, this.#share(event.time_ms) * wide));
        context.fillStyle = tint;
        const path = shapePath(kind.shape, x, y, markSize);
        context.fill(path);
        context.stroke(path);
        this.#marks.push({ x, y, event, more: end - begin });
      });
    });
    this.#pins.forEach(
      ({ times, events, kind }) =>
        kind.shown &&
        eachColumn(times, from, to, spots, (at, begin) => {
          if (pins.length < maxPins)
            pins.push({ x: this.#share(times[begin]) * wide, y: top, ...pinOf(events[begin], this.#nameOf) });
        }),
    );
    this.#drawPins({ context, wide, colour, font }, pins, above);
  }

  // Decisive events have a label if there is room.
  #drawPins({ context, wide, colour, font }, pins, top) {
    const colours = teamColours();
    context.font = font;
    context.textBaseline = 'top';
    pins.sort((a, b) => a.x - b.x);
    let free = 0;
    for (const { x, y, text, team } of pins) {
      context.strokeStyle = colours[team] ?? colour('--soft');
      context.beginPath();
      context.moveTo(Math.round(x) + 0.5, top + 2);
      context.lineTo(Math.round(x) + 0.5, y);
      context.stroke();
      const shown = shownText(text, 24);
      const broad = context.measureText(shown).width;
      const at = x + 4 + broad > wide ? x - 4 - broad : x + 4;
      if (at < free) continue;
      free = at + broad + 8;
      context.fillStyle = colour('--raised');
      context.fillRect(at - 2, top, broad + 4, parseFloat(font) * 1.25);
      context.fillStyle = colour('--ink');
      context.fillText(shown, at, top + 1);
    }
  }

  // A strip shows the fraction of missing time; wide gaps are also hatched over the lanes.
  #drawGaps({ context, wide, columns, colour, from, to }, top, bottom) {
    const bad = colour('--bad');
    const runs = this.#gaps.runs(from, to, columns);
    const hatched = new Path2D();
    const clip = new Path2D();
    let any = false;
    context.fillStyle = bad;
    for (const run of runs) {
      const x = (run.from / columns) * wide;
      const broad = ((run.to - run.from) / columns) * wide;
      context.globalAlpha = 0.4 + 0.6 * run.share;
      context.fillRect(x, bottom + 2, Math.max(1.5, broad), gapStrip);
      if (broad < wideGap || run.share < 0.7) continue;
      any = true;
      clip.rect(x, top, broad, bottom - top);
    }
    context.globalAlpha = 1;
    if (!any) return;
    for (let at = -(bottom - top); at < wide; at += 6) {
      hatched.moveTo(at, bottom);
      hatched.lineTo(at + (bottom - top), top);
    }
    context.save();
    context.clip(clip);
    context.strokeStyle = bad;
    context.lineWidth = 1.5;
    context.stroke(hatched);
    context.restore();
    context.strokeStyle = bad;
    context.stroke(clip);
  }

  #drawNotes({ context, wide, colour, from, to, until, markSize }, bottom) {
    context.fillStyle = colour('--disc');
    for (const tick of this.#notes) {
      const ms = this.#recording.timeOf(tick);
      if (ms < from || ms > to || ms > until) continue;
      context.fillRect(this.#share(ms) * wide - markSize / 2, bottom - markSize * 2, markSize, markSize * 2);
    }
  }

  // The first difference of two recordings.
  #drawDifference({ context, wide, colour, font }, top, bottom) {
    if (this.difference === null) return;
    const x = Math.round(this.#share(this.#recording.timeOf(this.difference)) * wide) + 0.5;
    context.strokeStyle = context.fillStyle = colour('--ink');
    context.setLineDash([2, 2]);
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, bottom);
    context.stroke();
    context.setLineDash([]);
    context.font = font;
    const text = 'first difference';
    const broad = context.measureText(text).width;
    const at = x + broad + 6 > wide ? x - broad - 4 : x + 4;
    // Drawn above everything else.
    context.fillStyle = colour('--raised');
    context.fillRect(at - 2, top + 1, broad + 4, 1.2 * parseFloat(font));
    context.fillStyle = colour('--ink');
    context.fillText(text, at, top + 2);
  }

  #drawKeyframes({ context, wide, columns, colour, from, to }, top, high) {
    context.fillStyle = colour('--soft');
    const spots = Math.max(1, Math.floor(columns / 3));
    eachColumn(this.#keyframes, from, to, spots, (at) =>
      context.fillRect(Math.round((at / spots) * wide), top, 1, high),
    );
  }

  dispose() {
    cancelAnimationFrame(this.#frame);
  }
}
