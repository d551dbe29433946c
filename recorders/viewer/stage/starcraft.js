// StarCraft II: the map with units at their last known positions, players' cameras and orders. Replays before
// 2.0.8 have no units: then only cameras and orders are drawn.

import { GroupColours } from './colours.js';
import { roundStep } from './round_step.js';
import { Legend } from './legend.js';
import { drawMinimap } from './starcraft_minimap.js';
import { Plane } from './plane.js';
import { footprint, lastAt, Match, unitKind } from './starcraft_match.js';
import { Switches } from './switches.js';
import { freePlace, tidyName } from './text.js';

const lastingLoops = 64; // how long deaths and orders stay visible: 4 seconds at 16 loops a second
const seenWidth = 0.8; // of the camera's distance, about: map units across the screen
const seenHeight = 0.53;

export function createStarcraftStage(host, recordings, options) {
  return new StarcraftStage(host, recordings[0], options);
}

class StarcraftStage {
  #match = null;
  #loop = 0;
  #view;
  #followed;
  #disposed = false;
  #alive = new Map();
  #map = { picture: null, area: null };
  #chosen = new Map(); // player -> number of selected units
  #written = []; // boxes of texts

  constructor(host, recording, options) {
    this.colours = options.colours;
    this.groups = new GroupColours(this.colours);
    this.plane = new Plane(host, this.colours, (pen) => this.#paint(pen));
    this.legend = new Legend(host, this.colours);
    this.players = playersOf(recording?.info);
    for (const { number } of this.players) this.groups.of(number);
    this.switches = new Switches(
      [
        { id: 'units', label: 'Units', value: true },
        { id: 'neutral', label: 'Minerals and other neutral things', value: true },
        { id: 'cameras', label: 'Cameras', value: true },
        { id: 'orders', label: 'Orders', value: true },
        { id: 'selected', label: 'Selected units', value: true },
        { id: 'names', label: 'Names of buildings when near', value: true },
        {
          id: 'cards',
          label: 'Cards',
          value: 'building army',
          choices: [
            { value: 'building army', label: 'production, army' },
            { value: 'upgrades', label: 'upgrades' },
            { value: 'lost', label: 'losses' },
            { value: '', label: 'none' },
          ],
        },
      ],
      () => this.plane.dirty(),
    );
    this.#view = this.cameras().includes(options.view) ? options.view : 'map';
    this.#followed = options.follow ?? null;
    this.#load(recording);
  }

  draw(state, tick) {
    this.#loop = Number.isFinite(state?.tick) ? state.tick : tick;
    this.plane.dirty();
  }

  // Of each player: {name, cards: what to list, army, lost, building, upgrades}.
  forces() {
    const all = this.#match?.forces(this.#loop);
    const cards = this.switches.value('cards');
    return this.players.map(({ number, name }) => ({ name, cards, ...all?.get(number) }));
  }

  cameras() {
    return ['map', 'follow'];
  }
  setCamera(name) {
    if (!this.cameras().includes(name)) return;
    this.#view = name;
    if (name === 'map') {
      this.plane.zoom = 1;
      this.plane.show(this.plane.bounds);
    }
    this.plane.dirty();
  }
  camera() {
    return this.#view;
  }
  follow(name) {
    this.#followed = name;
    this.plane.dirty();
  }
  targets() {
    return this.players.map(({ name, team }) => ({ name, team }));
  }
  resize() {
    this.plane.resize();
  }
  options() {
    return this.switches.list();
  }
  set(id, value) {
    return this.switches.set(id, value);
  }
  mapArea() {
    const { left, low, right, high } = this.plane.bounds;
    return [left, low, right, high].map((edge) => Math.round(edge));
  }
  setMap(picture, area) {
    this.#map = { picture, area };
    this.plane.dirty();
  }
  paintOnto(pen) {
    this.plane.paintOnto(pen);
  }
  dispose() {
    this.#disposed = true;
    this.#match = null;
    this.legend.dispose();
    this.plane.dispose();
  }

  async #load(recording) {
    this.plane.notice.show('Reading the events …');
    try {
      const events = await (typeof recording?.events === 'function' ? recording.events() : recording?.events);
      if (this.#disposed) return;
      this.#match = new Match(events);
    } catch (error) {
      if (!this.#disposed)
        this.plane.notice.show(`The events could not be read: ${tidyName(error?.message ?? error, 200)}`);
      return;
    }
    const { bounds, hasUnits, left } = this.#match;
    if (!Number.isFinite(bounds.left))
      this.plane.notice.show('This replay contains no positions: there is no map to draw.');
    else if (!hasUnits)
      this.plane.notice.show('A replay of this version contains no units: cameras and orders are drawn.');
    else if (left > 0) this.plane.notice.show(`${left} units more are in this replay than are drawn.`);
    else this.plane.notice.hide();
    if (!Number.isFinite(bounds.left)) return;
    const margin = 8;
    this.plane.show({
      left: bounds.left - margin,
      right: bounds.right + margin,
      low: bounds.low - margin,
      high: bounds.high + margin,
    });
  }

  #paint(pen) {
    const match = this.#match;
    if (!match || !Number.isFinite(match.bounds.left)) return;
    if (this.#view === 'follow') this.#goTo(match);
    this.#alive.clear();
    this.#chosen.clear();
    this.#written = [];
    // The map is below the board.
    const board = this.plane.host.parentElement?.querySelector('.scoreboard')?.offsetHeight ?? 0;
    this.plane.inset = Math.max(this.legend.above, board > 0 ? board + 16 : 0);
    this.#ground(pen);
    if (this.switches.on('orders')) this.#orders(pen, match);
    if (this.switches.on('units')) for (const unit of match.units) this.#unit(pen, unit);
    if (this.switches.on('cameras'))
      for (const [player, row] of match.cameras) this.#camera(pen, player, row.at(this.#loop));
    if (this.switches.on('units')) this.#fight(pen, match.fight(this.#loop));
    if (this.plane.zoom > 1.3)
      drawMinimap(pen, match.units, this.plane, {
        groups: this.groups,
        colours: this.colours,
        loop: this.#loop,
        map: this.#map,
      });
    this.legend.show(
      this.players.map(({ number, name }) => {
        const count = this.#alive.get(number) ?? 0;
        return {
          colour: this.groups.of(number),
          text: match.hasUnits ? `${tidyName(name)} · ${count} units` : tidyName(name),
        };
      }),
    );
  }

  #fight(pen, fight) {
    if (!fight) return;
    const { plane, colours } = this;
    const margin = 3;
    const [x, right] = [plane.screenX(fight.left - margin), plane.screenX(fight.right + margin)];
    const [y, bottom] = [plane.screenY(fight.high + margin), plane.screenY(fight.low - margin)];
    pen.strokeStyle = colours.disc;
    pen.lineWidth = 1.5;
    pen.setLineDash([6, 4]);
    pen.strokeRect(x, y, right - x, bottom - y);
    pen.setLineDash([]);
    // Below, because names of players are above their cameras.
    this.#write(pen, `fight: ${fight.lost} lost in 10 s`, (x + right) / 2, bottom + 15, colours.text);
  }

  #goTo(match) {
    const player = this.players.find(({ name }) => name === this.#followed) ?? this.players[0];
    const camera = player && match.cameras.get(player.number)?.at(this.#loop);
    if (!camera) return;
    this.plane.centre.x = camera.x;
    this.plane.centre.y = camera.y;
    if (this.plane.zoom < 1.5) this.plane.zoom = 2.2;
  }

  #ground(pen) {
    const { plane, colours } = this;
    const { left, right, low, high } = plane.bounds;
    const x = plane.screenX(left);
    const y = plane.screenY(high);
    const width = (right - left) * plane.scale;
    const height = (high - low) * plane.scale;
    pen.fillStyle = colours.wall;
    pen.fillRect(x, y, width, height);
    if (this.#map.picture) this.#drawMap(pen);
    pen.strokeStyle = colours.faint;
    pen.lineWidth = 1;
    pen.beginPath();
    const step = roundStep(Math.max(right - left, high - low), 8);
    for (let v = Math.ceil(left / step) * step; v < right; v += step) {
      pen.moveTo(plane.screenX(v), y);
      pen.lineTo(plane.screenX(v), y + height);
    }
    for (let v = Math.ceil(low / step) * step; v < high; v += step) {
      pen.moveTo(x, plane.screenY(v));
      pen.lineTo(x + width, plane.screenY(v));
    }
    pen.stroke();
  }

  #drawMap(pen) {
    const { plane } = this;
    const [left, bottom, right, top] = this.#map.area;
    const [x, y] = [plane.screenX(left), plane.screenY(top)];
    pen.drawImage(this.#map.picture, x, y, plane.screenX(right) - x, plane.screenY(bottom) - y);
  }

  #unit(pen, unit) {
    const loop = this.#loop;
    if (unit.born > loop || unit.died + lastingLoops <= loop) return;
    const place = unit.places.at(loop);
    const owner = unit.owners.at(loop) ?? 0;
    const type = unit.types.at(loop) ?? '';
    // Beacons and units that have left the map are at its corner.
    if (!place || (place.x === 0 && place.y === 0) || type.startsWith('Beacon')) return;
    const neutral = owner === 0;
    if (neutral && !this.switches.on('neutral')) return;
    const x = this.plane.screenX(place.x);
    const y = this.plane.screenY(place.y);
    const unitPixels = this.plane.scale;
    const colour = neutral ? this.colours.line : this.groups.of(owner);
    if (unit.died <= loop) {
      if (!neutral) this.#cross(pen, x, y, colour, 1 - (loop - unit.died) / lastingLoops);
      return;
    }
    if (!neutral) this.#alive.set(owner, (this.#alive.get(owner) ?? 0) + 1);
    if (unit.building || neutral) {
      const half = Math.max(neutral ? 1.5 : 3, unitPixels * (neutral ? 0.8 : footprint(type)));
      pen.fillStyle = pen.strokeStyle = colour;
      // What is being built is an outline.
      pen.globalAlpha = neutral ? 1 : loop < unit.done ? 0.15 : 0.55;
      pen.fillRect(x - half, y - half, half * 2, half * 2);
      pen.globalAlpha = 1;
      pen.lineWidth = 1.5;
      if (!neutral) pen.strokeRect(x - half, y - half, half * 2, half * 2);
      this.#ring(pen, unit, x, y, half * 1.4);
      if (!neutral && unitPixels > 14 && this.plane.zoom > 1.4 && this.switches.on('names'))
        this.#write(pen, type, x, y + half + 11, this.colours.text);
      return;
    }
    const kind = unitKind(type);
    const size = Math.max(
      kind === 'larva' ? 1.5 : kind === 'worker' ? 2 : 3.2,
      unitPixels * (kind === 'larva' ? 0.25 : kind === 'worker' ? 0.35 : 0.55),
    );
    pen.fillStyle = colour;
    pen.strokeStyle = this.colours.background;
    pen.lineWidth = 1;
    pen.beginPath();
    if (kind === 'worker') pen.rect(x - size, y - size * 0.6, size * 2, size * 1.2);
    else if (kind === 'air') {
      pen.moveTo(x, y - size * 1.2);
      pen.lineTo(x + size * 1.1, y + size * 0.9);
      pen.lineTo(x - size * 1.1, y + size * 0.9);
      pen.closePath();
    } else pen.arc(x, y, size, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    this.#ring(pen, unit, x, y, size + 2.5);
  }

  // Around what a player has selected; with a followed player only around that player's selection.
  #ring(pen, unit, x, y, radius) {
    const selectors = unit.selectors.at(this.#loop);
    if (!selectors?.length || !this.switches.on('selected')) return;
    for (const player of selectors) this.#chosen.set(player, (this.#chosen.get(player) ?? 0) + 1);
    const followed = this.players.find(({ name }) => name === this.#followed)?.number;
    const player = followed === undefined ? selectors[0] : followed;
    if (!selectors.includes(player)) return;
    pen.strokeStyle = this.colours.text;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.stroke();
  }

  #cross(pen, x, y, colour, strength) {
    pen.strokeStyle = colour;
    pen.globalAlpha = Math.max(0, strength);
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x - 4, y - 4);
    pen.lineTo(x + 4, y + 4);
    pen.moveTo(x + 4, y - 4);
    pen.lineTo(x - 4, y + 4);
    pen.stroke();
    pen.globalAlpha = 1;
  }

  #orders(pen, { orders, orderTicks }) {
    for (let i = lastAt(orderTicks, this.#loop); i >= 0 && orders[i].tick > this.#loop - lastingLoops; --i) {
      const { tick, player, x, y } = orders[i];
      const age = (this.#loop - tick) / lastingLoops;
      pen.strokeStyle = this.groups.of(player);
      pen.globalAlpha = 1 - age;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(this.plane.screenX(x), this.plane.screenY(y), 3 + age * 9, 0, 2 * Math.PI);
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  #camera(pen, player, seen) {
    if (!seen) return;
    const { plane } = this;
    const width = seen.zoom * seenWidth * plane.scale;
    const height = seen.zoom * seenHeight * plane.scale;
    const x = plane.screenX(seen.x) - width / 2;
    const y = plane.screenY(seen.y) - height / 2;
    pen.strokeStyle = this.groups.of(player);
    pen.lineWidth = 2;
    pen.strokeRect(x, y, width, height);
    const name = this.players.find(({ number }) => number === player)?.name;
    if (name === undefined) return;
    const chosen = this.#chosen.get(player);
    const text = chosen ? `${tidyName(name)} \u00b7 ${chosen} selected` : tidyName(name);
    this.#write(pen, text, x + width / 2, y - 6, this.colours.text);
  }

  #write(pen, text, x, y, colour) {
    // On a very large picture 13 pixels are too small.
    const high = 13 * Math.min(2, Math.max(1, this.plane.width / 1900));
    pen.font = `600 ${high}px system-ui, sans-serif`;
    pen.textAlign = 'center';
    pen.lineWidth = 3;
    pen.strokeStyle = this.colours.background;
    const shown = tidyName(text);
    const place = freePlace(this.#written, { x, y, wide: pen.measureText(shown).width, high }, this.plane.width);
    pen.strokeText(shown, place.x, place.y);
    pen.fillStyle = colour;
    pen.fillText(shown, place.x, place.y);
  }
}

function playersOf(info) {
  return (Array.isArray(info?.players) ? info.players : []).slice(0, 64).map((player, i) => ({
    name: String(player?.name ?? '?'),
    team: player?.team ?? null,
    number: Number.isInteger(player?.number) ? player.number : i + 1,
  }));
}
