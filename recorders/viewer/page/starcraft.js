// Facts about StarCraft II players: build orders, chat, and curves of army and income.
import { Chart } from './charts.js';
import { fill, make, scroller } from './dom.js';
import { fighters } from './economy.js';
import { eventTime } from './kinds.js';
import { shownText } from './text.js';

const maxSteps = 400;
const unbuiltNames =
  'Larva Egg .*Cocoon Broodling.* Locust.* Beacon.* KD8Charge .*Burrowed .*Sieged .*Lowered .*Flying Interceptor ' +
  'AutoTurret CreepTumor.* Changeling.* MULE Infested.*Egg';
const unbuilt = new RegExp(`^(${unbuiltNames.replaceAll(' ', '|')})$`);

export function buildOrder(events) {
  const byPlayer = new Map();
  const made = new Map();
  for (const event of events) {
    const owner = event.owner ?? event.player;
    const step = {
      construction_started: 'started',
      unit_created: 'made',
      unit_type_change: 'became',
      upgrade_completed: 'upgrade',
    }[event.type];
    const name = event.unit_type_name ?? event.upgrade_name;
    if (!step || !name || !owner || event.tick <= 1 || unbuilt.test(name)) continue;
    // A building that was started is not listed again when it is finished.
    const key = event.tag
      ? `${event.tag.index}:${event.tag.generation}`
      : `${event.unit_tag_index}:${event.unit_tag_recycle}`;
    if (step !== 'upgrade' && made.get(key) === name) continue;
    made.set(key, name);
    if (!byPlayer.has(owner)) byPlayer.set(owner, []);
    byPlayer.get(owner).push({ event, step, name });
  }
  return byPlayer;
}

function createBuildOrder(recording, player, events) {
  const order = buildOrder(events);
  const shown = [];
  const columns = fighters(recording.info).map(({ number, name, race }) => {
    const steps = order.get(number) ?? [];
    const list = steps.slice(0, maxSteps).map(({ event, step, name: what }) => {
      const row = make(
        'li',
        {},
        make(
          'button',
          { type: 'button', onclick: () => player.seekTick(event.tick) },
          make('span', { class: 'when' }, eventTime(recording, event)),
          make('span', { class: 'what' }, shownText(what, 60), step === 'made' ? '' : make('small', {}, ` ${step}`)),
        ),
      );
      shown.push({ row, tick: event.tick });
      return row;
    });
    return make(
      'section',
      {},
      make('h2', {}, shownText(name, 40), make('small', {}, race ? ` ${shownText(race, 20)}` : '')),
      steps.length
        ? make('ol', { class: 'plain' }, list)
        : make('p', { class: 'note' }, 'This replay does not contain build orders.'),
      steps.length > maxSteps ? make('p', { class: 'note spoils' }, `and ${steps.length - maxSteps} more`) : null,
    );
  });
  const element = scroller('Build orders', 'build-order scrolls', columns);
  const follow = () => {
    for (const { row, tick } of shown) {
      row.hidden = element.spoilerFree && tick > player.tick;
      row.classList.toggle('later', tick > player.tick);
    }
    for (const each of element.querySelectorAll('.spoils')) each.hidden = Boolean(element.spoilerFree);
  };
  player.onchange(() => element.offsetParent !== null && follow());
  element.refresh = follow;
  return element;
}

function createChat(recording, player, events) {
  const said = events.filter(({ type }) => type === 'chat');
  const rows = said.map((event) =>
    make(
      'li',
      { 'data-tick': String(event.tick) },
      make(
        'button',
        { type: 'button', onclick: () => player.seekTick(event.tick) },
        make('span', { class: 'when' }, eventTime(recording, event)),
        make(
          'span',
          { class: 'what' },
          make('b', {}, `${shownText(event.from ?? `player ${event.player ?? event.user}`, 40)}: `),
          shownText(event.text ?? '', 500),
          event.recipient && event.recipient !== 'all'
            ? make('small', {}, ` to ${shownText(event.recipient, 20)}`)
            : '',
        ),
      ),
    ),
  );
  const silence = make('p', { class: 'note' });
  const element = scroller('Chat', 'chat scrolls', make('ol', { class: 'plain' }, rows), silence);
  const follow = () => {
    said.forEach(({ tick }, at) => (rows[at].hidden = Boolean(element.spoilerFree) && tick > player.tick));
    silence.hidden = rows.some(({ hidden }) => !hidden);
    silence.textContent = element.spoilerFree ? 'Nobody has said anything yet.' : 'Nobody said anything.';
  };
  follow();
  player.onchange(() => element.offsetParent !== null && follow());
  element.refresh = follow;
  return element;
}

function createCurves(recording, player, events) {
  const element = make('div', { class: 'curves' });
  if (!events.some(({ type }) => type === 'player_stat_snapshot')) {
    element.append(
      make(
        'p',
        { class: 'note' },
        'This replay is older than the snapshots that curves of army, income and supply are made of (2.0.8).',
      ),
    );
    return element;
  }
  element.charts = [];
  element.start = async () => {
    if (element.begun) return;
    element.begun = true;
    const note = make('p', { class: 'note', role: 'status' }, 'Reading the snapshots\u2026');
    element.append(note);
    const { times, curves } = await recording.curves();
    const seconds = times.map((ms) => (ms - recording.firstTimeMs) / 1000);
    const names = new Map(fighters(recording.info).map(({ number, name }) => [number, shownText(name, 30)]));
    note.remove();
    for (const { title, unit, players } of curves) {
      const lines = players.map(({ number, values }) => ({ label: names.get(number), values }));
      if (!lines.some(({ values }) => values.some((value) => value !== null))) continue;
      const chart = new Chart(recording, player, [title, make('small', {}, ` ${unit}`)]);
      chart.spoilerFree = Boolean(element.spoilerFree);
      element.append(chart.element);
      chart.show({ seconds, lines });
      element.charts.push(chart);
    }
  };
  return element;
}

// Fills the tabs and curves that need the events.
export function showStarcraft(recording, player, events, parts) {
  const { tabs, curves, watch } = parts;
  const [build, chat] = (parts.late = [createBuildOrder, createChat].map((each) => each(recording, player, events)));
  const graph = (parts.graph = createCurves(recording, player, events));
  fill(tabs.element.querySelector('[data-tab=build]'), build);
  fill(tabs.element.querySelector('[data-tab=chat]'), chat);
  fill(curves, graph);
  parts.startCurves = () => graph.start?.();
  // A link may have opened the tab before.
  if (tabs.shown() === 'charts') parts.startCurves();
  if (!events.some(({ type }) => type === 'player_stat_snapshot')) return;
  recording
    .curves()
    .then((list) => (watch.curves = list))
    .then(() => player.refresh())
    .catch(() => {});
}
