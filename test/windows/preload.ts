/** Loaded before the tests, and in the processes that they start, where Windows is Wine: what Wine does not do with connections. */
import { Socket } from 'node:net';

// A connection fails (`connect UNKNOWN`) whose keep-alive is set while it is being made, as undici does.
Socket.prototype.setKeepAlive = function () {
  return this;
};

// A connection that is kept is not always told that the process at its other end was killed: the next request would wait for ever.
const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  request.headers.set('connection', 'close');
  return fetch(request);
};
