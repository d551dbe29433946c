// Curves of numeric columns, with the cursor over them.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { fill, make, scroller } from './dom.js';
import { curveColour, onTheme } from './kinds.js';
import { readableText, shownText, timeText, unitOf, wordsOf } from './text.js';

const points = 800;
const maxCharts = 6;
const maxFound = 40;

// A line chart: [{label, values, low, high}] over seconds; `low` and `high` are drawn as a band, if present.
export class Chart {
  #plot = null;
  #recording;
  #player;
  #hand = make('div', { class: 'chart-hand' });
  #host = make('div', { class: 'chart-host' });
  #given = null;
  #seen = -1;
  spoilerFree = false;

  constructor(recording, player, title) {
    this.#recording = recording;
    this.#player = player;
    this.element = make('figure', { class: 'chart' }, make('figcaption', {}, title), this.#host);
    new ResizeObserver(() => this.#resize()).observe(this.#host);
    this.#host.addEventListener('click', (event) => {
      if (!this.#plot || event.target.closest('.u-legend')) return;
      const box = this.#plot.over.getBoundingClientRect();
      if (event.clientX < box.left || event.clientX > box.right) return;
      this.#player.seekTime(this.#recording.firstTimeMs + this.#plot.posToVal(event.clientX - box.left, 'x') * 1000);
    });
    this.theme = () => this.#given && this.show(this.#given);
    onTheme(this.theme, player.gone);
    player.onchange(() => this.follow());
  }

  show(given) {
    this.#given = given;
    this.#plot?.destroy();
    this.#seen = -1;
    const style = getComputedStyle(this.element);
    const soft = style.getPropertyValue('--soft').trim();
    const line = style.getPropertyValue('--line').trim();
    const font = `${parseFloat(style.fontSize) * 0.8}px ${style.fontFamily}`;
    const axis = { stroke: soft, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
    const shownValue = (_, value) => (value === null ? '' : readableText(value, given.unit));
    const series = [{ label: 'time', value: (_, value) => (value === null ? '' : timeText(value * 1000, 1)) }];
    const bands = [];
    for (const [number, { label, low }] of given.lines.entries()) {
      const stroke = curveColour(number);
      // Lines also differ in their dashes.
      series.push({
        label,
        stroke,
        width: 1.5,
        dash: [[], [6, 3], [2, 3], [9, 3, 2, 3]][number % 4],
        spanGaps: true,
        points: { show: false },
        value: shownValue,
      });
      if (!low) continue;
      series.push({
        label: 'up to',
        stroke,
        width: 1,
        points: { show: false },
        value: shownValue,
      });
      bands.push({ series: [series.length - 1, series.length - 2], fill: `${stroke}30` });
    }
    const seconds = ((this.#player.shownEnd() ?? this.#recording.lastTimeMs) - this.#recording.firstTimeMs) / 1000;
    this.#plot = new uPlot(
      {
        width: Math.max(200, this.#host.clientWidth),
        height: this.#high(),
        series,
        bands,
        scales: { x: { time: false, range: [0, Math.max(seconds, 0.001)] } },
        axes: [
          { ...axis, values: (_, ticks) => ticks.map((value) => timeText(value * 1000, seconds < 10 ? 1 : 0)) },
          { ...axis, size: 58, values: (_, ticks) => ticks.map((value) => readableText(value)) },
        ],
        cursor: { drag: { x: false, y: false } },
        legend: { live: true },
      },
      this.#data(),
      this.#host,
    );
    this.#plot.over.append(this.#hand);
    this.follow();
  }

  #high() {
    return Math.round(parseFloat(getComputedStyle(this.element).fontSize) * 11);
  }

  #data() {
    const { seconds, lines } = this.#given;
    const until = this.spoilerFree ? (this.#player.timeMs - this.#recording.firstTimeMs) / 1000 : Infinity;
    let count = seconds.length;
    while (count > 0 && seconds[count - 1] > until) --count;
    const cut = (values) => values.slice(0, count);
    return [cut(seconds), ...lines.flatMap(({ values, low, high }) => (low ? [cut(low), cut(high)] : [cut(values)]))];
  }

  follow() {
    if (!this.#plot || this.element.offsetParent === null) return;
    const now = (this.#player.timeMs - this.#recording.firstTimeMs) / 1000;
    if (this.spoilerFree ? Math.abs(now - this.#seen) > 0.25 : this.#seen >= 0) {
      this.#seen = this.spoilerFree ? now : -1;
      this.#plot.setData(this.#data(), true);
    }
    // The legend shows the values at the cursor.
    const { seconds } = this.#given;
    let at = seconds.findLastIndex((each) => each <= now + 1e-6);
    at = Math.min(Math.max(0, at), this.#plot.data[0].length - 1);
    if (at >= 0 && this.#plot.cursor.idx === null) this.#plot.setLegend({ idx: at });
    this.#hand.style.transform = `translateX(${this.#plot.valToPos(now, 'x')}px)`;
  }

  #resize() {
    const width = this.#host.clientWidth;
    if (this.#plot && width > 0 && Math.abs(width - this.#plot.width) > 1)
      this.#plot.setSize({ width, height: this.#high() });
    this.follow();
  }

  dispose() {
    this.#given = null;
    this.#plot?.destroy();
  }
}

// For a column that was reduced to buckets: the minimum and maximum of each.
function bucketsOf(recording, { time_ms: times, min, max }, label, unit) {
  const seconds = times.map((ms) => (ms - recording.firstTimeMs) / 1000);
  const plain = min.every((value, at) => value === max[at]);
  return { seconds, unit, lines: [plain ? { label, values: min } : { label, low: min, high: max }] };
}

// The columns that are shown first.
const likely = [
  /^session\.disc\.speed$/,
  /\.disc_distance$/,
  /possession_time$/,
  /^session\.disc\.velocity/,
  /^session\.disc\.position/,
  /^disc\./,
  /speed/,
  /^velocity/,
  /^position/,
  /health/,
  /clock/,
];

// For Echo VR: derived values that no tick contains. Players are shown by name.
function computedColumns(fields, state) {
  const nameAt = (team, place) =>
    state?.session?.teams?.[team]?.players?.[place]?.name ?? `player ${place} of team ${team}`;
  const paths = new Set(fields.map(({ path }) => path));
  const out = paths.has('session.disc.velocity[0]')
    ? [{ path: 'session.disc.speed', unit: 'm/s', label: 'Speed of the disc' }]
    : [];
  for (const path of paths) {
    const [, player, team, place] = /^(session\.teams\[(\d+)\]\.players\[(\d+)\])\.velocity\[0\]$/.exec(path) ?? [];
    if (!player) continue;
    const name = nameAt(team, place);
    out.push({ path: `${player}.speed`, unit: 'm/s', label: `Speed of ${name}` });
    if (paths.has('session.disc.position[0]'))
      out.push({ path: `${player}.disc_distance`, unit: 'm', label: `Distance of ${name} to the disc` });
  }
  for (const field of fields) {
    const [, team, place] =
      /^session\.teams\[(\d+)\]\.players\[(\d+)\]\.stats\.possession_time$/.exec(field.path) ?? [];
    if (place)
      Object.assign(field, {
        unit: 's',
        label: `Possession of ${nameAt(team, place)}`,
      });
  }
  return out;
}

// The columns that contain all words of `wanted` in their path, label, unit or meaning; the shortest paths first.
export function findColumns(fields, wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return fields
    .filter(({ path, label = '', unit = '', meaning = '' }) => {
      const text = `${path} ${wordsOf(path)} ${label} ${unit} ${meaning}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => Number(b.path === wanted) - Number(a.path === wanted) || a.path.length - b.path.length);
}

export class ChartPanel {
  #recording;
  #player;
  #fields = [];
  #charts = new Map();
  #list = make('div', { class: 'charts' });
  #note = make('p', { class: 'note', role: 'status' }, 'Looking for columns\u2026');
  #found = make('ol', { class: 'plain found', hidden: true, 'aria-label': 'Columns found' });
  #pick = make('input', {
    type: 'search',
    placeholder: 'Search columns: speed, ping\u2026',
    'aria-label': 'Column to draw',
    spellcheck: 'false',
    autocomplete: 'off',
    oninput: () => this.#offer(),
  });
  #spoilerFree = false;
  #begun = false;

  constructor(recording, player, extra) {
    this.#recording = recording;
    this.#player = player;
    const add = make(
      'form',
      {
        class: 'row-of',
        onsubmit: (event) => {
          event.preventDefault();
          const [first] = findColumns(this.#fields, this.#pick.value.trim());
          if (first) this.#choose(first.path);
          else this.#note.textContent = 'No column has that name.';
        },
      },
      this.#pick,
      make('button', { type: 'submit' }, 'Add'),
    );
    this.element = scroller('Charts', 'charts-panel scrolls', extra ?? null, add, this.#found, this.#note, this.#list);
    this.element.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape' && !this.#found.hidden) this.#close();
    });
    this.extra = extra;
  }

  #offer() {
    const wanted = this.#pick.value.trim();
    const found = wanted ? findColumns(this.#fields, wanted) : [];
    this.#found.hidden = found.length === 0;
    this.#note.textContent = wanted ? `${found.length} of ${this.#fields.length} columns` : this.#columnsText();
    fill(
      this.#found,
      found
        .slice(0, maxFound)
        .map(({ path, label, unit, meaning }) =>
          make(
            'li',
            {},
            make(
              'button',
              { type: 'button', title: path, onclick: () => this.#choose(path) },
              make(
                'span',
                { class: 'what' },
                shownText(label ?? path, 80),
                make('small', {}, ` ${[unit, meaning].filter(Boolean).join(', ')}`),
              ),
            ),
          ),
        ),
    );
  }

  #choose(path) {
    this.#close();
    this.add(path);
  }

  // Hides the list of columns; the focus returns to where it was opened.
  #close() {
    this.#pick.value = '';
    this.#offer();
    this.#pick.focus();
  }

  #columnsText() {
    return this.#fields.length === 0
      ? 'There is nothing to draw: no tick of this recording contains a number.'
      : `${this.#fields.length} columns`;
  }

  set spoilerFree(on) {
    this.#spoilerFree = on;
    for (const { chart } of this.#charts.values()) {
      chart.spoilerFree = on;
      chart.theme();
    }
  }

  get all() {
    return [...this.#charts.values()].map(({ chart }) => chart);
  }

  // Loaded when first shown: columns need a scan of the recording.
  async begin() {
    for (const { chart } of this.#charts.values()) chart.follow();
    if (this.#begun) return;
    this.#begun = true;
    try {
      this.#fields = await this.#recording.fields();
    } catch (error) {
      this.#note.textContent = error.message;
      return;
    }
    this.#fields.unshift(
      ...computedColumns(this.#fields, await this.#recording.state(this.#recording.firstTick).catch(() => null)),
    );
    for (const field of this.#fields) field.unit ??= unitOf(field.path);
    this.#offer();
    const first = [];
    for (const pattern of likely) {
      const found = this.#fields.find(({ path }) => pattern.test(path) && !first.includes(path));
      if (found) first.push(found.path);
    }
    for (const { path } of this.#fields) if (first.length < 2 && !first.includes(path)) first.push(path);
    if (this.extra) return;
    for (const path of first.slice(0, 3)) await this.add(path);
  }

  async add(path) {
    if (this.#charts.has(path)) return;
    if (this.#charts.size >= maxCharts) {
      this.#note.textContent = `At most ${maxCharts} charts: remove one first.`;
      return;
    }
    const field = this.#fields.find((each) => each.path === path) ?? {};
    const remove = make(
      'button',
      { type: 'button', class: 'small', title: `Remove ${path}`, 'aria-label': `Remove ${path}` },
      '\u00d7',
    );
    const title = [
      shownText(field.label ?? path, 80),
      field.unit ? ` (${shownText(field.unit, 20)})` : '',
      field.meaning ? make('small', {}, ` ${shownText(field.meaning, 60)}`) : null,
      remove,
    ];
    const chart = new Chart(this.#recording, this.#player, '');
    fill(chart.element.querySelector('figcaption'), title);
    chart.spoilerFree = this.#spoilerFree;
    remove.addEventListener('click', () => {
      this.#charts.delete(path);
      chart.element.remove();
      chart.dispose();
    });
    this.#charts.set(path, { chart });
    this.#list.append(chart.element);
    await this.#load(path, chart);
  }

  async #load(path, chart) {
    const { label = path, unit = '' } = this.#fields.find((each) => each.path === path) ?? {};
    try {
      const values = await this.#recording.series(path, points);
      chart.show(bucketsOf(this.#recording, values, shownText(label, 40), shownText(unit, 20)));
    } catch (error) {
      fill(chart.element, make('p', { class: 'bad' }, `${path}: ${error.message}`));
    }
  }

  async grown() {
    for (const [path, { chart }] of this.#charts) await this.#load(path, chart);
  }
}
