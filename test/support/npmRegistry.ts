import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import type { Files } from './cordovaBuilds.ts';
import { serve, type TestServer } from './servers.ts';

/** Versions of packages, by `NAME@VERSION`. Each has a package.json of its name, its version and `dependencies`. */
export type Packages = Readonly<Record<string, { readonly files: Files; readonly dependencies?: Files }>>;

/**
 * A registry of npm on loopback, for npm itself: the last version of a package is the newest.
 *
 * @returns the server, and the environment with which npm uses it, and no cache but its own
 */
export async function startNpmRegistry(
  packages: Packages,
  cache: string,
): Promise<{ readonly server: TestServer; readonly env: NodeJS.ProcessEnv }> {
  const tarballs = new Map<string, Buffer>();
  const documents = new Map<string, { readonly versions: Record<string, unknown>; latest: string }>();
  const server = await serve((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1));
    const tarball = tarballs.get(name);
    const document = documents.get(name);
    if (tarball !== undefined) {
      response.end(tarball);
    } else if (document === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
    } else {
      const { versions, latest } = document;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ name, 'dist-tags': { latest }, versions }));
    }
  });
  for (const [id, { files, dependencies = {} }] of Object.entries(packages)) {
    const at = id.lastIndexOf('@');
    const [name, version] = [id.slice(0, at), id.slice(at + 1)];
    const manifest = { name, version, dependencies };
    const tarball = gzipSync(tarOf({ 'package.json': JSON.stringify(manifest), ...files }));
    const file = `tarballs/${id}.tgz`;
    tarballs.set(file, tarball);
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const document = documents.get(name) ?? { versions: {}, latest: version };
    document.latest = version;
    document.versions[version] = { ...manifest, dist: { tarball: `${server.url}/${file}`, integrity } };
    documents.set(name, document);
  }
  return { server, env: { ...process.env, npm_config_registry: server.url, npm_config_cache: cache } };
}

/** The files below `package`, as npm packs them (ustar). */
function tarOf(files: Files): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(`package/${name}`, 0);
    header.write('0000644', 100);
    header.write(content.length.toString(8).padStart(11, '0'), 124);
    header.write('        0', 148);
    header.write('ustar', 257);
    header.write('00', 263);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(sum.toString(8).padStart(6, '0'), 148);
    header[154] = 0;
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
