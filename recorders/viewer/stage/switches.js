// The switches of a stage: booleans, or one of several `choices`.

export class Switches {
  #all;
  #changed;
  constructor(all, changed) {
    this.#all = all;
    this.#changed = changed;
  }
  list() {
    return this.#all.map((each) => ({ ...each }));
  }
  find(id) {
    return this.#all.find((each) => each.id === id);
  }
  on(id) {
    return this.value(id) === true;
  }
  value(id) {
    return this.find(id)?.value;
  }
  // False if there is no such switch or choice.
  set(id, value) {
    const found = this.find(id);
    if (!found) return false;
    if (found.choices ? !found.choices.some((choice) => choice.value === value) : typeof value !== "boolean") return false;
    found.value = value;
    this.#changed(id);
    return true;
  }
}
