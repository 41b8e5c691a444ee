/** What can go wrong. Errors of the connection are those of `fetch`: a `TypeError`, or the signal's reason. */

import type { Problem, ProblemCode, Review, SearchResponse } from "./types.js";

/** Any error of this package. */
export class TesujiError extends Error {
  override name = "TesujiError";
}

/** The service refused a request, or failed. `problem` is its answer, an RFC 9457 problem document. */
export class ProblemError extends TesujiError {
  override name = "ProblemError";
  /** The HTTP status. */
  readonly status: number;
  /** The stable code of this kind of problem, like `illegal_move`. */
  readonly code: ProblemCode;

  constructor(
    readonly problem: Problem,
    /** Seconds after which the service asks to try again, where it does. */
    readonly retryAfter: number | null = null,
  ) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
    this.status = problem.status;
    this.code = problem.code;
  }
}

/** A search or a review that had begun failed on the server. */
export class SearchFailed extends TesujiError {
  override name = "SearchFailed";
  constructor(readonly last: SearchResponse | Review) {
    super(`${last.id} failed on the server`);
  }
}

/** A stream ended before its final message. */
export class StreamInterrupted extends TesujiError {
  override name = "StreamInterrupted";
}

/** An answer that is not the service's: a proxy's, for instance. */
export class UnexpectedAnswer extends TesujiError {
  override name = "UnexpectedAnswer";
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(`HTTP status ${status}: ${text.slice(0, 200)}`);
  }
}

/** Seconds after which the service asks to try again. */
export function retryAfter(response: Response): number | null {
  const value = response.headers.get("Retry-After");
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

/** The exception for an answer that is no success. */
export async function failure(response: Response): Promise<TesujiError> {
  const text = await response.text();
  if (!/^application\/problem\+json\b/.test(response.headers.get("Content-Type") ?? "")) {
    return new UnexpectedAnswer(response.status, text);
  }
  return new ProblemError(JSON.parse(text) as Problem, retryAfter(response));
}
