// The head of a view: the name of the recording, facts about it, and the buttons that concern the whole page.
import { copyText, cutText, fill, make } from './dom.js';
import { mapTitle, matchTitle, shownText } from './text.js';

const longName = 40; // characters

// A button shows the whole of a long one.
function nameOf(text) {
  const whole = make('h1', { title: text }, text);
  if (text.length <= longName) return whole;
  const onclick = () => button.setAttribute('aria-expanded', String(whole.classList.toggle('whole')));
  const button = cutText(text, 'button', { type: 'button', class: 'bare', 'aria-expanded': 'false', onclick });
  return fill(whole, button);
}

export class Header {
  #recording;
  #facts = make('p');
  #spoilerFree;
  #length;

  // `view`: of a recording with a picture, what the buttons do and the parts that belong here.
  constructor(recording, { onopen, oncompare = null }, view = null) {
    this.#recording = recording;
    this.update();
    const button = (text, title, onclick, more = {}) =>
      make('button', { type: 'button', title, onclick, ...more }, text);
    const off = { 'aria-pressed': 'false' };
    const buttons = view && [
      (this.#spoilerFree = button('Spoiler-free', 'Hide what comes later (S)', view.onspoilers, off)),
      (this.#length = button('Hide length', 'Hide how long the recording is', view.onlength, { ...off, hidden: true })),
      view.panelButton,
      button('Copy link', 'Copy a link to this moment', ({ currentTarget }) => copyText(view.link(), currentTarget)),
      button('Compare\u2026', 'Open another recording beside this one', oncompare),
    ];
    this.element = make(
      'header',
      {},
      make('div', { class: 'title' }, nameOf(shownText(recording.name, 300)), this.#facts),
      make('div', { class: 'actions' }, buttons, button('Open\u2026', 'Open another recording', onopen)),
      view?.story,
    );
  }

  update() {
    const { info, title } = this.#recording;
    this.#facts.textContent = [title, mapTitle(info.map_name ?? info.map), matchTitle(info.match_type)]
      .filter(Boolean)
      .map((text) => shownText(text, 60))
      .join(' \u00b7 ');
  }

  showSpoilerFree(on, hidesLength) {
    this.#spoilerFree.setAttribute('aria-pressed', String(on));
    this.#length.hidden = !on;
    this.#length.setAttribute('aria-pressed', String(hidesLength));
  }
}
