// Data embedded in a single-file page, as base64 in elements that no browser runs.

// The element's bytes, or null if the page is not a single file.
export function embeddedBytes(id) {
  const element = document.getElementById(id);
  if (!element || element.tagName !== 'SCRIPT') return null;
  const text = atob(element.textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; ++at) bytes[at] = text.charCodeAt(at);
  return bytes;
}

let worker = null;
export function workerAddress() {
  const bytes = worker ? null : embeddedBytes('worker');
  worker ??= bytes ? URL.createObjectURL(new Blob([bytes], { type: 'text/javascript' })) : 'worker.js';
  return worker;
}

let reader = null;
// Bytes, or their address.
export const readerSource = () =>
  (reader ??= embeddedBytes('reader')?.buffer ?? new URL('reader.wasm', location.href).href);
// A single-file page contains only the reader that it needs.
const isSingleFile = () => readerSource() instanceof ArrayBuffer;
// The folder of the readers that the first one names for the formats that it does not support.
export const otherReaders = () => (isSingleFile() ? null : new URL('.', location.href).href);
// The address of the module for queries.
export const queryModule = () => (isSingleFile() ? null : new URL('query.wasm', location.href).href);
