import assert from 'node:assert/strict';
import { BundleNode } from '../../../../../../src/extension/apps/builds/rows/platformNode.ts';
import type { TreeNode } from '../../../../../../src/extension/resources/tree/treeNode.ts';
import { FINGERPRINTS } from '../../../../../support/builds.ts';
import { ExplorerInNode } from '../../../../../support/explorerInNode.ts';

describe('the row of a build', () => {
  let explorer: ExplorerInNode;

  ExplorerInNode.forTests((opened) => (explorer = opened));

  /** Returns the row of an app built for Android. The given members are added to the resources. */
  async function built(members: { readonly app?: object; readonly build?: object }): Promise<TreeNode> {
    const link = '/api/v1/apps/1';
    const state = { status: { android: 'complete' }, error: {}, download: { android: `${link}/android` } };
    const app = { title: 'Shop', link, ...state, links: { builds: `${link}/build` }, ...members.app };
    const build = { platform: 'android', ...state, link: `${link}/build/android`, ...members.build };
    const paths = { [link]: app, [`${link}/build`]: { builds: [build], link: `${link}/build` } };
    const root = await explorer.serve({ apps: { link: '/api/v1/apps', all: [{ title: 'Shop', link }] } }, paths);
    return explorer.child(await explorer.child(root, 'Apps'), 'Shop');
  }

  const item = (node: TreeNode) => explorer.tree.getTreeItem(node);

  it('shows a bundle under the build that created it, with its certificate’s fingerprints', async () => {
    const bundle = { android: '/api/v1/apps/1/android/bundle' };
    const app = await built({ app: { bundle }, build: FINGERPRINTS });
    assert.deepEqual(await explorer.rows(app), ['Android | complete', 'Bundle for Google Play | .aab', 'More']);
    const [android, row] = await explorer.tree.getChildren(app);
    assert.ok(android && row);
    assert.match(explorer.getContext(android) ?? '', /^platform;(.*;)?download;bundle;(.*;)?fingerprint;$/);
    assert.equal(explorer.getContext(row), 'bundle');
    assert.ok(row instanceof BundleNode);
    assert.deepEqual([row.appUrl, row.platform], [`${explorer.service.url}/api/v1/apps/1`, 'android']);
    assert.equal(item(row).command, undefined, 'a click selects');
    const more = await explorer.rows(await explorer.child(app, 'More'));
    assert.deepEqual(
      more.filter((text) => text.startsWith('bundle')),
      [],
    );
  });

  it('explains Google Play’s requirement for a test-signed build, and adds nothing to a build without details', async () => {
    const test = await built({ build: { signed_with: 'test key' } });
    assert.deepEqual(await explorer.rows(test), ['Android | complete · test key', 'More']);
    const { tooltip } = item(await explorer.child(test, 'Android'));
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /Fine for your own phones, .* For Google Play, add your own signing key and build again\.$/);
    const plain = await built({ build: { sha1: FINGERPRINTS.sha256, sha256: `${FINGERPRINTS.sha256} and more` } });
    assert.deepEqual(await explorer.rows(plain), ['Android | complete', 'More']);
    assert.doesNotMatch(explorer.getContext(await explorer.child(plain, 'Android')) ?? '', /bundle|fingerprint/);
    const other = await built({ app: { bundle: { weight: '3 kg' } } });
    const more = await explorer.rows(await explorer.child(other, 'More'));
    assert.ok(
      more.some((text) => text.startsWith('bundle')),
      more.join(),
    );
  });
});
