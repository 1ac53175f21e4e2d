/**
 * The parts of undici that carry the traffic, without its index module: that one replaces the process-wide dispatcher, and
 * with it the one that the built-in `fetch` of every other extension uses. Load it lazily, with `import()`.
 */
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import DispatcherClass from 'undici/lib/dispatcher/dispatcher.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';

// The index module would do this. ProxyAgent makes its tunnels with `connect`.
DispatcherClass.prototype.connect = connect;
DispatcherClass.prototype.request = request;

export { Agent, ProxyAgent };
