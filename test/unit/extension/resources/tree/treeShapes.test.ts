import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasUrl, type TreeNode } from '../../../../../src/extension/resources/tree/treeNode.ts';
import { repositoryRoot } from '../../../../support/repository.ts';
import { ExplorerInNode } from '../../../../support/explorerInNode.ts';
import { text } from '../../../../integration/support/treeRows.ts';

/**
 * Document of a public API, listed in `shapes.json`. The adjacent NAME.json was written by hand from the API's documentation.
 */
interface Shape {
  readonly name: string;
  /** Origin of the API. The test serves it from this computer instead. */
  readonly origin: string;
  /** Path and query of the document. */
  readonly path: string;
  readonly type?: string;
  /**
   * Parts of the document, by the path that serves them. The test opens their rows, including nested ones. `entry.0` is the
   * first element of `entry`.
   */
  readonly parts?: Readonly<Record<string, string>>;
}

/** Effect of a click on a row, by its context value. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ resource: '▸', group: '▸', external: '↗', template: '?', form: '→', download: '↓', loadMore: '…', field: ' ' },
};

function valueAt(document: unknown, part: string): unknown {
  return part
    .split('.')
    .reduce((value, name) => (value as Readonly<Record<string, unknown> | undefined>)?.[name], document);
}

const fixtures = path.join(repositoryRoot, 'test', 'fixtures', 'shapes');
const SHAPES = JSON.parse(readFileSync(path.join(fixtures, 'shapes.json'), 'utf8')) as readonly Shape[];
/** Actual tree, to be compared with the fixture. */
const shown = path.join(repositoryRoot, 'out', 'shapes');

describe('the tree of a well-known API', () => {
  let explorer: ExplorerInNode;

  ExplorerInNode.forTests((opened) => (explorer = opened));

  before(() => mkdir(shown, { recursive: true }));

  /** Lists the rows under a node, and those of parts that need no request. */
  async function outline(node: TreeNode, parts: ReadonlySet<string>, indent = ''): Promise<string[]> {
    const lines: string[] = [];
    for (const row of await explorer.tree.getChildren(node)) {
      const context = explorer.getContext(row) ?? '';
      lines.push(`${indent}${SIGNS[context] ?? '!'} ${explorer.shown(row)}`);
      if (context === 'group' || (hasUrl(row) && parts.has(new URL(row.url).pathname))) {
        lines.push(...(await outline(row, parts, `${indent}  `)));
      }
    }
    return lines;
  }

  for (const { name, origin, path: at, type = 'application/json', parts = {} } of SHAPES) {
    it(`describes each row and its target: ${name}`, async () => {
      const { url } = explorer.service;
      const body = (await readFile(path.join(fixtures, `${name}.json`), 'utf8')).replaceAll(origin, url);
      const root = await explorer.serve({ shape: { link: at } });
      explorer.service.paths.set(new URL(at, url).pathname, text(body, type));
      for (const [partPath, part] of Object.entries(parts)) {
        explorer.service.paths.set(partPath, valueAt(JSON.parse(body), part));
      }
      const lines = await outline(await explorer.child(root, 'shape'), new Set(Object.keys(parts)));
      const tree = `${lines.join('\n').replaceAll(url, origin)}\n`;
      await writeFile(path.join(shown, `${name}.txt`), tree);
      assert.equal(tree, await readFile(path.join(fixtures, `${name}.txt`), 'utf8'));
    });
  }
});
