// Other recordings beside this one, or in its picture.
import { kindOf } from '../stage/stage.js';
import { SecondBar } from './second.js';

export class Comparison {
  #recording;
  #player;
  #page;
  #second = null; // {recording, bar, view}; paths have no view of their own
  #others = [];

  // `page`: {stages, view, makeView(recording), timeline, redraw()}
  constructor(recording, player, page) {
    this.#recording = recording;
    this.#player = player;
    this.#page = page;
  }

  // Adds paths to the picture of this one.
  together(recordings) {
    this.#others = recordings;
    this.#page.view.show([this.#recording, ...recordings]);
  }

  // Opens another recording beside this one. Paths share one world, and are drawn into one picture.
  async open(recording) {
    this.close();
    const { stages, view, timeline, redraw, makeView } = this.#page;
    const kind = kindOf(recording, await recording.state(recording.firstTick));
    const bar = new SecondBar(this.#recording, recording, {
      mayOverlay: kind === 'arena' && view.kind === kind,
      onsync: redraw,
      onghosts: (on) => {
        stages.classList.toggle('over', on);
        if (!on) view.ghost(null);
        redraw();
      },
      onclose: () => this.close(),
    });
    bar.onseek = (tick) => this.#player.seekTick(tick);
    bar.ondifference = (tick) => timeline.showDifference(tick);
    stages.parentElement.before(bar.element);
    this.#second = { recording, bar, view: null };
    if (this.#recording.stage === 'path' && recording.stage === 'path') view.show([this.#recording, recording]);
    else {
      stages.classList.add('two');
      this.#second.view = makeView(recording);
    }
    recording
      .overview()
      .catch(() => {})
      .then(redraw);
    redraw();
    await bar.look();
  }

  // The moment of the second one that belongs to a tick of the first one.
  async draw(tick, timeMs) {
    if (!this.#second?.view) return;
    const { recording, bar, view } = this.#second;
    const since = timeMs - this.#recording.firstTimeMs;
    const other = bar.byTime
      ? recording.tickAt(recording.firstTimeMs + since)
      : Math.min(recording.lastTick, Math.max(recording.firstTick, tick));
    const state = await recording.state(other);
    if (this.#page.stages.classList.contains('over')) this.#page.view.ghost(state);
    else view.draw(state, other, recording.timeOf(other), null);
  }

  close() {
    if (!this.#second) return;
    const { recording, bar, view } = this.#second;
    const { stages, view: first, timeline } = this.#page;
    this.#second = null;
    bar.remove();
    recording.close();
    if (view) view.dispose();
    else first.show([this.#recording]);
    first.ghost(null);
    stages.classList.remove('over', 'two');
    timeline.showDifference(null);
  }

  dispose() {
    this.#second?.view?.dispose();
    this.#second?.bar.remove();
    this.#second?.recording.close();
    for (const other of this.#others) other.close();
  }
}
