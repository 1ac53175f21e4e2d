import type { Socket } from 'node:net';
import type { Proxy } from '../api/http/transport.ts';
import type { ServiceProbe } from '../api/serviceProbe.ts';
import type { ServiceUrl } from '../api/serviceUrl.ts';
import { connectTo, endpointOf, established, lookUp, openTunnel, secure, trustOf } from './connectionSteps.ts';
import { failureKind } from './failureKind.ts';
import { proxyKind } from './proxyKind.ts';
import { StepFailed, StepRecorder, type Step } from './stepRecorder.ts';

/** The way to a service, as every request takes it. */
export interface Route {
  readonly service: ServiceUrl;
  /** The proxy for an origin; undefined for a direct connection. */
  readonly proxyFor: (origin: string) => Promise<Proxy | undefined>;
  /** Certificate authorities to trust, PEM; undefined for those of Node.js. */
  readonly authorities: () => Promise<readonly string[] | undefined>;
  /** Asks the service what it is, without credentials. */
  readonly probe: (service: ServiceUrl, signal: AbortSignal) => Promise<ServiceProbe>;
}

/** Milliseconds for a step, and for all of them: a little less than for the report, which has to have them. */
const TIMEOUTS_MS = { step: 5_000, total: 12_000 };

/**
 * Goes to a service step by step, without credentials of the service: its name, the proxy, the connection, TLS; beside these one
 * request. What fails is the result of its step.
 *
 * @param signal ends it early: the steps that are under way then have no answer.
 */
export async function stepsTowards(
  route: Route,
  signal: AbortSignal,
  timeouts: Readonly<typeof TIMEOUTS_MS> = TIMEOUTS_MS,
): Promise<readonly Step[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeouts.total)]);
  const branches = [nameOf, wayTo, firstAnswer].map(async (branch) => {
    const recorder = new StepRecorder(limit, timeouts.step);
    try {
      await branch(route, recorder);
    } catch (error) {
      if (!(error instanceof StepFailed)) {
        throw error;
      }
    }
    return recorder.steps;
  });
  return (await Promise.all(branches)).flat();
}

async function nameOf({ service }: Route, recorder: StepRecorder): Promise<void> {
  await recorder.run('Name', async () => ({ result: await lookUp(endpointOf(service.href)), value: undefined }));
}

async function firstAnswer({ service, probe }: Route, recorder: StepRecorder): Promise<void> {
  await recorder.run('First answer', async (signal) => ({
    result: answerText(await probe(service, signal)),
    value: undefined,
  }));
}

/** The proxy, the connection, the tunnel and TLS: each needs the one before it. */
async function wayTo({ service, proxyFor, authorities }: Route, recorder: StepRecorder): Promise<void> {
  // The outermost one, which destroys those within. To destroy one within first crashes Node.js.
  let outermost: Socket | undefined;
  const use = <T extends Socket>(socket: T): T => {
    outermost = socket;
    return socket;
  };
  const secured = (name: string, socket: Socket, host: ReturnType<typeof endpointOf>) =>
    recorder.run(name, async (signal) => {
      const trusted = await authorities();
      signal.throwIfAborted();
      const value = use(secure(socket, host, trusted));
      await established(value, 'secureConnect', signal);
      return { result: trustOf(value), value };
    });
  try {
    const target = endpointOf(service.href);
    const proxy = await recorder.run('Proxy', async () => {
      const value = await proxyFor(service.origin);
      return { result: value === undefined ? 'none, a direct connection' : proxyKind(value), value };
    });
    const next = proxy === undefined ? target : endpointOf(proxy.url);
    let socket: Socket = await recorder.run(
      proxy === undefined ? 'Connection' : 'Connection to the proxy',
      async (signal) => {
        const value = use(connectTo(next));
        await established(value, 'connect', signal);
        return { result: 'made', value };
      },
    );
    if (proxy !== undefined) {
      if (proxy.url.startsWith('socks5:')) {
        recorder.add('TLS', 'not tried through a SOCKS proxy: the first answer tells');
        return;
      }
      if (proxy.url.startsWith('https:')) {
        socket = await secured('TLS with the proxy', socket, next);
      }
      const through = socket;
      await recorder.run('Tunnel through the proxy', async () => {
        await openTunnel(through, proxy, target);
        return { result: 'open', value: undefined };
      });
    }
    if (service.href.startsWith('https:')) {
      await secured('TLS', socket, target);
    } else {
      recorder.add('TLS', 'not used: plain HTTP, for this machine only');
    }
  } finally {
    outermost?.destroy();
  }
}

/** What answered, without its words. */
function answerText(probe: ServiceProbe): string {
  switch (probe.kind) {
    case 'service':
      return 'a build service';
    case 'webPage':
      return `a web page (status ${probe.status})`;
    case 'somethingElse':
      return `another service, or one that cannot answer (status ${probe.status})`;
    case 'proxySignIn':
      return `the proxy or the network asks for a sign-in (status ${probe.status})`;
    case 'redirect':
      return `${failureKind(probe.error)}${probe.service === undefined ? '' : ', to what may be a build service'}`;
    case 'certificate':
    case 'nothing':
      return failureKind(probe.error);
  }
}
