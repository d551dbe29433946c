// Facts about the recording, and its health.
import { copyText, fill, make, scroller } from './dom.js';
import { bytesText, numberText, shellWord, shownText, timeText, wordsOf } from './text.js';

// Facts about its end.
const outcomes = new Set([
  'winner',
  'blue_points',
  'orange_points',
  'result',
  'outcome',
  'points',
  'goals',
  'assists',
  'saves',
  'stuns',
  'steals',
  'blocks',
  'passes',
  'catches',
  'interceptions',
  'shots_taken',
  'possession_time',
  'ended',
  'game_seconds',
  'real_seconds',
  'apm',
  'game_apm',
  'ticks',
  'duration_ms',
  'last_time',
  'last_time_ms',
  'events',
  'keyframes',
  'bytes',
  'text_bytes',
  'records',
  'chunks',
  'keyframe_chunks',
  'frames',
  'ticks_with_bones',
  'bytes_per_tick',
  'game_events',
  'tracker_events',
  'messages',
  'chat_lines',
  'skipped_lines',
  'bone_ticks',
]);

const valueText = (key, value) => {
  if (key === 'bytes') return bytesText(value);
  if (key === 'duration_ms') return timeText(value, 2);
  if (value !== null && typeof value === 'object') return shownText(JSON.stringify(value), 400);
  return shownText(typeof value === 'number' ? numberText(value) : value, 400);
};

export class FactsPanel {
  #recording;
  #list = make('dl');
  #players = scroller('Players', 'scrolls-wide');
  #checks = make('div', { class: 'checks' });
  #overview = null;
  #story = make('p', { class: 'note' });
  #storyText;
  spoilerFree = false;
  // Whether a player has joined the match by now.
  /** @type {(name: string) => boolean} */
  met = () => true;

  // `storyText()`: what happens, in one sentence; empty while it is not known.
  constructor(recording, storyText) {
    this.#recording = recording;
    this.#storyText = storyText;
    const check = make('button', { type: 'button', onclick: () => this.#verify(check) }, 'Check the recording');
    this.element = scroller(
      'About the recording',
      'facts scrolls',
      this.#story,
      this.#checks,
      check,
      this.#players,
      this.#list,
    );
    this.refresh();
  }

  show(overview) {
    this.#overview = overview;
    this.refresh();
  }

  // Sentences about missing parts.
  get losses() {
    // A reel that is still being written has no end yet that could be missing.
    return [...new Set([...(this.#overview?.losses ?? []), ...(this.#recording.info.left_out ?? [])])].filter(
      (text) => !this.#recording.live || !/\bends early\b/.test(text),
    );
  }

  refresh() {
    const { info, title } = this.#recording;
    this.#story.textContent = this.#storyText();
    this.#story.hidden = this.#story.textContent === '';
    const shown = (key) => !(this.spoilerFree && outcomes.has(key));
    fill(
      this.#list,
      Object.entries(info)
        .filter(([key]) => key !== 'players' && key !== 'left_out' && key !== 'file' && shown(key))
        .slice(0, 300)
        .flatMap(([key, value]) => [
          make('dt', {}, shownText(wordsOf(key), 60)),
          make('dd', {}, key === 'format' ? shownText(title, 60) : valueText(key, value)),
        ]),
    );
    const players = (info.players ?? []).filter((player) => !this.spoilerFree || this.met(player.name)).slice(0, 200);
    const keys = [...new Set(players.flatMap((player) => Object.keys(player)))].filter(shown);
    this.#players.hidden = players.length === 0;
    fill(
      this.#players,
      players.length === 0
        ? null
        : make(
            'table',
            { 'aria-label': 'Players' },
            make(
              'thead',
              {},
              make(
                'tr',
                {},
                keys.map((key) => make('th', { scope: 'col' }, shownText(wordsOf(key), 40))),
              ),
            ),
            make(
              'tbody',
              {},
              players.map((player) =>
                make(
                  'tr',
                  {},
                  keys.map((key) =>
                    make(
                      'td',
                      { class: typeof player[key] === 'number' ? 'number' : null },
                      player[key] === undefined ? '' : valueText(key, player[key]),
                    ),
                  ),
                ),
              ),
            ),
          ),
    );
    const { losses } = this;
    const verdict = this.#recording.live ? null : info.health;
    fill(
      this.#checks,
      verdict ? make('p', { class: verdict === 'whole' ? 'good' : 'bad' }, `This recording is ${verdict}.`) : null,
      losses.length
        ? make(
            'ul',
            { class: 'losses' },
            losses.slice(0, 100).map((text) => make('li', {}, shownText(text, 400))),
          )
        : null,
      losses.length > 100 ? make('p', { class: 'note' }, `and ${losses.length - 100} more`) : null,
      verdict === 'incomplete' || verdict === 'damaged' ? recoverHint(this.#recording.name) : null,
    );
  }

  async #verify(button) {
    button.disabled = true;
    button.textContent = 'Checking\u2026';
    const out = make('div', { role: 'status', tabindex: '-1' });
    button.after(out);
    out.focus();
    try {
      const { ok, findings } = await this.#recording.verify();
      fill(
        out,
        make('p', { class: ok ? 'good' : 'bad' }, ok ? 'Sound.' : 'Not sound.'),
        make(
          'ul',
          {},
          findings
            .slice(0, 200)
            .map(({ severity, offset, message }) =>
              make(
                'li',
                { class: severity === 'error' ? 'bad' : null },
                `${severity}${offset === null || offset === undefined ? '' : ` at offset ${offset}`}: ` +
                  `${shownText(message, 400)}`,
              ),
            ),
        ),
      );
    } catch (error) {
      fill(out, make('p', { class: 'bad' }, error.message));
    }
    button.remove();
  }
}

// The command that recovers the readable part.
export function recoverHint(name) {
  const command = `tickreel recover ${shellWord(name)}`;
  const copy = make('button', { type: 'button', class: 'small', onclick: () => copyText(command, copy) }, 'Copy');
  return make('p', { class: 'recover' }, 'Recover the readable part with ', make('code', {}, command), ' ', copy);
}
