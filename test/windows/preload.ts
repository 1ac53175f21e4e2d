/** Loaded before the tests and in the processes that they start, to work around Wine's problems with connections. */
import { Socket } from 'node:net';

// In Wine, a connection fails (`connect UNKNOWN`) if keep-alive is set while it's being opened, as undici does.
Socket.prototype.setKeepAlive = function () {
  return this;
};

// In Wine, an open connection may not notice that the process at the other end was killed. The next request would wait forever.
const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  request.headers.set('connection', 'close');
  return fetch(request);
};
