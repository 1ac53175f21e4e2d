import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readCapacitorConfig } from '../../../../src/projects/tools/toolRules.ts';

const SCRIPT = `import type { CapacitorConfig } from '@capacitor/cli';
import { KeyboardResize } from '@capacitor/keyboard';

const config: CapacitorConfig = {
  appId: 'com.example.garden',
  appName: 'Garden',
  webDir: 'dist/garden/browser',
  backgroundColor: '#ffffffff',
  android: { backgroundColor: '#112233' },
  server: { androidScheme: 'https', hostname: 'garden.example' },
  plugins: {
    Keyboard: { resize: KeyboardResize.Body },
    SplashScreen: {
      launchShowDuration: 1_500,
      launchFadeOutDuration: 100,
      launchAutoHide: false,
      backgroundColor: '#abcdef',
      splashFullScreen: true,
    },
    StatusBar: { overlaysWebView: false, style: Style.Dark, backgroundColor: '#000000' },
  },
};

export default config;
`;

const literal = (value: string | number | boolean, line: number): unknown => ({ kind: 'literal', value, line });

describe('readCapacitorConfig', () => {
  it('reads all of a TypeScript file', async () => {
    assert.deepEqual(await readCapacitorConfig(SCRIPT, 'capacitor.config.ts'), {
      appId: literal('com.example.garden', 5),
      appName: literal('Garden', 6),
      webDir: { kind: 'literal', value: 'dist/garden/browser', isResolved: false, line: 7 },
      androidScheme: literal('https', 10),
      hostname: literal('garden.example', 10),
      backgroundColor: literal('#112233', 9),
      splashScreen: {
        backgroundColor: literal('#abcdef', 17),
        launchShowDuration: literal(1500, 14),
        launchFadeOutDuration: literal(100, 15),
        launchAutoHide: literal(false, 16),
        splashFullScreen: literal(true, 18),
      },
      statusBar: {
        backgroundColor: literal('#000000', 20),
        style: { kind: 'expression', line: 20 },
        overlaysWebView: literal(false, 20),
      },
    });
  });

  it('reads JSON, where the color is that of all platforms', async () => {
    const text = '{\n  "appId": "a.b",\n  "backgroundColor": "#fff",\n  "android": { "path": "android" }\n}\n';
    const { appId, appName, backgroundColor, statusBar } = await readCapacitorConfig(text, 'capacitor.config.json');
    assert.deepEqual(
      [appId, appName, backgroundColor, statusBar.style],
      [literal('a.b', 2), { kind: 'absent' }, literal('#fff', 3), { kind: 'absent' }],
    );
  });

  it('says that a broken file cannot be told', async () => {
    for (const name of ['capacitor.config.ts', 'capacitor.config.json']) {
      assert.deepEqual((await readCapacitorConfig('{ "appId": ', name)).appId, { kind: 'expression', line: 1 });
    }
  });

  it('never throws, however the file is changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(SCRIPT.length),
        fc.nat(20),
        fc.string({ maxLength: 5 }),
        fc.constantFrom('ts', 'js', 'json'),
        async (at, count, added, extension) => {
          const config = await readCapacitorConfig(
            SCRIPT.slice(0, at) + added + SCRIPT.slice(at + count),
            `capacitor.config.${extension}`,
          );
          assert.match(config.webDir.kind, /^(?:literal|absent|expression)$/);
        },
      ),
      { numRuns: 300 },
    );
  });
});
