import * as vscode from 'vscode';
import { ExpandableNode, type GetResource, type NodeContent } from '../../resources/tree/expandableNode.ts';
import { NoteNode } from '../../resources/tree/noteNode.ts';
import type { Presentation, TreeNode } from '../../resources/tree/treeNode.ts';
import { listText } from '../../workbench/values.ts';
import type { App } from '../model/app.ts';
import { linkTo, selfUrl } from '../model/members.ts';
import { readSigningKey, readSigningKeys, type SigningKey } from '../model/signingKey.ts';
import { ChosenKeyNode, type KnownKeys } from './keyNode.ts';
import { contextValue } from './rowContext.ts';

/** The key that an app is signed with, by platform; undefined where none is chosen. */
type ChosenKeys = readonly { readonly platform: string; readonly key: SigningKey | undefined }[];

interface AppKeys {
  readonly chosen: ChosenKeys;
  /** Of the app. */
  readonly packageId: string | undefined;
  readonly known: KnownKeys;
  /** Where all keys of the user are: these say whether they are locked. */
  readonly listUrl: string | undefined;
}

/** The keys that an app is signed with. */
export class ChosenKeysNode extends ExpandableNode<AppKeys> {
  readonly relation = 'keys';

  /** Of the list of all keys: commands add to it. */
  get url(): string | undefined {
    return this.value.listUrl;
  }

  /** The keys of an app; undefined when it tells of none. */
  static of(parent: ExpandableNode, { resource, url, packageId }: App, known: KnownKeys): ChosenKeysNode | undefined {
    const keys = resource.embedded.find(({ rel, index }) => rel === 'keys' && index === undefined)?.resource;
    if (keys === undefined) {
      return undefined;
    }
    const chosen: ChosenKeys = [
      ...keys.embedded.flatMap(({ rel, index, resource: key }) =>
        index === undefined && selfUrl(key) !== undefined
          ? [{ platform: rel, key: readSigningKey(key, url, rel) }]
          : [],
      ),
      ...keys.fields.flatMap(({ name, value }) => (value === null ? [{ platform: name, key: undefined }] : [])),
    ];
    const value = { chosen, packageId, known, listUrl: linkTo(resource, 'signing_keys') };
    return chosen.length === 0 ? undefined : new ChosenKeysNode(parent, '=keys', value, parent.context);
  }

  present(): Presentation {
    const { chosen, listUrl } = this.value;
    const titles = new Set(chosen.flatMap(({ key }) => (key === undefined ? [] : [key.title])));
    return {
      label: vscode.l10n.t('Signing Keys'),
      description: titles.size === 0 ? vscode.l10n.t('none chosen') : listText([...titles]),
      tooltip: vscode.l10n.t('The keys that the app is signed with'),
      icon: new vscode.ThemeIcon('key'),
      collapsibleState: 'collapsed',
      contextValue: listUrl === undefined ? 'group' : contextValue('keys', { add: true }),
    };
  }

  /** Other keys are looked up when the row is next opened. */
  override updateFrom(other: TreeNode): readonly TreeNode[] | undefined {
    const before = keysText(this.value);
    const changed = super.updateFrom(other);
    if (changed !== undefined && keysText(this.value) !== before) {
      this.invalidate();
      return [this];
    }
    return changed;
  }

  protected async loadContent(get: GetResource): Promise<NodeContent> {
    const all = await this.#allKeys(get);
    const { chosen, packageId, known } = this.value;
    const nodes = chosen.map(({ platform, key }) => {
      if (key === undefined) {
        const description = vscode.l10n.t('no key chosen');
        return new NoteNode(this, `=${platform}`, { text: platform, description, icon: 'circle-outline' });
      }
      const embedded = all.find(({ url }) => url === key.url)?.resource ?? key.resource;
      const linked = { url: key.url, label: platform, relation: 'key', embedded };
      return new ChosenKeyNode(packageId, known, this, `=${platform} ${key.url}`, linked, this.context);
    });
    return { kind: 'nodes', nodes };
  }

  /** None where they cannot be loaded: what the app says of its keys is shown all the same. */
  async #allKeys(get: GetResource): Promise<readonly SigningKey[]> {
    const { listUrl } = this.value;
    if (listUrl === undefined) {
      return [];
    }
    try {
      const { body } = await get(listUrl);
      return body.kind === 'json' ? readSigningKeys(body.resource, listUrl) : [];
    } catch {
      return [];
    }
  }
}

function keysText({ chosen, packageId }: AppKeys): string {
  return JSON.stringify([packageId, chosen.map(({ platform, key }) => [platform, key?.url, key?.title, key?.locked])]);
}
