// The panel beside the picture: shown or hidden, and its width. Remembered, where the browser remembers anything.
import { recall, remember } from '../stage/memory.js';
import { make } from './dom.js';
import { narrowestPanel, parseMoment, widestPanel } from './text.js';

export class SidePanel {
  #viewer;
  #width = null; // as a share of the window in per cent; null: the usual one
  #onchange;
  button = make(
    'button',
    {
      type: 'button',
      class: 'panel-button',
      'aria-pressed': 'true',
      title: 'Show or hide the panel beside the picture (H)',
      onclick: () => this.toggle(),
    },
    'Panel',
  );
  splitter = make('div', {
    class: 'splitter',
    role: 'separator',
    tabindex: '0',
    title: 'Drag to change the width of the panel',
    'aria-label': 'Width of the panel',
    'aria-orientation': 'vertical',
    'aria-valuenow': '27', // of app.css
    'aria-valuemin': String(narrowestPanel),
    'aria-valuemax': String(widestPanel),
    onpointerdown: (event) => this.splitter.setPointerCapture(event.pointerId),
    onpointermove: (event) => {
      if (this.splitter.hasPointerCapture(event.pointerId)) this.show((1 - event.clientX / window.innerWidth) * 100);
    },
    onkeydown: (event) => {
      const by = { ArrowLeft: 2, ArrowRight: -2 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      const now = (this.splitter.nextElementSibling.clientWidth / window.innerWidth) * 100;
      this.show((this.#width ?? now) + by);
    },
  });

  constructor(viewer, onchange) {
    this.#viewer = viewer;
    this.#onchange = onchange;
  }

  // true, false, or shown with that width.
  show(panel) {
    if (typeof panel === 'number') {
      this.#width = Math.round(Math.min(widestPanel, Math.max(narrowestPanel, panel)));
      this.#viewer.style.setProperty('--panel', `${this.#width}vw`);
      this.splitter.setAttribute('aria-valuenow', String(this.#width));
    }
    this.#viewer.classList.toggle('no-panel', panel === false);
    this.button.setAttribute('aria-pressed', String(panel !== false));
    remember('panel', String(Number(this.state ?? true)));
    this.#onchange();
  }

  toggle() {
    this.show(this.#viewer.classList.contains('no-panel'));
  }

  // As the link says, or else as it was left.
  begin(wanted) {
    const panel = wanted ?? parseMoment(`panel=${recall('panel')}`).panel;
    if (panel !== null && panel !== true) this.show(panel);
  }

  // As a link has it: null where it is as it is at the beginning.
  get state() {
    return this.#viewer.classList.contains('no-panel') ? false : this.#width;
  }
}
