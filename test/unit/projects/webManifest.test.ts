import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readWebManifest, type WebManifest } from '../../../src/projects/projectJson.ts';

const NOTHING: WebManifest = {
  name: undefined,
  shortName: undefined,
  description: undefined,
  startUrl: undefined,
  display: undefined,
  orientation: undefined,
  themeColor: undefined,
  backgroundColor: undefined,
  icons: [],
};

describe('a web app manifest', () => {
  it('says what an app is called and looks like', () => {
    const manifest = {
      name: ' My Shop ',
      short_name: 'Shop',
      description: 'Sells things.',
      start_url: './?from=home',
      display: 'standalone',
      orientation: 'portrait',
      theme_color: '#123456',
      background_color: 'white',
      icons: [
        { src: 'icon.png', sizes: '192x192 512x512', type: 'image/png', purpose: 'maskable any' },
        { src: '/icon.svg' },
      ],
      lang: 'en',
    };
    assert.deepEqual(readWebManifest(`\uFEFF${JSON.stringify(manifest)}`), {
      name: 'My Shop',
      shortName: 'Shop',
      description: 'Sells things.',
      startUrl: './?from=home',
      display: 'standalone',
      orientation: 'portrait',
      themeColor: '#123456',
      backgroundColor: 'white',
      icons: ['icon.png', '/icon.svg'],
    } satisfies WebManifest);
  });

  const empty: Readonly<Record<string, string>> = {
    'that is empty': '',
    'that is broken': '{"name": "Shop",}',
    'that is no object': '"Shop"',
    null: 'null',
    'that is a list': '["Shop"]',
    'that says nothing': '{}',
    'that html5-boilerplate begins with':
      '{"short_name":"","name":"","icons":[{"src":"","type":"image/png"}],"start_url":""}',
    'of other types': '{"name":1,"short_name":["a"],"icons":{"src":"a"},"theme_color":null,"start_url":{}}',
    'with icons that are none': '{"icons":[null,"icon.png",[],{"src":1},{"sizes":"1x1"}]}',
    'whose name nobody can read': JSON.stringify({ name: 'x'.repeat(10_000) }),
  };
  for (const [what, text] of Object.entries(empty)) {
    it(`${what}: nothing is known`, () => {
      assert.deepEqual(readWebManifest(text), NOTHING);
    });
  }

  it('of any text never throws', () => {
    const members = fc.dictionary(fc.constantFrom(...Object.keys(NOTHING), 'short_name', '__proto__'), fc.jsonValue());
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      members.map((each) => JSON.stringify(each)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const { icons, ...words } = readWebManifest(text);
        assert.ok(icons.every((src) => typeof src === 'string'));
        assert.ok(Object.values(words).every((word) => word === undefined || typeof word === 'string'));
      }),
    );
  });
});
