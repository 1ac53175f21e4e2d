/** Provides TLS, with certificates that node-forge creates. Loaded only when needed. */
import { constants } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

import { LOOPBACK_ADDRESS } from './http/security.ts';
import { StartError } from './store/database.ts';
import { type Certificate, createSelfSigned } from '../android-package/index.ts';

/** Types of names in a certificate (RFC 5280 §4.2.1.6). */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/**
 * Creates a self-signed certificate for this computer's loopback names. It's valid for a month. The key exists only in memory, so every
 * run creates a new one.
 *
 * @param now milliseconds since the epoch
 */
export function createCertificate(now: number): Promise<Certificate> {
  // Allow for differences between clocks.
  return createSelfSigned('Local application build service', addDays(now, -1), addDays(now, 30), [
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: DNS_NAME, value: 'localhost' },
        { type: IP_ADDRESS, ip: LOOPBACK_ADDRESS },
        { type: IP_ADDRESS, ip: '::1' },
      ],
    },
  ]);
}

function addDays(time: number, days: number): Date {
  const date = new Date(time);
  date.setUTCDate(date.getUTCDate() + days);
  return date;
}

/**
 * Creates a listener that passes every connection to `server` with TLS. That way, the timeouts of `server` apply from
 * the start of a connection. In `https.Server`, a connection is a different object before its handshake, and closing
 * that object on a timeout crashes Node 24.
 */
export function createTlsListener(server: HttpServer, certificate: Certificate): Server {
  // Disable renegotiations, which only Node's own TLS server limits. BoringSSL doesn't support them.
  const secureContext = createSecureContext({ ...certificate, secureOptions: constants.SSL_OP_NO_RENEGOTIATION });
  const listener = createServer({ noDelay: true }, (socket) => {
    server.emit('connection', new TLSSocket(socket, { isServer: true, secureContext }));
  });
  listener.maxConnections = server.maxConnections;
  // `server` enforces timeouts only after this event.
  return listener.on('listening', () => server.emit('listening'));
}

/**
 * Reads a certificate and its key.
 *
 * @throws StartError if a file can't be read or isn't PEM, or if the key doesn't match the certificate
 */
export async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const certificate = { cert: await readText('--cert', certFile), key: await readText('--key', keyFile) };
  try {
    createSecureContext(certificate);
  } catch {
    throw new StartError(
      `--cert and --key: ${certFile} must contain a certificate, and ${keyFile} must contain its private key without a passphrase, both in PEM format.`,
    );
  }
  return certificate;
}

async function readText(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`${option}: ${file} can’t be read (${String(code)}).`);
  }
}
