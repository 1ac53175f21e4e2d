import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseServiceUrl } from '../../../api/serviceUrl.ts';
import { newSession } from '../../../auth/session.ts';
import type { TestAccess } from '../../../extension.ts';
import type { Node } from '../../../resources/nodes/node.ts';
import type { ResourceTree } from '../../../resources/resourceTree.ts';
import { oddToken, startOddService, type OddService } from '../../oddService.ts';
import { activated, configure, signOutEverywhere } from './extension.ts';

/** The resource explorer, signed in at a service that answers what a test wants. */
export class Explorer {
  readonly access: TestAccess;
  readonly service: OddService;

  private constructor(access: TestAccess, service: OddService) {
    this.access = access;
    this.service = service;
  }

  static async open(): Promise<Explorer> {
    const access = await activated();
    const service = await startOddService();
    await signOutEverywhere(access);
    await signInAtOddService(access, service);
    return new Explorer(access, service);
  }

  async close(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await signOutEverywhere(this.access);
    await this.service.close();
  }

  get tree(): ResourceTree {
    return this.access.tree;
  }

  /** Serves a home resource and everything else, from an empty tree. */
  async serve(user: object, paths: Readonly<Record<string, unknown>> = {}): Promise<Node> {
    this.service.paths.clear();
    for (const [path, value] of Object.entries({ '/api/v1': home(user), ...paths })) {
      this.service.paths.set(path, value);
    }
    await this.tree.refresh();
    const [root] = await this.tree.getChildren();
    assert.ok(root);
    this.service.asked.length = 0;
    return root;
  }

  /** The rows below a node, as a person reads them. */
  async rows(node: Node): Promise<string[]> {
    return (await this.tree.getChildren(node)).map((row) => this.shown(row));
  }

  /** A row as a person reads it. */
  shown(node: Node): string {
    const { label, description } = this.tree.getTreeItem(node);
    assert.ok(typeof label === 'string');
    return typeof description === 'string' ? `${label} | ${description}` : label;
  }

  async child(node: Node, label: string): Promise<Node> {
    const nodes = await this.tree.getChildren(node);
    const found = nodes.find((one) => this.tree.getTreeItem(one).label === label);
    assert.ok(found, `${label} is not among ${nodes.map((one) => this.shown(one)).join(', ')}`);
    return found;
  }

  contextOf(node: Node | undefined): string | undefined {
    return node === undefined ? undefined : this.tree.getTreeItem(node).contextValue;
  }
}

/** Uses a service from now on, signed in with its token. End with `signOutEverywhere`. */
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
