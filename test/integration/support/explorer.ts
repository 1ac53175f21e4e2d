import assert from 'node:assert/strict';
import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { newSession } from '../../../src/auth/session.ts';
import type { TestAccess } from '../../../src/extension.ts';
import type { TreeNode } from '../../../src/resources/tree/treeNode.ts';
import { oddToken, startOddService, type OddService } from '../../support/oddService.ts';
import { activated, configure } from './extension.ts';
import { TreeRows } from './treeRows.ts';

/** The resource explorer, signed in at a service that answers what a test wants. */
export class Explorer extends TreeRows {
  readonly access: TestAccess;
  readonly service: OddService;

  private constructor(access: TestAccess, service: OddService) {
    super(access.tree);
    this.access = access;
    this.service = service;
  }

  static async open(): Promise<Explorer> {
    return new Explorer(await activated(), await startOddService());
  }

  /** Signs in, as each test has to. */
  async signIn(): Promise<void> {
    await signInAtOddService(this.access, this.service);
  }

  async close(): Promise<void> {
    await this.service.close();
  }

  /** Serves a home resource and everything else, from an empty tree. */
  async serve(user: object, paths: Readonly<Record<string, unknown>> = {}): Promise<TreeNode> {
    this.service.paths.clear();
    for (const [path, value] of Object.entries({ '/api/v1': home(user), ...paths })) {
      this.service.paths.set(path, value);
    }
    await this.tree.refresh();
    const [root] = await this.tree.getChildren();
    assert.ok(root);
    this.service.requests.length = 0;
    return root;
  }
}

/** Uses a service from now on, signed in with its token. */
export async function signInAtOddService({ sessions }: TestAccess, { url }: OddService): Promise<void> {
  await configure({ serviceUrl: url });
  await sessions.store(newSession(parseServiceUrl(url), 'odd', { type: 'authToken', authToken: oddToken }, []));
}

/** The home resource of the service's user. */
export function home(more: object): object {
  return { username: 'odd', email: 'odd@example.com', ...more };
}

/** An answer of any body. */
export function text(body: string | Buffer, type = 'application/json'): object {
  return { body, headers: { 'content-type': type } };
}
