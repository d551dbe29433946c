// Players of a recording, one with a name that is markup.
export const hostile = '<img src=x onerror=alert(1)>"\'&</svg><script>';

export const players = [
  { name: 'a', team: 'blue' },
  { name: hostile, team: 'orange' },
];
