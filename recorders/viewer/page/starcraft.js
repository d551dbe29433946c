// What players of StarCraft II look for: when was what built, what was said, and how army and income grew.
import { Chart } from './charts.js';
import { make } from './dom.js';
import { incomeOf } from './income.js';
import { eventTime } from './kinds.js';
import { shownText } from './text.js';

const mostSteps = 400;
const unbuilt = /^(Larva|Egg|.*Cocoon|Broodling.*|Locust.*|Beacon.*|KD8Charge|.*Burrowed|.*Sieged|.*Lowered|.*Flying|Interceptor|AutoTurret|CreepTumor.*|Changeling.*|MULE|Infested.*Egg)$/;
const fighters = (info) => (info.players ?? []).filter((player) => player.number !== undefined && player.team !== 'spectator');

export function buildOrder(events) {
  const byPlayer = new Map();
  const made = new Map();
  for (const event of events) {
    const owner = event.owner ?? event.player;
    const step = { construction_started: 'started', unit_created: 'made', unit_type_change: 'became', upgrade_completed: 'upgrade' }[event.type];
    const name = event.unit_type_name ?? event.upgrade_name;
    if (!step || !name || !owner || event.tick <= 1 || unbuilt.test(name)) continue;
    // Something that was begun is not said again when it is there.
    const key = event.tag ? `${event.tag.index}:${event.tag.generation}` : `${event.unit_tag_index}:${event.unit_tag_recycle}`;
    if (step !== 'upgrade' && made.get(key) === name) continue;
    made.set(key, name);
    if (!byPlayer.has(owner)) byPlayer.set(owner, []);
    byPlayer.get(owner).push({ event, step, name });
  }
  return byPlayer;
}

export function createBuildOrder(recording, player, events) {
  const order = buildOrder(events);
  const shown = [];
  const columns = fighters(recording.info).map(({ number, name, race }) => {
    const steps = order.get(number) ?? [];
    const list = steps.slice(0, mostSteps).map(({ event, step, name: what }) => {
      const row = make('li', {}, make('button', { type: 'button', onclick: () => player.seekTick(event.tick) },
        make('span', { class: 'when' }, eventTime(recording, event)), make('span', { class: 'what' }, shownText(what, 60), step === 'made' ? '' : make('small', {}, ` ${step}`))));
      shown.push({ row, tick: event.tick });
      return row;
    });
    return make('section', {}, make('h3', {}, shownText(name, 40), make('small', {}, race ? ` ${shownText(race, 20)}` : '')),
      steps.length ? make('ol', { class: 'plain' }, list) : make('p', { class: 'note' }, 'This replay does not tell.'),
      steps.length > mostSteps ? make('p', { class: 'note' }, `and ${steps.length - mostSteps} more`) : null);
  });
  const element = make('div', { class: 'build-order scrolls', tabindex: '0' }, columns);
  const follow = () => {
    for (const { row, tick } of shown) {
      row.hidden = element.spoilerFree && tick > player.tick;
      row.classList.toggle('later', tick > player.tick);
    }
  };
  player.onchange(() => element.offsetParent !== null && follow());
  element.refresh = follow;
  return element;
}

export function createChat(recording, player, events) {
  const said = events.filter(({ type }) => type === 'chat');
  const rows = said.map((event) => make('li', { 'data-tick': String(event.tick) }, make('button', { type: 'button', onclick: () => player.seekTick(event.tick) },
    make('span', { class: 'when' }, eventTime(recording, event)),
    make('span', { class: 'what' }, make('b', {}, `${shownText(event.from ?? `player ${event.player ?? event.user}`, 40)}: `), shownText(event.text ?? '', 500),
      event.recipient && event.recipient !== 'all' ? make('small', {}, ` to ${shownText(event.recipient, 20)}`) : ''))));
  const element = make('div', { class: 'chat scrolls', tabindex: '0' }, said.length ? make('ol', { class: 'plain' }, rows) : make('p', { class: 'note' }, 'Nobody said anything.'));
  const follow = () => said.forEach(({ tick }, at) => (rows[at].hidden = Boolean(element.spoilerFree) && tick > player.tick));
  player.onchange(() => element.offsetParent !== null && follow());
  element.refresh = follow;
  return element;
}

const curves = [['Army value', 'army_value', 1], ['Actions a minute', 'apm_x100', 0.01], ['Income a minute', 'collected', 1], ['Units alive', 'units_alive', 1]];

// Curves from the snapshots that the game itself takes.
export function createCurves(recording, player, events) {
  const snapshots = events.filter(({ type }) => type === 'player_stat_snapshot');
  const element = make('div', { class: 'curves' });
  if (snapshots.length === 0) return element;
  const players = fighters(recording.info);
  const ticks = [...new Set(snapshots.map(({ tick }) => tick))];
  const at = new Map(ticks.map((tick, place) => [tick, place]));
  const seconds = ticks.map((tick) => (recording.timeOf(tick) - recording.firstTimeMs) / 1000);
  element.charts = [];
  element.start = () => {
    if (element.charts.length) return;
    for (const [title, key, scale] of curves) {
      const lines = players.map(({ number, name }) => ({ label: shownText(name, 30), values: new Array(ticks.length).fill(null), number }));
      for (const { tick, player: who, stats } of snapshots) {
        const line = lines.find(({ number }) => number === who);
        if (line && typeof stats?.[key] === 'number') line.values[at.get(tick)] = stats[key] * scale;
      }
      if (key === 'collected') for (const line of lines) line.values = incomeOf(seconds, line.values);
      if (!lines.some(({ values }) => values.some((value) => value !== null))) continue;
      const chart = new Chart(recording, player, title);
      chart.spoilerFree = Boolean(element.spoilerFree);
      element.append(chart.element);
      chart.show({ seconds, lines });
      element.charts.push(chart);
    }
  };
  return element;
}
