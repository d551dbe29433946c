// One sentence that describes a match: who played, who won, the score, and the moment that decided it. It states only
// what the recording contains: no winner where none is known.
import { findHighlights } from './highlights.js';
import { eventTime } from './kinds.js';
import { kindTitle, lostText, sentenceOf } from './sentences.js';
import { mapTitle, shownText, timeText } from './text.js';

const won = /^(win|won|winner|victory)$/i;
const lost = /^(loss|lost|loser|defeat)$/i;
const drew = /^(tie|draw|drawn)$/i;
const maxNames = 4;
const goalNearMs = 5000; // between a goal and the tick at which the score has it
const sides = ['blue', 'orange'];
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

const longOf = ({ firstTimeMs, lastTimeMs }) => timeText(lastTimeMs - firstTimeMs);

export const counted = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

// "Ada, Bo and 3 more"
export function listed(names) {
  const shown = names.slice(0, names.length > maxNames ? maxNames - 1 : maxNames);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return [shown.slice(0, -1).join(', '), shown.at(-1)].filter(Boolean).join(' and ');
}

// A team's name, if players gave it one.
export function teamName(team, otherwise) {
  const name = team?.team_name ?? team?.team;
  return typeof name === 'string' && !/^(blue|orange) team$/i.test(name) && name !== ''
    ? shownText(name, 40)
    : otherwise;
}

// The row of the score from which on `side` (1 or 2) was ahead until the end; null if it was from the first one on.
function lastTurn(score, side) {
  let at = score.length;
  while (at > 0 && score[at - 1][side] > score[at - 1][3 - side]) --at;
  return (at > 0 && score[at]) || null;
}

// The goal that made that row.
function goalOf(events, side, ms) {
  let nearest = null;
  for (const event of events)
    if (event.type === 'goal' && (event.team ?? event.player?.team) === sides[side - 1])
      if (Math.abs(event.time_ms - ms) < Math.abs((nearest?.time_ms ?? Infinity) - ms)) nearest = event;
  return nearest && Math.abs(nearest.time_ms - ms) <= goalNearMs ? nearest : null;
}

function topScorer(events) {
  const sums = new Map();
  for (const { type, player, points } of events)
    if (type === 'goal' && player?.name) sums.set(player.name, (sums.get(player.name) ?? 0) + (points ?? 1));
  const [first, second] = [...sums].sort((a, b) => b[1] - a[1]);
  return first && first[1] > (second?.[1] ?? 0)
    ? `${shownText(first[0], 40)} scored ${counted(first[1], 'point')}`
    : null;
}

// Of Echo VR, with points of two teams.
function scoreStory(of, events) {
  const { recording, score, last, nameOf } = of;
  const names = sides.map((side, at) => teamName(last?.teams?.[at], side[0].toUpperCase() + side.slice(1)));
  const [, ...points] = score.at(-1);
  const ended = events.findLast(({ type }) => type === 'match_ended');
  const begun = events.filter(({ type }) => type === 'match_started').length;
  const rounds = last?.total_round_count > 1;
  const seen = ended && !ended.uncertain && !rounds;
  const winner = sides.indexOf(seen ? ended.winner : recording.info.winner);
  const ahead = winner >= 0 ? winner : points[0] === points[1] ? -1 : Number(points[1] > points[0]);
  const text = (pair, first = Math.max(0, ahead)) => `${pair[first]} : ${pair[1 - first]}`;
  const parts = [];
  if (winner >= 0) {
    const result = rounds ? [last.blue_round_score, last.orange_round_score] : points;
    const shown = result.every(isNumber) ? ` ${text(result)}${rounds ? ' in rounds' : ''}` : '';
    parts.push(`${names[winner]} beat ${names[1 - winner]}${shown}`);
  } else {
    const over = rounds ? (last.blue_round_score ?? 0) + (last.orange_round_score ?? 0) : 0;
    const round = rounds ? ` in round ${Math.min(last.total_round_count, over + 1)}` : '';
    const end = seen ? 'at the end' : 'when the recording ends';
    parts.push(
      ahead < 0
        ? `${names[0]} and ${names[1]} have ${text(points)}${round} ${end}`
        : `${names[ahead]} leads ${names[1 - ahead]} ${text(points)}${round} ${end}`,
    );
  }
  if (begun > 1) parts[0] = `The last of ${begun} matches: ${parts[0]}`;
  parts.push(topScorer(events));
  const turn = ahead < 0 || begun > 1 ? null : lastTurn(score, ahead + 1);
  if (!turn) return { parts, moment: null };
  const goal = goalOf(events, ahead + 1, recording.timeOf(turn[0]));
  const at = goal ?? { tick: turn[0], time_ms: recording.timeOf(turn[0]), game_clock: recording.clockOf(turn[0]) };
  const who = goal?.player?.name ? ` by ${shownText(goal.player.name, 40)}` : '';
  parts.push(`${winner >= 0 && !rounds ? 'decided' : 'ahead since'} ${eventTime(recording, at)}${who}`);
  return {
    parts,
    moment: {
      tick: at.tick,
      label: winner >= 0 ? 'Decisive goal' : 'Leading goal',
      title: (goal && sentenceOf(goal, nameOf)) ?? '',
    },
  };
}

// Of players with results; null if no player has one and there are no two.
function resultStory({ recording, last }) {
  const { info } = recording;
  const players = (info.players ?? []).filter(({ name, team }) => name && team !== 'spectator');
  const result = (player) => String(player.result ?? player.outcome ?? '');
  const withRace = players.length <= 2;
  const names = (list) =>
    listed(
      list.map(
        ({ name, race_english: race }) =>
          shownText(name, 40) + (withRace && typeof race === 'string' ? ` (${shownText(race, 20)})` : ''),
      ),
    );
  const [winners, losers] = [won, lost].map((kind) => players.filter((player) => kind.test(result(player))));
  const title = mapTitle(info.map_name ?? info.map);
  const where = typeof title === 'string' && title !== '' ? ` on ${shownText(title, 60)}` : '';
  const long = longOf(recording);
  if (winners.length > 0)
    return `${names(winners)} ${losers.length > 0 ? `beat ${names(losers)}` : 'won'}${where} after ${long}`;
  if (players.length < 2 || last) return null;
  if (players.every((player) => drew.test(result(player)))) return `${names(players)} drew${where} after ${long}`;
  const teams = [...new Set(players.map(({ team }) => team))].map((one) => players.filter(({ team }) => team === one));
  const against = teams.length === 2 ? `${names(teams[0])} against ${names(teams[1])}` : `${names(players)} play`;
  return `${against}${where} for ${long}; no winner is recorded`;
}

function pathStory(info, { recording }) {
  if (recording.stage !== 'path' || !isNumber(info.length_m)) return null;
  const who = /vehicle/.test(info.kind) ? 'A vehicle' : /foot/.test(info.kind) ? 'A walker' : 'Something';
  const top = info.top_speed_m_per_s > 0 ? `, at up to ${info.top_speed_m_per_s.toFixed(1)} m/s` : '';
  return `${who} moves ${Math.round(info.length_m)} m in ${longOf(recording)}${top}`;
}

// The most frequent kinds of events of anything else.
function countStory({ recording }, events) {
  const counts = new Map();
  for (const { type, count } of events) counts.set(type, (counts.get(type) ?? 0) + (count ?? 1));
  const kinds = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
  const long = longOf(recording);
  const what = kinds.map(([type, count]) => {
    const title = type === 'event' ? 'other event' : shownText(kindTitle(type), 40);
    // "player joined" is a sentence, which has no plural.
    return /(ed|left)$/.test(title) ? `${count.toLocaleString('en')} \u00d7 ${title}` : counted(count, title);
  });
  const players = recording.info.players ?? [];
  if (players.length > 0) what.unshift(counted(players.length, 'player'));
  return what.length > 0 ? `${listed(what)} in ${long}` : `${counted(recording.ticks, 'tick')} in ${long}`;
}

// In combat, points are the progress of the payload.
const hasScore = ({ recording: { info }, score, last }) =>
  score.some(([, blue, orange]) => blue > 0 || orange > 0) &&
  !/combat/i.test(`${info.match_type} ${info.map_name} ${last?.map_name}`);

const most = (list, key) => list.reduce((best, each) => (each[key] > (best?.[key] ?? 0) ? each : best), null);

// `of`: {recording, score: rows of the overview, last: the session of the last tick, fights, nameOf}. Returns {text,
// moment: {tick, label, title} or null}.
export function storyOf(of, events) {
  const { recording, fights, nameOf } = of;
  const known = hasScore(of)
    ? scoreStory(of, events)
    : { parts: [pathStory(recording.info, of) ?? resultStory(of) ?? countStory(of, events)], moment: null };
  const fight = most(fights, 'count');
  if (fight) {
    const when = timeText(fight.time_ms - recording.firstTimeMs);
    known.parts.push(`largest fight at ${when}: ${fight.count} lost${lostText(fight.sides, nameOf)}`);
  }
  const best = fight ? null : most(findHighlights(events, nameOf), 'score');
  const text = known.parts.filter(Boolean).join('; ');
  const moment =
    (fight && { tick: fight.tick, label: 'Largest fight', title: sentenceOf(fight, nameOf) }) ??
    (best && { tick: best.tick, label: 'Best moment', title: best.title });
  return { text: `${text[0].toUpperCase()}${text.slice(1)}.`, moment: known.moment ?? moment };
}
