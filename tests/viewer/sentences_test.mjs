// Events as sentences, highlights, and kinds of events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Kinds, teamColours } from '../../recorders/viewer/page/kinds.js';
import { bestOf, findHighlights } from '../../recorders/viewer/page/highlights.js';
import { partsOf, pinOf, sentenceOf } from '../../recorders/viewer/page/sentences.js';

test('events are sentences, never markup or empty', () => {
  const person = (name, team = 'blue') => ({ name, team });
  assert.equal(
    sentenceOf({
      type: 'goal',
      player: person('Halyard'),
      assist: person('lumen'),
      points: 2,
      distance_m: 12.3,
      team: 'blue',
    }),
    'Halyard scores for 2 from 12 m, assisted by lumen',
  );
  // A player cannot assist their own goal.
  assert.equal(
    sentenceOf({ type: 'goal', player: person('A'), assist: person('A'), distance_m: 0.2 }),
    'A scores at the goal',
  );
  assert.equal(sentenceOf({ type: 'stun', player: person('A'), victim: null }), 'A stuns an opponent');
  assert.equal(sentenceOf({ type: 'possession_changed', player: null }), null);
  assert.equal(
    sentenceOf(
      { type: 'unit_destroyed', owner: 1, killer_owner: 2, unit_type_name: 'SiegeTank' },
      (number) => ['', 'Ada', 'Bo'][number],
    ),
    'Ada loses Siege Tank to Bo',
  );
  const names = (number) => ['', 'Ada', 'Bo', 'Bo'][number];
  assert.equal(
    sentenceOf(
      {
        type: 'fight',
        count: 9,
        time_ms: 0,
        until_ms: 4000,
        sides: [
          [1, 4],
          [2, 2],
          [3, 3],
        ],
      },
      names,
    ),
    'A fight: 9 units lost in 4 s (Bo 5, Ada 4)',
  );
  assert.equal(sentenceOf({ type: 'player_leave', player: 1 }, names), 'Ada leaves the game');
  assert.equal(sentenceOf({ type: 'unit_owner_change', owner: 1, owner_before: 2 }, names), 'Ada takes a unit from Bo');
  assert.equal(
    sentenceOf({ type: 'resource_trade', player: 1, recipient_id: 2, resources: [400, 0, 0, 0] }, names),
    'Ada gives 400 minerals and 0 vespene to Bo',
  );
  assert.equal(sentenceOf({ type: 'match_ended', blue_points: 3, orange_points: 1 }), 'The match is over, 3 to 1');
  assert.equal(sentenceOf({ type: 'whistle' }), null);
  assert.deepEqual(pinOf({ type: 'goal', player: person('A'), points: 3, team: 'orange' }), {
    text: 'A 3',
    team: 'orange',
  });
  assert.equal(partsOf({ type: 'constructor' }), null);
  for (const type of [
    'goal',
    'throw',
    'stun',
    'save',
    'team_joust',
    'team_changed',
    'chat',
    'round_ended',
    'ping_spike',
    'unit_created',
    'pause_started',
  ]) {
    for (const event of [
      { type },
      { type, player: null, team: null, from: null },
      { type, player: { name: '\u202e' }, speed: 'x', text: null, distance_m: null },
      { type, player: 3, owner: [], victim: 7 },
    ]) {
      const said = partsOf(event);
      assert.ok(said === null || typeof said.text === 'string', JSON.stringify(event));
    }
  }
});

test('highlights are goals, saves, turns and fights, and the reel contains the best of them', () => {
  const at = (seconds, type, more = {}) => ({
    tick: seconds * 30,
    time_ms: seconds * 1000,
    type,
    player: { name: 'A' },
    ...more,
  });
  const events = [
    at(10, 'goal', { points: 3 }),
    at(20, 'throw'),
    at(30, 'save'),
    at(31, 'goal', { points: 2 }),
    at(50, 'stun'),
    at(52, 'stun'),
    at(55, 'stun'),
    at(80, 'stun'),
    at(90, 'steal'),
  ];
  const found = findHighlights(events);
  assert.deepEqual(
    found.map(({ group, from }) => [group, from / 1000]),
    [
      ['goal', 5],
      ['save', 25],
      ['goal', 26],
      ['fight', 45],
      ['turn', 85],
    ],
  );
  assert.equal(found[3].to, 58_000);
  // The save before the goal is part of the goal's moment.
  assert.deepEqual(
    bestOf(found).map(({ group }) => group),
    ['goal', 'goal', 'fight', 'turn'],
  );
  assert.deepEqual(
    bestOf(found, 1).map(({ tick }) => tick),
    [300],
  );
  const many = findHighlights(Array.from({ length: 400 }, (_, i) => at(i * 20, i % 3 ? 'save' : 'goal')));
  assert.equal(bestOf(many).length, 12);
  assert.ok(bestOf(many).every(({ group }) => group === 'goal'));
  // Losses of no player and small losses are not a fight.
  assert.deepEqual(findHighlights(Array.from({ length: 40 }, (_, i) => at(i, 'unit_destroyed'))), []);
  assert.equal(
    findHighlights(Array.from({ length: 40 }, (_, i) => at(i, 'unit_destroyed', { killer_owner: 2 }))).length,
    1,
  );
  assert.deepEqual(findHighlights([]), []);
});

test('events of a protocol, and units without a killer, do not hide what players did', () => {
  const raw = (type, stream) => ({ type, stream, seconds: 0 });
  const kinds = new Kinds([
    raw('decrement_game_time_remaining', 'game'),
    raw('camera_save', 'game'),
    raw('chat', 'message'),
    raw('player_leave', 'game'),
    { type: 'unit_destroyed', owner: 1, killer_owner: 2 },
    { type: 'unit_destroyed', owner: 1, killer_owner: null },
    { type: 'unit_destroyed', owner: 0, killer_owner: 2 },
    { type: 'unit_destroyed', owner: 1 },
    { type: 'selection_changed' },
    // A game of its own may have streams, and any types.
    { type: 'whistle', stream: 'Nile' },
  ]);
  assert.deepEqual(
    kinds.list.map(({ type, count, shown, protocol }) => [type, count, shown, protocol]),
    [
      ['chat', 1, true, false],
      ['player_leave', 1, true, false],
      ['unit_destroyed', 2, true, false],
      ['whistle', 1, true, false],
      ['selection_changed', 1, false, false],
      ['unit_removed', 2, false, false],
      ['camera_save', 1, false, true],
      ['decrement_game_time_remaining', 1, false, true],
    ],
  );
  // Nothing else is there to be shown.
  assert.ok(new Kinds([raw('camera_save', 'game')]).list[0].shown);
});

test('kinds of events have no team colours, and ten kinds have distinct colours', () => {
  for (const matches of [false, true]) {
    globalThis.matchMedia = () => ({ matches });
    const kinds = new Kinds([...'abcdefghij'].map((type) => ({ type })));
    assert.equal(new Set(kinds.list.map((kind) => `${kind.shape} ${kinds.colour(kind)}`)).size, 10);
    for (const kind of kinds.list) assert.ok(!Object.values(teamColours()).includes(kinds.colour(kind)), kind.type);
  }
});
