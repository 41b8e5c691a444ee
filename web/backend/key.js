// @ts-check
/**
 * The service's API key. Entered in one tab, it is shared with all other open ones. It lasts as long as they do or, if the
 * reader chooses so, is stored on this device until it is forgotten.
 */

const NAME = "key";
/** How long other tabs have to answer, in milliseconds. */
const REPLY_TIMEOUT = 250;

/** Dispatches `change` when the key is set, replaced or removed. */
class Key extends EventTarget {
  /** Messages between tabs: a request for the key, the key, or null to forget it. */
  #tabs = typeof BroadcastChannel === "function" ? new BroadcastChannel(NAME) : null;
  /** The key of this tab, kept here in case the browser denies storage. */
  #value = tryStorage(() => sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME)) ?? null;

  constructor() {
    super();
    this.#tabs?.addEventListener("message", ({ data }) => {
      if (data === null) this.#update(null);
      else if (typeof data?.key === "string") this.#update(data.key);
      else if (this.#value !== null) this.#tabs?.postMessage({ key: this.#value });
    });
  }

  get value() {
    return this.#value;
  }

  /** Whether this device stores the key. */
  get remembered() {
    return tryStorage(() => localStorage.getItem(NAME)) !== null;
  }

  /** @param {string} key @param {boolean} remember */
  set(key, remember) {
    tryStorage(() => (remember ? localStorage.setItem(NAME, key) : localStorage.removeItem(NAME)));
    this.#update(key);
    this.#tabs?.postMessage({ key });
  }

  forget() {
    tryStorage(() => localStorage.removeItem(NAME));
    this.#update(null);
    this.#tabs?.postMessage(null);
  }

  /**
   * The key to try after `refused`: one taken over meanwhile or, if there was none, another tab's; else null.
   * @param {string | null} refused
   * @returns {Promise<string | null>}
   */
  async fromOtherTab(refused) {
    if (this.#value !== refused) return this.#value;
    if (refused !== null) return null;
    this.#tabs?.postMessage({ wanted: true });
    return Promise.race([this.next(), new Promise((resolve) => setTimeout(() => resolve(null), REPLY_TIMEOUT))]);
  }

  /** The next key that is entered, here or in another tab. @returns {Promise<string>} */
  next() {
    return new Promise((resolve) => {
      const listen = () => {
        if (this.#value === null) return;
        this.removeEventListener("change", listen);
        resolve(this.#value);
      };
      this.addEventListener("change", listen);
    });
  }

  /** @param {string | null} key */
  #update(key) {
    tryStorage(() => (key === null ? sessionStorage.removeItem(NAME) : sessionStorage.setItem(NAME, key)));
    if (key === this.#value) return;
    this.#value = key;
    this.dispatchEvent(new Event("change"));
  }
}

/** Accesses storage; null if the browser denies it. @template T @param {() => T} access */
function tryStorage(access) {
  try {
    return access();
  } catch {
    return null;
  }
}

export const key = new Key();
