import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** A failure that the caller is told about: `{"error": message}` or, for a browser, a page. */
export class ServiceError extends Error {
  readonly status: ContentfulStatusCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: ContentfulStatusCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'ServiceError';
    this.status = status;
    this.headers = headers;
  }
}

/** 401 with the challenge that RFC 9110 §15.5.2 asks for. */
export function unauthorized(message: string): ServiceError {
  return new ServiceError(401, message, {
    'WWW-Authenticate': 'Basic realm="Application Build Service", charset="UTF-8"',
  });
}

export function notFound(message = 'not found'): ServiceError {
  return new ServiceError(404, message);
}

/** A failure to start: the program prints `message` and ends with status 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
