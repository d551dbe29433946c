// The sentence that describes the match, with a button that leads to its moment. Hidden in spoiler-free mode.
import { fill, make } from './dom.js';
import { storyOf } from './story.js';

export class StoryBar {
  #recording;
  #player;
  #story = null; // {text, moment}
  #hides = false;
  element = make('div', { class: 'story', hidden: true });

  constructor(recording, player) {
    this.#recording = recording;
    this.#player = player;
  }

  // A match that is still being recorded has none.
  async describe(events, { overview, fights, nameOf }) {
    const recording = this.#recording;
    if (recording.live) return;
    const score = overview?.score ?? [];
    const last = score.length > 0 ? (await recording.state(recording.lastTick))?.session : null;
    this.#story = storyOf({ recording, score, last, fights, nameOf }, events);
    this.#show();
  }

  set spoilerFree(on) {
    this.#hides = on;
    this.#show();
  }

  // Empty where nothing is known, or may be shown.
  get text() {
    return this.#hides ? '' : (this.#story?.text ?? '');
  }

  #show() {
    this.element.hidden = this.text === '';
    if (this.text === '') return fill(this.element);
    const { tick, label, title } = this.#story.moment ?? {};
    fill(
      this.element,
      make('p', {}, this.text),
      label
        ? make('button', { type: 'button', class: 'small', title, onclick: () => this.#player.seekTick(tick) }, label)
        : null,
    );
  }
}
