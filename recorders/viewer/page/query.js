// A statement of SQL over the open recording, and its rows; a row with a tick goes to that moment.
import { copyText, cutText, fill, make, reachedIn, rows, saveFile, scroller } from './dom.js';
import { QueryColumns } from './query_columns.js';
import { QueryWorker } from './query_worker.js';
import { shellWord, shownText } from './text.js';

// Pages with a hundred thousand elements are slow.
const maxCells = 40_000;
const longText = 24; // characters; longer ones are cut

const ofEvents = [
  'Events by type',
  `SELECT type, count(*) AS events, min(tick) AS tick
FROM events GROUP BY type ORDER BY events DESC`,
];
const ofTicks = [
  'First ticks',
  `SELECT tick, time_ms, state
FROM ticks LIMIT 20`,
];
const ofRecording = [
  'This recording',
  `SELECT format, ticks, duration_ms, health
FROM recordings`,
];
const examples = {
  arena: [
    [
      'Goals',
      `SELECT tick, "player.name" AS scorer, points, round(speed, 1) AS speed
FROM events WHERE type = 'goal' ORDER BY tick`,
    ],
    [
      'Fastest disc',
      `SELECT tick, "session.disc.speed"
FROM ticks ORDER BY 2 DESC LIMIT 20`,
    ],
    [
      'Distance from the disc',
      `SELECT player, team, round(avg(disc_distance), 1) AS metres
FROM players WHERE team <> 'spectator' GROUP BY player, team ORDER BY metres`,
    ],
    [
      'Statistics',
      `SELECT player, team, goals, saves, stuns, possession_s
FROM statistics ORDER BY goals DESC`,
    ],
  ],
  starcraft: [
    [
      'Statistics',
      `SELECT player, result, apm, supply_blocked_s
FROM statistics ORDER BY apm DESC`,
    ],
  ],
};

const textOf = (value) => (value === null ? '' : shownText(value, 400));

export class QueryPanel {
  #recording;
  #player;
  #worker;
  #running = false;
  #begun = false;
  #answer = null;
  #statement = make('textarea', { rows: '4', spellcheck: 'false', autocapitalize: 'off', 'aria-label': 'Statement' });
  #run = make(
    'button',
    { type: 'button', title: 'Run the statement (Ctrl+Enter)', onclick: () => this.#start() },
    'Run',
  );
  #cancel = make('button', { type: 'button', disabled: true, onclick: () => this.#stop() }, 'Cancel');
  #warning = make(
    'p',
    { class: 'note', hidden: true },
    'Spoiler-free: the rows may contain what happens after the cursor.',
  );
  #state = make('p', { class: 'note', role: 'status' });
  #remarks = make('ul', { class: 'remarks', hidden: true });
  #table = make('table');
  #result = scroller('Rows', 'scrolls', this.#table);
  #save = make('button', { type: 'button', onclick: () => this.#saveCsv() }, 'Save CSV');
  #copy = make('button', { type: 'button', onclick: () => this.#copyCsv() }, 'Copy CSV');
  #whole = make('input', {
    type: 'checkbox',
    onchange: () => this.#table.classList.toggle('whole', this.#whole.checked),
  });
  #files = make(
    'div',
    { class: 'row-of', hidden: true },
    this.#copy,
    this.#save,
    make('label', {}, this.#whole, 'whole texts'),
  );

  constructor(recording, player) {
    this.#recording = recording;
    this.#player = player;
    if (!QueryWorker.exists) {
      this.element = make('div', { class: 'query scrolls' }, this.#instead());
      return;
    }
    this.#worker = new QueryWorker(recording);
    const list = [...(examples[recording.stage] ?? []), ofEvents, ofTicks, ofRecording];
    const first = recording.stage === 'path' ? ofTicks : ofEvents;
    this.#statement.value = first[1];
    const choice = make(
      'select',
      {
        'aria-label': 'Examples',
        onchange: () => {
          this.#statement.value = list[Number(choice.value)][1];
        },
      },
      list.map(([title], at) => make('option', { value: String(at) }, title)),
    );
    choice.value = String(list.indexOf(first));
    const columns = new QueryColumns(recording, this.#worker, (text) => this.#insert(text));
    this.element = make(
      'div',
      { class: 'query' },
      this.#warning,
      make('div', { class: 'row-of' }, make('span', {}, 'A question in SQL:'), choice),
      this.#statement,
      make('div', { class: 'row-of' }, this.#run, this.#cancel),
      columns.element,
      this.#state,
      this.#remarks,
      this.#result,
      this.#files,
    );
    this.#result.hidden = true;
    this.#statement.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#start();
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.#running) return;
      event.stopPropagation();
      this.#stop();
    });
    this.#table.addEventListener('keydown', (event) => this.#walk(event));
    this.#table.addEventListener('click', ({ target }) => {
      const row = target.closest('tbody tr[data-tick]');
      if (row) this.#player.seekTick(Number(row.dataset.tick));
    });
  }

  // A single-file page has no module for queries, which would double its size.
  #instead() {
    return [
      make('p', {}, 'This page is a single file, without the part that runs SQL. The program queries the recording:'),
      make(
        'p',
        {},
        make(
          'code',
          {},
          `tickreel query "SELECT type, count(*) FROM events GROUP BY type" ${shellWord(this.#recording.name)}`,
        ),
      ),
      make('p', { class: 'note' }, 'A page of "tickreel view" runs SQL, too.'),
    ];
  }

  set spoilerFree(on) {
    this.#warning.hidden = !on;
  }

  // The tab was opened for the first time: loads the module, which the page does not need before.
  async begin() {
    if (this.#begun || !this.#worker) return;
    this.#begun = true;
    try {
      await this.#worker.prepare();
    } catch (error) {
      this.#begun = false;
      this.#say(error.message, true);
    }
  }

  #say(text, bad = false) {
    this.#state.classList.toggle('bad', bad);
    this.#state.textContent = text;
  }

  #stop() {
    if (this.#running) this.#worker.stop('The statement was cancelled.');
  }

  async #start() {
    const sql = this.#statement.value.trim();
    if (this.#running || sql === '') return;
    this.#setRunning(true);
    this.#say('Running\u2026');
    const begun = performance.now();
    try {
      this.#show(await this.#worker.run(sql), performance.now() - begun);
    } catch (error) {
      this.#clear();
      this.#say(error.message, true);
    }
    this.#setRunning(false);
  }

  #setRunning(on) {
    this.#running = on;
    // A disabled button would lose the focus.
    const focused = document.activeElement;
    this.#run.disabled = on;
    this.#cancel.disabled = !on;
    if (on && focused === this.#run) this.#cancel.focus();
    if (!on && focused === this.#cancel) this.#run.focus();
  }

  #clear() {
    this.#answer = null;
    fill(this.#table);
    this.#result.hidden = this.#files.hidden = this.#remarks.hidden = true;
  }

  #show(answer, tookMs) {
    this.#clear();
    this.#answer = answer;
    const { columns, rows: all, count, error, losses, notes } = answer;
    const shown = all.slice(0, Math.max(1, Math.floor(maxCells / Math.max(1, columns.length))));
    const counted =
      count === 0
        ? 'No rows'
        : count === 1
          ? '1 row'
          : shown.length < count
            ? `The first ${shown.length} of ${count} rows`
            : `${count} rows`;
    this.#say(
      error ? `${error}${count ? `. ${counted} before that.` : ''}` : `${counted}, ${(tookMs / 1000).toFixed(1)} s`,
      Boolean(error),
    );
    // A recording that grows has no end yet that could be missing.
    const remarks = [...losses.filter((text) => !this.#recording.live || !/\bends early\b/.test(text)), ...notes];
    if (!answer.whole) remarks.push('The CSV contains the first 64 MB of the rows; "tickreel query --csv" writes all.');
    fill(
      this.#remarks,
      rows(remarks, 20, (text) => make('li', {}, shownText(text, 400))),
    );
    this.#remarks.hidden = remarks.length === 0;
    if (count > 0) this.#fillTable(columns, shown);
    this.#files.hidden = count === 0;
  }

  #fillTable(columns, shown) {
    const tickAt = columns.findIndex(({ name }) => name.toLowerCase() === 'tick');
    const numeric = columns.map((_, at) => shown.every((row) => row[at] === null || typeof row[at] === 'number'));
    const cell = (value, at, tick) => {
      const text = textOf(value);
      return make(
        'td',
        { class: numeric[at] ? 'number' : null, title: text.length > longText ? text : null },
        at === tickAt && tick !== null
          ? make('button', { type: 'button', class: 'bare', tabindex: '-1', title: `Go to tick ${tick}` }, text)
          : text.length > longText
            ? cutText(text)
            : text,
      );
    };
    fill(
      this.#table,
      make(
        'thead',
        {},
        make(
          'tr',
          {},
          columns.map(({ name, unit, meaning }, at) =>
            make(
              'th',
              { scope: 'col', class: numeric[at] ? 'number' : null, title: meaning ? `${name}: ${meaning}` : name },
              shownText(name, 60),
              unit ? make('small', {}, ` ${shownText(unit, 20)}`) : null,
            ),
          ),
        ),
      ),
      make(
        'tbody',
        {},
        shown.map((row) => {
          const tick = Number.isSafeInteger(row[tickAt]) && row[tickAt] >= 0 ? row[tickAt] : null;
          return make(
            'tr',
            { class: tick === null ? null : 'choice', 'data-tick': tick === null ? null : String(tick) },
            row.map((value, at) => cell(value, at, tick)),
          );
        }),
      ),
    );
    this.#table.querySelector('.bare')?.setAttribute('tabindex', '0');
    this.#result.hidden = false;
    this.#result.scrollTop = this.#result.scrollLeft = 0;
  }

  // One row after the other would be hundreds of steps with Tab.
  #walk(event) {
    const all = [...this.#table.querySelectorAll('.bare')];
    const at = all.indexOf(reachedIn(this.#table) ?? document.activeElement);
    const last = all.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: last }[
      event.key
    ];
    if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = all[Math.min(last, Math.max(0, to))];
    all[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  #insert(text) {
    const { selectionStart, selectionEnd } = this.#statement;
    this.#statement.setRangeText(text, selectionStart, selectionEnd, 'end');
  }

  #saveCsv() {
    saveFile(`${this.#recording.name.replace(/\.[^.]*$/, '')}-query.csv`, this.#answer.csv);
  }

  async #copyCsv() {
    await copyText(await this.#answer.csv.slice(0, this.#answer.csv_bytes).text(), this.#copy);
  }

  close() {
    this.#worker?.stop('the recording was closed');
  }
}
