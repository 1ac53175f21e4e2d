import assert from 'node:assert/strict';

import { parseOptions } from '../../../src/build-service/options.ts';

describe('local service: options', () => {
  const refused: readonly (readonly [string[], string | RegExp])[] = [
    [['--port', 'x'], '--port must be a number from 0 to 65535, not “x”.'],
    [['--port', '65536'], '--port must be a number from 0 to 65535, not “65536”.'],
    [['--data', ''], '--data must specify a folder.'],
    [['--callback-url', 'nowhere'], '--callback-url: The callback URL must be an absolute URL without spaces.'],
    [['--callback-url', 'javascript:alert(1)'], '--callback-url: The callback URL must not start with “javascript:”.'],
    [['--callback-url', 'http://127.0.0.1/#x'], '--callback-url: The callback URL must not contain a fragment (#).'],
    [['--builder', 'other'], '--builder must be builtin or cordova, not “other”.'],
    [['--builder', 'builtin', '--engine', '/engine'], '--engine is for the Cordova builder.'],
    [['--engine', ''], '--engine must specify a folder.'],
    [['--install-engine'], '--install-engine requires --data, because the engine is stored in the data folder.'],
    [['--plugin', 'cordova-plugin-camera'], '--plugin requires --install-engine.'],
    ...['./x', ...'-x|a b|https://x/y|x@file:../y|x@npm:y@1|x@1.0.0-x.tgz|x@next|x@|@x||../x'.split('|')].map(
      (plugin) =>
        [
          ['--install-engine', '--data', 'd', `--plugin=${plugin}`],
          `--plugin must be an npm package, such as cordova-plugin-camera@^8.0.0, not “${plugin}”.`,
        ] satisfies [string[], string],
    ),
    [['--build-timeout', 'soon'], '--build-timeout must be a number above 0, not “soon”.'],
    [['--build-timeout', '0'], '--build-timeout must be a number above 0, not “0”.'],
    [['--build-timeout', '1e3'], '--build-timeout must be a number above 0, not “1e3”.'],
    [['--build-timeout', '1234567'], '--build-timeout must be a number above 0, not “1234567”.'],
    [['--max-upload', '0.0'], '--max-upload must be a number above 0, not “0.0”.'],
    [['--max-upload', ''], '--max-upload must be a number above 0, not “”.'],
    [['--cert', 'cert.pem'], '--cert and --key must be used together.'],
    [['--https', '--key', 'key.pem'], '--cert and --key must be used together.'],
    // This message comes from Node.
    [['--unknown'], /--unknown/],
    [['extra'], /extra/],
    [['--port'], /--port/],
    [['--port', '-1'], /--port/],
    [['--json=yes'], /--json/],
  ];
  for (const [args, message] of refused) {
    it(`rejects ${args.join(' ')}`, () => {
      assert.throws(() => parseOptions(args), { message });
    });
  }

  it('defaults to HTTP, no data folder, and no demo data', () => {
    assert.deepEqual(parseOptions([]), {
      port: undefined,
      dataFolder: undefined,
      demo: false,
      callbackUrl: undefined,
      builder: { builder: undefined, engine: undefined, dataFolder: undefined },
      installEngine: false,
      plugins: [],
      buildTimeoutMs: 15 * 60_000,
      maxUploadBytes: 250_000_000,
      certificate: undefined,
      https: false,
      json: false,
      help: false,
    });
  });

  it('sets the builder, the time limit of builds, and the size limit of uploads', () => {
    const { builder, buildTimeoutMs, maxUploadBytes } = parseOptions(
      '--data d --builder cordova --engine e --build-timeout 0.5 --max-upload 1.5'.split(' '),
    );
    assert.deepEqual(builder, { builder: 'cordova', engine: 'e', dataFolder: 'd' });
    assert.equal(buildTimeoutMs, 30_000);
    assert.equal(maxUploadBytes, 1_500_000);
  });

  it('enables TLS with a generated certificate, or with certificate files without --https', () => {
    const files = { certFile: 'c', keyFile: 'k' };
    assert.equal(parseOptions(['--https']).https, true);
    assert.deepEqual(parseOptions('--https --cert c --key k'.split(' ')).certificate, files);
    assert.deepEqual(parseOptions('--cert c --key k'.split(' ')).certificate, files);
  });

  it('names the plugins to install with the engine', () => {
    const args = '--install-engine --data d --plugin a --plugin @b/c@^1.0 --plugin=d@latest'.split(' ');
    assert.deepEqual(parseOptions([...args, '--plugin', 'e@>=1.2.3-beta.1 <2 || 3.x']).plugins, [
      { name: 'a', range: undefined },
      { name: '@b/c', range: '^1.0' },
      { name: 'd', range: 'latest' },
      { name: 'e', range: '>=1.2.3-beta.1 <2 || 3.x' },
    ]);
  });
});
