// Sentences above the picture, which the user can close.
import { make } from './dom.js';
import { shownText } from './text.js';

const most = 4;

export class Notices {
  element = make('div', { class: 'notes', role: 'status' });
  #warning = null; // about defects
  #warned = null;

  add(text, bad = false) {
    const close = ({ currentTarget }) => currentTarget.parentElement.remove();
    const button = make('button', { type: 'button', class: 'small', 'aria-label': 'Close', onclick: close }, '\u00d7');
    const one = make('p', { class: bad ? 'bad' : null }, shownText(text, 400), button);
    this.element.append(one);
    while (this.element.children.length > most) this.element.firstChild.remove();
    return one;
  }

  // One sentence about defects, the same as under "About", replaced when more is known.
  warn(health, losses) {
    const bad = health === 'damaged' || health === 'incomplete';
    const text = bad
      ? `This recording is ${health}${losses.length ? `: ${losses[0]}` : ''}. More under "About".`
      : losses.length
        ? `${losses[0]}${losses.length > 1 ? ` (and ${losses.length - 1} more under "About")` : ''}`
        : null;
    if (text === this.#warned) return;
    this.#warning?.remove();
    this.#warned = text;
    this.#warning = text === null ? null : this.add(text, bad);
  }
}
