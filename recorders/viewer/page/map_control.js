// Puts a picture under a recording, such as a map of the game's world. Which part of the world it shows is said as
// four numbers, and remembered for a picture of the same name.
import { recall, remember } from '../stage/memory.js';
import { fill, make } from './dom.js';
import { Reader } from './reader.js';
import { parseJson, shownText } from './text.js';

const largest = 4096; // pixels; what every graphics card takes

// "left bottom right top" as numbers, or null. A picture without width or height shows nothing.
export function parseArea(text) {
  const numbers = text.split(/[\s,;]+/).filter(Boolean);
  const area = numbers.map(Number);
  if (area.length !== 4 || !area.every((each) => Number.isFinite(each) && Math.abs(each) < 1e9)) return null;
  return area[0] === area[2] || area[1] === area[3] ? null : area;
}

// The edges, and the name of the last picture.
function remembered(name) {
  const [edges, ...of] = (recall('map') ?? '').split('|');
  return of.join('|') === name ? parseArea(edges) : null;
}

async function readPicture(file) {
  const picture = await createImageBitmap(file);
  const share = largest / Math.max(picture.width, picture.height);
  if (share >= 1) return picture;
  return createImageBitmap(picture, {
    resizeWidth: Math.max(1, Math.round(picture.width * share)),
    resizeHeight: Math.max(1, Math.round(picture.height * share)),
  });
}

// A map of StarCraft II: an archive with the picture and its edges, which its reader finds.
export const isMapFile = ({ name }) => /\.(sc2map|s2ma)$/i.test(name);
async function readMapFile(file, played) {
  const reader = new Reader();
  try {
    await reader.load();
    const found = await reader.ask('ground', [file, played]);
    const [line] = (await found.slice(0, 300).text()).split('\n');
    const [edges, doubt] = line.split('\t');
    const area = parseArea(edges);
    if (!area) throw new Error(parseJson(await found.text()).error.message);
    return { area, doubt, picture: await readPicture(found.slice(line.length + 1)) };
  } finally {
    reader.close();
  }
}

export class MapControl {
  element = make('span', { class: 'map-control' });
  picture = null;
  area = null;
  #name = '';
  #doubt = null; // the notice about it
  #usual;
  #played;
  #onchange;
  #onproblem;

  // `usual()` is the area of a picture that nothing is known about, `played()` what the recording states of its map.
  constructor({ usual, played, onchange, onproblem }) {
    this.#usual = usual;
    this.#played = played;
    this.#onchange = onchange;
    this.#onproblem = onproblem;
    this.#show();
  }

  // `known`: {edges, doubt} of a picture that another program read from a map file.
  async load(file, known) {
    const name = shownText(file.name, 80);
    const isMap = isMapFile(file) && !known;
    try {
      const { picture, area, doubt } = isMap
        ? await readMapFile(file, await this.#played())
        : {
            picture: await readPicture(file),
            area: parseArea(known?.edges ?? '') ?? remembered(file.name),
            doubt: known?.doubt,
          };
      Object.assign(this, { picture, area: area ?? this.#usual() });
      this.#doubt?.remove();
      this.#doubt = doubt && this.#onproblem(`${name}: ${doubt}.`);
    } catch (error) {
      return this.#onproblem(
        isMap ? `${name} has no map to show: ${error.message}` : `${name} is not a picture that this browser can show.`,
      );
    }
    this.#name = file.name;
    this.#show();
    this.#onchange();
  }

  #show() {
    const input = make('input', {
      type: 'file',
      accept: 'image/*,.SC2Map,.s2ma',
      hidden: true,
      onchange: () => input.files.length && this.load(input.files[0]),
    });
    const title = 'Put a map or another picture under it';
    fill(
      this.element,
      input,
      make('button', { type: 'button', class: 'small', title, onclick: () => input.click() }, 'Map\u2026'),
      this.picture ? this.#areaField() : null,
      this.picture
        ? make(
            'button',
            { type: 'button', class: 'small', 'aria-label': 'Remove the map', onclick: () => this.#remove() },
            '\u00d7',
          )
        : null,
    );
  }

  #areaField() {
    const field = make('input', {
      type: 'text',
      size: 22,
      value: this.area.join(' '),
      title: 'Where its edges are in the game: left, bottom, right, top',
      'aria-label': 'Edges of the map in the game: left, bottom, right, top',
      onchange: () => {
        const area = parseArea(field.value);
        field.setAttribute('aria-invalid', String(!area));
        if (!area) return this.#onproblem('The edges of the map are four numbers: left, bottom, right, top.');
        this.area = area;
        remember('map', `${area.join(' ')}|${this.#name}`);
        this.#onchange();
      },
    });
    return field;
  }

  #remove() {
    this.#doubt?.remove();
    this.picture = null;
    this.#show();
    this.#onchange();
    this.element.querySelector('button').focus();
  }
}
