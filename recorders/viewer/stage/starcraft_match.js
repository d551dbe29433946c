// The state of a StarCraft II match from the events of its replay: units from tracker events, players'
// cameras and orders. Queries for a game loop do not read all events again.

const perMapUnit = 4096;
const maxUnits = 100000;
const maxPerPlayer = 200000;
const fightLoops = 160; // ten seconds
const fightReach = 20; // map units

const keyOf = (tag) => `${tag?.index}:${tag?.generation}`;
const isNumber = (v) => typeof v === 'number' && Number.isFinite(v);

function placeOf(fixed, out) {
  if (!isNumber(fixed?.x) || !isNumber(fixed?.y)) return false;
  out.x = fixed.x / perMapUnit;
  out.y = fixed.y / perMapUnit;
  return Math.abs(out.x) < 4096 && Math.abs(out.y) < 4096;
}

// The last index whose tick is not after `loop`; -1 before the first.
export function lastAt(ticks, loop) {
  let low = 0;
  let high = ticks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ticks[middle] <= loop) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

class Row {
  ticks = [];
  values = [];
  add(tick, value) {
    // Events are in order of ticks; an event that is not is appended at the end.
    const last = this.ticks.at(-1) ?? -Infinity;
    this.ticks.push(Math.max(tick, last));
    this.values.push(value);
  }
  at(loop) {
    const i = lastAt(this.ticks, loop);
    return i < 0 ? null : this.values[i];
  }
}

// What a type of unit is drawn as: "worker", "air", "larva" or "army".
const workers = /^(SCV|Probe|Drone|MULE)(Burrowed)?$/;
const larvae = /^(Larva|Egg|Broodling|.*Cocoon|Locust|Interceptor|Changeling|Beacon|KD8Charge)/;
const flyers =
  'Viking.* Medivac Banshee Raven Battlecruiser Liberator.* Phoenix VoidRay Oracle Carrier Tempest Mothership.* ' +
  'Observer.* WarpPrism.* Mutalisk Corruptor BroodLord Viper Overlord.* Overseer.* Scourge.*';
const flying = new RegExp(`^(${flyers.replaceAll(' ', '|')})$`);
const grounded = /Assault$/;
export const unitKind = (type) =>
  workers.test(type)
    ? 'worker'
    : larvae.test(type)
      ? 'larva'
      : flying.test(type) && !grounded.test(type)
        ? 'air'
        : 'army';

// Units that warp in are reported like buildings: started, and completed later.
const warpedIn = /^(Zealot|Stalker|Sentry|Adept|HighTemplar|DarkTemplar)$/;

// Half of the side of a building, in map units.
const towns = /^(Nexus|Hatchery|Lair|Hive|CommandCenter|OrbitalCommand|PlanetaryFortress)/;
const smallOnes =
  /^(SupplyDepot|Pylon|PhotonCannon|ShieldBattery|MissileTurret|SpineCrawler|SporeCrawler|DarkShrine|Spire)/;
export const footprint = (type) =>
  towns.test(type) ? 2.5 : smallOnes.test(type) ? 1 : /Tumor|TechLab|Reactor/.test(type) ? 0.8 : 1.5;

export class Match {
  units = [];
  left = 0; // units beyond the limit
  cameras = new Map(); // player -> Row of { x, y, zoom }
  orders = []; // { tick, player, x, y }, in order
  orderTicks = [];
  upgrades = []; // { tick, player, name }, in order
  bounds = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
  #living = new Map();

  constructor(events) {
    for (const event of Array.isArray(events) ? events : []) {
      if (isNumber(event?.tick)) this.#read(event);
    }
    this.#living.clear();
  }

  get hasUnits() {
    return this.units.length > 0;
  }

  // Of a moment: player -> {army: [[type, number]], lost: the same of what has died, building: [[type, share that is
  // done]], upgrades: [name]}, the largest first, upgrades the newest first.
  forces(loop) {
    const out = new Map();
    const of = (owner) => {
      if (!out.has(owner)) out.set(owner, { army: new Map(), lost: new Map(), building: [], upgrades: [] });
      return out.get(owner);
    };
    const count = (map, name) => map.set(name, (map.get(name) ?? 0) + 1);
    const plain = (type) => type.replace(/(Burrowed|Sieged|Assault|Phasing|Siege Mode)$/, '');
    for (const { player, tick, name } of this.upgrades) if (tick <= loop) of(player).upgrades.unshift(name);
    for (const unit of this.units) {
      if (unit.born > loop) continue;
      const owner = unit.owners.at(loop) ?? 0;
      if (owner === 0) continue;
      const { army, lost, building } = of(owner);
      const type = unit.types.at(loop) ?? '';
      if (unit.died <= loop) {
        if (unitKind(type) !== 'larva') count(lost, plain(type));
      } else if (unit.building || loop < unit.done) {
        const share = (loop - unit.born) / (unit.done - unit.born);
        if (loop < unit.done && !/Tumor/.test(type)) building.push([type, Number.isFinite(unit.done) ? share : null]);
      } else if (['army', 'air'].includes(unitKind(type)) && !/^Overlord/.test(type)) {
        count(army, plain(type));
      }
    }
    for (const each of out.values()) {
      for (const key of ['army', 'lost']) each[key] = [...each[key]].sort((a, b) => b[1] - a[1]);
      each.building.sort((a, b) => b[1] - a[1]);
    }
    return out;
  }

  // Where units died within the last ten seconds, near the one that died last: {left, right, low, high, lost}, or null
  // if fewer than five did.
  fight(loop) {
    const places = [];
    let last = null;
    for (const { died, owners, places: way } of this.units) {
      if (died > loop || died <= loop - fightLoops || !owners.at(loop)) continue;
      const at = way.at(died);
      if (!at) continue;
      places.push(at);
      if (!last || died >= last.died) last = { died, at };
    }
    const close = places.filter(({ x, y }) => Math.hypot(x - last.at.x, y - last.at.y) < fightReach);
    if (close.length < 5) return null;
    const [xs, ys] = [close.map(({ x }) => x), close.map(({ y }) => y)];
    return {
      left: Math.min(...xs),
      right: Math.max(...xs),
      low: Math.min(...ys),
      high: Math.max(...ys),
      lost: close.length,
    };
  }

  #read(event) {
    const place = { x: 0, y: 0 };
    switch (event.type) {
      case 'unit_created':
      case 'construction_started':
        if (placeOf(event.pos, place)) this.#born(event, place, event.type === 'construction_started');
        return;
      case 'construction_completed': {
        const unit = this.#living.get(keyOf(event.tag));
        if (unit) unit.done = event.tick;
        return;
      }
      case 'unit_destroyed':
        return this.#died(event);
      case 'upgrade_completed':
        // Sprays and rewards are upgrades of tick 0.
        if (event.tick > 0 && this.upgrades.length < maxUnits)
          this.upgrades.push({ tick: event.tick, player: event.player, name: String(event.upgrade_name ?? '') });
        return;
      case 'unit_position_sample':
        for (const one of Array.isArray(event.positions) ? event.positions : []) {
          const unit = this.#living.get(keyOf(one?.tag));
          const there = { x: 0, y: 0 };
          if (unit && placeOf(one?.pos, there)) this.#moved(unit, event.tick, there);
        }
        return;
      case 'unit_type_change':
      case 'unit_owner_change': {
        const unit = this.#living.get(`${event.unit_tag_index}:${event.unit_tag_recycle}`);
        if (!unit) return;
        if (event.type === 'unit_type_change') unit.types.add(event.tick, String(event.unit_type_name ?? ''));
        else if (isNumber(event.owner)) unit.owners.add(event.tick, event.owner);
        return;
      }
      case 'selection_changed':
        for (const list of [event.removed, event.added])
          for (const tag of Array.isArray(list) ? list : []) this.#selected(event, keyOf(tag), list === event.added);
        return;
      case 'camera_position_sample':
        if (!placeOf(event.viewport_center, place)) return;
        return this.#looked(event, place);
      case 'ability_used':
        if (!placeOf(event.target, place) || this.orders.length >= maxPerPlayer) return;
        this.orders.push({ tick: event.tick, player: event.player, ...place });
        this.orderTicks.push(Math.max(event.tick, this.orderTicks.at(-1) ?? -Infinity));
        return;
    }
  }

  #born(event, place, building) {
    const key = keyOf(event.tag);
    const before = this.#living.get(key);
    if (before) {
      before.building ||= building && !warpedIn.test(event.unit_type_name);
      return this.#moved(before, event.tick, place);
    }
    if (this.units.length >= maxUnits) {
      ++this.left;
      return;
    }
    const unit = {
      key,
      born: event.tick,
      died: Infinity,
      done: building ? Infinity : event.tick,
      // The first town of a player exists from the beginning.
      building: (building && !warpedIn.test(event.unit_type_name)) || towns.test(event.unit_type_name),
      owners: new Row(),
      types: new Row(),
      places: new Row(),
      selectors: new Row(), // players who have selected it
    };
    unit.owners.add(event.tick, isNumber(event.owner) ? event.owner : 0);
    unit.types.add(event.tick, String(event.unit_type_name ?? ''));
    this.#living.set(key, unit);
    this.units.push(unit);
    this.#moved(unit, event.tick, place);
  }

  #died(event) {
    const key = keyOf(event.tag);
    const unit = this.#living.get(key);
    if (!unit) return;
    unit.died = event.tick;
    this.#living.delete(key);
    const place = { x: 0, y: 0 };
    // Units that leave the map for good are moved to 0, 0, which is not a position.
    if (placeOf(event.pos, place) && (place.x !== 0 || place.y !== 0)) this.#moved(unit, event.tick, place);
  }

  #moved(unit, tick, place) {
    if (unit.places.ticks.length >= maxPerPlayer) return;
    unit.places.add(tick, place);
    if (place.x !== 0 || place.y !== 0) this.#widen(place);
  }

  #selected({ tick, player }, key, isAdded) {
    const unit = this.#living.get(key);
    if (!unit || unit.selectors.ticks.length >= maxPerPlayer) return;
    const others = (unit.selectors.values.at(-1) ?? []).filter((each) => each !== player);
    unit.selectors.add(tick, isAdded ? [...others, player] : others);
  }

  #looked(event, place) {
    let row = this.cameras.get(event.player);
    if (!row) {
      if (this.cameras.size >= 64) return;
      this.cameras.set(event.player, (row = new Row()));
    }
    if (row.ticks.length >= maxPerPlayer) return;
    row.add(event.tick, { ...place, zoom: event.zoom_level > 0 ? event.zoom_level : 34 });
    this.#widen(place);
  }

  #widen({ x, y }) {
    const b = this.bounds;
    b.left = Math.min(b.left, x);
    b.right = Math.max(b.right, x);
    b.low = Math.min(b.low, y);
    b.high = Math.max(b.high, y);
  }
}
