import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs, { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';

import { PackageError } from '../../../../src/localService/builds/packages/archiveContents.ts';
import {
  cloneRepository,
  packRepository,
  parseRepository,
} from '../../../../src/localService/builds/packages/repository.ts';
import { unpackPackage } from '../../../../src/localService/builds/packages/uploadedPackage.ts';
import { startGitServer, type GitServer } from '../../../support/gitServer.ts';
import { listen } from '../../../support/listen.ts';
import { folderOfEachTest } from '../../../support/hooks.ts';
import { itOnPosix } from '../../../support/itOnPosix.ts';

const signal = new AbortController().signal;

describe('repositories: what clients send', () => {
  const taken: readonly (readonly [repo: string, tag: string | null, url: string, expectedTag: string | null])[] = [
    ['owner/repo', null, 'https://github.com/owner/repo.git', null],
    ['owner/repo#dev', null, 'https://github.com/owner/repo.git', 'dev'],
    ['owner/repo#dev', 'v1.0', 'https://github.com/owner/repo.git', 'v1.0'],
    ['owner/repo.git#feature/a', '', 'https://github.com/owner/repo.git', 'feature/a'],
    ['owner/some.repo_1', null, 'https://github.com/owner/some.repo_1.git', null],
    [' https://example.com/a/b.git#main ', null, 'https://example.com/a/b.git', 'main'],
    ['https://example.com:8443/a', 'v1', 'https://example.com:8443/a', 'v1'],
    ['http://localhost:8080/a.git', null, 'http://localhost:8080/a.git', null],
    ['http://127.0.0.1/a.git', null, 'http://127.0.0.1/a.git', null],
    ['http://[::1]/a.git', null, 'http://[::1]/a.git', null],
  ];
  for (const [repo, tag, url, expectedTag] of taken) {
    it(`takes ${repo}${tag === null ? '' : ` with the tag "${tag}"`}`, () => {
      assert.deepEqual(parseRepository(repo, tag), { url, tag: expectedTag });
    });
  }

  const NOT_SUPPORTED = 'Private repository URLs not supported - try removing';
  const refused: readonly (readonly [repo: string, sentence: string | RegExp])[] = [
    ['git@github.com:alunny/x.git', `${NOT_SUPPORTED} "git@"`],
    ['https://alunny@github.com/alunny/x.git', `${NOT_SUPPORTED} "alunny@"`],
    ['ssh://git@github.com/alunny/x.git', `${NOT_SUPPORTED} "git@"`],
    ['https://alunny:secret@github.com/alunny/x.git', `${NOT_SUPPORTED} the user name and password`],
    ...['https:/', 'https:///', 'https:\\\\', 'https:/\\/', 'https:\t//', 'HTTPS:'].map(
      (start): readonly [string, string] => [
        `${start}alunny:secret@github.com/alunny/x.git`,
        `${NOT_SUPPORTED} the user name and password`,
      ],
    ),
    ['https:///alunny@github.com/alunny/x.git', `${NOT_SUPPORTED} "alunny@"`],
    ['https://alunny:secret@github.com/ x', `${NOT_SUPPORTED} the user name and password`],
    ['https://ghp_16C7e42F292c6912E7710c838347Ae178B4a@github.com/a/b', `${NOT_SUPPORTED} the user name and password`],
    [
      'ssh://github.com/alunny/x.git',
      /^"ssh:\/\/github\.com\/alunny\/x\.git" is not a repository that can be cloned\. Name it by an https URL/,
    ],
    ['git://github.com/alunny/x.git', /is not a repository that can be cloned/],
    ['file:///etc', /is not a repository that can be cloned/],
    ['ext::sh', /is not a repository that can be cloned/],
    ['/srv/git/x', /is not a repository that can be cloned/],
    ['../x', /is not a repository that can be cloned/],
    ['./x', /is not a repository that can be cloned/],
    ['C:\\x', /is not a repository/],
    ['--upload-pack=x/y', /is not a repository that can be cloned/],
    ['owner/-x', /is not a repository that can be cloned/],
    ['owner/..', /is not a repository that can be cloned/],
    ['http://example.com/x', '"http://example.com/x" is not encrypted. Use https.'],
    ['http://127.0.0.1.example.com/x', /is not encrypted/],
    ['https://example.com/x?token=secret', /^The URL of a repository has no query\./],
    ['https://example.com/\nx', /^"https:\/\/example\.com\/x" is not a repository\./],
    ['', /^"" is not a repository\./],
    ...[
      '--upload-pack=x',
      'a..b',
      'a b',
      '/a',
      'a/',
      'a.lock',
      'a@{1}',
      '.a',
      'a\\b',
      'a:b',
      'a\u0000b',
      'x'.repeat(300),
    ].map((ref): readonly [string, RegExp] => [
      `owner/repo#${ref}`,
      /^"[^"]*" is not the name of a branch or tag\. Correct it\.$/,
    ]),
  ];
  for (const [repo, sentence] of refused) {
    it(`refuses ${JSON.stringify(repo.slice(0, 60))}`, () => {
      assert.throws(
        () => parseRepository(repo, null),
        (error: unknown) => {
          assert.ok(error instanceof PackageError);
          assert.doesNotMatch(error.message, /secret|ghp_/);
          if (typeof sentence === 'string') {
            assert.equal(error.message, sentence);
          } else {
            assert.match(error.message, sentence);
          }
          return true;
        },
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
      // What would make git run or read something of this machine.
      '.gitattributes': '* filter=evil\n',
      '.gitmodules': '[submodule "s"]\n\tpath = s\n\turl = file:///etc\n',
      passwd: { link: '/etc/passwd' },
    });
    await server.git('branch', 'feature/a');
  });
  after(() => server.stop());
  folderOfEachTest((made) => (folder = made));

  async function filesOf(tag: string | null, { url } = server): Promise<Record<string, string>> {
    const work = join(folder, 'work');
    const unpacked = join(folder, 'unpacked');
    await mkdir(work);
    await mkdir(unpacked);
    const archive = await packRepository({ url, tag }, work, signal);
    assert.deepEqual(await readdir(work), ['repository.zip']);
    await unpackPackage(archive, 'zip', unpacked, signal);
    const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => [name, await readFile(join(parentPath, name), 'utf8')] as const);
    return Object.fromEntries(await Promise.all(files));
  }

  it('packs the files of the latest commit, without .git, links and submodules', async () => {
    assert.deepEqual(await filesOf(null), {
      'index.html': 'second',
      'config.xml': '<widget/>',
      '.gitattributes': '* filter=evil\n',
      '.gitmodules': '[submodule "s"]\n\tpath = s\n\turl = file:///etc\n',
      passwd: '/etc/passwd',
    });
  });

  it('packs a tag and a branch', async () => {
    assert.deepEqual(await filesOf('v1.0'), { 'index.html': 'first' });
    await rm(folder, { recursive: true });
    await mkdir(folder);
    assert.equal((await filesOf('feature/a'))['index.html'], 'second');
  });

  it('uses neither configuration nor hooks nor credentials of the user', async () => {
    const home = join(folder, 'home');
    const marker = join(folder, 'marker');
    await mkdir(join(home, 'hooks'), { recursive: true });
    const script = `#!/bin/sh\ntouch '${marker}'\n`;
    await writeFile(join(home, 'hooks/post-checkout'), script, { mode: 0o755 });
    await writeFile(join(home, 'askpass'), script, { mode: 0o755 });
    const config = `[core]\n\thooksPath = ${home}/hooks\n[filter "evil"]\n\tsmudge = ${home}/askpass\n[credential]\n\thelper = ${home}/askpass\n`;
    await writeFile(join(home, '.gitconfig'), config);
    const variables = {
      HOME: home,
      GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
      GIT_ASKPASS: join(home, 'askpass'),
      GIT_DIR: '/etc',
    };
    const environment = process.env;
    process.env = { ...environment, ...variables };
    const privateServer = await listen(
      createServer((_request, response) => {
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="private"' }).end();
      }),
    );
    try {
      assert.equal((await filesOf(null))['index.html'], 'second');
      const work = join(folder, 'private');
      await mkdir(work);
      await assert.rejects(
        packRepository({ url: `http://127.0.0.1:${privateServer.port}/x.git`, tag: null }, work, signal),
        {
          name: 'PackageError',
          message:
            'The repository cannot be read: it does not exist, or it is private. Only public repositories can be cloned.',
        },
      );
      assert.ok(!(await readdir(folder)).includes('marker'));
    } finally {
      await privateServer.close();
      process.env = environment;
    }
  });

  itOnPosix('signs in with nothing that the home of the user knows', async () => {
    const home = join(folder, 'home');
    await mkdir(home);
    await writeFile(join(home, '.netrc'), 'machine 127.0.0.1 login ann password netrc-secret\n', { mode: 0o600 });
    const heard: (string | undefined)[] = [];
    const privateServer = await listen(
      createServer((request, response) => {
        heard.push(request.headers.authorization);
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="private"' }).end();
      }),
    );
    const environment = process.env;
    process.env = { ...environment, HOME: home };
    try {
      const url = `http://127.0.0.1:${privateServer.port}/x.git`;
      await assert.rejects(packRepository({ url, tag: null }, folder, signal), PackageError);
      assert.ok(heard.length > 0 && heard.every((credentials) => credentials === undefined), heard.join());
    } finally {
      process.env = environment;
      await privateServer.close();
    }
  });

  itOnPosix('is done by no git of a workspace', async () => {
    const bin = join(folder, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'git'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const environment = process.env;
    process.env = { ...environment, PATH: `${bin}:${environment.PATH ?? ''}` };
    try {
      assert.equal((await filesOf(null))['index.html'], 'second');
    } finally {
      process.env = environment;
    }
  });

  /** Has a script run in place of git, which knows where the true one is. */
  async function withGit(script: string, work: () => Promise<unknown>): Promise<void> {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const environment = process.env;
    process.env = { ...environment, PATH: `${bin}:${environment.PATH ?? ''}` };
    try {
      await work();
    } finally {
      process.env = environment;
    }
  }

  itOnPosix('uses neither configuration nor templates of the machine', async () => {
    const [system, template, clone] = ['system', 'template', 'clone'].map((name) => join(folder, name));
    assert.ok(system !== undefined && template !== undefined && clone !== undefined);
    await mkdir(template);
    await mkdir(clone);
    await writeFile(join(template, 'of-the-machine'), '');
    await writeFile(system, `[url "${server.url.replace('app.git', 'other.git')}"]\n\tinsteadOf = ${server.url}\n`);
    const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v git']);
    const script = `GIT_CONFIG_SYSTEM='${system}' GIT_TEMPLATE_DIR='${template}' exec '${stdout.trim()}' "$@"`;
    await withGit(script, () =>
      cloneRepository({ url: server.url, tag: null }, clone, signal, { timeoutMs: 60_000, maxPackBytes: 1_000_000 }),
    );
    const made = await readdir(join(clone, 'files', '.git'));
    assert.ok(made.includes('HEAD') && !made.includes('of-the-machine'), made.join());
  });

  itOnPosix('is ended while git fetches too much', async () => {
    const clone = join(folder, 'clone');
    await mkdir(clone);
    const script = 'mkdir -p files/.git && head -c 2000000 /dev/zero > files/.git/pack && exec sleep 600';
    await withGit(script, () =>
      assert.rejects(
        cloneRepository({ url: server.url, tag: null }, clone, signal, { timeoutMs: 20_000, maxPackBytes: 1_000_000 }),
        {
          message: 'The repository is larger than 1 MB. Upload the files of the app.',
        },
      ),
    );
  });

  itOnPosix('is measured by one check at a time, however slow the disk is', async () => {
    const clone = join(folder, 'clone');
    await mkdir(clone);
    const { opendir } = fs;
    let [running, atOnce] = [0, 0];
    fs.opendir = async (path) => {
      running += 1;
      atOnce = Math.max(atOnce, running);
      await sleep(700);
      running -= 1;
      return opendir(path);
    };
    syncBuiltinESMExports();
    try {
      const limits = { timeoutMs: 20_000, maxPackBytes: 1_000_000 };
      await withGit('mkdir -p files/.git && case "$*" in *clone*) sleep 1 ;; esac', () =>
        cloneRepository({ url: server.url, tag: null }, clone, signal, limits),
      );
    } finally {
      fs.opendir = opendir;
      syncBuiltinESMExports();
    }
    assert.equal(running, 0);
    assert.equal(atOnce, 1);
  });

  it('tells what is missing, without a path of this machine', async () => {
    const cases: readonly (readonly [url: string, tag: string | null, sentence: RegExp])[] = [
      [server.url, 'none', /^The repository has no branch or tag "none"\. Correct its name\.$/],
      [
        server.url.replace('app.git', 'other.git'),
        null,
        /^The repository cannot be read: it does not exist, or it is private\./,
      ],
      [
        'http://127.0.0.1:1/x.git',
        null,
        /^The repository cannot be cloned: unable to access 'http:\/\/127\.0\.0\.1:1\/x\.git\/': .* Check its URL\.$/,
      ],
    ];
    for (const [index, [url, tag, sentence]] of cases.entries()) {
      const work = join(folder, String(index));
      await mkdir(work);
      await assert.rejects(packRepository({ url, tag }, work, signal), (error: unknown) => {
        assert.ok(error instanceof PackageError, String(error));
        assert.match(error.message, sentence);
        assert.ok(!error.message.includes(folder));
        return true;
      });
    }
  });

  it('follows no redirect of plain http, and no other protocol', async () => {
    const redirecting = await listen(
      createServer((request, response) => {
        response.writeHead(302, { Location: server.url + (request.url ?? '').slice('/x.git'.length) }).end();
      }),
    );
    await assert.rejects(
      packRepository({ url: `http://127.0.0.1:${redirecting.port}/x.git`, tag: null }, folder, signal),
      PackageError,
    );
    await redirecting.close();
    const other = join(folder, 'other');
    await mkdir(other);
    await assert.rejects(
      packRepository({ url: `file://${folder}`, tag: null }, other, signal),
      /transport 'file' not allowed/,
    );
  });

  it('refuses a repository of which too much would be fetched or packed', async () => {
    const large = await startGitServer();
    const content = randomBytes(1_000_000);
    const sentence = 'The repository is larger than 1 MB. Upload the files of the app.';
    try {
      // git fetches it once.
      await large.commit({ 'index.html': '', a: content, b: content });
      for (const [name, maxPackBytes] of [
        ['fetched', 900_000],
        ['packed', 1_400_000],
      ] as const) {
        const work = join(folder, name);
        await mkdir(work);
        await assert.rejects(packRepository({ url: large.url, tag: null }, work, signal, { maxPackBytes }), {
          name: 'PackageError',
          message: sentence,
        });
        assert.deepEqual(await readdir(work), name === 'fetched' ? ['repository'] : ['repository.zip']);
      }
    } finally {
      await large.stop();
    }
  });

  describe('what a repository can hold', () => {
    let hostile: GitServer;
    let blob: string;
    beforeEach(async () => {
      hostile = await startGitServer();
      blob = await hostile.gitWithInput('x', 'hash-object', '-w', '--stdin');
    });
    afterEach(() => hostile.stop());
    const treeOf = (...lines: readonly string[]): Promise<string> =>
      hostile.gitWithInput(lines.map((line) => `${line}\0`).join(''), 'mktree', '-z');
    const pack = (): Promise<string> => packRepository({ url: hostile.url, tag: null }, folder, signal);

    for (const [what, bottom] of [
      ['files', (): string => `100644 blob ${blob}`],
      ['folders without files', async (): Promise<string> => `040000 tree ${await treeOf()}`],
    ] as const) {
      it(`is refused before billions of ${what} are in memory`, async () => {
        let entry = await bottom();
        for (let level = 0; level < 10; level += 1) {
          entry = `040000 tree ${await treeOf(...Array.from({ length: 10 }, (_, index) => `${entry}\t${index}`))}`;
        }
        await hostile.commitTree(entry.slice('040000 tree '.length));
        await assert.rejects(pack(), { name: 'PackageError', message: /^The archive holds more than 20,000 files/ });
      });
    }

    it('is refused before an object is in memory that is made of changes', async () => {
      const base = Buffer.alloc(2 ** 20);
      const baseId = await hostile.gitWithInput(base, 'hash-object', '-w', '--stdin');
      const { packed, id } = deltaPack(baseId, base, 257);
      await hostile.gitWithInput(packed, 'index-pack', '--stdin', '--fix-thin');
      await hostile.commitTree(await treeOf(`100644 blob ${baseId}\ta`, `100644 blob ${id}\tb`));
      await assert.rejects(pack(), {
        name: 'PackageError',
        message: 'The repository holds a file that is too large. Upload the files of the app.',
      });
    });

    it('is refused when it is empty', async () => {
      await assert.rejects(pack(), {
        name: 'PackageError',
        message: 'The repository is empty. Push the files of the app to it first.',
      });
    });

    it('is refused before it fills the disk', async () => {
      const large = await hostile.gitWithInput(Buffer.alloc(2 ** 24), 'hash-object', '-w', '--stdin');
      await hostile.commitTree(
        await treeOf(...Array.from({ length: 65 }, (_, index) => `100644 blob ${large}\t${index}`)),
      );
      await assert.rejects(pack(), { name: 'PackageError', message: /^The archive unpacks to more than 1 GiB\./ });
    });

    for (const [name, sentence] of [
      ['..\\x', /^"\.\.\\x" leads outside of the archive\./],
      ['C:x', /^"C:x" names a drive\./],
      ['a\nb', /has a control character in its name\./],
      ['a\u0001"b', /has a control character in its name\./],
    ] as const) {
      it(`is refused with the name ${JSON.stringify(name)}`, async () => {
        await hostile.commitTree(await treeOf(`100644 blob ${blob}\t${name}`));
        await assert.rejects(pack(), { name: 'PackageError', message: sentence });
        assert.deepEqual(await readdir(join(folder, 'repository', 'files')), ['.git']);
      });
    }
  });

  describe('from a plain web server', () => {
    let plain: GitServer;
    beforeEach(async () => {
      plain = await startGitServer({ plain: true });
    });
    afterEach(() => plain.stop());
    const pack = (limits = {}): Promise<string> =>
      packRepository({ url: plain.url, tag: null }, folder, signal, limits);
    const TOO_LARGE = {
      name: 'PackageError',
      message: 'The repository is larger than 1 MB. Upload the files of the app.',
    };

    for (const [how, storing, stored] of [
      ['objects of their own', ['pack-refs'], /^GET \S+\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/],
      ['packs', ['gc', '--quiet'], /^GET \S+\/objects\/pack\/pack-[0-9a-f]{40}\.pack$/],
    ] as const) {
      it(`fetches all of it, as ${how}, and packs a commit, a tag or a branch`, async () => {
        await plain.commit({ 'www/index.html': 'first' });
        await plain.git('tag', 'v1.0');
        await plain.commit({ 'www/index.html': 'second' });
        await plain.git('branch', 'feature/a');
        await plain.git(...storing);
        for (const [tag, content] of [
          [null, 'second'],
          ['v1.0', 'first'],
          ['feature/a', 'second'],
        ] as const) {
          assert.deepEqual(await filesOf(tag, plain), { 'index.html': content });
          await rm(folder, { recursive: true });
          await mkdir(folder);
        }
        assert.ok(plain.requests.some((request) => stored.test(request)));
        assert.deepEqual(
          plain.requests.filter((request) => request.startsWith('POST')),
          [],
          'git spoke its own protocol',
        );
      });
    }

    it('tells what is missing', async () => {
      await assert.rejects(pack(), /^PackageError: The repository is empty\./);
      await plain.commit({ 'index.html': '' });
      await rm(folder, { recursive: true });
      await mkdir(folder);
      await assert.rejects(packRepository({ url: plain.url, tag: 'none' }, folder, signal), {
        name: 'PackageError',
        message: 'The repository has no branch or tag "none". Correct its name.',
      });
    });

    it('refuses one whose history is too large', async () => {
      for (let version = 0; version < 2; version += 1) {
        await plain.commit({ 'index.html': randomBytes(600_000) });
      }
      await assert.rejects(pack({ maxPackBytes: 1_000_000 }), TOO_LARGE);
    });

    it('refuses many small files as what they take of the disk', async () => {
      await plain.commit(
        Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`www/${index}`, String(index)])),
      );
      await assert.rejects(pack({ maxPackBytes: 500_000 }), TOO_LARGE);
    });

    it('refuses billions of files before they are in memory', async () => {
      let entry = `100644 blob ${await plain.gitWithInput('x', 'hash-object', '-w', '--stdin')}`;
      for (let level = 0; level < 10; level += 1) {
        const lines = Array.from({ length: 10 }, (_, index) => `${entry}\t${index}\0`);
        entry = `040000 tree ${await plain.gitWithInput(lines.join(''), 'mktree', '-z')}`;
      }
      await plain.commitTree(entry.slice('040000 tree '.length));
      await assert.rejects(pack(), { name: 'PackageError', message: /^The archive holds more than 20,000 files/ });
    });

    it('refuses an object that is made of changes before it is in memory', async () => {
      const base = Buffer.alloc(2 ** 20);
      const baseId = await plain.gitWithInput(base, 'hash-object', '-w', '--stdin');
      const { packed, id } = deltaPack(baseId, base, 257);
      await plain.gitWithInput(packed, 'index-pack', '--stdin', '--fix-thin');
      const lines = [`100644 blob ${baseId}\ta`, `100644 blob ${id}\tb`].map((line) => `${line}\0`).join('');
      await plain.commitTree(await plain.gitWithInput(lines, 'mktree', '-z'));
      await assert.rejects(pack(), {
        name: 'PackageError',
        message: 'The repository holds a file that is too large. Upload the files of the app.',
      });
    });

    it('asks no other server that it names', async () => {
      const blob = await plain.gitWithInput('x', 'hash-object', '-w', '--stdin');
      await plain.commitTree(await plain.gitWithInput(`100644 blob ${blob}\tindex.html\0`, 'mktree', '-z'));
      const [objects = ''] = (await plain.git('rev-parse', '--absolute-git-dir'))
        .split('\n')
        .map((path) => join(path, 'objects'));
      await rm(join(objects, blob.slice(0, 2), blob.slice(2)));
      await writeFile(join(objects, 'info', 'http-alternates'), `${server.url}/.git/objects\n`);
      server.requests.length = 0;
      await assert.rejects(pack(), PackageError);
      assert.ok(plain.requests.some((request) => request.includes('http-alternates')));
      assert.deepEqual(server.requests, []);
    });
  });

  it('says so where git is not installed', async () => {
    const environment = process.env;
    process.env = { PATH: folder };
    try {
      await assert.rejects(packRepository({ url: server.url, tag: null }, folder, signal), {
        name: 'PackageError',
        message:
          'Repositories cannot be cloned, because git is not installed where the service runs. Upload the files instead.',
      });
    } finally {
      process.env = environment;
    }
  });

  it('ends at a limit of time and with the signal, together with all that git started', async () => {
    const silent = createServer(() => undefined);
    const { port, close } = await listen(silent);
    const url = `http://127.0.0.1:${port}/x.git`;
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    await mkdir(first);
    await mkdir(second);
    await assert.rejects(packRepository({ url, tag: null }, first, signal, { timeoutMs: 300 }), {
      name: 'PackageError',
      message: 'The repository was not cloned within 1 s. Try again.',
    });
    const controller = new AbortController();
    const connected = once(silent, 'request') as Promise<[{ socket: NodeJS.EventEmitter }]>;
    const work = packRepository({ url, tag: null }, second, controller.signal);
    const [{ socket }] = await connected;
    const closed = once(socket, 'close');
    const reason = new Error('deleted');
    controller.abort(reason);
    await assert.rejects(work, reason);
    await closed;
    await close();
  });
});

/** A pack of a kilobyte with an object of `count` times `base` (gitformat-pack). */
function deltaPack(baseId: string, base: Buffer, count: number): { packed: Buffer; id: string } {
  const digest = (...parts: readonly (string | Buffer)[]): Buffer => {
    const hash = createHash('sha1');
    parts.forEach((part) => hash.update(part));
    return hash.digest();
  };
  const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 128, ...varint(value >> 7)]);
  // Each copies the base: 0x40 stands for the third byte of its length.
  const copies = Array.from({ length: count }, () => [0xc0, base.length >> 16]).flat();
  const delta = Buffer.from([...varint(base.length), ...varint(base.length * count), ...copies]);
  const referenceDelta = (7 << 4) | (delta.length % 16) | 128;
  const body = Buffer.concat([
    Buffer.from('PACK\0\0\0\x02\0\0\0\x01'),
    Buffer.from([referenceDelta, ...varint(delta.length >> 4)]),
    Buffer.from(baseId, 'hex'),
    deflateSync(delta),
  ]);
  const contents = Array.from({ length: count }, () => base);
  return {
    packed: Buffer.concat([body, digest(body)]),
    id: digest(`blob ${base.length * count}\0`, ...contents).toString('hex'),
  };
}
