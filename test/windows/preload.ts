/**
 * Loaded before the tests, and in the processes that they start, where Windows is Wine.
 * Wine ends a connection whose keep-alive is set while it is being made, which undici does: it is set once the connection stands.
 */
import { Socket } from 'node:net';

const { setKeepAlive } = Socket.prototype;

Socket.prototype.setKeepAlive = function (...options) {
  if (this.connecting) {
    return this.once('connect', () => setKeepAlive.apply(this, options));
  }
  return setKeepAlive.apply(this, options);
};
