// The list of events: filtered by kind and text; a click goes to the moment.
import { fill, make, seldom } from './dom.js';
import { eventText, eventTime } from './kinds.js';
import { shownText, wordsOf } from './text.js';

const space = 'http://www.w3.org/2000/svg';
const outlines = {
  circle: 'M5 .8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 1 1 0-8.4z', square: 'M1.2 1.2h7.6v7.6H1.2z', triangle: 'M5 .6 9.6 9H.4z', diamond: 'M5 0l4.4 5L5 10 .6 5z',
  cross: 'M3.5.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z',
};

export function kindMark(kinds, kind) {
  const drawing = document.createElementNS(space, 'svg');
  drawing.setAttribute('viewBox', '0 0 10 10');
  drawing.setAttribute('class', 'mark');
  drawing.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', outlines[kind.shape]);
  path.style.fill = kinds.colour(kind);
  drawing.append(path);
  return drawing;
}

export class EventList {
  #recording;
  #player;
  #kinds = null;
  #events = [];
  #shown = [];
  nameOf;
  #filters = make('div', { class: 'filters', role: 'group', 'aria-label': 'Kinds of events' });
  #list = make('ol', { class: 'rows' });
  #scroller = make('div', { class: 'scrolls', tabindex: '0', 'aria-label': 'Events' }, this.#list);
  #note = make('p', { class: 'note', role: 'status' });
  #search = make('input', { type: 'search', placeholder: 'Search events', 'aria-label': 'Search events' });
  #rowHigh = 0;
  #current = -1;
  #onfilter;
  spoilerFree = false;

  constructor(recording, player, nameOf, onfilter) {
    Object.assign(this, { element: make('div', { class: 'events' }, this.#search, this.#filters, this.#note, this.#scroller) });
    this.#recording = recording;
    this.#player = player;
    this.nameOf = nameOf;
    this.#onfilter = onfilter;
    this.#search.addEventListener('input', () => this.#filter());
    this.#scroller.addEventListener('scroll', () => this.#draw());
    new ResizeObserver(() => this.#draw()).observe(this.#scroller);
    player.onchange(seldom(150, () => this.#follow()));
    this.#note.textContent = 'Looking for events\u2026';
  }

  show(events, kinds) {
    this.#events = events;
    this.#kinds = kinds;
    fill(this.#filters, kinds.list.map((kind) => {
      const box = make('input', {
        type: 'checkbox', checked: kind.shown, onchange: () => {
          kind.shown = box.checked;
          this.#filter();
          this.#onfilter();
        },
      });
      return make('label', {}, box, kindMark(kinds, kind), `${shownText(wordsOf(kind.type), 40)} `, make('small', {}, String(kind.count)));
    }));
    this.#filter();
  }

  fail(message) {
    this.#note.textContent = message;
  }

  // Once more with what may be seen now.
  refresh() {
    if (this.#kinds) this.#filter();
  }

  next(direction) {
    const { tick } = this.#player;
    const list = this.#shown;
    const found = direction > 0 ? list.find((event) => event.tick > tick) : list.findLast((event) => event.tick < tick);
    if (found) this.#player.seekTick(found.tick);
  }

  #matching() {
    const wanted = this.#search.value.trim().toLowerCase();
    const until = this.spoilerFree ? this.#player.tick : Infinity;
    return this.#events.filter((event) => event.tick <= until && this.#kinds.shows(event) &&
      (wanted === '' || `${wordsOf(event.type)} ${eventText(event, this.nameOf)}`.toLowerCase().includes(wanted)));
  }

  #filter() {
    this.#shown = this.#matching();
    this.#list.replaceChildren();
    this.#current = -1;
    this.#tell();
    this.#follow();
    this.#draw();
  }

  #tell() {
    const all = this.#events.length;
    this.#note.textContent = all === 0 ? 'This recording holds no events.'
      : all >= 300_000 ? `${this.#shown.length} of the first ${all} events`
      : this.spoilerFree ? `${this.#shown.length} events so far` : `${this.#shown.length} of ${all} events`;
    this.#scroller.hidden = all === 0;
  }

  #follow() {
    if (this.spoilerFree && this.#kinds) {
      const shown = this.#matching();
      if (shown.length !== this.#shown.length) {
        this.#shown = shown;
        this.#tell();
        this.#draw();
      }
    }
    let low = 0;
    let high = this.#shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#shown[middle].tick <= this.#player.tick) low = middle + 1;
      else high = middle;
    }
    if (low - 1 === this.#current) return;
    this.#current = low - 1;
    const top = this.#current * this.#rowHigh;
    const { scrollTop, clientHeight } = this.#scroller;
    // Not under the reader's hand.
    if (!this.#scroller.matches(':hover, :focus-within') && (top < scrollTop || top > scrollTop + clientHeight - this.#rowHigh * 2)) {
      this.#scroller.scrollTop = Math.max(0, top - clientHeight / 2);
    }
    this.#draw();
  }

  // Only the rows that can be seen are there.
  #draw() {
    if (!this.#kinds) return;
    this.#rowHigh ||= parseFloat(getComputedStyle(this.element).fontSize) * 2;
    const { scrollTop, clientHeight } = this.#scroller;
    const from = Math.max(0, Math.floor(scrollTop / this.#rowHigh) - 5);
    const to = Math.min(this.#shown.length, Math.ceil((scrollTop + clientHeight) / this.#rowHigh) + 5);
    this.#list.style.height = `${this.#shown.length * this.#rowHigh}px`;
    fill(this.#list, this.#shown.slice(from, to).map((event, at) => {
      const kind = this.#kinds.byType.get(event.type);
      const text = eventText(event, this.nameOf);
      const row = make('li', { class: from + at === this.#current ? 'row now' : 'row', 'aria-setsize': String(this.#shown.length), 'aria-posinset': String(from + at + 1) },
        make('button', { type: 'button', title: `${wordsOf(event.type)} ${text}`.trim(), onclick: () => this.#player.seekTick(event.tick) },
          make('span', { class: 'when' }, eventTime(this.#recording, event)), kindMark(this.#kinds, kind),
          make('span', { class: 'what' }, make('b', {}, shownText(wordsOf(event.type), 40)), ' ', text)));
      row.style.transform = `translateY(${(from + at) * this.#rowHigh}px)`;
      return row;
    }));
  }
}
