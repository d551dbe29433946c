// node measure.mjs FILE: the time until the first picture, the time of a seek, and the cost of a picture in this
// machine's Chromium; node measure.mjs ADDRESS: how far the page of `record echo --view` is behind the game. On a
// busy machine, processor time is more meaningful than elapsed time.
import { readdirSync, readFileSync } from 'node:fs';
import { PageUser, startBrowser } from './page_user.mjs';

// Milliseconds of processor time by kind of browser thread, which do not depend on other load.
function spent() {
  const processes = new Map();
  for (const id of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const parent = Number(
        readFileSync(`/proc/${id}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[1],
      );
      const type = /--type=([a-z-]+)/.exec(readFileSync(`/proc/${id}/cmdline`, 'utf8'))?.[1] ?? 'browser';
      processes.set(Number(id), { parent, type });
    } catch {
      // The process has ended meanwhile.
    }
  }
  const mine = (id) => id === process.pid || (processes.get(id)?.parent > 0 && mine(processes.get(id).parent));
  const sums = { all: 0, page: 0, reader: 0, drawing: 0, held: 0 };
  for (const [id, { type }] of processes) {
    if (id === process.pid || !mine(id)) continue;
    try {
      if (type === 'renderer')
        sums.held = Math.max(
          sums.held,
          Number(/^RssAnon:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) / 1024,
        );
      for (const thread of readdirSync(`/proc/${id}/task`)) {
        const ms = Number(readFileSync(`/proc/${id}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
        const name = readFileSync(`/proc/${id}/task/${thread}/comm`, 'utf8');
        sums.all += ms;
        if (type === 'gpu-process') sums.drawing += ms;
        else if (type === 'renderer') sums[/Worker/.test(name) ? 'reader' : 'page'] += ms;
      }
    } catch {
      // So has this one.
    }
  }
  return sums;
}
const since = (before) => Object.fromEntries(Object.entries(spent()).map(([key, ms]) => [key, ms - before[key]]));
const text = (sums, by = 1) =>
  `${(sums.all / by).toFixed(1)} ms of processors: page ${(sums.page / by).toFixed(1)}, reader ` +
  `${(sums.reader / by).toFixed(1)}, drawing ${(sums.drawing / by).toFixed(1)}`;

// Half a minute of shown ticks, compared with the clock of the same machine.
async function measureLive(address) {
  const browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(address);
  await page.waitForSelector('.viewer[data-ready]', { timeout: 120_000 });
  await page.waitForTimeout(5000);
  const rows = await page.evaluate(async () => {
    const recorded = ({ recorded_time: text }) => new Date(text.replaceAll('/', '-').replace(' ', 'T')).getTime();
    const out = [];
    for (const from = performance.now(); performance.now() - from < 30_000;) {
      const { recording } = window.tickreel;
      const shown = await recording.state(Number(document.querySelector('.viewer').dataset.tick));
      const last = await recording.state(recording.lastTick);
      out.push([Date.now() - recorded(shown), Date.now() - recorded(last)]);
      await new Promise((next) => setTimeout(next, 97));
    }
    return out;
  });
  for (const [at, what] of ['what is shown', 'the newest tick that is there'].entries()) {
    const sorted = rows.map((row) => row[at]).sort((a, b) => a - b);
    const part = (share) => sorted[Math.floor((sorted.length - 1) * share)];
    console.log(`${what} is behind: p50 ${part(0.5)} ms, p95 ${part(0.95)} ms, most ${part(1)} ms`);
  }
  await browser.close();
  process.exit();
}

const path = process.argv[2];
if (/^https?:/.test(path)) await measureLive(path);
const user = await new PageUser().start();
const empty = spent();
const begun = performance.now();
// The peak memory of the page's browser process; sampled often enough to see a filling buffer.
let most = 0;
const looking = setInterval(() => (most = Math.max(most, spent().held)), 200);
const page = await user.open(path, { until: '.viewer[data-tick]', height: 720 });
console.log(`first picture: ${Math.round(performance.now() - begun)} ms, ${text(since(empty))}`);
await page.waitForSelector('.viewer[data-ready]');
console.log(`everything: ${Math.round(performance.now() - begun)} ms, ${text(since(empty))}`);
const took = await page.evaluate(async () => {
  const { recording, viewer } = window.tickreel;
  const times = [];
  for (let at = 0; at < 100; ++at) {
    const tick =
      recording.firstTick + Math.floor(((at * 0.618033988749895) % 1) * (recording.lastTick - recording.firstTick));
    const from = performance.now();
    viewer.player.seekTick(tick);
    while (document.querySelector('.viewer').dataset.tick !== String(tick))
      await new Promise((next) => setTimeout(next, 1));
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b);
});
console.log(
  `a seek until it is drawn: p50 ${took[49].toFixed(1)} ms, p95 ${took[94].toFixed(1)} ms, most ` +
    `${took[99].toFixed(1)} ms`,
);
const before = spent();
const curve = await page.evaluate(async () => {
  const from = performance.now();
  await window.tickreel.recording.series('session.disc.position[0]', 800);
  return performance.now() - from;
});
console.log(`a curve of all of it: ${curve.toFixed(0)} ms, ${text(since(before))}`);
const session = await user.context.newCDPSession(page);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });
const counted = async () =>
  Object.fromEntries(
    (await session.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value * 1000]),
  );
const countedBefore = await counted();
const atRest = spent();
const { ticks, frames, seconds } = await page.evaluate(async () => {
  const { viewer, recording } = window.tickreel;
  viewer.player.seekTick(recording.firstTick);
  viewer.player.play();
  const seen = new Set();
  let frames = 0;
  // A fixed number also on a busy machine, which draws few per second: the first ones include compilation.
  const from = performance.now();
  while (seen.size < 150 && performance.now() - from < 60_000) {
    seen.add(document.querySelector('.viewer').dataset.tick);
    ++frames;
    await new Promise(requestAnimationFrame);
  }
  viewer.player.pause();
  return { ticks: seen.size, frames, seconds: (performance.now() - from) / 1000 };
});
console.log(
  `playing: ${(ticks / seconds).toFixed(1)} ticks a second drawn in ${(frames / seconds).toFixed(1)} ` +
    `frames; a tick costs ${text(since(atRest), ticks)}`,
);
const now = await counted();
const each = (name) => ((now[name] - countedBefore[name]) / ticks).toFixed(2);
console.log(
  `of the page's thread a tick: ${each('TaskDuration')} ms: script ${each('ScriptDuration')}, layout ` +
    `${each('LayoutDuration')}, style ${each('RecalcStyleDuration')}`,
);
clearInterval(looking);
console.log(`memory of the page's process: at most ${most.toFixed(0)} MB, now ${spent().held.toFixed(0)} MB`);
await user.stop();
