// Names in a recording are untrusted: limited in length, on one line, and never markup.

const longestName = 24;

// Control characters, direction overrides, and zero-width characters: they could hide or reorder the text
// around them.
const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ufeff\ufff0-\ufffb\ufffe\uffff]/gu;
const loneSurrogate = /\p{Surrogate}/gu;
const stackedMarks = /(\p{M}{2})\p{M}+/gu;

// A name for display: at most `limit` characters, never empty.
export function tidyName(value, limit = longestName) {
  if (value === null || value === undefined) return "?";
  // Truncated first, so that a name of a megabyte is cheap.
  let text = String(value).slice(0, limit * 16);
  text = text.replace(loneSurrogate, "\ufffd").replace(unseen, " ").replace(stackedMarks, "$1").trim();
  const letters = Array.from(text);
  if (letters.length > limit) text = letters.slice(0, limit - 1).join("").trimEnd() + "…";
  return text === "" ? "?" : text;
}

// Escapes text and attributes of XML, SVG and HTML.
export function escapeXml(value) {
  return String(value)
    .replace(loneSurrogate, "\ufffd")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;");
}

// Minutes and seconds of file time: 83456 -> "1:23".
export function clockText(ms) {
  const seconds = Math.max(0, Math.floor((Number.isFinite(ms) ? ms : 0) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
