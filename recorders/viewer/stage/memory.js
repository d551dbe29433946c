// What the browser keeps for the next visit, if the page may use its storage: not on a page from disk, nor where
// storage is forbidden. Then it lasts as long as the page.

export function remember(name, text) {
  try {
    localStorage.setItem(`tickreel.${name}`, text);
  } catch {
    // As said above.
  }
}

export function recall(name) {
  try {
    return localStorage.getItem(`tickreel.${name}`);
  } catch {
    return null;
  }
}
