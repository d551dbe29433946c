// Events of a replay of StarCraft II.
import { withAnswers } from './page_user.mjs';

export const loss = (seconds, more = {}) => ({
  tick: Math.round(seconds * 16),
  time_ms: seconds * 1000,
  type: 'unit_destroyed',
  killer_owner: 2,
  ...more,
});

// For `init`: a reader whose recording has these events.
export const withEvents = (events) =>
  withAnswers(
    (call, text, lines) => (call === 'events' ? lines : text),
    events.map((each) => JSON.stringify(each)).join('\n'),
  );
