// @ts-check
/** The error class of calls to the service. */

/** An error response of the service, or no response at all (`code` is then `offline`). */
export class ApiError extends Error {
  /**
   * @param {string} code
   * @param {string} detail
   * @param {{ status?: number, retryAfter?: number, errors?: { pointer: string, detail: string }[] }} [more]
   */
  constructor(code, detail, { status = 0, retryAfter, errors = [] } = {}) {
    super(detail);
    this.code = code;
    this.status = status;
    /** Seconds after which to try again. @type {number | undefined} */
    this.retryAfter = retryAfter;
    this.errors = errors;
  }

  /** Whether the same request may succeed a moment later. */
  get isTemporary() {
    return this.code === "offline" || this.status === 408 || this.status === 429 || this.status >= 500;
  }

  /** The index of the move that was refused, if it was one. */
  get refusedMove() {
    const [, index] = /^\/moves\/(\d+)$/.exec(this.errors[0]?.pointer ?? "") ?? [];
    return index === undefined ? null : Number(index);
  }
}
