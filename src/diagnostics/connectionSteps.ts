import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { BlockList, connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, createSecureContext, getCACertificates, type TLSSocket } from 'node:tls';
import { certificateFault } from '../api/http/toBuildServiceError.ts';
import type { Proxy } from '../api/http/transport.ts';

/** A host and a port, without brackets around an IPv6 address. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Something that a step met, in words for the report. They hold no name and no address. */
export class StepError extends Error {}

/** Of a proxy's answer before the tunnel. */
const MAX_HEAD_BYTES = 16 * 1024;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

const PRIVATE = new BlockList();
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addSubnet('169.254.0.0', 16);
// Shared by providers (RFC 6598); VPNs use it, too.
PRIVATE.addSubnet('100.64.0.0', 10);
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** @param url http(s) or socks5 */
export function endpointOf(url: string): Endpoint {
  const { protocol, hostname, port } = new URL(url);
  const defaultPort = protocol === 'https:' ? 443 : protocol === 'http:' ? 80 : 1080;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) };
}

/** How many addresses a name has, and in which kind of network. */
export async function lookUp({ host }: Endpoint): Promise<string> {
  if (isIP(host) !== 0) {
    return `no name but an address: ${rangeOf(host)}`;
  }
  const addresses = await lookup(host, { all: true });
  const ipv6 = addresses.filter(({ family }) => family === 6).length;
  const ranges = [...new Set(addresses.map(({ address }) => rangeOf(address)))].join(' and ');
  return `${ranges} (${addresses.length - ipv6} IPv4, ${ipv6} IPv6)`;
}

/** @param address IPv4 or IPv6 */
export function rangeOf(address: string): 'loopback' | 'private' | 'public' {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return LOOPBACK.check(address, family) ? 'loopback' : PRIVATE.check(address, family) ? 'private' : 'public';
}

/** Begins a connection; {@link established} waits for its `connect`. */
export function connectTo({ host, port }: Endpoint): Socket {
  return connect({ host, port, autoSelectFamily: true });
}

/**
 * Asks a proxy for a tunnel, as every request does (RFC 9110 §9.3.6).
 *
 * @param socket to the proxy.
 * @throws StepError that says why there is no tunnel.
 */
export async function openTunnel(
  socket: Socket,
  { url, authorization }: Proxy,
  { host, port }: Endpoint,
): Promise<void> {
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const credentials = authorization ?? userInfoOf(url);
  if (credentials !== undefined && /[^\t -~\u0080-\u00ff]/.test(credentials)) {
    throw new StepError('the sign-in that is set for the proxy has characters that cannot be sent');
  }
  const signIn = credentials === undefined ? '' : `proxy-authorization: ${credentials}\r\n`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${signIn}\r\n`, 'latin1');
  const head = await headOf(socket);
  const status = /^HTTP\/1\.\d (\d{3})/.exec(head)?.[1];
  if (status === undefined) {
    throw new StepError('the proxy does not answer as a proxy does');
  }
  if (status === '407') {
    throw new StepError(
      credentials === undefined
        ? 'the proxy asks for a sign-in (407), and none is set'
        : 'the proxy does not accept the sign-in that is set (407)',
    );
  }
  if (!status.startsWith('2')) {
    throw new StepError(`the proxy does not connect to the service (${status})`);
  }
}

/** What arrives up to the first empty line, or until the connection is closed. */
async function headOf(socket: Socket): Promise<string> {
  let head = '';
  await new Promise<void>((resolve) => {
    const read = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (head.includes('\r\n\r\n') || head.length > MAX_HEAD_BYTES) {
        socket.off('data', read).pause();
        resolve();
      }
    };
    socket.on('data', read).once('close', resolve);
  });
  return head;
}

/** The value of Proxy-Authorization for the user in a proxy's URL. */
function userInfoOf(url: string): string | undefined {
  const { username, password } = new URL(url);
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return username === '' && password === '' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`;
}

/**
 * Begins TLS with the checks of every request, over a connection that is there; {@link established} waits for its
 * `secureConnect`. Nothing is sent.
 *
 * @param authorities PEM, to trust; those of Node.js when undefined.
 */
export function secure(socket: Socket, { host }: Endpoint, authorities: readonly string[] | undefined): TLSSocket {
  return connectSecurely({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(authorities && { secureContext: createSecureContext({ ca: [...authorities] }) }),
  });
}

/** The version of TLS, and by whose word the certificate is trusted. */
export function trustOf(socket: TLSSocket): string {
  const chain = new Set<string>();
  let certificate = socket.getPeerCertificate(true);
  for (let next = true; next;) {
    const encoded = certificate.raw.toString('base64');
    // The last one is its own issuer.
    next = !chain.has(encoded) && (certificate.issuerCertificate as unknown) !== undefined;
    chain.add(encoded);
    certificate = next ? certificate.issuerCertificate : certificate;
  }
  const isIn = (store: 'bundled' | 'extra') =>
    getCACertificates(store).some((pem) => chain.has(pem.replace(/-----[^-]+-----|\s/g, '')));
  const authority = isIn('bundled')
    ? 'a public authority'
    : isIn('extra')
      ? 'an authority of NODE_EXTRA_CA_CERTS'
      : 'an authority that only this computer knows (a company’s own, or a program that opens secure connections)';
  return `${socket.getProtocol() ?? 'TLS'}, certificate of ${authority}`;
}

/** What went wrong in a step. Of an error of Node.js only what its code means, for its message has names and addresses. */
export function stepFailure(error: unknown): string {
  if (error instanceof StepError) {
    return error.message;
  }
  if (error instanceof AggregateError) {
    return stepFailure((error.errors as unknown[])[0]);
  }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const fault = certificateFault(code, error instanceof Error ? error.message : '');
  return fault === undefined ? (FAILURES[code] ?? failureOf(code)) : `not trusted: ${CERTIFICATE_FAULTS[fault]}`;
}

function failureOf(code: string): string {
  return /^[A-Z_]{3,40}$/.test(code) ? `failed (${code})` : 'failed';
}

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused: nothing listens there',
  ECONNRESET: 'closed before an answer',
  EPIPE: 'closed before an answer',
  ETIMEDOUT: 'no answer',
  ENOTFOUND: 'not found',
  EAI_AGAIN: 'not found: the name service does not answer',
  EHOSTUNREACH: 'not reachable from this network',
  ENETUNREACH: 'not reachable from this network',
};

const CERTIFICATE_FAULTS = {
  selfSigned: 'self-signed',
  unknownAuthority: 'the authority is not known to this computer',
  expired: 'expired',
  notYetValid: 'not valid yet',
  wrongHost: 'it is for another host name',
  plainHttp: 'what answers does not speak TLS',
  other: 'TLS failed',
} as const;

/** Waits until a socket can be used. @throws what went wrong, or when the signal aborts. */
export async function established(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  try {
    await once(socket, event, { signal });
  } finally {
    // Whatever happens to it later is nobody's concern.
    socket.on('error', () => undefined);
  }
}
