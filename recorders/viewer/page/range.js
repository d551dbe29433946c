// A part of the recording: played over and over, linked to, saved as a recording of its own, or as a video.
import { clipOf } from './clip.js';
import { copyText, fill, make, saveFile } from './dom.js';
import { recordVideo, saveVideo, videoType } from './picture.js';
import { shellWord, shownText, timeText } from './text.js';

const roundMs = 5000; // on both sides of the cursor, where nothing was selected

export class RangeBar {
  #recording;
  #player;
  #view;
  #text = make('b', {});
  #state = make('span', { role: 'status', class: 'note' });
  #loop = make('input', { type: 'checkbox', onchange: () => (this.#player.loop = this.#loop.checked) });
  #clip = make('button', { type: 'button', title: 'Save this part as an .echoreplay' }, 'Save clip');
  #video = make('button', { type: 'button', title: 'Play this part and save it as a video' }, 'Save video');
  #stop = make('button', { type: 'button', hidden: true }, 'Stop');
  #busy = null;
  onchange = () => {};

  // `view()` is the picture, `link()` the address of the moment, with the range.
  constructor(recording, player, { view, link }) {
    this.#recording = recording;
    this.#player = player;
    this.#view = view;
    const copy = make('button', { type: 'button', onclick: () => copyText(link(), copy) }, 'Copy link');
    const command = make(
      'button',
      {
        type: 'button',
        class: 'for-shells',
        title: 'Copy the command that saves this part in its own format',
        onclick: () => copyText(this.command(), command),
      },
      'Copy command',
    );
    this.#clip.addEventListener('click', () => this.#saveClip());
    this.#video.addEventListener('click', () => this.#saveVideo());
    this.#stop.addEventListener('click', () => this.#busy?.stop());
    this.#video.hidden = !videoType();
    this.element = make(
      'div',
      { class: 'range-bar', role: 'group', 'aria-label': 'Selected part', hidden: true },
      this.#text,
      make('label', {}, this.#loop, 'Loop'),
      copy,
      this.#clip,
      this.#video,
      command,
      this.#stop,
      this.#state,
      make(
        'button',
        { type: 'button', class: 'small', 'aria-label': 'Clear the selection', onclick: () => this.set(null) },
        '\u00d7',
      ),
    );
  }

  // Ticks, both included.
  get ticks() {
    const { range } = this.#player;
    if (!range) return null;
    const first = this.#recording.tickFrom(range.from);
    return { first, last: Math.max(first, this.#recording.tickAt(range.to)) };
  }

  // {from, to} in milliseconds, or null. A new one is looped.
  set(range, loop = !this.#player.range || this.#player.loop) {
    if (!range) this.#busy?.stop();
    this.#player.select(range);
    this.#player.loop = this.#loop.checked = Boolean(range) && loop;
    this.refresh();
    this.onchange();
  }

  setTicks({ first, last }) {
    this.set({ from: this.#recording.timeOf(first), to: this.#recording.timeOf(last) });
  }

  // Around the cursor, or none any more.
  toggle() {
    const { timeMs } = this.#player;
    this.set(this.#player.range ? null : { from: timeMs - roundMs, to: timeMs + roundMs });
  }

  refresh() {
    const { range } = this.#player;
    this.element.hidden = !range;
    if (!range) return;
    this.#clip.hidden = this.#view().kind !== 'arena';
    const since = this.#recording.firstTimeMs;
    this.#text.textContent =
      `${timeText(range.from - since, 1)} to ${timeText(range.to - since, 1)} ` +
      `(${((range.to - range.from) / 1000).toFixed(1)} s)`;
  }

  // What a shell needs to save the same part in any format.
  command() {
    const { first, last } = this.ticks;
    const { name } = this.#recording;
    const dot = name.lastIndexOf('.');
    const output = `${name.slice(0, dot < 1 ? undefined : dot)}-${first}${dot < 1 ? '' : name.slice(dot)}`;
    return `tickreel clip ${shellWord(name)} --from tick:${first} --to tick:${last} -o ${shellWord(output)}`;
  }

  #name(ending) {
    const { first, last } = this.ticks;
    return `${this.#recording.name
      .replace(/\.[^.]*$/, '')
      .replace(/[^\w.-]+/g, '_')
      .slice(0, 80)}-${first}-${last}${ending}`;
  }

  #begin(busy) {
    this.#busy = busy;
    this.#stop.hidden = false;
    this.#clip.disabled = this.#video.disabled = true;
  }

  #end(text, bad = false) {
    this.#busy = null;
    this.#stop.hidden = true;
    this.#clip.disabled = this.#video.disabled = false;
    this.#state.classList.toggle('bad', bad);
    fill(this.#state, text);
  }

  async #saveClip() {
    const { ticks } = this;
    const name = this.#name('.echoreplay');
    let stopped = false;
    this.#begin({ stop: () => (stopped = true) });
    try {
      const made = await clipOf(this.#recording, name, ticks, (share) => {
        this.#state.textContent = `${Math.round(share * 100)} %`;
        return !stopped;
      });
      saveFile(name, made.blob);
      this.#end(`${made.ticks} ticks saved`);
    } catch (error) {
      this.#end(stopped ? 'Stopped' : shownText(error.message, 200), !stopped);
    }
  }

  async #saveVideo() {
    const { range } = this.#player;
    await this.video([range], this.#name(''));
  }

  // Plays parts one after the other and saves what the picture shows of them.
  async video(parts, name) {
    const player = this.#player;
    const loop = player.loop;
    let stopped = false;
    player.pause();
    player.loop = false;
    let recorder = null;
    try {
      const all = parts.reduce((sum, { from, to }) => sum + to - from, 0);
      let before = 0;
      this.#begin({ stop: () => (stopped = true) });
      for (const { from, to } of parts) {
        player.seekTime(from);
        await this.#view().settled();
        recorder ??= recordVideo(this.#view());
        player.play(false);
        await new Promise((/** @type {(value?: any) => void} */ done) => {
          const look = () => {
            const { timeMs } = player;
            this.#state.textContent = `Recording ${timeText(before + timeMs - from)} of ${timeText(all)}`;
            const past = timeMs >= Math.min(to, this.#recording.lastTimeMs) - 1;
            if (past || !player.playing || stopped || player.gone.aborted) done();
            else requestAnimationFrame(look);
          };
          look();
        });
        before += to - from;
        if (stopped || player.gone.aborted) break;
      }
      player.pause();
      saveVideo(name, await recorder.stop());
      this.#end('Video saved');
    } catch (error) {
      await recorder?.stop().catch(() => {});
      this.#end(shownText(error.message, 200), true);
    }
    player.loop = loop;
  }
}
