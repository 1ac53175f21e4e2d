import assert from 'node:assert/strict';

import { packageJsonIn, readWebManifest } from '../../../src/web-project/projectJson.ts';

describe('JSON of a project', () => {
  it('omits values of the wrong type', () => {
    for (const text of ['', '{"name": "Shop",}', '"Shop"', 'null', '["Shop"]']) {
      assert.deepEqual([readWebManifest(text), packageJsonIn(text)], [undefined, undefined], text);
    }
    const said = (manifest: object) => JSON.parse(JSON.stringify(readWebManifest(JSON.stringify(manifest)))) as unknown;
    const begun = { short_name: '', name: ' ', icons: [{ src: '', type: 'image/png' }], start_url: 'x'.repeat(10_000) };
    assert.deepEqual(said(begun), { icons: [{}] });
    const others = { name: 1, short_name: ['a'], theme_color: null, start_url: {}, icons: { src: 'a' } };
    assert.deepEqual(said(others), { icons: [] });
    const icons = [null, 'icon.png', [], { src: 1 }, { sizes: '1x1' }, { src: '/a.svg' }];
    assert.deepEqual(said({ name: ' My Shop ', icons }), {
      name: 'My Shop',
      icons: [{}, {}, {}, {}, {}, { src: '/a.svg' }],
    });
    const { scripts, dependencies, author } =
      packageJsonIn('\uFEFF{"scripts":{"build":"make","a":1},"dependencies":"x","author":7}') ?? {};
    assert.deepEqual([scripts, dependencies, author], [new Map([['build', 'make']]), [], undefined]);
  });
});
