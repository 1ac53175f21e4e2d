import assert from 'node:assert/strict';

import fc from 'fast-check';

import { idFault, proposedId } from '../../../src/configXml/checks/appId.ts';

describe('the ID that is proposed for an app', () => {
  const cases: readonly (readonly [remote: string | undefined, name: string, id: string])[] = [
    ['https://github.com/Ann/Tide-Times.git', 'x', 'com.github.ann.tide_times'],
    ['git@gitlab.example.org:group/sub/app.git', 'x', 'org.example.gitlab.group.sub.app'],
    ['https://user:secret@git.example.com/a/2048?x=y#z', 'x', 'com.example.git.a.app_2048'],
    ['https://github.com/new/default', 'x', 'com.github.app_new.app_default'],
    ['/srv/git/app.git', 'My App', 'com.my_app.app'],
    ['https://127.0.0.1/a/b', 'Über 9000!', 'com.uber_9000.app'],
    [undefined, 'class', 'com.app_class.app'],
    [undefined, '日本', 'com.app'],
    [undefined, '', 'com.app'],
  ];
  for (const [remote, name, id] of cases) {
    it(`of ${remote ?? 'no remote'}, ${JSON.stringify(name)}: ${id}`, () => assert.equal(proposedId(remote, name), id));
  }

  it('is one that every platform takes, whatever the remote and the name', () => {
    const address = fc.oneof(fc.webUrl(), fc.string(), fc.constant(undefined));
    fc.assert(
      fc.property(address, fc.string({ unit: 'grapheme' }), (remote, name) => {
        const id = proposedId(remote, name);
        assert.equal(idFault(id), undefined, id);
        assert.doesNotMatch(id, /_(?:\.|$)/);
      }),
    );
  });
});
