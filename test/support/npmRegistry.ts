import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { Header } from 'tar';

import type { Files } from './cordovaBuilds.ts';
import { serve, type TestServer } from './servers.ts';

/** Packages by `NAME@VERSION`. Each gets a package.json. */
export type Packages = Readonly<Record<string, { readonly files: Files; readonly dependencies?: Files }>>;

/**
 * An npm registry on loopback. The last version of a package is the newest.
 *
 * @param cache a folder
 * @returns the server, and an environment in which npm uses it and the cache
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

/** A package as npm packs it: its files below `package`. */
function tarOf(files: Files): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const header = new Header({ path: `package/${name}`, mode: 0o644, size: content.length, type: 'File' });
    const block = Buffer.alloc(512);
    header.encode(block);
    return [block, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
