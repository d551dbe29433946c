// The parts of the pictures that need no browser: how positions are found, how heat maps count and escape, how a tick
// of Echo VR is read, where units of StarCraft II are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coloursFor, GroupColours, heatText, rampText, teamColour } from '../../recorders/viewer/stage/colours.js';
import {
  blend,
  boneCount,
  boneOrders,
  EchoReader,
  leftOf,
  likelierOrder,
} from '../../recorders/viewer/stage/echo_state.js';
import { findPositions, maxEntities, Positions } from '../../recorders/viewer/stage/find_positions.js';
import { binPositions, createPicture } from '../../recorders/viewer/stage/heatmap.js';
import { timeInZone } from '../../recorders/viewer/page/zones.js';
import { kindOf } from '../../recorders/viewer/stage/kind.js';
import { placeLabels } from '../../recorders/viewer/stage/labels.js';
import { roundStep } from '../../recorders/viewer/stage/round_step.js';
import { footprint, Match, unitKind } from '../../recorders/viewer/stage/starcraft_match.js';
import { escapeXml, tidyName } from '../../recorders/viewer/stage/text.js';
import { readTrack } from '../../recorders/viewer/stage/track.js';
import { testSeed } from './seed.mjs';

const seed = testSeed();

function randomOf(start) {
  let s = start >>> 0;
  return () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = Math.imul(s ^ (s >>> 15), s | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const hostile = '<img src=x onerror=alert(1)>"\'&</svg><script>';

test('names are bounded, on one line, and hide nothing', () => {
  assert.equal(tidyName('Grey'), 'Grey');
  assert.equal(tidyName(''), '?');
  assert.equal(tidyName(null), '?');
  assert.equal(tidyName(7), '7');
  assert.equal(tidyName('a\u0000b\u202ec\nd\u200be'), 'a b c d e');
  assert.equal(tidyName('\ud800x'), '\ufffdx');
  assert.equal(tidyName('\u200b\u202e'), '?');
  assert.equal(Array.from(tidyName('😀'.repeat(100))).length, 24);
  assert.equal(tidyName('e' + '\u0301'.repeat(500)), 'e\u0301\u0301');
  assert.ok(tidyName('x'.repeat(1e6)).length <= 24);
  assert.equal(tidyName('Ōhtu 玩家 Игра'), 'Ōhtu 玩家 Игра');
});

test('XML is escaped everywhere', () => {
  const text = escapeXml(hostile + '\u0000\ud800\uffff');
  assert.ok(!/[<>"']/.test(text), text);
  assert.ok(!/[\u0000\ufffe\uffff]/.test(text) && !/\p{Surrogate}/u.test(text));
  assert.equal(escapeXml('a&b'), 'a&amp;b');
});

test('a picture is selected by the stage of the format, and for a reel by its contents', () => {
  assert.equal(kindOf({ stage: 'arena' }, null), 'arena');
  assert.equal(kindOf({ stage: 'path' }, { session: { teams: [] } }), 'path');
  assert.equal(kindOf({ stage: '' }, null), null);
  assert.equal(kindOf({}, { session: { teams: [] } }), 'arena');
  assert.equal(kindOf({}, { entities: [] }), 'world');
  assert.equal(kindOf({ info: { format: 'butter' } }, {}), 'world');
});

test('positions are found in entities, by name, and by declaration', () => {
  const state = {
    tick: 3,
    velocity: { x: 1, y: 2, z: 3 },
    entities: [
      {
        entity: '1:0',
        archetype: 'wolf',
        components: { position: { x: 1, y: 2 }, creature: { name: 'Grey', goal: { x: 10, y: 0 } } },
      },
      { entity: '2:0', archetype: 'hare', components: { position: { x: 5, y: 6 }, body: { owner: 3 } } },
    ],
  };
  const found = findPositions(state);
  assert.deepEqual(
    found.map((s) => s.id),
    ['entities[].components.position', 'entities[].components.creature.goal'],
  );
  const read = new Positions().read(state, found[0]);
  assert.equal(read.count, 2);
  assert.deepEqual([...read.x.slice(0, 2), ...read.y.slice(0, 2)], [1, 5, 2, 6]);
  assert.deepEqual(read.names, ['Grey', '2:0']);
  assert.deepEqual(read.groups, ['wolf', 3]);
  const declared = findPositions(state, [{ path: 'entities[0].components.creature.goal.x', meaning: 'position' }]);
  assert.equal(declared[0].id, 'entities[].components.creature.goal');
});

test('positions may be arrays, at the top, prefixed, and in lists of lists', () => {
  const ids = (state) => findPositions(state).map((s) => s.id);
  // "orange" has no range.
  assert.equal(ids({ orange: { x: 1, y: 2, z: 3 }, range: { x: 1, y: 2, z: 3 } }).length, 1);
  assert.deepEqual(ids({ players: [{ position: [1, 2, 3], velocity: [1, 1, 1], forward: [0, 0, 1] }] }), [
    'players[].position',
  ]);
  assert.deepEqual(ids({ x: 1, y: 2 }), ['(the tick itself)']);
  assert.deepEqual(ids({ pos_x: 1, pos_y: 2, pos_z: 3 }), ['(the tick itself)']);
  assert.deepEqual(ids({ X: 1, Y: 2 }), ['(the tick itself)']);
  assert.deepEqual(ids({ squads: [{ units: [{ pos: { x: 1, y: 1 } }] }] }), ['squads[].units[].pos']);
  assert.deepEqual(
    ids({
      units: [
        [1, 2],
        [3, 4],
      ],
    }),
    ['units[]'],
  );
  const state = { squads: [{ units: [{ id: 4, pos: { x: 1, y: 7 } }] }, { units: [{ id: 9, pos: { x: 2, y: 8 } }] }] };
  const read = new Positions().read(state, findPositions(state)[0]);
  assert.deepEqual(read.names, [4, 9]);
  assert.deepEqual([...read.y.slice(0, 2)], [7, 8]);
  const single = { ball: { position: { x: 1, y: 2, z: 3 } } };
  assert.deepEqual(new Positions().read(single, findPositions(single)[0]).names, ['ball']);
});

test('without positions nothing is found', () => {
  for (const state of [
    null,
    7,
    'x',
    [],
    {},
    { a: [1, 2, 3, 4] },
    { colour: { x: 1, y: 2 } },
    { x: 'a', y: 'b' },
    { x: null, y: 1 },
    { rotation: [1, 2, 3] },
    { score: [3, 1] },
  ]) {
    assert.deepEqual(findPositions(state), [], JSON.stringify(state));
  }
});

test('deep, wide and cyclic-looking states are bounded in time and size', () => {
  let deep = { position: { x: 1, y: 1 } };
  for (let i = 0; i < 5000; ++i) deep = { deep };
  assert.deepEqual(findPositions(deep), []);
  const many = { e: Array.from({ length: maxEntities + 5 }, (_, i) => ({ id: i, position: { x: i, y: 1 } })) };
  const read = new Positions().read(many, findPositions(many)[0]);
  assert.equal(read.count, maxEntities);
  assert.equal(read.left, 5);
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, { x: 1, y: 1 }]));
  assert.ok(findPositions(wide).length <= 32);
  assert.doesNotThrow(() =>
    findPositions(JSON.parse('{"__proto__":{"x":1,"y":2},"constructor":{"position":[1,2,3]}}'), [
      { path: null },
      {},
      null,
    ]),
  );
});

test('random states never throw, and every number read was in them', () => {
  const random = randomOf(seed);
  const keys = ['x', 'y', 'z', 'position', 'pos', 'units', 'name', 'a', '0', 'velocity', 'components', '__proto__'];
  const make = (depth) => {
    const r = random();
    if (depth === 0 || r < 0.3)
      return [random() * 100, null, 'text', true, 1e308, -0, random()][Math.floor(random() * 7)];
    if (r < 0.6) return Array.from({ length: Math.floor(random() * 5) }, () => make(depth - 1));
    return Object.fromEntries(
      Array.from({ length: Math.floor(random() * 5) }, () => [
        keys[Math.floor(random() * keys.length)],
        make(depth - 1),
      ]),
    );
  };
  for (let i = 0; i < 2000; ++i) {
    const state = make(5);
    for (const source of findPositions(state)) {
      const read = new Positions().read(make(5), source);
      read.read(state, source);
      for (let k = 0; k < read.count; ++k)
        assert.ok(Number.isFinite(read.x[k]) && Number.isFinite(read.y[k]) && Number.isFinite(read.z[k]));
    }
    new EchoReader().read(state);
    new Match([
      state,
      { tick: 1, type: 'unit_created', tag: state, pos: state },
      { tick: 2, type: 'unit_position_sample', positions: [state, null] },
    ]);
    binPositions(state, {});
  }
});

const players = [
  { name: 'a', team: 'blue' },
  { name: hostile, team: 'orange' },
];

test('time in a zone is that of the positions in it, without absences', () => {
  const zone = { left: 0, right: 10, low: -5, high: 5 };
  // Ten positions a second; 0 goes in twice, 1 is away for a minute inside the zone, 2 never enters.
  const samples = [];
  for (let tick = 0; tick < 100; ++tick) {
    samples.push([tick, 0, 0, 0, tick < 20 || (tick >= 50 && tick < 80) ? 5 : 50]);
    if (tick < 50) samples.push([tick, 1, 5, 0, 5]);
    samples.push([tick, 2, 7, 0, 5]);
  }
  samples.push([700, 1, 5, 0, 5]);
  const [first, second, third] = timeInZone(samples, zone, [2, 0], (tick) => tick * 100);
  assert.deepEqual(first, { who: 0, insideMs: 5000, allMs: 10_000, visits: 2 });
  assert.deepEqual(second, { who: 1, insideMs: 5100, allMs: 5100, visits: 2 });
  assert.deepEqual(third, { who: 2, insideMs: 0, allMs: 10_000, visits: 0 });
  assert.deepEqual(timeInZone([[3, 0, 1, 1, 1]], zone, [2, 0], Number), [{ who: 0, insideMs: 0, allMs: 0, visits: 1 }]);
});

test('a pixel of a heat map is a place on the ground', () => {
  const picture = createPicture('heatmap', { players, samples: [[0, 0, 1, 2, 3]] }, { ground: 'arena', width: 800 });
  const svg = createPicture(
    'heatmap',
    { players, samples: [[0, 0, 1, 2, 3]] },
    { ground: 'arena', width: 800, zone: { left: -10, right: 20, low: -4, high: 6 } },
  ).svg();
  const lines = [...svg.matchAll(/<line x1="([^"]+)" y1="([^"]+)" x2="([^"]+)" y2="([^"]+)"/g)].slice(0, 4);
  const corners = lines.map(([, x, y]) => picture.placeAt(Number(x), Number(y)).map(Math.round));
  assert.deepEqual(corners, [
    [-10, -4],
    [20, -4],
    [20, 6],
    [-10, 6],
  ]);
  assert.deepEqual(picture.axes, [2, 0]);
});

test('heat maps count the selection, and nothing twice', () => {
  const samples = [
    [0, 0, 1, 9, 1],
    [1, 0, 1, 9, 1],
    [2, 1, -5, 9, 30],
    [3, 1, 0, 9, 100],
    [4, 0, NaN, 0, 0],
    'x',
    [5, 0, 0, 0, 'z'],
  ];
  const all = binPositions({ players, samples }, { ground: 'arena' });
  assert.equal(all.samples, 4);
  assert.equal(all.outside, 1);
  assert.equal(
    all.counts.reduce((a, b) => a + b),
    3,
  );
  assert.equal(all.most, 2);
  assert.deepEqual(all.notes, ['2 positions are not numbers and were skipped.']);
  const count = (options) => binPositions({ players, samples }, { ground: 'arena', ...options }).samples;
  assert.equal(count({ team: 'orange' }), 2);
  assert.equal(count({ players: ['a'] }), 2);
  assert.equal(count({ from: 1, to: 2 }), 2);
  assert.equal(count({ from: 10 }), 0);
  assert.deepEqual(binPositions({}, {}).notes, ['No position matches the selection.']);
});

test('a sample is counted in the bin of its position', () => {
  const heat = binPositions(
    {
      players,
      samples: [
        [0, 0, 15.4, 0, 39.9],
        [1, 0, -15.4, 0, -39.9],
      ],
    },
    { ground: 'arena', bins: 80, blur: 0 },
  );
  assert.equal(heat.columns, 80);
  assert.equal(heat.rows, 31);
  assert.equal(heat.counts[30 * 80 + 79], 1);
  assert.equal(heat.counts[0], 1);
});

test('blur preserves the total', () => {
  const random = randomOf(seed + 1);
  const samples = Array.from({ length: 500 }, (_, i) => [i, 0, random() * 4 - 2, 0, random() * 6 - 3]);
  const heat = binPositions({ players, samples }, { ground: 'arena', blur: 2 });
  assert.ok(Math.abs(heat.heat.reduce((a, b) => a + b) - 500) < 0.5);
  assert.ok(heat.heat.every((v) => v >= 0 && v < 500));
});

test('bins and widths are bounded for any request', () => {
  for (const asked of [-1, 0, 1e9, NaN, Infinity, 'x', 2.5]) {
    const heat = binPositions(
      {
        players,
        samples: [
          [0, 0, 1, 2, 3],
          [0, 0, 9, 9, 9],
        ],
      },
      { bins: asked, width: asked, blur: asked },
    );
    assert.ok(heat.columns >= 1 && heat.columns <= 401 && heat.rows >= 1 && heat.rows <= 401, String(asked));
    assert.match(
      createPicture('heatmap', { players, samples: [[0, 0, 1, 2, 3]] }, { bins: asked, width: asked }).svg(),
      /<\/svg>$/,
    );
  }
  assert.match(
    createPicture('heatmap', { players, samples: Array(20).fill([0, 0, 5, 5, 5]) }, {}).svg(),
    /often \(20\)/,
  );
});

test('SVG contains names as text only', () => {
  const svg = createPicture(
    'heatmap',
    { players, samples: [[0, 0, 1, 2, 3]] },
    { title: hostile, ground: 'arena' },
  ).svg();
  assert.ok(!svg.includes('<img') && !svg.includes('<script') && svg.includes('&lt;img'), svg.slice(0, 400));
  assert.equal(svg.match(/<svg/g).length, 1);
  assert.equal(svg.match(/<\/svg>/g).length, 1);
  for (const tag of svg.match(/<[^>]*>/g))
    assert.match(tag, /^<\/?(svg|title|rect|g|text|line)( [a-zA-Z0-9:-]+="[^"<>&]*")*\/?>$/);
  assert.throws(() => createPicture('pie', {}), /no picture/);
});

function session(changes = {}) {
  const body = { position: [1, 2, 3], forward: [0, 0, 1], left: [1, 0, 0], up: [0, 1, 0] };
  const hand = { pos: [1, 1, 3], forward: [0, 0, 1], up: [0, 1, 0] };
  const player = {
    name: 'a',
    playerid: 4,
    stunned: true,
    possession: false,
    velocity: [3, 4, 0],
    head: body,
    body,
    lhand: hand,
    rhand: hand,
    ping: 30,
    ...changes,
  };
  return {
    session: {
      map_name: 'mpl_arena_a',
      disc: { position: [0, 0, 1], up: [0, 1, 0], velocity: [0, 0, 2] },
      teams: [{ players: [player] }, {}, { players: [] }],
    },
  };
}

test('a tick of Echo VR is read in every version of its shape', () => {
  const reader = new EchoReader();
  const state = reader.read(session());
  assert.equal(state.count, 1);
  assert.ok(state.hasDisc && state.arena);
  assert.equal(state.discSpeed, 2);
  const [player] = state.players;
  assert.equal(player.speed, 5);
  assert.ok(player.stunned && !player.possession && player.hasHand[0]);
  // 2018: no head, no body, hands without rotation.
  const old = reader.read(
    session({
      head: undefined,
      body: undefined,
      lhand: [4, 5, 6],
      rhand: undefined,
      position: [7, 8, 9],
      forward: [1, 0, 0],
      up: [0, 1, 0],
    }),
  );
  assert.deepEqual([...old.players[0].head], [7, 8, 9]);
  assert.deepEqual([...old.players[0].hands[0]], [4, 5, 6]);
  assert.equal(old.players[0].hasHand[1], false);
  assert.equal(reader.read({ session: { teams: 'none' } }).count, 0);
  assert.equal(reader.read(session({ head: { position: [1e300, 0, 0] }, body: null })).count, 0);
  assert.equal(reader.read(null).count, 0);
});

test('a crowd is bounded and counted', () => {
  const one = session().session.teams[0].players[0];
  const crowd = { session: { teams: [{ players: Array(1000).fill(one) }] } };
  const state = new EchoReader().read(crowd);
  assert.equal(state.count, 64);
  assert.equal(state.left, 936);
});

const standing = () => Array.from({ length: boneCount }, (_, i) => [0, i * 0.07 - 0.8, 0]).flat();

test('bones follow the directions of the body', () => {
  const bones = standing();
  bones[0] = 0.5;
  bones[2] = 0.25;
  const json = session({ body: { position: [10, 0, 0], forward: [1, 0, 0], up: [0, 1, 0] } });
  json.bones = { user_bones: [{ playerid: 4, bone_t: bones }] };
  const [player] = new EchoReader().read(json).players;
  assert.ok(player.hasBones);
  // forward is +x, so left is -z: half a metre to the left, a quarter ahead.
  const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-5, `${a} ${b}`);
  near(player.bones[0], 10.25);
  near(player.bones[1], -0.8);
  near(player.bones[2], -0.5);
});

test('bones without slots are assigned to players in order, and a missing skeleton is reported', () => {
  const json = session({ playerid: undefined });
  json.bones = { user_bones: [{ bone_t: standing() }, { bone_t: standing() }] };
  const reader = new EchoReader();
  assert.ok(reader.read(json).players[0].hasBones);
  json.bones.user_bones[0].bone_t = Array(69).fill(0.001);
  assert.equal(reader.read(json).players[0].hasBones, false);
  assert.equal(reader.state.oddBones, 1);
  json.bones.user_bones[0].bone_t = [1, 2];
  assert.equal(reader.read(json).oddBones, 1);
  json.bones.user_bones = [null, 7, { playerid: {}, bone_t: 'x' }];
  assert.equal(reader.read(json).oddBones, 1);
  json.bones = { user_bones: null };
  assert.equal(reader.read(json).oddBones, 0);
});

test('the order of bones is the one with close neighbours', () => {
  for (const order of boneOrders) {
    const bones = new Float32Array(boneCount * 3);
    // Every bone is 0.2 m from its parent, in a random direction.
    const place = (i, seen = new Set()) => {
      if (order.parents[i] < 0 || seen.has(i)) return [0, 0, 0];
      const from = place(order.parents[i], seen.add(i));
      return [from[0] + 0.2 * Math.sin(i * 7), from[1] + 0.2 * Math.cos(i * 7), from[2]];
    };
    for (let i = 0; i < boneCount; ++i) bones.set(place(i), i * 3);
    assert.equal(likelierOrder(bones), order);
    assert.ok(order.parents.every((p) => p >= -1 && p < boneCount));
  }
  const left = [0, 0, 0];
  leftOf([0, 0, 1], [0, 1, 0], left);
  assert.deepEqual(left, [1, 0, 0]);
});

test('armies and buildings of StarCraft II are those of the moment', () => {
  const pos = { x: 4096, y: 4096, z: 0 };
  const made = (index, tick, owner, name, type = 'unit_created') => ({
    tick,
    type,
    tag: { index, generation: 1 },
    owner,
    pos,
    unit_type_name: name,
  });
  const match = new Match([
    made(1, 1, 1, 'Probe'),
    made(2, 5, 1, 'Stalker'),
    made(3, 6, 1, 'Stalker'),
    made(4, 7, 1, 'WarpPrismPhasing'),
    made(5, 8, 2, 'Overlord'),
    made(6, 10, 1, 'Nexus', 'construction_started'),
    made(7, 10, 2, 'SpawningPool', 'construction_started'),
    made(8, 0, 1, 'Nexus'),
    { tick: 0, type: 'upgrade_completed', player: 1, upgrade_name: 'SprayProtoss' },
    { tick: 12, type: 'upgrade_completed', player: 1, upgrade_name: 'Charge' },
    { tick: 25, type: 'upgrade_completed', player: 1, upgrade_name: 'BlinkTech' },
    { tick: 20, type: 'unit_destroyed', tag: { index: 2, generation: 1 }, pos },
    { tick: 30, type: 'construction_completed', tag: { index: 6, generation: 1 } },
  ]);
  assert.deepEqual(match.forces(15).get(1), {
    army: [
      ['Stalker', 2],
      ['WarpPrism', 1],
    ],
    lost: [],
    building: [['Nexus', 0.25]],
    upgrades: ['Charge'],
  });
  assert.deepEqual(match.forces(15).get(2), {
    army: [],
    lost: [],
    building: [['SpawningPool', null]],
    upgrades: [],
  });
  assert.deepEqual(match.forces(40).get(1), {
    army: [
      ['Stalker', 1],
      ['WarpPrism', 1],
    ],
    lost: [['Stalker', 1]],
    building: [],
    upgrades: ['BlinkTech', 'Charge'],
  });
  assert.deepEqual(['SCV', 'Larva', 'VikingFighter', 'VikingAssault', 'Zergling'].map(unitKind), [
    'worker',
    'larva',
    'air',
    'army',
    'army',
  ]);
  assert.ok(footprint('Nexus') > footprint('Gateway') && footprint('Gateway') > footprint('Pylon'));
});

test('a fight of StarCraft II is where units died together', () => {
  const at = (x, y) => ({ x: x * 4096, y: y * 4096 });
  const made = (index, owner) => ({
    tick: 1,
    type: 'unit_created',
    tag: { index, generation: 1 },
    owner,
    pos: at(10, 10),
    unit_type_name: 'Zealot',
  });
  const died = (index, tick, x, y) => ({
    tick,
    type: 'unit_destroyed',
    tag: { index, generation: 1 },
    pos: at(x, y),
  });
  const all = [1, 2, 3, 4, 5, 6, 7, 8];
  const match = new Match([
    ...all.map((index) => made(index, index === 8 ? 0 : (index % 2) + 1)),
    died(6, 100, 90, 90), // elsewhere
    died(8, 100, 31, 40), // neutral
    ...[1, 2, 3, 4, 5].map((index) => died(index, 100 + index, 30 + index, 40)),
  ]);
  assert.equal(match.fight(104), null);
  assert.deepEqual(match.fight(110), { left: 31, right: 35, low: 40, high: 40, lost: 5 });
  assert.equal(match.fight(500), null);
});

test('units of StarCraft II that warp in are units, not buildings', () => {
  const pos = { x: 4096, y: 4096, z: 0 };
  const tag = { index: 1, generation: 1 };
  const match = new Match([
    { tick: 10, type: 'construction_started', tag, owner: 1, pos, unit_type_name: 'Zealot' },
    { tick: 30, type: 'construction_completed', tag },
  ]);
  assert.equal(match.units[0].building, false);
  assert.deepEqual(match.forces(20).get(1), { army: [], lost: [], building: [['Zealot', 0.5]], upgrades: [] });
  assert.deepEqual(match.forces(30).get(1), { army: [['Zealot', 1]], lost: [], building: [], upgrades: [] });
});

test('units of StarCraft II are selected by the players that selected them last', () => {
  const tag = (index) => ({ index, generation: 1 });
  const unit = (index) => ({ tick: 1, type: 'unit_created', tag: tag(index), owner: 1, pos: { x: 4096, y: 4096 } });
  const change = (tick, player, added, removed) => ({ tick, type: 'selection_changed', player, added, removed });
  const match = new Match([
    unit(1),
    unit(2),
    change(10, 1, [tag(1), tag(2), tag(99)], []),
    change(20, 2, [tag(2)], null),
    // A unit that is removed and added by one change is selected.
    change(30, 1, [tag(1)], [tag(1), tag(2)]),
    change(40, 2, 7, [tag(2), null]),
  ]);
  const selectors = (loop) => match.units.map((each) => each.selectors.at(loop));
  assert.deepEqual(selectors(9), [null, null]);
  assert.deepEqual(selectors(10), [[1], [1]]);
  assert.deepEqual(selectors(20), [[1], [1, 2]]);
  assert.deepEqual(selectors(30), [[1], [2]]);
  assert.deepEqual(selectors(40), [[1], []]);
});

test('units of StarCraft II are at their last reported positions', () => {
  const tag = { index: 5, generation: 1 };
  const at = (x, y) => ({ x: x * 4096, y: y * 4096, z: 0 });
  const match = new Match([
    { tick: 10, type: 'construction_started', tag, owner: 1, pos: at(3, 4), unit_type_name: 'Nexus' },
    { tick: 20, type: 'construction_completed', tag },
    { tick: 30, type: 'unit_position_sample', positions: [{ tag, pos: at(6, 8) }] },
    { tick: 35, type: 'unit_owner_change', unit_tag_index: 5, unit_tag_recycle: 1, owner: 2 },
    { tick: 38, type: 'unit_type_change', unit_tag_index: 5, unit_tag_recycle: 1, unit_type_name: 'Gate' },
    { tick: 40, type: 'unit_destroyed', tag, pos: at(0, 0) },
    {
      tick: 50,
      type: 'unit_created',
      tag: { index: 5, generation: 2 },
      owner: 1,
      pos: at(1, 1),
      unit_type_name: 'Probe',
    },
    { tick: 12, type: 'camera_position_sample', player: 2, viewport_center: at(7, 7), zoom_level: 0 },
    { tick: 60, type: 'ability_used', player: 1, target: at(2, 2) },
    { tick: 61, type: 'ability_used', player: 1, target: null },
    { tick: 'x', type: 'unit_created' },
    null,
    7,
  ]);
  assert.equal(match.units.length, 2);
  const [nexus] = match.units;
  assert.ok(nexus.building);
  assert.deepEqual([nexus.born, nexus.done, nexus.died], [10, 20, 40]);
  assert.equal(nexus.places.at(9), null);
  assert.deepEqual(nexus.places.at(29), { x: 3, y: 4 });
  assert.deepEqual(nexus.places.at(39), { x: 6, y: 8 });
  assert.deepEqual(nexus.places.at(99), { x: 6, y: 8 });
  assert.deepEqual([nexus.owners.at(34), nexus.owners.at(35)], [1, 2]);
  assert.equal(nexus.types.at(39), 'Gate');
  assert.deepEqual(match.cameras.get(2).at(12), { x: 7, y: 7, zoom: 34 });
  assert.equal(match.orders.length, 1);
  assert.deepEqual(match.bounds, { left: 1, right: 7, low: 1, high: 8 });
});

test('a path is read completely and thinned, and unreadable points are counted', async () => {
  const line = (i) => JSON.stringify({ tick: i, time_ms: i * 100, position: [i % 2000, (2 * i) % 4000, 5] });
  const lines = Array.from({ length: 1000 }, (_, i) =>
    i === 500 ? '{broken' : i === 600 ? '{"position":[1]}' : line(i),
  );
  const recording = { ticks: 1000, lines: async (from, count) => lines.slice(from, from + Math.min(count, 77)) };
  const track = await readTrack(recording, () => false);
  assert.equal(track.count, 998);
  assert.equal(track.unreadable, 2);
  assert.deepEqual([...track.places.slice(3, 6)], [1, 5, -2]);
  assert.ok(Math.abs(track.speeds[10] - Math.hypot(10, 20)) < 1e-3);
  assert.equal(track.at(-1), -1);
  assert.equal(track.at(250), 2);
  assert.equal(track.at(1e9), 997);
  let calls = 0;
  const endless = { ticks: 1e9, lines: async () => (++calls > 3 ? [] : ['{}']) };
  assert.equal((await readTrack(endless, () => false)).count, 0);
  const huge = { ticks: 400000, lines: async (from, count) => Array.from({ length: count }, (_, i) => line(from + i)) };
  const thinned = await readTrack(huge, () => false);
  assert.ok(thinned.count <= 40001 && thinned.times[thinned.count - 1] === 399999 * 100, String(thinned.count));
});

// The contrast of WCAG.
function luminance(colour) {
  const parts = [1, 3, 5]
    .map((i) => parseInt(colour.slice(i, i + 2), 16) / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

test('drawings stand out from the page in both themes', () => {
  for (const name of ['dark', 'light']) {
    const colours = coloursFor(name);
    assert.ok(contrast(colours.text, colours.background) >= 7);
    assert.ok(contrast(colours.quiet, colours.background) >= 4.5);
    for (const colour of [
      ...colours.groups,
      colours.stunned,
      colours.disc,
      ...[0, 1, 2].map((t) => teamColour(colours, t)),
    ]) {
      assert.ok(contrast(colour, colours.background) >= 3, `${name} ${colour}`);
      assert.ok(contrast(colour, colours.wall) >= 3, `${name} ${colour} on the wall`);
    }
  }
});

test('colours of groups are stable, ramps increase', () => {
  const groups = new GroupColours(coloursFor('dark'));
  const first = groups.of('a');
  assert.notEqual(groups.of('b'), first);
  assert.equal(groups.of('a'), first);
  for (let i = 0; i < 10000; ++i) groups.of(`g${i}`);
  assert.ok(groups.names().length <= 4096);
  for (const name of ['dark', 'light']) {
    const colours = coloursFor(name);
    const far = (share) => contrast(heatText(share, colours), colours.wall);
    assert.ok(far(1) > far(0.5) && far(0.5) > far(0.2), name);
    assert.match(rampText(NaN, colours), /^#[0-9a-f]{6}$/);
  }
});

test('steps of grids are round numbers', () => {
  for (const [length, step] of [
    [100, 10],
    [1, 0.1],
    [64, 10],
    [0.5, 0.05],
    [5174, 1000],
  ]) {
    assert.ok(Math.abs(roundStep(length, 10) / step - 1) < 1e-9, `${length}: ${roundStep(length, 10)}`);
  }
});

test('the drawing does not depend on the first tick read', () => {
  const empty = { tick: 0, cells: [], cursor: { position: { x: 1, y: 1 } } };
  const later = {
    tick: 9,
    cells: Array.from({ length: 30 }, (_, id) => ({ id, position: { x: id, y: 2 } })),
    cursor: { position: { x: 1, y: 1 } },
  };
  const ids = (...given) => findPositions(...given).map(({ id, count }) => [id, count]);
  assert.equal(findPositions(empty)[0].id, 'cursor.position');
  assert.deepEqual(ids(empty, [], [later]), ids(later, [], [empty]));
  assert.equal(findPositions(empty, [], [later])[0].id, 'cells[].position');
  // Columns alone identify it, too: the whole recording is searched for them.
  const columns = later.cells.flatMap(({ id }) => [
    { path: `cells[${id}].position.x` },
    { path: `cells[${id}].position.y` },
  ]);
  assert.equal(findPositions(empty, columns)[0].id, 'cells[].position');
  assert.doesNotThrow(() =>
    findPositions(empty, [
      { path: '__proto__.x' },
      { path: 'a[0][1].x' },
      { path: 'a' },
      { path: 'a.b' },
      { path: '' },
      { path: '[[[' },
    ]),
  );
});

test('names never cover what is drawn over the picture', () => {
  const point = { x: 50, y: 50, wide: 40, high: 18 };
  const [free] = placeLabels([point], 200, 200);
  const taken = [{ left: 20, top: 20, wide: 60, high: 20 }];
  const [moved] = placeLabels([point], 200, 200, taken);
  assert.ok(free.top < 40 && moved.top >= 40, `${free.top} ${moved.top}`);
  assert.deepEqual(placeLabels([point], 200, 200, [{ left: 0, top: 0, wide: 200, high: 200 }]), [null]);
});

test('names never overlap, and are beside their object or omitted', () => {
  const random = randomOf(seed);
  for (let round = 0; round < 200; ++round) {
    const [width, height] = [100 + random() * 1500, 100 + random() * 900];
    const points = Array.from({ length: Math.floor(random() * 40) }, () => ({
      x: random() * width,
      y: random() * height,
      wide: 20 + random() * 150,
      high: 18,
    }));
    const boxes = placeLabels(points, width, height);
    boxes.forEach((box, at) => {
      if (!box) return;
      const { x, y } = points[at];
      assert.ok(box.left >= 0 && box.top >= 0 && box.left + box.wide <= width && box.top + box.high <= height);
      const [dx, dy] = [
        Math.max(0, box.left - x, x - box.left - box.wide),
        Math.max(0, box.top - y, y - box.top - box.high),
      ];
      assert.ok(Math.hypot(dx, dy) <= 26, `${dx} ${dy}`);
      for (const other of boxes.slice(0, at)) {
        if (other)
          assert.ok(
            box.left >= other.left + other.wide ||
              other.left >= box.left + box.wide ||
              box.top >= other.top + other.high ||
              other.top >= box.top + box.high,
          );
      }
    });
    // The most important one is placed wherever there is space.
    if (points.length && points[0].y > 60 && points[0].wide < width) assert.ok(boxes[0]);
  }
});

test('between two ticks players are interpolated, except for jumps', () => {
  const tick = (x, disc) => ({
    session: {
      disc: { position: [disc, 0, 0] },
      teams: [
        {
          players: [
            {
              name: 'A',
              head: { position: [x, 1, 2], forward: [0, 0, 1], up: [0, 1, 0] },
              body: { position: [x, 0, 2] },
            },
            { name: 'B', head: { position: [0, 0, 0] } },
          ],
        },
      ],
    },
  });
  const next = new EchoReader().read(tick(2, 30));
  const now = blend(new EchoReader().read(tick(1, 0)), next, 0.25);
  assert.ok(Math.abs(now.players[0].head[0] - 1.25) < 1e-6 && Math.abs(now.players[0].body[0] - 1.25) < 1e-6);
  assert.equal(now.disc[0], 0);
  // A player who is missing in the next tick stays, and another order is recognised.
  const swapped = tick(2, 0);
  swapped.session.teams[0].players.reverse();
  assert.ok(
    Math.abs(blend(new EchoReader().read(tick(1, 0)), new EchoReader().read(swapped), 0.5).players[0].head[0] - 1.5) <
      1e-6,
  );
  swapped.session.teams[0].players.pop();
  assert.equal(blend(new EchoReader().read(tick(1, 0)), new EchoReader().read(swapped), 0.5).players[0].head[0], 1);
});
