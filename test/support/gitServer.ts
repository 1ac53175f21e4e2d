/** A git server on this computer. It serves test repositories through git's own HTTP backend, or as files of a plain web server. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';

import { listen } from './listen.ts';

const NAME = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@localhost',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@localhost',
};

export interface GitServer {
  /** Plain HTTP URL of the repository. */
  readonly url: string;
  /** Commits these files. `{link}` is a symbolic link. */
  readonly commit: (files: Readonly<Record<string, string | Buffer | { readonly link: string }>>) => Promise<void>;
  /** Runs git in the working tree. @returns its trimmed output */
  readonly git: (...args: readonly string[]) => Promise<string>;
  /** Like {@link git}, with this input. */
  readonly gitWithInput: (input: string | Buffer, ...args: readonly string[]) => Promise<string>;
  /** Commits a tree created by `mktree`. */
  readonly commitTree: (tree: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server with one empty repository, `app.git`, whose default branch is `main`.
 * @param plain serves files without git, after running `git update-server-info`
 */
export async function startGitServer({ plain = false } = {}): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'git-server-'));
  const tree = join(root, 'app.git');
  await mkdir(tree);
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    ...NAME,
  };
  const gitWithInput = async (input: string | Buffer, ...args: readonly string[]): Promise<string> => {
    const running = promisify(execFile)('git', args, { cwd: tree, env: environment });
    // Not every command reads its input.
    running.child.stdin?.on('error', () => undefined).end(input);
    return (await running).stdout.trim();
  };
  const git = (...args: readonly string[]): Promise<string> => gitWithInput('', ...args);
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('config', 'http.receivepack', 'false');
  const server = await listen(
    createServer((request, response) => {
      if (plain) {
        void git('update-server-info').then(() => answerFile(join(tree, '.git'), request, response));
      } else {
        answer(root, environment, request, response);
      }
    }),
  );
  return {
    url: `http://127.0.0.1:${server.port}/app.git`,
    git,
    gitWithInput,
    commitTree: async (files) => {
      await git('update-ref', 'refs/heads/main', await git('commit-tree', files, '-m', 'files'));
    },
    commit: async (files) => {
      for (const [path, content] of Object.entries(files)) {
        const full = join(tree, path);
        await mkdir(dirname(full), { recursive: true });
        await (typeof content === 'object' && 'link' in content
          ? symlink(content.link, full)
          : writeFile(full, content));
      }
      await git('add', '--all', '--force');
      await git('commit', '--quiet', '--message', 'files');
    },
    stop: async () => {
      await server.close();
      await rm(root, { recursive: true });
    },
  };
}

/** Responds with a file in the repository's folder. */
async function answerFile(folder: string, { url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(url, 'http://localhost');
  const file = await readFile(join(folder, pathname.replace('/app.git', ''))).catch(() => undefined);
  response.writeHead(file === undefined ? 404 : 200).end(file);
}

/** Runs `git http-backend` as a CGI program (RFC 3875). */
function answer(
  root: string,
  environment: NodeJS.ProcessEnv,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const backend = spawn('git', ['http-backend'], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  pipeline(request, backend.stdin, () => undefined);
  let head = Buffer.alloc(0);
  const onHead = (bytes: Buffer): void => {
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) {
      return;
    }
    backend.stdout.off('data', onHead);
    for (const line of head.toString('latin1', 0, end).split('\r\n')) {
      const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(line) ?? [];
      if (name === 'Status') {
        response.statusCode = Number.parseInt(value, 10);
      } else {
        response.setHeader(name, value);
      }
    }
    response.write(head.subarray(end + 4));
    backend.stdout.pipe(response);
  };
  backend.stdout.on('data', onHead);
}
