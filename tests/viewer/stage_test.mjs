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
import { binPositions } from '../../recorders/viewer/stage/heatmap.js';
import { kindOf } from '../../recorders/viewer/stage/kind.js';
import { placeLabels } from '../../recorders/viewer/stage/labels.js';
import { roundStep } from '../../recorders/viewer/stage/round_step.js';
import { Match } from '../../recorders/viewer/stage/starcraft_match.js';
import { escapeXml, tidyName } from '../../recorders/viewer/stage/text.js';
import { readTrack } from '../../recorders/viewer/stage/track.js';
import { hostile } from './players.mjs';
import { randomOf, testSeed } from './seed.mjs';

const seed = testSeed();

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
