import assert from 'node:assert/strict';

import { ORIGIN, address, fieldTexts, links, outline, read } from './read.ts';

const app = {
  id: 1,
  title: 'Weather',
  repo: 'https://code.example/x/y',
  link: '/api/v1/apps/1',
  status: { android: 'complete', ios: null, winphone: 'pending' },
  download: { android: '/api/v1/apps/1/android', ios: null },
  error: {},
  icon: { filename: null, link: '/api/v1/apps/1/icon' },
  collaborators: {
    link: '/api/v1/apps/1/collaborators',
    active: [{ id: 7, person: 'a@b.example', role: 'admin', link: '/api/v1/apps/1/collaborators/7' }],
    pending: [{ person: 'c@d.example', role: 'tester' }],
  },
};

describe('hypermedia: the service’s own resources', () => {
  it('reads /me as a tree of lists and things, with the lists’ elements directly below them', () => {
    const me = read({
      id: 1,
      username: 'ada',
      email: 'ada@b.example',
      link: '/api/v1/me',
      apps: { id: 2, link: '/api/v1/apps', all: [{ title: 'Weather', role: 'admin', link: '/api/v1/apps/1' }] },
      keys: {
        link: '/api/v1/keys',
        ios: { link: '/api/v1/keys/ios', all: [{ id: 3, default: true, title: 'Dist', link: '/api/v1/keys/ios/3' }] },
        android: { link: '/api/v1/keys/android', all: [] },
      },
    });
    assert.deepEqual(outline(me), [
      ' "ada" @/api/v1/me',
      '  apps @/api/v1/apps',
      '    apps "Weather" @/api/v1/apps/1',
      '  keys @/api/v1/keys',
      '    ios @/api/v1/keys/ios',
      '      ios "Dist" @/api/v1/keys/ios/3',
      '    android @/api/v1/keys/android',
    ]);
    assert.deepEqual(fieldTexts(me), ['id=1', 'username=ada', 'email=ada@b.example']);
    assert.deepEqual(me.embedded[0]?.resource.embedded[0]?.index, 0);
    assert.equal(me.self?.convention, 'plain');
    assert.equal(me.self.pointer, '/link');
  });

  it('reads an app: downloads are links, an empty error is a field, a repository elsewhere is an external link', () => {
    const resource = read(app, { url: `${ORIGIN}/api/v1/apps/1` });
    assert.equal(resource.title, 'Weather');
    assert.deepEqual(fieldTexts(resource), ['id=1', 'title=Weather', 'error={}']);
    assert.deepEqual(links(resource), ['repo → external https://code.example/x/y']);
    assert.equal(resource.links[0]?.convention, 'inferred');
    assert.equal(resource.links[0].text, 'https://code.example/x/y');
    const download = resource.embedded.find(({ rel }) => rel === 'download')?.resource;
    assert.ok(download);
    assert.deepEqual(links(download), ['android → /api/v1/apps/1/android']);
    assert.equal(download.links[0]?.convention, 'plain');
    assert.equal(download.links[0].pointer, '/download/android');
    assert.deepEqual(fieldTexts(download), ['ios=null']);
    assert.deepEqual(outline(resource), [
      ' "Weather" @/api/v1/apps/1',
      '  status',
      '  download',
      '  icon @/api/v1/apps/1/icon',
      '  collaborators @/api/v1/apps/1/collaborators',
      '    active "7" @/api/v1/apps/1/collaborators/7',
      '    pending',
    ]);
  });

  it('follows no redirect body by itself, but lists where it leads', () => {
    const resource = read({ location: 'http://storage.example/1.apk?sig=1' });
    assert.deepEqual(links(resource), ['location → external http://storage.example/1.apk?sig=1']);
    assert.deepEqual(links(read({ location: 'Berlin' })), []);
  });

  it('asks the given resolver, so that a path prefix of the service is its business', () => {
    const resolve = (href: string, base: string): URL => new URL(href.startsWith('/api/') ? `/pgb${href}` : href, base);
    const resource = read(
      { link: '/api/v1/me', download: { ios: '/api/v1/apps/1/ios' } },
      { url: `${ORIGIN}/pgb/api/v1/me`, resolve },
    );
    assert.equal(address(resource.self?.target), '/pgb/api/v1/me');
    assert.deepEqual(
      resource.embedded.flatMap((child) => links(child.resource)),
      ['ios → /pgb/api/v1/apps/1/ios'],
    );
  });

  it('infers prefixed paths too when the service is mounted under a prefix', () => {
    const resource = read(
      { a: '/pgb/api/v1/x', b: '/api/v1/x', c: '/pgb/other', d: `${ORIGIN}/pgb/api/v1/y`, e: `${ORIGIN}/elsewhere` },
      { url: `${ORIGIN}/pgb/api/v1/me` },
    );
    assert.deepEqual(links(resource), ['a → /pgb/api/v1/x', 'b → /api/v1/x', 'd → /pgb/api/v1/y']);
    assert.deepEqual(fieldTexts(resource), ['c=/pgb/other', `e=${ORIGIN}/elsewhere`]);
  });
});
