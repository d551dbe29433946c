// The table of values at the tick, with those that differ from the previous tick.
import { fill, make, scroller, seldom } from './dom.js';
import { numberText, shownText, unitOf } from './text.js';

const maxRows = 400;

// The label of an array element: its own name, if it has one.
function entryName(value, at) {
  if (value && typeof value === 'object') {
    for (const key of ['name', 'entity', 'id'])
      if (typeof value[key] === 'string' || typeof value[key] === 'number')
        return `${at}: ${shownText(value[key], 40)}`;
  }
  return String(at);
}

// Paths to leaves; arrays of numbers are one value.
export function flatten(value, path = '', out = new Map(), most = 20_000) {
  if (out.size >= most) return out;
  if (Array.isArray(value)) {
    if (value.length <= 4 && value.every((each) => typeof each !== 'object' || each === null)) out.set(path, value);
    else value.forEach((each, at) => flatten(each, `${path}[${entryName(each, at)}]`, out, most));
    if (value.length === 0) out.set(path, value);
  } else if (value && typeof value === 'object') {
    for (const [key, each] of Object.entries(value)) flatten(each, path ? `${path}.${key}` : key, out, most);
  } else {
    out.set(path, value);
  }
  return out;
}

const valueText = (value) =>
  Array.isArray(value)
    ? value.map(valueText).join(', ')
    : value === null
      ? '\u2013'
      : shownText(numberText(value), 120);
const same = (a, b) =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, at) => each === b[at]));

function change(before, now) {
  if (typeof before === 'number' && typeof now === 'number') {
    const by = now - before;
    return by === 0 ? '0' : (by > 0 ? '+' : '\u2212') + numberText(Math.abs(+by.toPrecision(3)));
  }
  if (
    Array.isArray(before) &&
    Array.isArray(now) &&
    before.length === now.length &&
    [...before, ...now].every((each) => typeof each === 'number')
  ) {
    return now.map((each, at) => change(before[at], each)).join(', ');
  }
  return before === undefined ? 'new' : now === undefined ? 'gone' : `was ${valueText(before)}`;
}

// A path breaks after its separators, not within its names.
const breakable = (path) => path.split(/(?<=[._\]])/).flatMap((part, at) => (at === 0 ? [part] : [make('wbr'), part]));

export class ValueTable {
  #body = make('tbody');
  #search = make('input', { type: 'search', placeholder: 'Search values', 'aria-label': 'Search values' });
  #only = make('input', { type: 'checkbox' });
  #note = make('p', { class: 'note' });
  #state = null;
  #before = null;
  #draw = seldom(200, () => this.#redraw());
  visible = () => true;

  constructor() {
    this.element = make(
      'div',
      { class: 'values' },
      make('div', { class: 'row-of' }, this.#search, make('label', {}, this.#only, 'only what has changed')),
      this.#note,
      scroller(
        'Values',
        'scrolls',
        make(
          'table',
          {},
          make(
            'thead',
            {},
            make(
              'tr',
              {},
              ['Value', 'Now', 'Change'].map((text) => make('th', { scope: 'col' }, text)),
            ),
          ),
          this.#body,
        ),
      ),
    );
    for (const input of [this.#search, this.#only]) input.addEventListener('input', () => this.#redraw());
  }

  show(state, before) {
    this.#state = state;
    this.#before = before;
    if (this.visible()) this.#draw();
  }

  refresh() {
    this.#redraw();
  }

  #redraw() {
    if (!this.#state) return;
    const now = flatten(this.#state);
    const before = this.#before ? flatten(this.#before) : null;
    const wanted = this.#search.value.trim().toLowerCase();
    const paths = before ? new Set([...now.keys(), ...before.keys()]) : now.keys();
    const list = [];
    let matching = 0;
    for (const path of paths) {
      if (path === 'tick') continue;
      if (wanted && !path.toLowerCase().includes(wanted)) continue;
      const differs = before !== null && !same(now.get(path), before.get(path));
      if (this.#only.checked && !differs) continue;
      if (++matching <= maxRows) list.push([path, now.get(path), before?.get(path), differs]);
    }
    this.#note.textContent =
      matching > maxRows
        ? `${maxRows} of ${matching} values: search for the others`
        : matching === 0
          ? this.#only.checked
            ? 'Nothing has changed.'
            : 'No such value.'
          : `${matching} values`;
    fill(
      this.#body,
      list.map(([path, value, was, differs]) =>
        make(
          'tr',
          { class: differs ? 'differs' : null },
          make('th', { scope: 'row', title: path }, breakable(path)),
          make(
            'td',
            {},
            value === undefined ? '' : valueText(value),
            unitOf(path) ? make('small', {}, ` ${unitOf(path)}`) : null,
          ),
          make('td', {}, differs ? change(was, value) : ''),
        ),
      ),
    );
  }
}
