import * as vscode from 'vscode';
import type { Resource } from '../../api/hypermedia/resource.ts';
import { ResourceNode } from '../../resources/tree/resourceNode.ts';
import type { Presentation, TreeNode } from '../../resources/tree/treeNode.ts';
import { findOperation } from '../model/operation.ts';
import { isSigningKey, readSigningKey, type SigningKey } from '../model/signingKey.ts';
import { contextValue } from './rowContext.ts';
import { timeAgo } from './timeAgo.ts';
import type { GetResource, NodeContent } from '../../resources/tree/expandableNode.ts';

interface KeyText {
  readonly label: string;
  readonly description?: string;
}

/** A signing key: which it is, and whether a build can use it. */
export class KeyNode extends ResourceNode {
  /** What was told of the key last, by a list or by itself. */
  #latest: Resource | undefined;

  constructor(...parameters: ConstructorParameters<typeof ResourceNode>) {
    super(...parameters);
    this.#latest = this.value.embedded;
  }

  /** What is known of the key; undefined before anything is. */
  get signingKey(): SigningKey | undefined {
    return this.#latest === undefined ? undefined : readSigningKey(this.#latest, this.url);
  }

  override present(): Presentation {
    const generic = super.present();
    const key = this.signingKey;
    if (key === undefined) {
      return generic;
    }
    const { label, description } = this.textOf(key);
    const notes = [
      description,
      key.isDefault ? vscode.l10n.t('default') : undefined,
      key.locked ? vscode.l10n.t('locked') : undefined,
      expiryOf(key),
    ].filter((note) => note !== undefined && note !== '');
    const tooltip = [
      key.title,
      vscode.l10n.t('Platform: {0}', key.platform),
      key.alias && vscode.l10n.t('Alias: {0}', key.alias),
      key.locked ? vscode.l10n.t('A build with it fails until it is unlocked.') : undefined,
      key.lastUsed && vscode.l10n.t('Last used: {0}', timeAgo(key.lastUsed, new Date(), vscode.env.language)),
      key.url,
    ];
    return {
      ...generic,
      label,
      description: notes.join(' · '),
      tooltip: tooltip.filter(Boolean).join('\n'),
      icon: iconOf(key),
      contextValue: contextValue('key', this.#flags(key)),
    };
  }

  override updateFrom(other: TreeNode): readonly TreeNode[] | undefined {
    const before = JSON.stringify(this.present());
    if (super.updateFrom(other) === undefined) {
      return undefined;
    }
    this.#latest = this.value.embedded ?? this.#latest;
    return JSON.stringify(this.present()) === before ? [] : [this];
  }

  /** What the row calls it. */
  protected textOf({ title }: SigningKey): KeyText {
    return { label: title };
  }

  protected override async loadContent(get: GetResource): Promise<NodeContent> {
    const content = await super.loadContent(get);
    if (content.kind === 'resource' && isSigningKey(content.paged.resource)) {
      this.#latest = content.paged.resource;
    }
    return content;
  }

  #flags({ resource, url, isDefault, locked }: SigningKey): Readonly<Record<string, boolean>> {
    // Lists tell of no forms: what the key itself has said goes before.
    const own = this.content?.kind === 'resource' ? this.content.paged.resource : resource;
    const offers = (name: Parameters<typeof findOperation>[1]) =>
      findOperation(own, name, undefined, url) !== undefined;
    return {
      unlock: locked !== false && offers('unlock'),
      lock: locked !== true && offers('lock'),
      default: !isDefault && offers('set-default'),
      delete: offers('delete-key'),
    };
  }
}

/** The key that an app is signed with on one platform. */
export class ChosenKeyNode extends KeyNode {
  protected override textOf({ platform, title }: SigningKey): KeyText {
    return { label: platform, description: title };
  }
}

function expiryOf({ expiresAt }: SigningKey): string | undefined {
  if (expiresAt === undefined) {
    return undefined;
  }
  const now = new Date();
  const when = timeAgo(expiresAt, now, vscode.env.language);
  return expiresAt < now ? vscode.l10n.t('expired {0}', when) : vscode.l10n.t('expires {0}', when);
}

function iconOf({ locked, expiresAt }: SigningKey): vscode.ThemeIcon {
  const isExpired = expiresAt !== undefined && expiresAt < new Date();
  const color = new vscode.ThemeColor('list.warningForeground');
  return isExpired
    ? new vscode.ThemeIcon('warning', color)
    : locked
      ? new vscode.ThemeIcon('lock', color)
      : new vscode.ThemeIcon('key');
}
