// Where units of StarCraft II are in the picture, who selects them, and where they fight.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { footprint, Match, unitKind } from '../../recorders/viewer/stage/starcraft_match.js';

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
