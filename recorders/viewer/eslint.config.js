// The linter's rules for the viewer's page and its tests; scripts/page_style runs it.
import js from '@eslint/js';

// Every name that the page takes from the browser. A misspelled name is an error.
const browser = `
  AbortController Blob CanvasRenderingContext2D CompressionStream CustomEvent DataTransfer DecompressionStream
  DragEvent Event File FileReaderSync HTMLCanvasElement HTMLElement ImageData Intl MediaRecorder MutationObserver
  OffscreenCanvas Path2D ResizeObserver
  Response TextDecoder TextEncoder URL URLSearchParams WebAssembly WebGL2RenderingContext WebSocket Worker
  addEventListener atob cancelAnimationFrame clearInterval clearTimeout console createImageBitmap customElements
  devicePixelRatio document fetch getComputedStyle history innerHeight innerWidth localStorage location
  matchMedia navigator onmessage performance postMessage queueMicrotask requestAnimationFrame self setInterval
  setTimeout window
`;
const node = 'Buffer URL URLSearchParams clearTimeout console fetch performance process setTimeout';
const readable = (names) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, 'readonly']),
  );

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: readable(browser) },
    rules: {
      // Text of recordings may hold control characters and marks; expressions name them.
      'no-control-regex': 'off',
      'no-misleading-character-class': 'off',
      // Functions of one kind have the same parameters.
      'no-unused-vars': ['error', { args: 'none' }],
      'max-len': ['error', { code: 120 }],
    },
  },
  { files: ['**/worker.js'], languageOptions: { globals: { onmessage: 'writable' } } },
  // Functions that a test gives to the browser use its names.
  { files: ['**/*.mjs'], languageOptions: { globals: readable(`${browser} ${node}`) } },
];
