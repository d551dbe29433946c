// Finds positions in the JSON of any tick: objects with x and y (and z), or arrays of two or three numbers, alone
// or one for each entity of a list. Declared positions come first, then those with the name of one.
//
//   findPositions(state, fields, others) -> [{ id, label, ... }, ...], the most probable first; empty: no positions
//   new Positions().read(state, source) -> { count, x, y, z, names, groups, left }

const deepest = 10;
const maxNodes = 20000;
const samplesOfList = 64;
const maxSources = 32;
export const maxEntities = 20000;

const called =
  /^(pos|position|location|origin|place|coords?|coordinates?|translation|pose|transform|point|centre|center)$/i;
// Names of three numbers that are not a position.
const otherNames =
  'veloc speed accel force momentum forward ^left$ ^right$ ^up$ ^down$ normal rot quat angle euler orient scale size ' +
  'extent colou?r ^dir direction axis gravity spin offset bone inertia ^range bounds ^min$ ^max$';
const other = new RegExp(otherNames.replaceAll(' ', '|'), 'i');
// Names of positions that are hardly the object's own.
const elsewhere = /goal|target|dest|aim|look|camera|view|prev|last|old|start|spawn|home|waypoint/i;

const isNumber = (v) => typeof v === 'number' && Number.isFinite(v);

// The names under which an object has its coordinates: ["x", "y", "z"], ["X", "Y", null], ["pos_x", "pos_y",
// null].
function coordinates(object) {
  for (const key of Object.keys(object).slice(0, 64)) {
    const found = /^(.*?)([xX])$/.exec(key);
    if (
      !found ||
      !isNumber(object[key]) ||
      (found[1] !== '' && !/(^|_|\.)(pos|position|loc|location|coord|place)_?$/i.test(found[1]))
    )
      continue;
    const upper = found[2] === 'X';
    const y = found[1] + (upper ? 'Y' : 'y');
    const z = found[1] + (upper ? 'Z' : 'z');
    if (isNumber(object[y])) return [key, y, isNumber(object[z]) ? z : null];
  }
  return null;
}

// `others`: more ticks of the recording. The result depends on all of them and on its columns, so that it is
// the same for every first tick.
export function findPositions(state, fields = [], others = []) {
  const found = new Map();
  for (const each of [stateOf(fields), state, ...others]) {
    const here = new Map();
    walk(each, [], here, { nodes: maxNodes });
    for (const [id, source] of here) {
      const known = found.get(id);
      if (!known) found.set(id, source);
      else {
        known.count = Math.max(known.count, source.count);
        if (known.keys[2] === null) known.keys = source.keys;
      }
    }
  }
  const declared = declaredPaths(fields);
  const sources = [...found.values()];
  for (const source of sources) {
    source.declared = declared.has(source.id);
    source.rank = rank(source);
  }
  return sources
    .filter((s) => s.declared || !s.doubtful)
    .sort((a, b) => b.rank - a.rank || (a.id < b.id ? -1 : 1))
    .slice(0, maxSources);
}

function rank({ path, declared, count, keys }) {
  const words = path.filter((p) => p !== '[]');
  const last = words.at(-1) ?? '';
  let points = declared ? 1000 : 0;
  if (called.test(last)) points += 100;
  if (words.some((w) => elsewhere.test(w))) points -= 120;
  if (keys.length === 3 && keys[2] !== null) points += 5;
  return points + Math.min(50, count) - words.length;
}

// "players[0].position[1]", "disc.position.0", "units[].place.x" -> "players[].position", "disc.position",
// "units[].place"
function declaredPaths(fields) {
  const paths = new Set();
  for (const field of Array.isArray(fields) ? fields.slice(0, 4096) : []) {
    if (typeof field?.path !== 'string' || !/\b(position|place|location|coordinate)/i.test(String(field.meaning ?? '')))
      continue;
    const parts = field.path.split(/[.[\]]+/).filter((p) => p !== '');
    if (/^([0-9]+|x|y|z)$/i.test(parts.at(-1) ?? '')) parts.pop();
    paths.add(idOf(parts.map((p) => (/^[0-9]+$/.test(p) ? '[]' : p))));
  }
  return paths;
}

// A tick that has every column: {path: "units[3].at.x"} -> {units: [.., {at: {x: 0}}]}
function stateOf(fields) {
  const root = Object.create(null);
  for (const field of Array.isArray(fields) ? fields.slice(0, 4096) : []) {
    if (typeof field?.path !== 'string') continue;
    const parts = field.path.match(/[^.[\]]+/g)?.slice(0, deepest + 1) ?? [];
    const isNumbered = parts.map((part) => /^\d{1,2}$/.test(part));
    let at = root;
    parts.forEach((part, i) => {
      if (typeof at !== 'object' || at === null) return;
      if (i + 1 === parts.length) at[part] = 0;
      else if (typeof at[part] !== 'object' || at[part] === null)
        at[part] = isNumbered[i + 1] ? [] : Object.create(null);
      at = at[part];
    });
  }
  return root;
}

function idOf(path) {
  return path.reduce((text, part) => text + (part === '[]' ? '[]' : (text === '' ? '' : '.') + part), '');
}

function walk(value, path, found, budget) {
  if (typeof value !== 'object' || value === null || path.length > deepest || budget.nodes-- <= 0) return;
  if (Array.isArray(value)) {
    if ((value.length === 2 || value.length === 3) && value.every(isNumber)) {
      note(path, value.length === 3 ? [0, 1, 2] : [0, 1, null], found, true);
      return;
    }
    const inside = [...path, '[]'];
    for (let i = 0; i < Math.min(value.length, samplesOfList); ++i) walk(value[i], inside, found, budget);
    return;
  }
  const keys = coordinates(value);
  if (keys) note(path, keys, found, false);
  for (const key of Object.keys(value).slice(0, 256)) walk(value[key], [...path, key], found, budget);
}

function note(path, keys, found, isArray) {
  const id = idOf(path) || '(the tick itself)';
  const known = found.get(id);
  if (known) {
    ++known.count;
    if (known.keys[2] === null && keys[2] !== null) known.keys = keys;
    return;
  }
  if (found.size >= 256) return;
  const words = path.filter((p) => p !== '[]');
  const last = words.at(-1) ?? '';
  // An array of numbers may be anything: it needs the name of a position. An object with x and y must not
  // have the name of something else.
  const doubtful = words.some((w) => other.test(w)) || (isArray && !called.test(last) && path.at(-1) !== '[]');
  found.set(id, { id, label: id, path, keys, count: 1, doubtful, declared: false, rank: 0 });
}

const nameKeys = ['name', 'label', 'player_name', 'title', 'entity', 'id', 'tag', 'playerid', 'player', 'index'];
const sideKeys = ['team', 'team_name', 'owner', 'faction', 'side', 'player'];
const kindKeys = ['archetype', 'kind', 'type', 'class'];

// The first of `keys` in an entity or up to two levels below: "Grey", 3, ...
function lookUp(entity, keys, depth = 2) {
  for (const key of keys) {
    const value = entity[key];
    if (typeof value === 'string' || typeof value === 'number') return value;
  }
  if (depth === 0) return undefined;
  for (const key of Object.keys(entity).slice(0, 32)) {
    const inner = entity[key];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue;
    const value = lookUp(inner, keys, depth - 1);
    if (value !== undefined) return value;
  }
  return undefined;
}

// An entity's own name, or its number: a nested one only if its key is a name.
function nameOf(entity, key) {
  const own = lookUp(entity, ['name', 'label', 'player_name'], 2) ?? lookUp(entity, nameKeys, 0);
  return own === undefined ? key : own;
}

export class Positions {
  count = 0;
  left = 0; // entities beyond the limit
  x = new Float64Array(64);
  y = new Float64Array(64);
  z = new Float64Array(64);
  names = [];
  groups = [];

  read(state, source) {
    this.count = 0;
    this.left = 0;
    this.#descend(state, source.path, 0, source, null, '');
    this.names.length = this.count;
    this.groups.length = this.count;
    return this;
  }

  // Bounds that also contain these positions.
  extend({ low, high }) {
    for (const [axis, values] of [this.x, this.y, this.z].entries())
      for (let i = 0; i < this.count; ++i) {
        if (values[i] < low[axis]) low[axis] = values[i];
        if (values[i] > high[axis]) high[axis] = values[i];
      }
  }

  #descend(value, path, at, source, entity, key) {
    if (typeof value !== 'object' || value === null) return;
    if (at === path.length) return this.#take(value, source, entity, key);
    const part = path[at];
    if (part !== '[]')
      return this.#descend(value[part], path, at + 1, source, entity ?? (at === 0 ? null : value), key || part);
    if (!Array.isArray(value)) return;
    const last = !path.includes('[]', at + 1);
    for (let i = 0; i < value.length; ++i) {
      const inner = value[i];
      this.#descend(inner, path, at + 1, source, last ? inner : entity, `${key} ${i}`);
    }
  }

  #take(place, { keys }, entity, key) {
    const x = place[keys[0]];
    const y = place[keys[1]];
    const z = keys[2] === null ? 0 : place[keys[2]];
    if (!isNumber(x) || !isNumber(y) || Math.abs(x) > 1e15 || Math.abs(y) > 1e15) return;
    if (this.count >= maxEntities) {
      ++this.left;
      return;
    }
    if (this.count === this.x.length) this.#grow();
    const i = this.count++;
    this.x[i] = x;
    this.y[i] = y;
    this.z[i] = isNumber(z) && Math.abs(z) < 1e15 ? z : 0;
    const named = entity !== null && !Array.isArray(entity);
    this.names[i] = named ? nameOf(entity, key) : key;
    this.groups[i] = named ? (lookUp(entity, sideKeys) ?? lookUp(entity, kindKeys)) : undefined;
  }

  #grow() {
    for (const axis of ['x', 'y', 'z']) {
      const larger = new Float64Array(this[axis].length * 2);
      larger.set(this[axis]);
      this[axis] = larger;
    }
  }
}
