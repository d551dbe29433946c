// A coach's notes: text and drawings at ticks, kept in a small file beside the recording.
import { fillRows, make, saveFile, scroller } from './dom.js';
import { shownText, timeText } from './text.js';

const most = { bytes: 4 << 20, notes: 5000, shapes: 200, points: 4000, characters: 2000 };
const shownMs = 1500; // how long a drawing stays while it plays
const leastStep = 0.003; // of the picture, between two points of a pen

const isShare = (value) => typeof value === 'number' && value >= -0.5 && value <= 1.5;
const kinds = { pen: 2, arrow: 2, text: 1 }; // the points that each has at least

function shapeOf(given) {
  const points = Array.isArray(given?.points) ? given.points.slice(0, most.points) : [];
  const least = Object.hasOwn(kinds, given?.kind) ? kinds[given.kind] : Infinity;
  if (
    points.length < least ||
    !points.every((point) => Array.isArray(point) && point.length === 2 && point.every(isShare))
  )
    return null;
  return {
    kind: given.kind,
    points,
    ...(given.kind === 'text' ? { text: String(given.text ?? '').slice(0, 200) } : {}),
  };
}

// What a file of notes holds, in the order of ticks; what is none is left out. Throws where it is no such file.
export function readNotes(text) {
  if (text.length > most.bytes) throw new Error('a file of notes has at most 4 MB');
  const { notes } = JSON.parse(text);
  if (!Array.isArray(notes)) throw new Error('this is no file of notes');
  return notes
    .slice(0, most.notes)
    .filter((note) => Number.isSafeInteger(note?.tick) && note.tick >= 0)
    .map(({ tick, text: words, view, shapes }) => ({
      tick,
      text: typeof words === 'string' ? words.slice(0, most.characters) : '',
      view: typeof view === 'string' ? view.slice(0, 40) : null,
      shapes: (Array.isArray(shapes) ? shapes : []).slice(0, most.shapes).map(shapeOf).filter(Boolean),
    }))
    .sort((a, b) => a.tick - b.tick);
}

export const writeNotes = (recording, notes) => `${JSON.stringify({ recording, notes }, null, 1)}\n`;

// Shapes on a canvas, whose places are shares of its width and height.
function paintShapes(pen, shapes, size) {
  const { width, height } = pen.canvas;
  pen.clearRect(0, 0, width, height);
  pen.lineCap = pen.lineJoin = 'round';
  // A dark edge, so that it is seen on anything.
  for (const [colour, more] of [
    ['#000000', 2],
    ['#f7d34a', 0],
  ]) {
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = (size / 4) * (more ? 1.7 : 1);
    for (const { kind, points, text } of shapes) {
      const places = points.map(([x, y]) => [x * width, y * height]);
      const [first] = places;
      const last = places.at(-1);
      if (kind === 'text') {
        pen.font = `600 ${size * 1.4}px system-ui, sans-serif`;
        pen.textBaseline = 'middle';
        if (more) pen.strokeText(shownText(text, 200), ...first);
        else pen.fillText(shownText(text, 200), ...first);
        continue;
      }
      pen.beginPath();
      pen.moveTo(...first);
      for (const place of kind === 'arrow' ? [last] : places) pen.lineTo(...place);
      if (kind === 'arrow') {
        const angle = Math.atan2(last[1] - first[1], last[0] - first[0]);
        for (const turn of [2.6, -2.6]) {
          pen.moveTo(...last);
          pen.lineTo(last[0] + Math.cos(angle + turn) * size * 1.2, last[1] + Math.sin(angle + turn) * size * 1.2);
        }
      }
      pen.stroke();
    }
  }
}

export class Notes {
  #recording;
  #player;
  #notes = [];
  #tool = null;
  #drawing = null;
  #camera;
  #tools = ['Pen', 'Arrow', 'Text'].map((title) =>
    make(
      'button',
      {
        type: 'button',
        'aria-pressed': 'false',
        title: `${title}: draw on the picture`,
        onclick: () => this.#take(title.toLowerCase()),
      },
      title,
    ),
  );
  #words = make('input', {
    'aria-label': 'Note at this moment',
    placeholder: 'Note at this moment',
    maxlength: String(most.characters),
  });
  #list = make('ol', { class: 'plain chat' });
  #state = make('p', { class: 'note', role: 'status' });
  #typed = make('input', { class: 'drawn-text', 'aria-label': 'Text on the picture', hidden: true });
  #file = make('input', { type: 'file', class: 'hidden', accept: '.json', tabindex: '-1', 'aria-hidden': 'true' });
  spoilerFree = false;
  onchange = () => {};

  // `camera()`: the name of the camera, to which a drawing belongs; `setCamera` brings it back.
  constructor(recording, player, { camera, setCamera }) {
    this.#recording = recording;
    this.#player = player;
    this.#camera = { of: camera, set: setCamera };
    const small = (title, onclick) => make('button', { type: 'button', onclick }, title);
    const add = make(
      'form',
      {
        class: 'row-of',
        onsubmit: (event) => {
          event.preventDefault();
          if (this.#words.value.trim()) this.#here().text = this.#words.value.trim();
          this.#words.value = '';
          this.#changed();
        },
      },
      this.#words,
      make('button', { type: 'submit' }, 'Add'),
    );
    this.element = make(
      'div',
      { class: 'notes-panel' },
      make(
        'div',
        { class: 'row-of' },
        this.#tools,
        small('Undo', () => this.#undo()),
      ),
      add,
      this.#state,
      scroller('Notes', 'scrolls', this.#list),
      make(
        'div',
        { class: 'row-of' },
        small('Save notes', () => this.save()),
        small('Load notes\u2026', () => this.#file.click()),
        this.#file,
      ),
    );
    this.#file.addEventListener('change', () => this.load(this.#file.files[0]));
    this.layer = make('canvas', { class: 'drawings', 'aria-hidden': 'true' });
    this.#listen();
    new ResizeObserver(() => this.#paint()).observe(this.layer);
    player.onchange(() => this.#follow());
    this.#list.addEventListener('click', (event) => this.#click(event));
    this.refresh();
  }

  // The text field for the picture, beside the drawings.
  get field() {
    return this.#typed;
  }

  get list() {
    return this.#notes;
  }

  #at(event) {
    const box = this.layer.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  #listen() {
    const { layer } = this;
    layer.addEventListener('pointerdown', (event) => {
      if (!this.#tool || event.button !== 0) return;
      event.preventDefault();
      this.#player.pause();
      const at = this.#at(event);
      if (this.#tool === 'text') return this.#type(at);
      layer.setPointerCapture(event.pointerId);
      this.#drawing = { kind: this.#tool, points: [at, at] };
      this.#paint();
    });
    layer.addEventListener('pointermove', (event) => {
      const { kind, points } = this.#drawing ?? {};
      if (!kind) return;
      const at = this.#at(event);
      if (kind === 'arrow') points[1] = at;
      else if (
        points.length < most.points &&
        Math.hypot(at[0] - points.at(-1)[0], at[1] - points.at(-1)[1]) > leastStep
      )
        points.push(at);
      this.#paint();
    });
    const end = () => {
      const done = this.#drawing;
      this.#drawing = null;
      if (done) this.#add(done);
    };
    layer.addEventListener('pointerup', end);
    layer.addEventListener('pointercancel', end);
  }

  /** @param {number[]} at */
  #type([x, y]) {
    const field = this.#typed;
    field.hidden = false;
    field.value = '';
    field.style.left = `${this.layer.offsetLeft + Math.min(0.7, x) * this.layer.clientWidth}px`;
    field.style.top = `${this.layer.offsetTop + y * this.layer.clientHeight}px`;
    setTimeout(() => field.focus());
    const end = (keep) => {
      field.onkeydown = field.onblur = null;
      field.hidden = true;
      if (keep && field.value.trim()) this.#add({ kind: 'text', points: [[x, y]], text: field.value.trim() });
    };
    field.onkeydown = ({ key }) => {
      if (key === 'Enter' || key === 'Escape') end(key === 'Enter');
    };
    field.onblur = () => end(true);
  }

  #add(shape) {
    const note = this.#here();
    if (note.shapes.length < most.shapes) note.shapes.push(shape);
    note.view = this.#camera.of();
    this.#changed();
  }

  #undo() {
    const note = this.#notes.find(({ tick }) => tick === this.#player.tick);
    note?.shapes.pop();
    this.#notes = this.#notes.filter((each) => each.text || each.shapes.length);
    this.#changed();
  }

  #take(tool) {
    this.#tool = this.#tool === tool ? null : tool;
    for (const button of this.#tools)
      button.setAttribute('aria-pressed', String(button.textContent.toLowerCase() === this.#tool));
    this.layer.classList.toggle('drawn-on', this.#tool !== null);
    if (this.#tool) this.#player.pause();
  }

  putDown() {
    if (this.#tool) this.#take(this.#tool);
  }

  // The note at the cursor, made where there is none.
  #here() {
    const { tick } = this.#player;
    let note = this.#notes.find((each) => each.tick === tick);
    if (!note) {
      note = { tick, text: '', view: null, shapes: [] };
      this.#notes.push(note);
      this.#notes.sort((a, b) => a.tick - b.tick);
    }
    return note;
  }

  #changed() {
    this.refresh();
    this.onchange();
  }

  #click(event) {
    const row = event.target.closest('li');
    const note = row && this.#notes[Number(row.dataset.note)];
    if (!note) return;
    if (event.target.closest('.remove')) {
      this.#notes.splice(this.#notes.indexOf(note), 1);
      return this.#changed();
    }
    this.#player.pause();
    if (note.view) this.#camera.set(note.view);
    this.#player.seekTick(note.tick);
  }

  refresh() {
    const { firstTimeMs } = this.#recording;
    const shown = [...this.#notes.entries()].filter(([, { tick }]) => !this.spoilerFree || tick <= this.#player.tick);
    this.#state.hidden = shown.length > 0;
    this.#state.textContent = 'No notes yet. Draw on the picture, or write what happens at this moment.';
    fillRows(
      this.#list,
      shown.map(([at, { tick, text, shapes }]) =>
        make(
          'li',
          { class: 'noted', 'data-note': String(at) },
          make(
            'button',
            { type: 'button' },
            make('span', { class: 'when' }, timeText(this.#recording.timeOf(tick) - firstTimeMs, 1)),
            make('span', { class: 'what' }, shownText(text || `Drawing (${shapes.length})`, 300)),
          ),
          make('button', { type: 'button', class: 'small remove', 'aria-label': 'Remove this note' }, '\u00d7'),
        ),
      ),
    );
    this.#paint();
  }

  // The drawing of the moment: while it plays it stays a little longer.
  #shapes() {
    const { tick, timeMs, playing } = this.#player;
    const near = this.#notes.findLast((note) => {
      if (!note.shapes.length || note.tick > tick) return false;
      return note.tick === tick || (playing && timeMs - this.#recording.timeOf(note.tick) < shownMs);
    });
    return [...(near?.shapes ?? []), ...(this.#drawing ? [this.#drawing] : [])];
  }

  #follow() {
    const shapes = this.#shapes();
    if (shapes.length === 0 && !this.#painted) return;
    this.#paint(shapes);
  }
  #painted = false;

  #paint(shapes = this.#shapes()) {
    const { layer } = this;
    const dots = Math.min(2, window.devicePixelRatio || 1);
    const [width, height] = [layer.clientWidth, layer.clientHeight].map((size) => Math.round(size * dots));
    if (!width || !height) return;
    if (layer.width !== width || layer.height !== height) Object.assign(layer, { width, height });
    const size = Math.max(12, layer.clientHeight / 40) * dots;
    paintShapes(layer.getContext('2d'), shapes, size);
    this.#painted = shapes.length > 0;
    layer.dataset.shapes = String(shapes.length);
  }

  save() {
    const { name } = this.#recording;
    saveFile(
      `${name.replace(/[^\w.-]+/g, '_').slice(0, 80)}.notes.json`,
      new Blob([writeNotes(name, this.#notes)], { type: 'application/json' }),
    );
  }

  async load(file) {
    if (!file) return;
    this.#file.value = '';
    try {
      if (file.size > most.bytes) throw new Error('a file of notes has at most 4 MB');
      this.#notes = readNotes(await file.text());
      this.#changed();
    } catch (error) {
      this.#state.hidden = false;
      this.#state.textContent = `${shownText(file.name, 80)} cannot be read: ${shownText(error.message, 120)}`;
    }
  }
}
