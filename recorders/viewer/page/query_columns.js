// The tables and columns that a statement can name; a click on one inserts it.
import { fill, make } from './dom.js';
import { shownText } from './text.js';

const maxListed = 100;

const inQuotes = (name) => `"${name.replaceAll('"', '""')}"`;

export class QueryColumns {
  #recording;
  #worker;
  #onpick;
  #columns = []; // {table, name, inSql, hint}
  #asked = false;
  #search = make('input', { type: 'search', placeholder: 'Search columns', 'aria-label': 'Search columns' });
  #list = make('ol', { class: 'plain found' });
  #state = make('p', { class: 'note', role: 'status' });

  constructor(recording, worker, onpick) {
    this.#recording = recording;
    this.#worker = worker;
    this.#onpick = onpick;
    this.element = make(
      'details',
      { ontoggle: () => this.element.open && this.#load() },
      make('summary', {}, 'Tables and columns'),
      this.#search,
      this.#state,
      this.#list,
    );
    this.#search.addEventListener('input', () => this.#draw());
  }

  async #load() {
    if (this.#asked) return;
    this.#asked = true;
    this.#state.textContent = 'Looking for columns\u2026';
    try {
      const fixed = (await this.#worker.tables()).flatMap(({ name: table, columns }) =>
        columns.map(({ name, type }) => ({ table, name, inSql: name, hint: type.toLowerCase() })),
      );
      this.#columns = [...fixed, ...this.#byPath(await this.#recording.fields())];
      this.#draw();
    } catch (error) {
      this.#asked = false;
      this.#state.textContent = error.message;
    }
  }

  // Numbers in ticks; those of players once for all of them.
  #byPath(fields) {
    const found = new Map();
    for (const { path, unit, meaning } of fields) {
      const [, ofPlayer] = /^session\.teams\[\d+\]\.players\[\d+\]\.(.+)$/.exec(path) ?? [];
      const [table, name] = ofPlayer ? ['players', ofPlayer] : ['ticks', path];
      const key = `${table} ${name}`;
      if (!found.has(key)) found.set(key, { table, name, inSql: inQuotes(name), hint: unit || meaning || '' });
    }
    return found.values();
  }

  #draw() {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = this.#columns.filter(({ table, name }) => {
      const text = `${table} ${name}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    this.#state.textContent =
      matching.length > maxListed
        ? `${maxListed} of ${matching.length} columns: search for the others`
        : `${matching.length} columns`;
    fill(
      this.#list,
      matching
        .slice(0, maxListed)
        .map(({ table, name, inSql, hint }) =>
          make(
            'li',
            {},
            make(
              'button',
              { type: 'button', title: 'Insert into the statement', onclick: () => this.#onpick(inSql) },
              make(
                'span',
                { class: 'what' },
                make('small', {}, `${table} `),
                shownText(name, 80),
                hint ? make('small', {}, ` ${shownText(hint, 20)}`) : null,
              ),
            ),
          ),
        ),
    );
  }
}
