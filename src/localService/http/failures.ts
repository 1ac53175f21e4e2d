import type { ErrorHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';

import { codeOf } from '../store/database.ts';
import { isDiskFull } from '../store/diskFull.ts';
import { answerError, HttpError } from './errors.ts';

/**
 * Makes the answer to everything that a route throws. What is no answer to the caller is reported, without query values.
 *
 * @param report receives a line for each failure inside the service
 */
export function failureAnswers(report: (line: string) => void): ErrorHandler {
  return (error, c) => {
    if (error instanceof HttpError) {
      return answerError(c, error);
    }
    if (error instanceof HTTPException) {
      return answerError(c, new HttpError(error.status, 'The request was refused.'));
    }
    if ('code' in error && error.code === 'ECONNRESET') {
      // The client has gone while its body was read: no fault of the service, and nobody receives the answer.
      return answerError(c, new HttpError(400, 'The request is incomplete.'));
    }
    if (isDiskFull(error)) {
      report(`${c.req.method} ${reportedPath(c.req.path)}: there is no space left for the data (${codeOf(error)}).`);
      return answerError(c, DISK_FULL);
    }
    report(`${c.req.method} ${reportedPath(c.req.path)}: ${error.stack ?? error.message}`);
    return answerError(c, new HttpError(500, 'internal server error'));
  };
}

/** RFC 4918 §11.5. */
const DISK_FULL = new HttpError(
  507,
  'The disk of the service is full, so nothing was changed. Free some space, and try again.',
);

/** A path as reports have it: whoever knows that of a download can use it. */
function reportedPath(path: string): string {
  return path.startsWith('/downloads/') ? '/downloads/…' : path;
}
