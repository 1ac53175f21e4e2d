import assert from 'node:assert/strict';
import { findApp, isAppAddress, readApp } from '../../../src/apps/model/app.ts';
import { resourceOf } from '../../support/testData.ts';

const app = (id: number, title: string, packageId: string) =>
  readApp(resourceOf({ id, title, package: packageId }), `https://build.example.com/api/v1/apps/${id}`);

describe('the app of a name', () => {
  const apps = [app(1, 'Shop', 'com.example.shop'), app(2, 'Notes', 'com.example.notes'), app(3, 'Shop', 'org.shop')];
  const numbersOf = (name: string) => {
    const found = findApp(name, apps);
    switch (found.kind) {
      case 'one':
        return [found.app.url.at(-1)];
      case 'several':
        return found.apps.map(({ url }) => url.at(-1));
      case 'none':
        return [];
    }
  };

  it('is found by title, package and number', () => {
    assert.deepEqual(['Notes', 'com.example.notes', '2'].map(numbersOf), [['2'], ['2'], ['2']]);
    assert.deepEqual(['notes', '', '22', 'com.example'].map(numbersOf), [[], [], [], []]);
  });

  it('is one of several where they share a title', () => {
    assert.deepEqual(numbersOf('Shop'), ['1', '3']);
  });

  it('is no address', () => {
    assert.deepEqual(['/api/v1/apps/1', 'HTTPS://a.example/1', 'Shop', 'httpd', 'a/b'].map(isAppAddress), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
