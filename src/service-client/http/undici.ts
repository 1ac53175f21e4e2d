/**
 * Re-exports the parts of undici that send requests. Never import undici's index module: it replaces the process-wide
 * dispatcher, which every extension's `fetch` uses. Load this module lazily with `import()`.
 */
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import DispatcherClass from 'undici/lib/dispatcher/dispatcher.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';

// undici's index module normally does this. ProxyAgent creates its tunnels with `connect`.
DispatcherClass.prototype.connect = connect;
DispatcherClass.prototype.request = request;

export { Agent, ProxyAgent };
