// @ts-check
/**
 * The service's API key. Entered in one tab, it is shared with all other open ones. It lasts as long as they do or, if the
 * reader chooses so, is stored on this device until it is forgotten.
 */

const NAME = "key";
/** How long other tabs have to answer, in milliseconds. */
const PATIENCE = 250;

/** Dispatches `change` when the key is set, replaced or removed. */
class Key extends EventTarget {
  /** Messages between tabs: a request for the key, the key, or null to forget it. */
  #tabs = typeof BroadcastChannel === "function" ? new BroadcastChannel(NAME) : null;
  /** The key of this tab, kept here in case the browser denies storage. */
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

  /** Whether this device stores the key. */
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

  /**
   * The key to try after `refused`: one taken over meanwhile or, if there was none, another tab's; else null.
   * @param {string | null} refused
   * @returns {Promise<string | null>}
   */
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

/** Accesses storage; null if the browser denies it. @template T @param {() => T} access */
function stored(access) {
  try {
    return access();
  } catch {
    return null;
  }
}

export const key = new Key();
