// The games of a gamecache: a table with search, the selected game, statistics of heroes and players.
import { fill, make } from './dom.js';
import { counted, listed } from './story.js';
import { parseJson, shownText, timeText } from './text.js';

const maxRows = 300;
const maxGames = 200_000;

const playersOf = (game) => game.players ?? [];
const won = (game, player) => {
  const winner = String(game.winner_name ?? '').replace(/_by_.*$/, '');
  return winner === 'sentinel' || winner === 'scourge' ? winner === player.team_name : null;
};
const dateText = (seconds) => (seconds ? new Date(seconds * 1000).toISOString().slice(0, 10) : '');
const heroOf = (player) => player.hero_name ?? (player.hero === undefined ? '' : `hero ${player.hero}`);
const percent = (part, of) => (of ? `${Math.round((100 * part) / of)} %` : '');
const mean = (sum, of) => (of ? (sum / of).toFixed(1) : '');

// Groups rows by the result of `key` for each player of each game.
function tally(games, key) {
  const found = new Map();
  for (const game of games) {
    for (const player of playersOf(game)) {
      const name = key(player);
      if (!name) continue;
      let row = found.get(name);
      if (!row)
        found.set(name, (row = { name, games: 0, decided: 0, won: 0, kills: 0, deaths: 0, assists: 0, creeps: 0 }));
      row.games += 1;
      const result = won(game, player);
      row.decided += result === null ? 0 : 1;
      row.won += result ? 1 : 0;
      for (const number of ['kills', 'deaths', 'assists', 'creeps']) row[number] += player[number] ?? 0;
    }
  }
  return [...found.values()];
}

// A sortable table: [[title, value of a row, text of a row, numeric]].
function sortedTable(columns, list, { sort = 0, onrow = null, label }) {
  const body = make('tbody');
  const note = make('p', { class: 'note' });
  let by = sort;
  let down = columns[sort][3] ?? false;
  const heads = columns.map(([title, , , numeric], at) =>
    make(
      'th',
      { scope: 'col', class: numeric ? 'number' : null },
      make(
        'button',
        {
          type: 'button',
          onclick: () => {
            down = by === at ? !down : (numeric ?? false);
            by = at;
            draw();
          },
        },
        title,
      ),
    ),
  );
  const table = make('table', { class: 'sorted', 'aria-label': label }, make('thead', {}, make('tr', {}, heads)), body);
  function draw() {
    const value = columns[by][1];
    const compare = (a, b) =>
      typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
    const ordered = [...list].sort((a, b) => (down ? -1 : 1) * compare(value(a) ?? '', value(b) ?? ''));
    heads.forEach((head, at) =>
      head.setAttribute('aria-sort', at === by ? (down ? 'descending' : 'ascending') : 'none'),
    );
    fill(
      body,
      ordered.slice(0, maxRows).map((row) =>
        make(
          'tr',
          onrow
            ? {
                class: 'choice',
                onclick: ({ currentTarget }) => onrow(row, currentTarget.querySelector('button')),
              }
            : {},
          columns.map(([, , text, numeric], at) =>
            make(
              'td',
              { class: numeric ? 'number' : null },
              // For keys and screen readers; a click anywhere in the row does the same.
              onrow && at === 0 ? make('button', { type: 'button', class: 'bare' }, text(row)) : text(row),
            ),
          ),
        ),
      ),
    );
    note.textContent =
      ordered.length > maxRows
        ? `${maxRows} of ${ordered.length} rows: search or sort to see others`
        : `${ordered.length} rows`;
  }
  draw();
  return make('div', {}, note, make('div', { class: 'scrolls-wide' }, table));
}

const sums = (title) => [
  [title, (row) => row.name, (row) => shownText(row.name, 40)],
  ['Games', (row) => row.games, (row) => String(row.games), true],
  ['Won', (row) => (row.decided ? row.won / row.decided : -1), (row) => percent(row.won, row.decided), true],
  ['Kills', (row) => row.kills / row.games, (row) => mean(row.kills, row.games), true],
  ['Deaths', (row) => row.deaths / row.games, (row) => mean(row.deaths, row.games), true],
  ['Assists', (row) => row.assists / row.games, (row) => mean(row.assists, row.games), true],
  ['Creeps', (row) => row.creeps / row.games, (row) => mean(row.creeps, row.games), true],
];

const gameColumns = [
  ['Game', (game) => game.name ?? '', (game) => shownText((game.name ?? '').trim() || '\u2013', 50)],
  ['Played', (game) => game.modified ?? 0, (game) => dateText(game.modified), true],
  [
    'Length',
    (game) => game.length_ms ?? 0,
    (game) => (game.length_ms === undefined ? '' : timeText(game.length_ms)),
    true,
  ],
  ['Map', (game) => game.map_version ?? 0, (game) => shownText(game.map_version_text ?? '', 12)],
  ['Winner', (game) => game.winner_name ?? '', (game) => shownText((game.winner_name ?? '').replaceAll('_', ' '), 30)],
  ['Players', (game) => playersOf(game).length, (game) => String(playersOf(game).length), true],
];

const playerColumns = [
  ['Player', (player) => player.name ?? '', (player) => shownText(player.name ?? '', 40)],
  [
    'Team',
    (player) => player.team_name ?? player.team ?? '',
    (player) => shownText(player.team_name ?? player.team ?? '', 20),
  ],
  ['Hero', heroOf, (player) => shownText(heroOf(player), 40)],
  ...[
    ['Level', 'level'],
    ['Kills', 'kills'],
    ['Deaths', 'deaths'],
    ['Assists', 'assists'],
    ['Creeps', 'creeps'],
    ['Denies', 'denies'],
    ['Item gold', 'item_gold'],
  ].map(([title, key]) => [title, (player) => player[key] ?? -1, (player) => String(player[key] ?? ''), true]),
];

async function allGames(recording) {
  const games = [];
  for (let from = 0; games.length < maxGames;) {
    const lines = await recording.lines(from, 256);
    if (lines.length === 0) break;
    for (const line of lines) games.push(parseJson(line));
    from = games.at(-1).tick + 1;
  }
  return games;
}

// What the search looks into.
const namesIn = (game) => [
  game.name,
  game.path,
  game.winner_name,
  ...playersOf(game).flatMap((player) => [player.name, heroOf(player)]),
];

// One game with its players. `choose` shows it, and closing it returns to the button that chose it.
function chosenGame() {
  const chosen = make('section', { class: 'game-chosen', hidden: true, 'aria-live': 'polite' });
  let opener = null;
  function close() {
    chosen.hidden = true;
    opener?.focus();
  }
  chosen.addEventListener('keydown', ({ key }) => key === 'Escape' && close());

  function choose(game, button) {
    opener = button;
    chosen.hidden = false;
    const title = make('h2', { tabindex: '-1' }, shownText((game.name ?? '').trim() || `Game ${game.tick}`, 80));
    const facts = [
      dateText(game.modified),
      game.length_ms === undefined ? '' : timeText(game.length_ms),
      game.mode,
      game.winner_name && `winner ${game.winner_name.replaceAll('_', ' ')}`,
    ]
      .filter(Boolean)
      .map((text) => shownText(text, 60))
      .join(' \u00b7 ');
    const path = game.path ? make('p', { class: 'note' }, shownText(game.path, 300)) : null;
    fill(
      chosen,
      make('button', { type: 'button', class: 'small right', onclick: close, 'aria-label': 'Close' }, '\u00d7'),
      title,
      make('p', {}, facts),
      path,
      sortedTable(playerColumns, playersOf(game), { sort: 1, label: 'Players of the game' }),
    );
    title.focus();
  }
  return { chosen, choose };
}

// "3 games of 1:20:00 in all: sentinel won 2, scourge won 1."
function gamesText(games) {
  const wins = new Map();
  for (const { winner_name: winner } of games)
    if (winner && winner !== 'unknown') wins.set(winner, (wins.get(winner) ?? 0) + 1);
  const long = timeText(games.reduce((sum, { length_ms: ms }) => sum + (ms ?? 0), 0));
  const won = [...wins].sort((a, b) => b[1] - a[1]);
  const results = won.map(([name, count]) => `${shownText(name.replaceAll('_', ' '), 40)} won ${count}`);
  return `${counted(games.length, 'game')} of ${long} in all${results.length ? `: ${listed(results)}` : ''}.`;
}

export function createGames(recording) {
  const search = make('input', {
    type: 'search',
    placeholder: 'Search games, players, heroes',
    'aria-label': 'Search games, players, heroes',
  });
  const result = make('div', { class: 'games-result' }, make('p', { class: 'note', role: 'status' }, 'Reading\u2026'));
  const story = make('p', { class: 'story', hidden: true });
  const { chosen, choose } = chosenGame();
  const views = { Games: 'games', Heroes: 'heroes', Players: 'players' };
  let games = [];
  let view = 'games';
  const choices = Object.entries(views).map(([title, key]) =>
    make(
      'button',
      {
        type: 'button',
        'aria-pressed': String(key === view),
        onclick: (event) => {
          view = key;
          for (const each of choices) each.setAttribute('aria-pressed', String(each === event.currentTarget));
          draw();
        },
      },
      title,
    ),
  );

  function draw() {
    const wanted = search.value.trim().toLowerCase();
    const matches = (text) =>
      String(text ?? '')
        .toLowerCase()
        .includes(wanted);
    const list = wanted === '' || view !== 'games' ? games : games.filter((game) => namesIn(game).some(matches));
    if (view === 'games') fill(result, sortedTable(gameColumns, list, { sort: 1, onrow: choose, label: 'Games' }));
    else {
      const rows = tally(games, view === 'heroes' ? heroOf : (player) => player.name).filter(({ name }) =>
        matches(name),
      );
      fill(result, sortedTable(sums(view === 'heroes' ? 'Hero' : 'Player'), rows, { sort: 1, label: view }));
    }
  }
  search.addEventListener('input', draw);
  allGames(recording).then(
    (list) => {
      games = list;
      story.hidden = games.length === 0;
      story.textContent = gamesText(games);
      draw();
    },
    (error) => fill(result, make('p', { class: 'bad', role: 'alert' }, error.message)),
  );
  return make(
    'main',
    { class: 'games' },
    story,
    make(
      'div',
      { class: 'row-of' },
      search,
      make('div', { class: 'choices', role: 'group', 'aria-label': 'Table' }, choices),
    ),
    chosen,
    result,
  );
}
