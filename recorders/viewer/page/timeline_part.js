// The selected part on the timeline, whose two ends can be dragged.
import { make } from './dom.js';

const handleWide = 24; // of app.css

export class TimelinePart {
  element = make('div', { class: 'part', hidden: true });
  #at = '';

  // `drag(end, clientX)`: an end, 'from' or 'to', is moved.
  constructor(drag) {
    this.element.append(...['from', 'to'].map((end) => this.#handle(end, drag)));
  }

  #handle(end, drag) {
    const one = make('i', { class: `part-${end}` });
    one.addEventListener('pointerdown', (event) => {
      event.stopPropagation();
      one.setPointerCapture(event.pointerId);
    });
    one.addEventListener('pointermove', (event) => {
      if (!one.hasPointerCapture(event.pointerId)) return;
      event.stopPropagation();
      drag(end, event.clientX);
    });
    return one;
  }

  // Between these pixels of a timeline that is `all` wide.
  place(left, right, all) {
    const at = `${left.toFixed(1)} ${(right - left).toFixed(1)}`;
    if (at === this.#at) return;
    this.#at = at;
    const [x, wide] = at.split(' ');
    this.element.style.transform = `translateX(${x}px)`;
    this.element.style.width = `${wide}px`;
    // A handle that does not fit beside the part is inside of it.
    this.element.classList.toggle('at-start', Number(x) < handleWide);
    this.element.classList.toggle('at-end', Number(x) + Number(wide) > all - handleWide);
  }
}
