// The stage with its cameras, the followed target and its switches.
import { fill, make } from './dom.js';
import { MapControl } from './map_control.js';
import { savePicture } from './picture.js';
import { shownText } from './text.js';

export class StageView {
  #stage = null;
  #recording;
  #shown;
  #create;
  #host = make('div', { class: 'canvas-host' });
  #bar = make('div', { class: 'stage-bar', role: 'group', 'aria-label': 'Picture' });
  #known = '';
  #wish = {};
  #camera = null;
  #follow = null;
  #onchange;
  #onproblem;
  #resize;
  #map;

  constructor(recording, create, { onchange, onproblem, settled }) {
    this.#recording = recording;
    this.#shown = [recording];
    this.#create = create;
    this.#onchange = onchange;
    this.#onproblem = onproblem;
    this.settled = settled;
    this.#map = new MapControl({
      usual: () => this.#stage.mapArea(),
      played: async () => {
        await recording.known();
        const { map_file = '', map_size = '' } = recording.info;
        return `${map_file} ${map_size}`;
      },
      onchange: () => this.#stage?.setMap(this.#map.picture, this.#map.area),
      onproblem,
    });
    this.element = make(
      'section',
      { class: 'stage', 'aria-label': `Picture of ${recording.name}` },
      this.#host,
      this.#bar,
    );
    this.#resize = new ResizeObserver(() => this.#stage?.resize());
    this.#resize.observe(this.#host);
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.themed = () => this.#again();
    this.dark.addEventListener('change', this.themed);
    this.#make();
  }

  #make() {
    try {
      this.#stage = this.#create(this.#host, this.#shown, {
        view: this.#camera,
        follow: this.#follow,
        colours: this.dark.matches ? 'dark' : 'light',
        reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches,
      });
      if (this.#map.picture) this.#stage.setMap(this.#map.picture, this.#map.area);
    } catch (error) {
      fill(this.#host, make('p', { class: 'note' }, `The picture cannot be drawn: ${error.message}`));
    }
  }

  #again() {
    this.#stage?.dispose();
    this.#stage = null;
    this.#known = '';
    this.#make();
    if (this.last) this.draw(...this.last);
  }

  // Several recordings in one picture.
  show(recordings) {
    this.#shown = recordings;
    this.#again();
  }

  // From a link: kept until the stage has such a camera or player.
  wish({ view, follow }) {
    this.#wish = { view, follow };
    this.#known = '';
    if (this.last) this.#offer();
  }

  moment() {
    return { view: this.#stage?.camera?.() ?? this.#camera, follow: this.#follow };
  }

  // Over the picture, or below it if there is no room.
  overlay(element) {
    this.overlays.push(element);
    this.#host.after(element);
  }
  overlays = [];

  get host() {
    return this.#host;
  }

  paintOnto(pen) {
    this.#stage.paintOnto(pen);
  }

  follow(name) {
    this.#follow = name;
    this.#stage?.follow(name);
    this.#known = '';
    this.#offer();
    this.#onchange();
  }

  highlight(name) {
    this.#stage?.highlight?.(name);
  }

  // Another recording's tick in this picture, or none.
  ghost(state) {
    this.#stage?.ghost?.(state);
  }

  forces() {
    return this.#stage?.forces() ?? [];
  }

  // A picture to put under what is drawn, with what is known of it; false where none can be.
  loadMap(file, known) {
    if (!this.#stage?.takesMap) return false;
    this.#map.load(file, known);
    return true;
  }

  // The first tick at which something is seen; null: the first one, or unknown.
  async firstSeen() {
    return (await this.#stage?.firstSeen()) ?? null;
  }

  get kind() {
    return this.#stage?.kind ?? null;
  }

  get moves() {
    return Boolean(this.#stage?.moves);
  }

  nextCamera() {
    const cameras = this.#stage?.cameras() ?? [];
    if (cameras.length === 0) return;
    this.#setCamera(cameras[(cameras.indexOf(this.moment().view) + 1) % cameras.length]);
  }

  #setCamera(name) {
    this.#camera = name;
    this.#stage.setCamera(name);
    this.#known = '';
    this.#offer();
    this.#onchange();
  }

  draw(state, tick, timeMs, before, next) {
    this.last = [state, tick, timeMs, before];
    if (!this.#stage || !state) return;
    this.#stage.draw(state, tick, timeMs, before, next);
    this.#offer();
  }

  // The controls, rebuilt only when the choices change.
  #offer() {
    const stage = this.#stage;
    if (!stage) return;
    const cameras = stage.cameras();
    const targets = stage.targets().slice(0, 500);
    const switches = stage.options();
    if (this.#wish.view && cameras.includes(this.#wish.view)) {
      stage.setCamera((this.#camera = this.#wish.view));
      this.#wish.view = null;
    }
    if (this.#wish.follow && targets.some(({ name }) => name === this.#wish.follow)) {
      stage.follow((this.#follow = this.#wish.follow));
      this.#wish.follow = null;
    }
    const camera = stage.camera?.() ?? this.#camera;
    const key = JSON.stringify([cameras, camera, this.#follow, targets.map(({ name }) => name), switches]);
    if (key === this.#known || (this.#bar.contains(document.activeElement) && this.#known !== '')) return;
    this.#known = key;
    fill(
      this.#bar,
      cameras.length
        ? make(
            'label',
            {},
            make('span', {}, 'Camera '),
            select(
              cameras.map((name) => [name, name]),
              camera,
              (name) => this.#setCamera(name),
            ),
          )
        : null,
      targets.length
        ? make(
            'label',
            {},
            make('span', {}, 'Follow '),
            select(
              [['', 'nobody'], ...targets.map(({ name }) => [name, shownText(name, 40)])],
              this.#follow ?? '',
              (name) => {
                this.#follow = name || null;
                stage.follow(this.#follow);
                this.#onchange();
              },
            ),
          )
        : null,
      switches.map((each) => this.#switch(each)),
      stage.takesMap ? this.#map.element : null,
      make(
        'button',
        {
          type: 'button',
          class: 'small',
          title: 'Save the picture as PNG',
          onclick: () => savePicture(this, this.#recording.name).catch((error) => this.#onproblem(error.message)),
        },
        'Save picture',
      ),
    );
  }

  #switch({ id, label, value, choices }) {
    const set = (next) => {
      this.#stage.set(id, next);
      this.#known = '';
      if (this.last) this.draw(...this.last);
    };
    if (choices)
      return make(
        'label',
        {},
        make('span', {}, `${shownText(label, 40)} `),
        select(
          choices.map((each) => [each.value, each.label]),
          value,
          set,
        ),
      );
    const box = make('input', { type: 'checkbox', onchange: () => set(box.checked) });
    box.checked = Boolean(value);
    return make('label', {}, box, shownText(label, 40));
  }

  dispose() {
    this.#resize.disconnect();
    this.dark.removeEventListener('change', this.themed);
    this.#stage?.dispose();
    this.element.remove();
  }
}

function select(list, value, onchange) {
  const one = make(
    'select',
    { onchange: () => onchange(one.value) },
    list.map(([key, text]) => make('option', { value: String(key) }, shownText(text, 60))),
  );
  one.value = String(value ?? '');
  return one;
}
