/**
 * Loaded before the tests, and in the processes that they start, where Windows is Wine: there a connection fails (`connect UNKNOWN`) whose
 * keep-alive is set while it is being made, as undici does. No test is so long that it would be missed.
 */
import { Socket } from 'node:net';

Socket.prototype.setKeepAlive = function () {
  return this;
};
