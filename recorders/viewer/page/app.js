// Finds the recordings to open: embedded in the page, named by the server, or dropped by the user.
import './app.css';
import { embeddedBytes } from './embedded.js';
import { fill, make } from './dom.js';
import { isMapFile } from './map_control.js';
import { recoverHint } from './facts.js';
import { followLive } from './live.js';
import { followPushed } from './pushed.js';
import { prepareReader } from './reader.js';
import { beginRecording, openRecording, UnreadableRecording } from './recording.js';
import { prepareCanvas } from '../stage/stage.js';
import { parseMoment, shownText } from './text.js';
import { Viewer } from './viewer.js';

// Each recording has its own reader.
const maxPaths = 12;

const host = document.getElementById('app');
// A single-file page contains its recording.
const carried = document.getElementById('recording');
let viewer = null;
let stopLive = () => {};
let opening = 0;
// A reel that was just created may not be readable yet.
const earlyTries = 20;
const soonMs = 500;
let tried = 0;

const picker = make('input', { type: 'file', class: 'hidden', tabindex: '-1', 'aria-hidden': 'true', multiple: true });
document.body.append(picker);
let picked = openFiles;
picker.addEventListener('change', () => {
  if (picker.files.length) picked([...picker.files]);
  picker.value = '';
});
function pick(then = openFiles) {
  picked = then;
  picker.click();
}

// A page without a recording.
function plain(...content) {
  fill(host, make('main', { class: 'welcome' }, make('h1', {}, 'Tickreel'), ...content));
}

function welcome(...more) {
  plain(
    make(
      'p',
      {},
      'Open a recording: Echo VR (.butter, .echoreplay, .tape), StarCraft II (.SC2Replay), SA-MP (.rec), Iron ' +
        'Curtain (.icrep), the DotA replay manager (.gamecache), .mcap, and reels of your own game.',
    ),
    more,
    make(
      'button',
      { type: 'button', class: 'drop', onclick: () => pick() },
      make('b', {}, 'Drop a recording here'),
      make('span', {}, 'or choose a file; two are shown side by side'),
    ),
    make('p', { class: 'note' }, 'Nothing is uploaded: the recording is read in this page, on your computer.'),
  );
}

const status = (text) => plain(make('p', { role: 'status' }, text));
const working = (name) => status(`Opening ${shownText(name, 120)}\u2026`);
const waiting = () => status('No match of this game is being recorded yet; it is shown when it begins.');

// The reader's message, its offset, and a hint if the file can be recovered.
function failure(error, name) {
  const place =
    error.offset === undefined || error.offset === null
      ? ''
      : ` (at offset ${error.offset}, hexadecimal ${Number(error.offset).toString(16)})`;
  return make(
    'div',
    { class: 'failure', role: 'alert' },
    make('h2', {}, `${shownText(name, 120)} cannot be opened`),
    make('p', {}, shownText(error.message, 600) + place),
    error.recoverable ? recoverHint(name) : null,
  );
}

async function show(source, { name, live = false, address = null, push = null }) {
  const mine = ++opening;
  stopLive();
  viewer?.close();
  viewer = null;
  working(name);
  let recording;
  try {
    recording = await beginRecording(source, { name, live });
  } catch (error) {
    if (mine !== opening) return null;
    if (live && ++tried < earlyTries) setTimeout(() => mine === opening && fromServer(), soonMs);
    else welcome(failure(error, name));
    return null;
  }
  if (mine !== opening) {
    recording.close();
    return null;
  }
  tried = 0;
  document.title = `${shownText(name, 80)} \u2013 Tickreel`;
  const moment = parseMoment(location.hash);
  moment.spoilerFree ||= 'spoilerFree' in (carried?.dataset ?? {});
  viewer = new Viewer(recording, moment, { onopen: () => pick(), oncompare: () => pick(compareFiles) });
  fill(host, viewer.element);
  if (live && address) {
    const of = viewer;
    const ended = (sentence, mayComeBack) => {
      if (sentence === 'another') fromServer();
      else if (mayComeBack) of.note(sentence, true);
      else of.ended(sentence);
    };
    stopLive = push ? followPushed(recording, push, address, ended) : followLive(recording, address, ended);
  }
  window.tickreel = { openRecording, recording, viewer };
  return recording;
}

// The picture that `view --map` gives.
const layMap = (bytes, known) => viewer?.loadMap(new File([bytes], known.name), known);

async function openFiles(files) {
  // Notes belong to what is open.
  if (viewer && files.length === 1 && files[0].name.endsWith('.notes.json')) return viewer.loadNotes(files[0]);
  if (viewer && files.length === 1 && (files[0].type.startsWith('image/') || isMapFile(files[0])))
    return viewer.loadMap(files[0]);
  // A link's moment does not apply to another file.
  if (viewer) history.replaceState(null, '', location.href.replace(/#.*$/, ''));
  if (await show(files[0], { name: files[0].name }))
    await beside(files.slice(1).map((file) => ({ name: file.name, load: () => file })));
}

// Two recordings are compared; the paths of more are drawn into one picture.
async function beside(others) {
  const with_ = viewer;
  if (others.length === 0) return;
  if (others.length === 1 || window.tickreel.recording.stage !== 'path')
    return besides(await others[0].load(), others[0].name);
  const opened = await Promise.allSettled(
    others.slice(0, maxPaths - 1).map(async ({ name, load }) => openRecording(await load(), { name })),
  );
  const all = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const paths = viewer === with_ ? all.filter(({ stage }) => stage === 'path') : [];
  for (const each of all) if (!paths.includes(each)) each.close();
  if (paths.length > 0) with_.together(paths);
  if (viewer === with_ && paths.length < others.length)
    with_.note(
      `${others.length - paths.length} of ${others.length + 1} recordings are not shown: up to ${maxPaths} ` +
        `paths (.rec) are drawn together.`,
    );
}

async function compareFiles([file]) {
  await besides(file, file.name);
}

async function besides(source, name) {
  const with_ = viewer;
  try {
    const recording = await openRecording(source, { name });
    if (viewer === with_) await with_.compare(recording);
    else recording.close();
  } catch (error) {
    const box = failure(error, name);
    box.append(make('button', { type: 'button', onclick: () => box.remove() }, 'Close'));
    with_.element.prepend(box);
    if (!(error instanceof UnreadableRecording)) console.warn(error.message);
  }
}

// With several live games, the one that the address names, whichever of its matches is current.
const game = new URLSearchParams(location.search).get('game');
const listAddress = game === null ? 'recording.json' : `recording.json?game=${encodeURIComponent(game)}`;
const games = make('nav', { class: 'targets', 'aria-label': 'Games that are being recorded', hidden: true });
const lookAgainMs = 3000;
let gamesSaid = '';

function offerGames({ games: list = [], game: shown }) {
  if (list.length < 2) return;
  const said = JSON.stringify([list, shown]);
  if (said === gamesSaid) return;
  if (gamesSaid === '') {
    document.body.prepend(games);
    setInterval(async () => {
      const answer = await fetch(listAddress, { cache: 'no-store' }).catch(() => null);
      if (answer?.ok) offerGames(await answer.json());
    }, lookAgainMs);
  }
  gamesSaid = said;
  games.hidden = false;
  fill(
    games,
    list.map(({ title, state }, at) =>
      make(
        'a',
        { href: `?game=${at}`, 'aria-current': at === shown ? 'page' : null },
        make('b', {}, shownText(title, 60)),
        ' ',
        make('small', {}, shownText(state, 40)),
      ),
    ),
  );
}

// `tickreel view` serves a list of recordings; a page from another server has none.
async function fromServer() {
  let said;
  try {
    const answer = await fetch(listAddress, { cache: 'no-store' });
    if (!answer.ok) return welcome();
    said = await answer.json();
    offerGames(said);
  } catch {
    return welcome();
  }
  const list = Array.isArray(said.recordings) ? said.recordings : [said];
  const load = async ({ name, live, address = 'recording' }, alone = true) => {
    if (alone && live && !name && said.games) waiting();
    else if (alone) working(name);
    const answer = await fetch(address, { cache: 'no-store' });
    // The previous match has ended, and the next one's reel does not exist yet.
    if (live && answer.status === 410) return new Blob([]);
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    const bytes = answer.blob();
    prepareCanvas();
    return bytes;
  };
  const [first, ...others] = list;
  try {
    const source = await load(first);
    // A reel that has just begun does not have a header yet.
    if (first.live && source.size === 0) return setTimeout(fromServer, soonMs);
    const opened = await show(source, {
      name: first.name,
      live: Boolean(first.live),
      address: first.address ?? 'recording',
      push: said.push,
    });
    if (opened && said.map) layMap(await (await fetch('map')).blob(), said.map);
    if (opened) await beside(others.map((each) => ({ name: each.name, load: () => load(each, false) })));
  } catch (error) {
    welcome(failure(error, first.name ?? 'the recording'));
  }
}

addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('dropping');
});
addEventListener('dragleave', (event) => event.relatedTarget === null && document.body.classList.remove('dropping'));
addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  if (event.dataTransfer.files.length) openFiles([...event.dataTransfer.files]);
});
addEventListener('hashchange', () => viewer?.go(parseMoment(location.hash)));

window.tickreel = { openRecording };
prepareReader();
if (carried) {
  show(new Blob([embeddedBytes('recording')]), { name: carried.dataset.name ?? 'recording' }).then((opened) => {
    const map = document.getElementById('map');
    if (opened && map) layMap(embeddedBytes('map'), map.dataset);
  });
} else if (location.protocol === 'file:') welcome();
else fromServer();
