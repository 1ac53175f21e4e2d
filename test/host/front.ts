/**
 * Loaded into the packaged server before it starts. server-main.js leaves two answers to the product around it:
 * half of the key that encrypts the workbench's secrets (without it a reload loses them), and `/proxy/PORT/…`, where the
 * workbench sends loopback addresses that an extension opens (here a redirect to the address itself).
 * APP_BUILD_SECRET_KEY: the 32 bytes of the key, in base64.
 */
import http from 'node:http';

const key = Buffer.from(process.env.APP_BUILD_SECRET_KEY ?? '', 'base64');
delete process.env.APP_BUILD_SECRET_KEY;
// Forked processes inherit these: the extension host is to start as it always does.
process.execArgv = [];

/** @returns whether the request was ours. */
function answer(request: http.IncomingMessage, response: Pick<http.ServerResponse, 'writeHead' | 'end'>): boolean {
  if (request.method === 'POST' && request.url === '/mint-key') {
    response.end(key);
    return true;
  }
  const [, port, rest] = /^\/proxy\/(\d+)(\/.*)?$/.exec(request.url ?? '') ?? [];
  if (port === undefined) {
    return false;
  }
  response.writeHead(302, { location: `http://127.0.0.1:${port}${rest ?? '/'}` });
  response.end();
  return true;
}

// The server imports its own binding of `createServer`, so its events are where another answer can be given.
const emit = Reflect.get(http.Server.prototype, 'emit') as (
  this: http.Server,
  event: string,
  ...values: unknown[]
) => boolean;
http.Server.prototype.emit = function (this: http.Server, event: string, ...values: unknown[]): boolean {
  const [request, response] = values;
  return (
    (event === 'request' &&
      request instanceof http.IncomingMessage &&
      response instanceof http.ServerResponse &&
      answer(request, response)) ||
    emit.call(this, event, ...values)
  );
};
