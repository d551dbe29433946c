// The whole recording as lanes: score and possession, events, gaps and keyframes; and the cursor over them.
// Everything except the cursor is one picture, redrawn only when its content changes; its cost depends on its
// columns of pixels, not on the amount of data.
import { firstAbove, GapIndex } from './density.js';
import { make, seldom } from './dom.js';
import { eventText, onTheme } from './kinds.js';
import { contentOf, drawLanes } from './lanes.js';
import { pinOf, sentenceOf } from './sentences.js';
import { timeText, wordsOf } from './text.js';
import { TimelinePart } from './timeline_part.js';

const shortestView = 1000;

export class Timeline {
  #recording;
  #player;
  #canvas = make('canvas', { class: 'lanes' });
  #layer = document.createElement('canvas');
  #hand = make('div', { class: 'hand' });
  #tip = make('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  #handAt = '';
  #wide = 0;
  #content;
  #kinds = null;
  #nameOf = () => undefined;
  #marks = [];
  #notes = []; // ticks
  #pins = [];
  #fights = [];
  #stale = true;
  #paintedUntil = -1;
  #hadSeen = 0;
  #frame = 0;
  #view = null; // [from, to] in milliseconds if only a part is shown
  #pointers = new Map();
  #drag = null;
  #selecting = null; // {id, from, x} while a part is selected with the pointer
  #part = new TimelinePart((end, clientX) => {
    const range = { ...this.#player.range, [end]: this.#timeAt(clientX) };
    if (range.from < range.to) this.#select(range.from, range.to);
  });
  spoilerFree = false;
  #difference = null;
  /** @type {(range: {from: number, to: number}) => void} */
  onselect = () => {};

  constructor(recording, player) {
    this.#recording = recording;
    this.#player = player;
    this.#content = contentOf({}, recording);
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
      this.#part.element,
      this.#hand,
      this.#tip,
    );
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

  /**
   * @param {{overview?: any, kinds?: any, nameOf?: any, view?: number[] | null, notes?: number[], fights?: any[]}} what
   */
  show({ overview, kinds, nameOf, view, notes, fights }) {
    if (notes) this.#notes = notes;
    this.#fights = fights ?? this.#fights;
    if (overview) this.#content = contentOf(overview, this.#recording);
    this.#kinds = kinds ?? this.#kinds;
    this.#nameOf = nameOf ?? this.#nameOf;
    if (kinds) {
      this.#pins = kinds.list
        .map((kind) => ({ kind, events: kind.events.filter((event) => pinOf(event)) }))
        .filter(({ events }) => events.length > 0)
        .map((each) => ({ ...each, times: Float64Array.from(each.events, ({ time_ms: ms }) => ms).sort() }));
    }
    if (view !== undefined) this.#view = view;
    this.element.style.setProperty('--lanes', String(this.#content.count + Number(this.#hasFights)));
    this.redraw();
    this.#follow();
  }

  // A lane that came with the first fight would reveal that there is one.
  get #hasFights() {
    return this.#recording.stage === 'starcraft' || this.#fights.length > 0;
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
    const gap =
      near || ms > this.#seenUntil() ? null : this.#content.gaps.at(ms, ((to - from) / Math.max(1, this.#wide)) * 2);
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
    const seen = this.#seen();
    if (seen !== this.#hadSeen || this.#end() !== undefined) this.#stale = true;
    this.#hadSeen = seen;
    if (this.#stale || Math.round(share * this.#wide) !== this.#paintedUntil) this.#compose();
  }

  // How many points, labels and fights the cursor has passed.
  #seen() {
    const { timeMs } = this.#player;
    const times = [this.#content.score.map(([ms]) => ms), this.#fights.map(({ until_ms: ms }) => ms)];
    return [...times, ...this.#pins.map((each) => each.times)].reduce((sum, all) => sum + firstAbove(all, timeMs), 0);
  }

  #placePart(from, to) {
    const { range } = this.#player;
    const hidden = (this.#part.element.hidden = !range || range.to < from || range.from > to);
    if (hidden) return;
    const x = (ms) => this.#share(ms) * this.#wide;
    this.#part.place(x(range.from), x(range.to), this.#wide);
  }

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

  // The first tick in which a second recording differs; null: none.
  showDifference(tick) {
    this.#difference = tick;
    this.redraw();
  }

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
    this.#marks = drawLanes(paint, scale, {
      recording: this.#recording,
      share: (ms) => this.#share(ms),
      end: this.#end(),
      zoomed: this.#view !== null,
      ...this.#content,
      kinds: this.#kinds,
      nameOf: this.#nameOf,
      pins: this.#pins,
      // Their number of losses is known at their end.
      fights: new GapIndex(this.#fights.filter(({ until_ms: ms }) => ms <= this.#seenUntil())),
      hasFights: this.#hasFights,
      notes: this.#notes,
      difference: this.#difference,
    });
  }

  dispose() {
    cancelAnimationFrame(this.#frame);
  }
}
