/** How failures are answered: as JSON to programs, as a page to browsers. */
import type { Context, ErrorHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';

import { answersJson, HttpError } from './http/errors.ts';
import { isClientGone } from './http/requestBody.ts';
import { errorPage } from './pages/layout.ts';
import { codeOf, isDiskFull } from './store/database.ts';

/** RFC 4918 §11.5. */
const DISK_FULL = new HttpError(
  507,
  'The disk of the service is full, so nothing was changed. Free some space, and try again.',
);

/** Answers with `{"error": message}` (contract, Errors, 1), or with a page that has the message. */
export async function answerError(c: Context, { status, message, headers }: HttpError): Promise<Response> {
  return answersJson(c)
    ? c.json({ error: message }, status, headers)
    : c.html(await errorPage(message), status, headers);
}

/**
 * Makes the answer to every error of a route. Failures of the service itself are reported, without query values.
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
    if (isClientGone(error)) {
      // No fault of the service, and there is no one to receive the answer.
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

/** A path as reports have it: that of a download is a capability. */
function reportedPath(path: string): string {
  return path.startsWith('/downloads/') ? '/downloads/…' : path;
}
