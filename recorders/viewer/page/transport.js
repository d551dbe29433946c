// The buttons, fields and keys that move the cursor.
import { make } from './dom.js';
import { icon } from './icons.js';
import { speeds } from './player.js';
import { clockText, parsePlace, timeText } from './text.js';

const keysHelp = [
  ['Space, K', 'play and pause'],
  ['J, L', '10 seconds back, forward'],
  ['\u2190, \u2192', '5 seconds back, forward; with Shift 1 second'],
  [', and .', 'one tick back, forward'],
  ['< and >', 'slower, faster'],
  ['Home, End', 'the beginning, the end'],
  ['0 to 9', 'tenths of the recording'],
  ['N, P', 'next and previous event'],
  ['C', 'next camera'],
  ['S', 'hide what comes later'],
  ['I, O', 'begin and end a selected part'],
  ['R', 'select a part around the cursor, or none'],
  ['F', 'full screen'],
  ['H', 'show or hide the panel'],
  ['G', 'go to a tick, a time or a clock'],
  ['Escape', 'put down the pen'],
  ['?', 'these keys'],
];

// Whether a live recording receives data, and since when it does not.
function liveState(recording, player) {
  const line = make('output', { class: 'live-state', 'aria-label': 'Live state', hidden: true });
  const say = () => {
    const { state, forMs } = recording.liveState ?? {};
    line.hidden = !state;
    if (!state) return;
    line.dataset.state = state;
    const since = forMs === undefined ? '' : ` ${timeText(forMs)}`;
    const text = {
      live: 'receiving',
      stalled: `no data for${since}`,
      gone: `recorder gone, for${since}`,
      ended: 'ended',
    }[state];
    if (line.textContent !== text) line.textContent = text;
  };
  const timer = setInterval(say, 500);
  player.gone.addEventListener('abort', () => clearInterval(timer));
  say();
  return line;
}

// Where a place can be entered: a tick, a time or a clock.
function placeField(player) {
  const jump = make('input', {
    class: 'jump',
    'aria-label': 'Go to a tick (120), a time (1m30s) or a clock (8:30)',
    placeholder: '1m30s, 8:30',
    title: 'Go to a tick (120), a time (1m30s) or a clock (8:30)',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const go = make(
    'form',
    {
      class: 'go',
      onsubmit: (event) => {
        event.preventDefault();
        const place = parsePlace(jump.value);
        const found = place !== null && player.jump(place);
        jump.setCustomValidity(
          found ? '' : place ? 'The clock never shows that' : 'A tick (120), a time (1m30s) or a clock (8:30)',
        );
        if (found) jump.blur();
        else jump.reportValidity();
      },
    },
    jump,
  );
  jump.addEventListener('input', () => jump.setCustomValidity(''));
  return { go, jump };
}

// What each key of keysHelp does. Returns a function that ends it.
function listenForKeys(recording, player, actions) {
  const keys = {
    ' ': () => player.toggle(),
    k: () => player.toggle(),
    j: () => player.seekTime(player.timeMs - 10_000),
    l: () => player.seekTime(player.timeMs + 10_000),
    ArrowLeft: (event) => player.seekTime(player.timeMs - (event.shiftKey ? 1000 : 5000)),
    ArrowRight: (event) => player.seekTime(player.timeMs + (event.shiftKey ? 1000 : 5000)),
    ',': () => player.step(-1),
    '.': () => player.step(1),
    '<': () => player.faster(-1),
    '>': () => player.faster(1),
    Home: () => player.seekTick(recording.firstTick),
    End: () => player.seekTick(recording.lastTick),
    g: actions.jump,
    i: () => actions.range({ from: player.timeMs, to: Math.max(player.range?.to ?? 0, player.timeMs + 5000) }),
    o: () => actions.range({ from: Math.min(player.range?.from ?? Infinity, player.timeMs - 5000), to: player.timeMs }),
    r: () => actions.range(),
    f: actions.fullscreen,
    h: actions.panel,
    c: actions.camera,
    s: actions.spoilerFree,
    n: () => actions.event(1),
    p: () => actions.event(-1),
    '?': actions.help,
    Escape: actions.leave,
  };
  const onkey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const on = event.target;
    if (
      on.closest?.('input, select, textarea, dialog') ||
      (on.closest?.('button, summary, [role=tab]') && (event.key === ' ' || event.key === 'Enter'))
    )
      return;
    if (on.closest?.('[role=tab]') && event.key.startsWith('Arrow')) return;
    if (on.closest?.('.scrolls') && (event.key === 'Home' || event.key === 'End')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = /^[0-9]$/.test(key)
      ? () => player.seekTime(recording.firstTimeMs + (player.duration * Number(key)) / 10)
      : keys[key];
    if (!action) return;
    event.preventDefault();
    action(event);
  };
  document.addEventListener('keydown', onkey);
  return () => document.removeEventListener('keydown', onkey);
}

// The time, the game's clock and the tick.
function timeNumbers(recording, player) {
  const time = make('output', { class: 'time', 'aria-label': 'Time in the recording' });
  const clock = make('output', { class: 'clock', 'aria-label': "The game's clock", title: "The game's clock" });
  const tick = make('output', { class: 'tick', title: 'Tick' });
  let said = -Infinity;
  const update = () => {
    // Numbers that change with every picture would be redrawn each time, and could not be read.
    const now = performance.now();
    if (player.playing && now - said < 100) return;
    said = now;
    const begun = recording.firstTimeMs;
    time.textContent =
      timeText(player.timeMs - begun, 2) + (player.hideLength ? '' : ` / ${timeText(recording.lastTimeMs - begun)}`);
    const shown = recording.clockOf(player.tick);
    clock.textContent = shown === null ? '' : `clock ${clockText(shown)}`;
    clock.hidden = shown === null;
    tick.textContent = `tick ${player.tick}`;
  };
  return { element: make('div', { class: 'numbers' }, time, clock, tick), update };
}

function speedField(player) {
  const field = make(
    'select',
    { 'aria-label': 'Speed', title: 'Speed (< and >)', onchange: () => player.setSpeed(Number(field.value)) },
    speeds.map((each) => make('option', { value: String(each) }, `${each}\u00d7`)),
  );
  return field;
}

function keysDialog() {
  return make(
    'dialog',
    { class: 'help' },
    make('h2', {}, 'Keys'),
    make(
      'dl',
      {},
      keysHelp.flatMap(([keys, what]) => [make('dt', {}, keys), make('dd', {}, what)]),
    ),
    make('form', { method: 'dialog' }, make('button', { autofocus: true }, 'Close')),
  );
}

// A browser may refuse, which changes nothing.
export function toggleFullscreen(element) {
  const done = document.fullscreenElement ? document.exitFullscreen() : element.requestFullscreen?.();
  done?.catch?.(() => {});
}

// `help`: the dialog with the keys.
export function createTransport(recording, player, { actions }) {
  const button = (name, title, onclick) =>
    make('button', { class: 'icon', title, 'aria-label': title, onclick, type: 'button' }, icon(name));
  const play = button('play', 'Play (Space)', () => player.toggle());
  const speed = speedField(player);
  const numbers = timeNumbers(recording, player);
  const { go, jump } = placeField(player);
  const live = make(
    'button',
    {
      class: 'live',
      type: 'button',
      hidden: !recording.live,
      title: 'Go to the live position',
      onclick: () => player.goLive(),
    },
    'Live',
  );

  const help = keysDialog();
  const showHelp = () => help.showModal();
  const element = make(
    'div',
    { class: 'transport', role: 'group', 'aria-label': 'Transport' },
    make(
      'div',
      { class: 'buttons' },
      button('back', 'One tick back (,)', () => player.step(-1)),
      play,
      button('on', 'One tick forward (.)', () => player.step(1)),
      speed,
      live,
      liveState(recording, player),
    ),
    numbers.element,
    go,
    make(
      'div',
      { class: 'buttons' },
      make(
        'button',
        {
          type: 'button',
          title: 'Select a part: to loop, link or save it (R, or Shift and drag)',
          onclick: () => actions.range(),
        },
        'Select',
      ),
      button('full', 'Full screen (F)', actions.fullscreen),
      make(
        'button',
        { type: 'button', class: 'icon', title: 'Keys (?)', 'aria-label': 'Keys', onclick: showHelp },
        '?',
      ),
    ),
  );

  let wasPlaying = null;
  const update = () => {
    if (player.playing !== wasPlaying) {
      wasPlaying = player.playing;
      play.replaceChildren(icon(player.playing ? 'pause' : 'play'));
      const title = player.playing ? 'Pause (Space)' : 'Play (Space)';
      play.title = title;
      play.setAttribute('aria-label', title);
    }
    const value = String(
      speeds.reduce((best, each) => (Math.abs(each - player.speed) < Math.abs(best - player.speed) ? each : best)),
    );
    if (speed.value !== value) speed.value = value;
    live.classList.toggle('now', player.live);
    live.setAttribute('aria-pressed', String(player.live));
    numbers.update();
  };
  player.onchange(update);
  update();

  const stopKeys = listenForKeys(recording, player, { ...actions, help: showHelp, jump: () => jump.focus() });
  return { element, help, dispose: stopKeys };
}
