// Names in a recording are untrusted: limited in length, on one line, and never markup.

const longestName = 24;

// Control characters, direction overrides, and zero-width characters: they could hide or reorder the text
// around them.
const unseen = new RegExp(
  '[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u2028-\\u202f' +
    '\\u2060-\\u206f\\u3164\\ufeff\\ufff0-\\ufffb\\ufffe\\uffff]',
  'gu',
);
const loneSurrogate = /\p{Surrogate}/gu;
const stackedMarks = /(\p{M}{2})\p{M}+/gu;

// A name for display: at most `limit` characters, never empty.
export function tidyName(value, limit = longestName) {
  if (value === null || value === undefined) return '?';
  // Truncated first, so that a name of a megabyte is cheap.
  let text = String(value).slice(0, limit * 16);
  text = text.replace(loneSurrogate, '\ufffd').replace(unseen, ' ').replace(stackedMarks, '$1').trim();
  const letters = Array.from(text);
  if (letters.length > limit)
    text =
      letters
        .slice(0, limit - 1)
        .join('')
        .trimEnd() + '…';
  return text === '' ? '?' : text;
}

// Escapes text and attributes of XML, SVG and HTML.
export function escapeXml(value) {
  return String(value)
    .replace(loneSurrogate, '\ufffd')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

// Minutes and seconds of file time: 83456 -> "1:23".
export function clockText(ms) {
  const seconds = Math.max(0, Math.floor((Number.isFinite(ms) ? ms : 0) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

// Where a text of that size, whose middle is at x and whose lower edge at y, covers none of `taken` and is not cut at
// the sides of the picture: below them, if it must move. It is added to `taken`.
export function freePlace(taken, { x, y, wide, high }, width) {
  const half = Math.min(wide, width) / 2;
  const place = { x: Math.min(width - half, Math.max(half, x)), y, half, high };
  const covers = (other) => Math.abs(other.x - place.x) < other.half + half && Math.abs(other.y - place.y) < high;
  for (let other = taken.find(covers), tries = 0; other && tries < 8; other = taken.find(covers), ++tries)
    place.y = other.y + high;
  taken.push(place);
  return place;
}
