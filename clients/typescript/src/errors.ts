/** The errors of this package. Errors of the connection are those of `fetch`: a `TypeError`, or the signal's reason. */

import type { Problem, ProblemCode, Review, SearchResponse } from "./types.js";

/** Any error of this package. */
export class TesujiError extends Error {
  override name = "TesujiError";
}

/** The service refused a request, or failed. `problem` is its response, an RFC 9457 problem document. */
export class ProblemError extends TesujiError {
  override name = "ProblemError";
  /** The HTTP status. */
  readonly status: number;
  /** The stable code of this kind of problem, like `illegal_move`. */
  readonly code: ProblemCode;

  constructor(
    readonly problem: Problem,
    /** The seconds in `Retry-After`, if the service sent them. */
    readonly retryAfter: number | null = null,
  ) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
    this.status = problem.status;
    this.code = problem.code;
  }
}

/** A search or a review failed on the server after it had begun. */
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

/** A response that is not from the service, but from a proxy, for instance. */
export class UnexpectedAnswer extends TesujiError {
  override name = "UnexpectedAnswer";
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(`HTTP status ${status}: ${text.slice(0, 200)}`);
  }
}

/** The seconds in `Retry-After`, if any. */
export function retryAfter(response: Response): number | null {
  const value = response.headers.get("Retry-After");
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

/** The exception for an error response. */
export async function failure(response: Response): Promise<TesujiError> {
  const text = await response.text();
  if (!/^application\/problem\+json\b/.test(response.headers.get("Content-Type") ?? "")) {
    return new UnexpectedAnswer(response.status, text);
  }
  return new ProblemError(JSON.parse(text) as Problem, retryAfter(response));
}
