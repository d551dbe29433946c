// The list of events, filtered by kind and text; a click goes to the moment.
import { firstAbove } from './density.js';
import { fill, make, reachedIn, scroller, seldom } from './dom.js';
import { eventText, eventTime } from './kinds.js';
import { kindTitle, partsOf } from './sentences.js';
import { shownText, wordsOf } from './text.js';

// Rows are as high as their sentences. The scroll bar counts rows of one line: it says which row is the first.
// Browsers limit an element's height: with more rows, each step of the scroll bar skips several.
const maxHigh = 8_000_000;

const space = 'http://www.w3.org/2000/svg';
const outlines = {
  circle: 'M5 .8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 1 1 0-8.4z',
  square: 'M1.2 1.2h7.6v7.6H1.2z',
  triangle: 'M5 .6 9.6 9H.4z',
  diamond: 'M5 0l4.4 5L5 10 .6 5z',
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

const placeOf = (button) => Number(button.closest('li').getAttribute('aria-posinset')) - 1;

const whyNone = ({ stage, live }) =>
  stage === 'path'
    ? 'a path has positions and keys only.'
    : live
      ? 'nothing has happened yet.'
      : 'neither the game nor the recorder reported any.';

export class EventList {
  #recording;
  #player;
  #kinds = null;
  #events = [];
  #matching = [];
  #ticks = new Float64Array(0);
  #shown = 0; // index into #matching, up to the last visible event
  nameOf;
  #counts = new Map();
  #filters = make('div', { class: 'filters chips', role: 'group', 'aria-label': 'Kinds of events' });
  #list = make('ol', { class: 'rows' });
  #scroller = scroller('Events', 'scrolls', this.#list);
  #note = make('p', { class: 'note', role: 'status' });
  #search = make('input', { type: 'search', placeholder: 'Search events', 'aria-label': 'Search events' });
  #raw = make('input', { type: 'checkbox' });
  #rowHigh = 0;
  #drawn = ''; // the part of the list whose rows exist
  #current = -1;
  #reached = 0; // the row that Tab reaches; arrows lead to the others
  #onfilter;
  #complete = true;
  spoilerFree = false;

  constructor(recording, player, nameOf, onfilter) {
    this.element = make(
      'div',
      { class: 'events' },
      make(
        'div',
        { class: 'row-of' },
        this.#search,
        make('label', { title: 'Types and fields as they were recorded, also of the protocol' }, this.#raw, 'fields'),
      ),
      this.#filters,
      this.#note,
      this.#scroller,
    );
    this.#recording = recording;
    this.#player = player;
    this.nameOf = nameOf;
    this.#onfilter = onfilter;
    const filter = seldom(150, () => this.#filter());
    this.#search.addEventListener('input', filter);
    this.#raw.addEventListener('change', () => this.#filter());
    this.#scroller.addEventListener('scroll', () => this.#draw());
    this.#list.addEventListener('keydown', (event) => this.#walk(event));
    this.#list.addEventListener('focusin', ({ target }) => (this.#reached = placeOf(target)));
    new ResizeObserver(() => {
      this.#rowHigh = 0; // the letters' size depends on the window's
      this.#drawn = '';
      this.#draw();
    }).observe(this.#scroller);
    player.onchange(seldom(150, () => this.#follow()));
    this.#note.textContent = 'Looking for events\u2026';
  }

  // `complete`: there are no further events.
  show(events, kinds, complete) {
    this.#complete = complete;
    this.#events = events;
    this.#kinds = kinds;
    this.#counts.clear();
    fill(
      this.#filters,
      kinds.list.map((kind) => {
        const box = make('input', {
          type: 'checkbox',
          checked: kind.shown,
          onchange: () => {
            kind.shown = box.checked;
            this.#filter();
            this.#onfilter();
          },
        });
        const count = make('small');
        const label = make('label', {}, box, kindMark(kinds, kind), `${shownText(kindTitle(kind.type), 40)} `, count);
        this.#counts.set(kind, { count, label });
        return label;
      }),
    );
    this.#filter();
  }

  fail(message) {
    this.#note.textContent = message;
  }

  // Filters again for the visible part.
  refresh() {
    if (this.#kinds) this.#filter();
  }

  next(direction) {
    const list = this.#ticks;
    const { tick } = this.#player;
    const at = direction > 0 ? firstAbove(list, tick) : firstAbove(list, tick - 1) - 1;
    if (at >= 0 && at < this.#shown) this.#player.seekTick(list[at]);
  }

  #text(event) {
    const parts = this.#raw.checked ? null : partsOf(event, this.nameOf);
    return parts ?? { who: wordsOf(event.type), team: null, text: eventText(event, this.nameOf) };
  }

  #filter() {
    const wanted = this.#search.value.trim().toLowerCase();
    const says = (event) => {
      const { who, text } = this.#text(event);
      return `${wordsOf(event.type)} ${who ?? ''} ${text}`.toLowerCase().includes(wanted);
    };
    this.#matching = this.#events.filter((event) => this.#kinds.of(event).shown && (wanted === '' || says(event)));
    this.#ticks = Float64Array.from(this.#matching, ({ tick }) => tick);
    this.#list.replaceChildren();
    this.#drawn = '';
    this.#current = -1;
    this.#shown = this.#seen();
    this.#tell();
    this.#follow();
    this.#draw();
  }

  #seen() {
    return this.spoilerFree ? firstAbove(this.#ticks, this.#player.tick) : this.#ticks.length;
  }

  #tell() {
    const all = this.#events.length;
    this.#note.textContent =
      all === 0
        ? `This recording holds no events: ${whyNone(this.#recording)}`
        : this.spoilerFree
          ? `${this.#shown} events up to now`
          : !this.#complete
            ? `${this.#shown} of the first ${all} events`
            : `${this.#shown} of ${all} events`;
    this.#scroller.hidden = all === 0;
    // Counts of the whole recording, and kinds that occur later, would be spoilers.
    for (const [kind, { count, label }] of this.#counts) {
      const number = this.spoilerFree ? firstAbove(kind.ticks, this.#player.tick) : kind.count;
      if (count.textContent !== String(number)) count.textContent = String(number);
      label.hidden = number === 0 || (kind.protocol && !kind.shown && !this.#raw.checked);
    }
  }

  // A hidden list follows when it is shown.
  #follow() {
    if (!this.#kinds) return;
    if (this.spoilerFree) this.#shown = this.#seen();
    if (this.element.closest('[hidden], .no-panel')) return;
    if (this.spoilerFree) this.#tell();
    const low = firstAbove(this.#ticks, this.#player.tick);
    const last = Math.min(low, this.#shown) - 1;
    if (last === this.#current && !this.spoilerFree) return;
    this.#current = last;
    // Do not change the list under the user's pointer.
    if (!this.#scroller.matches(':hover, :focus-within') && !this.#isSeen(last)) {
      const top = (last * this.#rowHigh) / this.#squeeze();
      this.#scroller.scrollTop = Math.max(0, top - this.#scroller.clientHeight / 4);
    }
    this.#draw();
  }

  // Whether a row is on the screen, completely.
  #isSeen(number) {
    const row = this.#list.querySelector(`[aria-posinset="${number + 1}"]`)?.getBoundingClientRect();
    const { top, bottom } = this.#scroller.getBoundingClientRect();
    return Boolean(row) && row.top >= top - 1 && row.bottom <= bottom + 1;
  }

  // Pixels of rows per pixel of the scroll bar, so that both ends can be reached.
  #squeeze() {
    const { clientHeight } = this.#scroller;
    const all = this.#shown * this.#rowHigh;
    return all > maxHigh ? (all - clientHeight) / (maxHigh - clientHeight) : 1;
  }

  // One row after the other would be thousands of steps with Tab.
  #walk(event) {
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / this.#rowHigh) - 1);
    const last = this.#shown - 1;
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#reached = Math.min(last, Math.max(0, this.#reached + by));
    const top = this.#reached * this.#rowHigh;
    const { scrollTop, clientHeight } = this.#scroller;
    const squeeze = this.#squeeze();
    const lowest = (top + this.#rowHigh - clientHeight) / squeeze;
    this.#scroller.scrollTop = Math.min(top / squeeze, Math.max(scrollTop, lowest));
    this.#draw();
    if (!this.#isSeen(this.#reached)) {
      this.#scroller.scrollTop = top / squeeze;
      this.#draw();
    }
    this.#list.querySelector('[tabindex="0"]').focus({ preventScroll: true });
  }

  #place(top) {
    for (const row of this.#list.children) row.style.transform = `translateY(${top}px)`;
  }

  // Only visible rows exist. The same ones are marked, and not made again.
  #draw() {
    if (!this.#kinds) return;
    this.#rowHigh ||= parseFloat(getComputedStyle(this.element).fontSize) * 2;
    const focused = reachedIn(this.#list) !== null;
    const { scrollTop, clientHeight } = this.#scroller;
    if (clientHeight === 0) return;
    const squeeze = this.#squeeze();
    const first = (scrollTop * squeeze) / this.#rowHigh;
    const from = Math.max(0, Math.floor(first));
    const to = Math.min(this.#shown, Math.ceil(first + clientHeight / this.#rowHigh) + 5);
    this.#list.style.height = `${Math.min(maxHigh, this.#shown * this.#rowHigh)}px`;
    if (!focused) this.#reached = this.#current;
    const reached = Math.min(to - 1, Math.max(Math.floor(first), this.#reached));
    const part = [scrollTop, clientHeight, from, to, this.#shown].join();
    const same = part === this.#drawn;
    this.#drawn = part;
    if (!same) this.#makeRows(from, to);
    for (const row of this.#list.children) {
      const at = Number(row.getAttribute('aria-posinset')) - 1;
      row.classList.toggle('now', at === this.#current);
      row.firstChild.tabIndex = at === reached ? 0 : -1;
    }
    if (same) return;
    // At first too low: a list that ends higher would be scrolled back.
    this.#place(scrollTop);
    // The first row is above the edge by the part of it that was scrolled.
    this.#place(scrollTop - (first - from) * (this.#list.firstChild?.offsetHeight ?? 0));
    // The rows are other elements now.
    if (focused) this.#list.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  #makeRows(from, to) {
    fill(
      this.#list,
      this.#matching.slice(from, to).map((event, at) => {
        const kind = this.#kinds.of(event);
        const { who, team, text } = this.#text(event);
        return make(
          'li',
          {
            class: 'row',
            'aria-setsize': String(this.#shown),
            'aria-posinset': String(from + at + 1),
          },
          make(
            'button',
            {
              type: 'button',
              title: `${wordsOf(event.type)} ${eventText(event, this.nameOf)}`.trim(),
              onclick: ({ currentTarget: button }) => {
                // After a click the keys belong to the player.
                if (reachedIn(this.#list) === null) button.blur();
                this.#player.seekTick(event.tick);
              },
            },
            make('span', { class: 'when' }, eventTime(this.#recording, event)),
            kindMark(this.#kinds, kind),
            make(
              'span',
              { class: 'what' },
              who ? make('b', { class: team === 'blue' || team === 'orange' ? team : null }, shownText(who, 40)) : null,
              who ? ' ' : null,
              text,
            ),
          ),
        );
      }),
    );
  }
}
