import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasUrl, type TreeNode } from '../../../../src/resources/tree/treeNode.ts';
import { repositoryRoot } from '../../../support/repository.ts';
import { ExplorerInNode } from '../../../support/explorerInNode.ts';
import { text } from '../../../integration/support/treeRows.ts';

/** A document of a public API: `test/fixtures/shapes/NAME.json`, written by hand after the API's documentation. */
interface Shape {
  readonly name: string;
  /** Where the API is: the test serves it from this machine instead. */
  readonly origin: string;
  /** Path and query of the document. */
  readonly path: string;
  readonly type?: string;
  /** Parts of the document by the path that answers them: their rows are opened, too. `entry.0` is the first of `entry`. */
  readonly parts?: Readonly<Record<string, string>>;
}

const SHAPES: readonly Shape[] = [
  { name: 'githubUsers', origin: 'https://api.github.com', path: '/users' },
  { name: 'githubRepository', origin: 'https://api.github.com', path: '/repos/field-crew/notes' },
  { name: 'gitlabProject', origin: 'https://gitlab.com', path: '/api/v4/projects/51200' },
  { name: 'kubernetesList', origin: 'https://10.0.4.1:6443', path: '/api/v1/namespaces/mobile/pods' },
  {
    name: 'fhirBundle',
    origin: 'https://fhir.example.org',
    path: '/r4/Observation?patient=p-100&_include=Observation:subject&_count=4',
    type: 'application/fhir+json',
    parts: { '/r4/Observation/bw-2026-05': 'entry.0.resource', '/r4/Patient/p-100': 'entry.1.resource' },
  },
  {
    name: 'sirenAssignment',
    origin: 'https://activities.api.lms.example',
    path: '/old/activities/6606/usages/31',
    type: 'application/vnd.siren+json',
  },
  {
    name: 'odataPerson',
    origin: 'https://services.odata.example',
    path: "/TripService/People('ada')",
    type: 'application/json;odata.metadata=full',
    parts: { "/TripService/People('ada')/Trips(1003)": 'Trips.0' },
  },
  {
    name: 'jsonApiArticles',
    origin: 'https://blog.example.com',
    path: '/articles?page[number]=3',
    type: 'application/vnd.api+json',
  },
  {
    name: 'hydraCollection',
    origin: 'https://surf.example',
    path: '/api/groups?user=1',
    type: 'application/ld+json',
  },
  { name: 'stripeList', origin: 'https://api.stripe.com', path: '/v1/customers' },
  { name: 'laravelPage', origin: 'https://app.example.com', path: '/users?page=2' },
  {
    name: 'spotifyPlaylist',
    origin: 'https://api.spotify.com',
    path: '/v1/playlists/5Qm1rT',
    parts: { '/v1/playlists/5Qm1rT/tracks': 'tracks' },
  },
  {
    name: 'activityStreams',
    origin: 'https://social.example',
    path: '/users/ada/outbox?page=true',
    type: 'application/activity+json',
    parts: {
      '/users/ada/statuses/1152/activity': 'orderedItems.0',
      '/@ada/1152': 'orderedItems.0.object',
    },
  },
  {
    name: 'scimUser',
    origin: 'https://example.com',
    path: '/v2/Users/2819c223-7f76-453a-919d-413861904646',
    type: 'application/scim+json',
  },
];

/** What a click on a row does, by its context value. */
const SIGNS = new Map([
  ['resource', '▸'],
  ['group', '▸'],
  ['external', '↗'],
  ['template', '?'],
  ['form', '→'],
  ['download', '↓'],
  ['loadMore', '…'],
  ['field', ' '],
]);

function valueAt(document: unknown, part: string): unknown {
  return part
    .split('.')
    .reduce((value, name) => (value as Readonly<Record<string, unknown> | undefined>)?.[name], document);
}

const fixtures = path.join(repositoryRoot, 'test', 'fixtures', 'shapes');
/** The tree as it is, to be compared with the fixture and read. */
const shown = path.join(repositoryRoot, 'out', 'shapes');

describe('the tree of a well-known API', () => {
  let explorer: ExplorerInNode;

  before(async () => {
    explorer = await ExplorerInNode.open();
    await mkdir(shown, { recursive: true });
  });

  beforeEach(() => explorer.signIn());

  after(() => explorer.close());

  /** The rows below a node, and those of parts that need no request. */
  async function outline(node: TreeNode, parts: ReadonlySet<string>, indent = ''): Promise<string[]> {
    const lines: string[] = [];
    for (const row of await explorer.tree.getChildren(node)) {
      const context = explorer.contextOf(row) ?? '';
      lines.push(`${indent}${SIGNS.get(context) ?? '!'} ${explorer.shown(row)}`);
      if (context === 'group' || (hasUrl(row) && parts.has(new URL(row.url).pathname))) {
        lines.push(...(await outline(row, parts, `${indent}  `)));
      }
    }
    return lines;
  }

  for (const { name, origin, path: at, type = 'application/json', parts = {} } of SHAPES) {
    it(`says what each row is, which one, and what opens: ${name}`, async () => {
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
