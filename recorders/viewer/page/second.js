// The bar of a second recording: how both are synchronised, and where they differ first.
import { findFirstDifference, isButter, nearAsButter } from './compare.js';
import { fill, make } from './dom.js';
import { shownText } from './text.js';

export class SecondBar {
  #first;
  #second;
  #by;
  #exact;
  #ghosts;
  #found = make('span', { role: 'status' });
  #turn = 0;
  // A .butter rounds: next to another format that does not count as a difference, unless an exact comparison is
  // selected.
  #rounds;
  /** @type {(tick: number | null) => void} */
  ondifference = () => {};
  /** @type {(tick: number) => void} */
  onseek = () => {};

  constructor(first, second, { mayOverlay, onsync, onghosts, onclose }) {
    this.#first = first;
    this.#second = second;
    this.#rounds = isButter(first.info) !== isButter(second.info);
    this.#by = make(
      'select',
      { 'aria-label': 'Synchronised by', onchange: onsync },
      make('option', { value: 'time' }, 'by time'),
      make('option', { value: 'tick' }, 'by tick'),
    );
    this.#exact = make(
      'select',
      { 'aria-label': 'Precision', onchange: () => this.look() },
      make('option', { value: 'near' }, 'within the precision of a .butter'),
      make('option', { value: 'exact' }, 'exactly'),
    );
    // Two attempts of one play in one picture.
    this.#ghosts = make('input', { type: 'checkbox', onchange: () => onghosts(this.#ghosts.checked) });
    this.element = make(
      'section',
      { class: 'compare', 'aria-label': 'Second recording' },
      make('b', { title: second.name }, shownText(second.name, 80)),
      this.#by,
      mayOverlay ? make('label', {}, this.#ghosts, 'In one picture') : null,
      this.#rounds ? this.#exact : null,
      this.#found,
      make(
        'button',
        { type: 'button', class: 'small', 'aria-label': 'Close the second recording', onclick: onclose },
        '\u00d7',
      ),
    );
  }

  get byTime() {
    return this.#by.value === 'time';
  }

  // Ends what look() does.
  remove() {
    ++this.#turn;
    this.element.remove();
  }

  async look() {
    const turn = ++this.#turn;
    const gone = () => this.#turn !== turn;
    this.#found.textContent = 'Looking for the first difference\u2026';
    this.ondifference(null);
    try {
      const result = await findFirstDifference(
        this.#first,
        this.#second,
        (tick) => {
          if (!gone()) this.#found.textContent = `Compared up to tick ${tick}\u2026`;
          return gone();
        },
        this.#rounds && this.#exact.value === 'near' ? nearAsButter : null,
      );
      if (result && !gone()) this.#show(result);
    } catch (error) {
      if (!gone()) this.#found.textContent = error.message;
    }
  }

  #show({ same, tick, path, first, second }) {
    if (same !== undefined)
      return fill(this.#found, same ? `${same} ticks compared: all the same` : 'No tick is in both');
    const text = (value) => shownText(value === undefined ? 'absent' : JSON.stringify(value), 40);
    fill(
      this.#found,
      make('button', { type: 'button', onclick: () => this.onseek(tick) }, `First difference: tick ${tick}`),
      ` ${shownText(path, 80)}: ${text(first)} / ${text(second)}`,
    );
    this.ondifference(tick);
  }
}
