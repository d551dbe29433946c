// What JavaScript records, the program verifies and prints as it was pushed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { open, TickreelError } from 'tickreel';
import { field, record } from 'tickreel/record.js';

const { TICKREEL_PROGRAM: program } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'tickreel-js-'));
after(() => rmSync(folder, { recursive: true }));

function ask(bytes, ...words) {
  const path = join(folder, 'recorded.reel');
  writeFileSync(path, bytes);
  const { status, stdout, stderr } = spawnSync(program, [words[0], path, ...words.slice(1)], { maxBuffer: 1 << 30 });
  return { status, text: stdout.toString(), stderr: stderr.toString() };
}
function linesOf(bytes, verb) {
  const { status, text, stderr } = ask(bytes, verb);
  assert.equal(status, 0, stderr);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('a match of JavaScript is what the program reads', async () => {
  const recorder = await record(
    {
      x: 'f32',
      name: 'text:8',
      state: ['idle', 'running'],
      at: { depth: 'i16', cells: [3, 'u8'], alive: 'bool' },
      units: [2, { id: 'u32', health: 'f64' }],
      height: field('f64', { optional: true, unit: 'm', tolerance: 0.01 }),
    },
    { rate: 60, name: 'world', metadata: { map: 'harbour' }, events: { goal: { player: 'i32', by: 'text:4' } } },
  );
  const pushed = [];
  for (let tick = 0; tick < 500; ++tick) {
    const state = {
      x: tick / 4,
      name: `ann ${tick}`,
      state: tick % 2 ? 'running' : 'idle',
      at: { depth: 100 - tick, cells: [1, 2, tick % 256], alive: tick % 3 === 0 },
      units: [
        { id: tick, health: tick / 8 },
        { id: 4294967295, health: -0.5 },
      ],
      height: tick % 5 ? 2.5 : null,
    };
    assert.equal(recorder.push(state), true);
    pushed.push(state);
    if (tick % 100 === 50) assert.equal(recorder.event('goal', { player: tick, by: 'head' }), true);
  }
  const bytes = recorder.close();
  assert.deepEqual(recorder.close(), bytes);
  const { isWhole, written, storedBytes } = recorder.counters();
  assert.deepEqual([isWhole, written, storedBytes], [true, 500, bytes.length]);
  assert.equal(ask(bytes, 'verify').status, 0);
  for (const ticks of [linesOf(bytes, 'cat'), [...(await open(bytes))]]) {
    assert.equal(ticks.length, pushed.length);
    ticks.forEach(({ tick, time_ms: time, ...state }, i) => {
      assert.deepEqual([tick, time], [i, Math.floor((i * 1000) / 60)]);
      assert.ok(state.height === null ? pushed[i].height === null : Math.abs(state.height - pushed[i].height) <= 0.01);
      assert.deepEqual({ ...state, height: null }, { ...pushed[i], height: null });
    });
  }
  assert.deepEqual(
    linesOf(bytes, 'events').map(({ tick, type, player, by }) => [tick, type, player, by]),
    [50, 150, 250, 350, 450].map((tick) => [tick, 'goal', tick, 'head']),
  );
  assert.match(ask(bytes, 'info').text, /metadata\.map +harbour/);
});

test('members keep their value, and a rejected push records nothing', async () => {
  const recorder = await record({ a: 'u8', b: 'i64', c: 'f32' }, { rate: 10 });
  recorder.push({ a: 255, b: -(2n ** 63n), c: NaN });
  for (const wrong of [{ a: 1, b: 1.5 }, { a: 256 }, { a: -1 }, { b: 2n ** 63n }, { c: '1' }, { d: 1 }, null, 7])
    assert.throws(() => recorder.push(wrong), /TypeError|RangeError/, JSON.stringify(String(wrong)));
  recorder.push({ c: 1.5 });
  recorder.pushAt(7, 900_000, { a: 1 });
  assert.equal(recorder.pushAt(7, 950_000, { a: 2 }), false);
  // By the rate it would be at 800 ms.
  recorder.push({ a: 3 });
  const bytes = recorder.close();
  assert.equal(recorder.counters().refused, 1);
  const { text } = ask(bytes, 'cat');
  assert.deepEqual(text.split('\n').slice(0, 4), [
    '{"tick":0,"time_ms":0,"a":255,"b":-9223372036854775808,"c":"NaN"}',
    '{"tick":1,"time_ms":100,"a":255,"b":-9223372036854775808,"c":1.5}',
    '{"tick":7,"time_ms":900,"a":1,"b":-9223372036854775808,"c":1.5}',
    '{"tick":8,"time_ms":900,"a":3,"b":-9223372036854775808,"c":1.5}',
  ]);
  assert.throws(() => recorder.push({ a: 1 }), TypeError);
});

// A page that closes loses what was not passed on yet, and nothing else.
test('bytes are passed on as they are sealed, and each prefix can be read', async () => {
  const received = [];
  const recorder = await record(
    { x: 'f64' },
    { rate: 60, sealIntervalMs: 1, onBytes: (bytes) => received.push(bytes) },
  );
  for (let tick = 0; tick < 50; ++tick) {
    recorder.push({ x: tick });
    const sealed = recorder.counters().written;
    while (recorder.counters().written === sealed) recorder.pump();
  }
  const beforeEnd = Buffer.concat(received);
  assert.equal(ask(beforeEnd, 'cat').text.trim().split('\n').length, 50);
  assert.deepEqual(recorder.close(), new Uint8Array(0));
  assert.equal(Buffer.concat(received).length, recorder.counters().storedBytes);
  assert.equal(ask(Buffer.concat(received), 'verify').status, 0);
});

test('a receiver that fails is counted, and close() throws its error', async () => {
  let calls = 0;
  const recorder = await record(
    { x: 'f64' },
    {
      onBytes: () => {
        if (++calls > 1) throw new Error('the disk is full');
      },
    },
  );
  recorder.push({ x: 1 });
  assert.throws(() => recorder.close(), /the disk is full/);
  assert.deepEqual([recorder.counters().receiverFailed, recorder.counters().isWhole], [1, false]);
});

test('a receiver that calls its recorder is refused, and the reel stays whole', async () => {
  const received = [];
  let refused = 0;
  const recorder = await record(
    { x: 'f64' },
    {
      rate: 60,
      sealIntervalMs: 1,
      onBytes(bytes) {
        received.push(bytes);
        for (const call of [() => recorder.push({ x: -1 }), () => recorder.pump(), () => recorder.close()]) {
          try {
            call();
          } catch (error) {
            if (error instanceof TypeError && /after onBytes has returned/.test(error.message)) ++refused;
          }
        }
      },
    },
  );
  for (let tick = 0; tick < 20; ++tick) {
    recorder.push({ x: tick });
    const { written } = recorder.counters();
    while (recorder.counters().written === written) recorder.pump();
  }
  recorder.close();
  // The header came before `recorder` had a value.
  assert.equal(refused, 3 * (received.length - 1));
  assert.equal(recorder.counters().isWhole, true);
  assert.deepEqual(
    linesOf(Buffer.concat(received), 'cat').map(({ x }) => x),
    [...Array(20).keys()],
  );
});

test('recorders that are not closed, and descriptions that fail, need little memory', async () => {
  const kept = [];
  for (let i = 0; i < 300; ++i) kept.push(await record({ x: 'f32' }, { rate: 60 }));
  kept[299].push({ x: 1 });
  assert.equal(linesOf(kept[299].close(), 'cat').length, 1);
  // 300 of 10 MB would be more than the module can have.
  const external = () => process.memoryUsage().external;
  assert.ok(external() < 1.5e9, String(external()));
  // The next descriptions use the memory of the first one.
  const fails = () => assert.rejects(record({ x: [100_000, 'f32'] }, { rate: -1 }));
  await fails();
  const first = external();
  for (let i = 0; i < 30; ++i) await fails();
  assert.ok(external() < first + 1e6, `${external()} after ${first}`);
});

test('several recorders at the same time', async () => {
  const all = await Promise.all([...Array(5).keys()].map(() => record({ x: 'u32' }, { rate: 30 })));
  for (let tick = 0; tick < 300; ++tick) all.forEach((each, i) => each.push({ x: tick * 10 + i }));
  all.forEach((each, i) =>
    assert.deepEqual(
      linesOf(each.close(), 'cat').map(({ x }) => x),
      [...Array(300).keys()].map((tick) => tick * 10 + i),
    ),
  );
});

// Numbers at random in a large struct: memory grows, and every value must come back.
test('random structs come back', async () => {
  const seed = Number(process.env.TICKREEL_TEST_SEED ?? 1);
  console.log(`seed ${seed}`);
  let state = BigInt(seed);
  const random = (below) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 33n) % below;
  };
  const types = ['f32', 'f64', 'i8', 'i16', 'i32', 'u8', 'u16', 'u32', 'bool'];
  const valueOf = (type) => {
    if (type === 'bool') return random(2) === 1;
    if (type === 'f32') return Math.fround(random(1e6) / 7 - 5e4);
    if (type === 'f64') return random(1e9) / 7;
    const bits = Number(type.slice(1));
    return random(2 ** Math.min(bits, 31)) - (type[0] === 'i' ? 2 ** Math.min(bits - 1, 30) : 0);
  };
  for (let round = 0; round < 20; ++round) {
    const fields = {};
    const members = 1 + random(40);
    for (let i = 0; i < members; ++i) {
      const type = types[random(types.length)];
      fields[`m${i}`] = random(3) === 0 ? [1 + random(50), type] : type;
    }
    const recorder = await record(fields, { rate: 60 });
    const pushed = [];
    for (let tick = 0; tick < 200; ++tick) {
      const values = {};
      for (const [name, type] of Object.entries(fields))
        values[name] = Array.isArray(type) ? Array.from({ length: type[0] }, () => valueOf(type[1])) : valueOf(type);
      recorder.push(values);
      pushed.push(values);
    }
    const ticks = linesOf(recorder.close(), 'cat');
    ticks.forEach(({ tick, time_ms: _, ...values }) => {
      for (const [name, value] of Object.entries(values))
        assert.deepEqual([value].flat().map(Math.fround), [pushed[tick][name]].flat().map(Math.fround), name);
    });
    assert.equal(ticks.length, 200);
  }
});

test('mistakes in a description are errors', async () => {
  for (const fields of [{}, { 'a.b': 'f32' }, { a: 'text:0' }, { a: field('f32', { tolerance: -1 }) }, { 'a\0': 'u8' }])
    await assert.rejects(record(fields), (error) =>
      [TickreelError, TypeError, RangeError].some((kind) => error instanceof kind),
    );
  await assert.rejects(record({ a: 'f16' }), /unknown type "f16"/);
  await assert.rejects(record({ a: field('f32', { relation: 'beside' }) }), /unknown relation/);
  assert.throws(() => field('f32', { units: 'm' }), /no option "units"/);
  await assert.rejects(record({ a: ['x', 'x'] }), /different names/);
  await assert.rejects(record({ a: field('u8', { count: 1.5 }) }), /count is an integer/);
  await assert.rejects(record({ a: 'text:70000' }), /bytes of a text/);
  await assert.rejects(record({ a: [300_000, 'f32'] }), /at most 1048576 bytes/);
  await assert.rejects(record({ a: 'u8' }, { fps: 60 }), /no option "fps"/);
  await assert.rejects(record({ a: 'u8' }, { events: { e: { t: 'text:1025' } } }), /an event has at most 1024 bytes/);
  await assert.rejects(record({ a: 'u8' }, { onBytes: 5 }), /onBytes is a function/);
  const refusing = () => {
    throw new Error('no room');
  };
  await assert.rejects(record({ a: 'u8' }, { onBytes: refusing }), /no room/);
  const texts = await record({ a: 'text:4' });
  for (const wrong of [null, undefined, 7, {}, 'a\0b']) assert.throws(() => texts.push({ a: wrong }), TypeError);
  await assert.rejects(
    record({ a: 'f32' }, { rate: -5 }),
    (error) => error instanceof TickreelError && error.code === 'invalid_argument',
  );
});
