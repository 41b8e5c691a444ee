// @ts-check
/**
 * The key that the service asks for: entered in one tab, it serves all others that are open. It lasts as long as they do, or, where
 * the reader wants that, on this device until it is forgotten.
 */

const NAME = "key";
/** How long other tabs have to answer, in milliseconds. */
const PATIENCE = 250;

/** Tells `change` when there is a key, another, or none any more. */
class Key extends EventTarget {
  /** What the other tabs tell each other: that one looks for a key, the key, or that it is to be forgotten. */
  #tabs = typeof BroadcastChannel === "function" ? new BroadcastChannel(NAME) : null;
  /** Where the browser keeps nothing, the page does. */
  #here = stored(() => sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME)) ?? null;

  constructor() {
    super();
    this.#tabs?.addEventListener("message", ({ data }) => {
      if (data === null) this.#take(null);
      else if (typeof data?.key === "string") this.#take(data.key);
      else if (this.#here !== null) this.#tabs?.postMessage({ key: this.#here });
    });
  }

  get value() {
    return this.#here;
  }

  /** Whether this device keeps it. */
  get remembered() {
    return stored(() => localStorage.getItem(NAME)) !== null;
  }

  /** @param {string} key @param {boolean} remember */
  set(key, remember) {
    stored(() => (remember ? localStorage.setItem(NAME, key) : localStorage.removeItem(NAME)));
    this.#take(key);
    this.#tabs?.postMessage({ key });
  }

  forget() {
    stored(() => localStorage.removeItem(NAME));
    this.#take(null);
    this.#tabs?.postMessage(null);
  }

  /** The key of another tab, for one that had none, or had the one before. @param {string | null} refused @returns {Promise<string | null>} */
  async elsewhere(refused) {
    if (this.#here !== refused) return this.#here;
    if (refused !== null) return null;
    this.#tabs?.postMessage({ wanted: true });
    return Promise.race([this.changed(), new Promise((resolve) => setTimeout(() => resolve(null), PATIENCE))]);
  }

  /** The next key that is entered, here or in another tab. @returns {Promise<string>} */
  changed() {
    return new Promise((resolve) => {
      const listen = () => {
        if (this.#here === null) return;
        this.removeEventListener("change", listen);
        resolve(this.#here);
      };
      this.addEventListener("change", listen);
    });
  }

  /** @param {string | null} key */
  #take(key) {
    stored(() => (key === null ? sessionStorage.removeItem(NAME) : sessionStorage.setItem(NAME, key)));
    if (key === this.#here) return;
    this.#here = key;
    this.dispatchEvent(new Event("change"));
  }
}

/** A browser may keep nothing for this page. @template T @param {() => T} access */
function stored(access) {
  try {
    return access();
  } catch {
    return null;
  }
}

export const key = new Key();
