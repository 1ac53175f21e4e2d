/**
 * Loaded into the packaged server before it starts. VS Code's server-main.js leaves two responses to the product that hosts it: half of the
 * key that encrypts the workbench's secrets (without it, they're lost on reload), and `/proxy/PORT/…`, where the workbench sends loopback
 * addresses that an extension opens (redirected here to the address itself). APP_BUILD_SECRET_KEY: the 32 bytes of that half in base64.
 */
import http from 'node:http';

const secretKey = Buffer.from(process.env.APP_BUILD_SECRET_KEY ?? '', 'base64');
delete process.env.APP_BUILD_SECRET_KEY;
// Forked processes inherit these, but the extension host must start normally.
process.execArgv = [];

/** Responds to the two requests. @returns whether the request was one of them */
function answer(request: http.IncomingMessage, response: Pick<http.ServerResponse, 'writeHead' | 'end'>): boolean {
  if (request.method === 'POST' && request.url === '/mint-key') {
    response.end(secretKey);
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

// The server has its own binding of `createServer`, which can't be replaced. The events of its server can.
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
