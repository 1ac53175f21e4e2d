import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { packRepository, parseRepository } from '../../../../../src/build-service/builds/packages/repository.ts';
import { unpackPackage } from '../../../../../src/build-service/builds/packages/uploadedPackage.ts';
import { startGitServer, type GitServer } from '../../../../support/gitServer.ts';
import { listen } from '../../../../support/listen.ts';
import { useFolderForEachTest, withEnvironment } from '../../../../support/hooks.ts';
import { itOnPosix } from '../../../../support/itOnPosix.ts';
import { PackageError } from '../../../../../src/android-package/index.ts';

const signal = new AbortController().signal;
const LIMITS = { maxPackBytes: 1_000_000 };

describe('repositories: addresses from clients', () => {
  const GITHUB = 'https://github.com/owner/repo.git';
  const taken: readonly (readonly [repo: string, tag: string | null, url: string, expectedTag: string | null])[] = [
    ['owner/repo', null, GITHUB, null],
    ['owner/repo#dev', 'v1.0', GITHUB, 'v1.0'],
    ['owner/repo.git#feature/a', '', GITHUB, 'feature/a'],
    ['owner/some.repo_1', null, 'https://github.com/owner/some.repo_1.git', null],
    [' https://example.com:8443/a/b.git#main ', null, 'https://example.com:8443/a/b.git', 'main'],
    ...['http://localhost:8080/a', 'http://127.0.0.1/a', 'http://[::1]/a'].map(
      (url) => [url, null, url, null] as const,
    ),
  ];
  for (const [repo, tag, url, expectedTag] of taken) {
    it(`accepts ${repo}${tag === null ? '' : ` with the tag "${tag}"`}`, () => {
      assert.deepEqual(parseRepository(repo, tag), { url, tag: expectedTag });
    });
  }

  const withoutUser = (what: string): RegExp =>
    new RegExp(`^Private repository URLs not supported - try removing ${what}$`);
  const SECRET_USER = withoutUser('the user name and password');
  const NOT_CLONED = /^".*" isn’t a repository that can be cloned\. Use an https URL/;
  const refused: readonly (readonly [repo: string, sentence: RegExp])[] = [
    ['git@github.com:alunny/x.git', withoutUser('"git@"')],
    ['https://alunny@github.com/alunny/x.git', withoutUser('"alunny@"')],
    ['ssh://git@github.com/alunny/x.git', withoutUser('"git@"')],
    ['https:\\\\alunny:secret@github.com/alunny/x.git', SECRET_USER],
    ['https://ghp_16C7e42F292c6912E7710c838347Ae178B4a@github.com/a/b', SECRET_USER],
    ...['ssh://github.com/a/x.git', 'file:///etc', 'ext::sh', '/srv/git/x', '../x', '--upload-pack=x/y'].map(
      (repo) => [repo, NOT_CLONED] as const,
    ),
    ['http://127.0.0.1.example.com/x', /^"http:\/\/127\.0\.0\.1\.example\.com\/x" isn’t encrypted\. Use https\.$/],
    ['https://example.com/x?token=secret', /^The URL of a repository can’t contain a query\./],
    ['https://example.com/\nx', /^"https:\/\/example\.com\/x" isn’t a repository\./],
    ['', /^"" isn’t a repository\./],
    ...['--upload-pack=x', 'a..b', 'a b', 'a.lock', 'a@{1}', 'a\u0000b'].map(
      (ref) => [`owner/repo#${ref}`, /^"[^"]*" isn’t a valid name of a branch or tag\.$/] as const,
    ),
  ];
  for (const [repo, message] of refused) {
    it(`rejects ${JSON.stringify(repo.slice(0, 60))}`, () => {
      assert.throws(
        () => parseRepository(repo, null),
        (error: Error) => message.test(error.message) && !/secret|ghp_/.test(error.message),
      );
    });
  }
});

describe('repositories: cloning', () => {
  let folder: string;
  let server: GitServer;
  before(async () => {
    server = await startGitServer();
    await server.commit({ 'www/index.html': 'first' });
    await server.git('tag', 'v1.0');
    await server.commit({
      'www/index.html': 'second',
      'config.xml': '<widget/>',
      // These settings would make git run programs or read files of this computer.
      '.gitattributes': '* filter=evil\n',
      '.gitmodules': '[submodule "s"]\n\tpath = s\n\turl = file:///etc\n',
      passwd: { link: '/etc/passwd' },
    });
    await server.git('branch', 'feature/a');
  });
  after(() => server.stop());
  useFolderForEachTest((made) => (folder = made));

  const emptyFolder = (name: string): Promise<string> => mkdtemp(join(folder, `${name}-`));

  async function getFiles(tag: string | null, url = server.url): Promise<Record<string, string>> {
    const work = await emptyFolder('work');
    const unpacked = await emptyFolder('unpacked');
    const archive = await packRepository({ url, tag }, work, signal, LIMITS);
    assert.deepEqual(await readdir(work), ['repository.zip']);
    await unpackPackage(archive, 'zip', unpacked, signal);
    const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => [name, await readFile(join(parentPath, name), 'utf8')] as const);
    return Object.fromEntries(await Promise.all(files));
  }

  async function getRefusal(url: string, tag: string | null = null, limits = LIMITS): Promise<string> {
    const work = await emptyFolder('work');
    const error: unknown = await packRepository({ url, tag }, work, signal, limits).catch((reason: unknown) => reason);
    assert.ok(error instanceof PackageError, String(error));
    assert.ok(!error.message.includes(folder));
    return error.message;
  }

  it('packs the files of the latest commit without .git, links, and submodules', async () => {
    assert.deepEqual(await getFiles(null), {
      'index.html': 'second',
      'config.xml': '<widget/>',
      '.gitattributes': '* filter=evil\n',
      '.gitmodules': '[submodule "s"]\n\tpath = s\n\turl = file:///etc\n',
      passwd: '/etc/passwd',
    });
  });

  it('packs a tag and a branch', async () => {
    assert.deepEqual(await getFiles('v1.0'), { 'index.html': 'first' });
    assert.equal((await getFiles('feature/a'))['index.html'], 'second');
  });

  it('packs a commit from a plain web server', async () => {
    const plain = await startGitServer({ plain: true });
    try {
      await plain.commit({ 'www/index.html': 'plain' });
      assert.deepEqual(await getFiles(null, plain.url), { 'index.html': 'plain' });
    } finally {
      await plain.stop();
    }
  });

  itOnPosix('doesn’t use the user’s configuration, hooks, or credentials', async () => {
    const home = await emptyFolder('home');
    const marker = join(folder, 'marker');
    await mkdir(join(home, 'hooks'));
    const script = `#!/bin/sh\ntouch '${marker}'\n`;
    await writeFile(join(home, 'hooks/post-checkout'), script, { mode: 0o755 });
    await writeFile(join(home, 'askpass'), script, { mode: 0o755 });
    const config = `[core]\n\thooksPath = ${home}/hooks\n[filter "evil"]\n\tsmudge = ${home}/askpass\n[credential]\n\thelper = ${home}/askpass\n`;
    await writeFile(join(home, '.gitconfig'), config);
    await writeFile(join(home, '.netrc'), 'machine 127.0.0.1 login ann password netrc-secret\n', { mode: 0o600 });
    const heard: (string | undefined)[] = [];
    const privateServer = await listen(
      createServer((request, response) => {
        heard.push(request.headers.authorization);
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="private"' }).end();
      }),
    );
    const [GIT_CONFIG_GLOBAL, GIT_ASKPASS] = [join(home, '.gitconfig'), join(home, 'askpass')];
    await withEnvironment({ HOME: home, GIT_CONFIG_GLOBAL, GIT_ASKPASS, GIT_DIR: '/etc' }, async () => {
      assert.equal((await getFiles(null))['index.html'], 'second');
      const url = `http://127.0.0.1:${privateServer.port}/x.git`;
      assert.match(await getRefusal(url), /^The repository can’t be read\. It doesn’t exist, or it’s private\./);
    });
    await privateServer.close();
    assert.ok(heard.length > 0 && heard.every((credentials) => credentials === undefined), heard.join());
    assert.ok(!(await readdir(folder)).includes('marker'));
  });

  itOnPosix('doesn’t run git from a workspace, and reports if git isn’t installed', async () => {
    const bin = join(folder, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'git'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    await withEnvironment({ PATH: `${bin}:${process.env.PATH ?? ''}` }, async () =>
      assert.equal((await getFiles(null))['index.html'], 'second'),
    );
    await withEnvironment({ PATH: bin }, async () =>
      assert.match(await getRefusal(server.url), /^Repositories can’t be cloned because git isn’t installed/),
    );
  });

  it('never passes an address to git as an option', async () => {
    assert.match(await getRefusal('--bare'), /^The repository can’t be cloned: repository '--bare' does not exist\./);
  });

  it('reports a missing repository or tag without revealing a local path, and rejects file: URLs', async () => {
    assert.equal(
      await getRefusal(server.url, 'none'),
      'The repository doesn’t have a branch or tag "none". Correct the name.',
    );
    assert.match(
      await getRefusal('http://127.0.0.1:1/x.git'),
      /^The repository can’t be cloned: unable to access .* Check its URL\.$/,
    );
    assert.match(await getRefusal('file:///etc'), /transport 'file' not allowed/);
  });

  it('rejects a repository that exceeds the download or package limits, or has forbidden names', async () => {
    const hostile = await startGitServer();
    const createTree = (...lines: readonly string[]): Promise<string> =>
      hostile.gitWithInput(lines.map((line) => `${line}\0`).join(''), 'mktree', '-z');
    try {
      const content = randomBytes(1_000_000);
      // git fetches this content once, but packs it twice.
      await hostile.commit({ 'index.html': '', a: content, b: content });
      for (const maxPackBytes of [900_000, 1_400_000]) {
        const sentence = 'The repository is larger than 1 MB. Upload the app’s files instead.';
        assert.equal(await getRefusal(hostile.url, null, { maxPackBytes }), sentence);
      }
      // Billions of files are rejected before they're in memory.
      const blob = `100644 blob ${await hostile.gitWithInput('x', 'hash-object', '-w', '--stdin')}`;
      let entry = blob;
      for (let level = 0; level < 10; level += 1) {
        entry = `040000 tree ${await createTree(...Array.from({ length: 10 }, (_, index) => `${entry}\t${index}`))}`;
      }
      await hostile.commitTree(entry.slice('040000 tree '.length));
      assert.match(await getRefusal(hostile.url), /^The archive contains more than 20,000 files/);
      await hostile.commitTree(await createTree(`${blob}\t..\\x`));
      assert.match(await getRefusal(hostile.url), /^"\.\.\\x" leads outside the archive\./);
    } finally {
      await hostile.stop();
    }
  });

  it('stops git and the processes that git started at the time limit or when aborted', async () => {
    const silent = createServer(() => undefined);
    const { port, close } = await listen(silent);
    const repository = { url: `http://127.0.0.1:${port}/x.git`, tag: null };
    await assert.rejects(packRepository(repository, await emptyFolder('late'), signal, { ...LIMITS, timeoutMs: 300 }), {
      name: 'PackageError',
      message: 'The repository wasn’t cloned within 1 s. Try again.',
    });
    const controller = new AbortController();
    const connected = once(silent, 'request') as Promise<[{ socket: NodeJS.EventEmitter }]>;
    const work = packRepository(repository, await emptyFolder('aborted'), controller.signal, LIMITS);
    const [{ socket }] = await connected;
    const closed = once(socket, 'close');
    const reason = new Error('deleted');
    controller.abort(reason);
    await assert.rejects(work, reason);
    await closed;
    await close();
  });
});
