import * as vscode from 'vscode';
import type { Resource } from '../../api/hypermedia/resource.ts';
import { ResourceNode } from '../../resources/tree/resourceNode.ts';
import type { Presentation, TreeNode } from '../../resources/tree/treeNode.ts';
import type { KeyExpiry } from '../keyExpiry.ts';
import type { KeyFactsStore } from '../keyFacts.ts';
import { keyFaults, type KeyFault } from '../model/keyHealth.ts';
import { findOperation } from '../model/operation.ts';
import { isSigningKey, readSigningKey, type SigningKey } from '../model/signingKey.ts';
import { expiryText, faultText } from './keyTexts.ts';
import { contextValue } from './rowContext.ts';
import { dayText, timeAgo } from './timeAgo.ts';
import type { GetResource, NodeContent } from '../../resources/tree/expandableNode.ts';

interface KeyText {
  readonly label: string;
  readonly description?: string;
}

/** What is known of keys on this machine, and who is told what the tree has read of them. */
export interface KnownKeys {
  readonly keyFacts: Pick<KeyFactsStore, 'complete' | 'find'>;
  readonly keyExpiry: Pick<KeyExpiry, 'read'>;
}

/** A signing key: which it is, and whether a build can use it. */
export class KeyNode extends ResourceNode {
  readonly #known: KnownKeys;
  /** What was told of the key last, by a list or by itself. */
  #latest: Resource | undefined;

  constructor(known: KnownKeys, ...parameters: ConstructorParameters<typeof ResourceNode>) {
    super(...parameters);
    this.#known = known;
    this.#tell(this.value.embedded);
  }

  /** What is known of the key; undefined before anything is. */
  get signingKey(): SigningKey | undefined {
    return this.#latest === undefined
      ? undefined
      : this.#known.keyFacts.complete(readSigningKey(this.#latest, this.url));
  }

  override present(): Presentation {
    const generic = super.present();
    const key = this.signingKey;
    if (key === undefined) {
      return generic;
    }
    const now = new Date();
    const faults = keyFaults(key, this.packageId, now);
    const { label, description } = this.textOf(key);
    // A row is narrow: what is against the key goes first.
    const expiry = key.expiresAt && expiryText(key.expiresAt, now);
    const isUrgent = faults.some(({ kind }) => kind === 'expired' || kind === 'expiresSoon');
    const notes = [
      description,
      key.locked ? vscode.l10n.t('locked') : undefined,
      faults.some(({ kind }) => kind === 'otherApp') ? vscode.l10n.t('for another app') : undefined,
      isUrgent ? expiry : undefined,
      key.isDefault ? vscode.l10n.t('default') : undefined,
      isUrgent ? undefined : expiry,
      this.packageId === undefined && key.appId !== undefined ? vscode.l10n.t('for {0}', key.appId) : undefined,
    ].filter((note) => note !== undefined && note !== '');
    const { team } = this.#known.keyFacts.find(key.url) ?? {};
    const tooltip = [
      key.title,
      ...faults.map(faultText),
      vscode.l10n.t('Platform: {0}', key.platform),
      key.alias && vscode.l10n.t('Alias: {0}', key.alias),
      key.appId && vscode.l10n.t('For the app: {0}', key.appId),
      team && vscode.l10n.t('Team: {0}', team),
      key.expiresAt && vscode.l10n.t('Expires: {0}', dayText(key.expiresAt, vscode.env.language)),
      key.lastUsed && vscode.l10n.t('Last used: {0}', timeAgo(key.lastUsed, now, vscode.env.language)),
      key.url,
    ];
    return {
      ...generic,
      label,
      description: notes.join(' · '),
      tooltip: tooltip.filter((line) => line !== undefined).join('\n'),
      icon: iconOf(faults),
      contextValue: contextValue('key', this.#flags(key)),
    };
  }

  override updateFrom(other: TreeNode): readonly TreeNode[] | undefined {
    if (super.updateFrom(other) === undefined) {
      return undefined;
    }
    this.#latest = this.value.embedded ?? this.#latest;
    return this.hasChanged() ? [this] : [];
  }

  /** Of the app that is signed with the key; undefined where the row is about the key alone. */
  protected get packageId(): string | undefined {
    return undefined;
  }

  /** What the row calls it. */
  protected textOf({ title }: SigningKey): KeyText {
    return { label: title };
  }

  protected override async loadContent(get: GetResource): Promise<NodeContent> {
    const content = await super.loadContent(get);
    if (content.kind === 'resource' && isSigningKey(content.paged.resource)) {
      this.#tell(content.paged.resource);
    }
    return content;
  }

  #tell(latest: Resource | undefined): void {
    this.#latest = latest;
    if (latest !== undefined) {
      this.#known.keyExpiry.read(readSigningKey(latest, this.url));
    }
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
  #packageId: string | undefined;

  constructor(packageId: string | undefined, ...parameters: ConstructorParameters<typeof KeyNode>) {
    super(...parameters);
    this.#packageId = packageId;
  }

  override updateFrom(other: TreeNode): readonly TreeNode[] | undefined {
    if (other instanceof ChosenKeyNode) {
      this.#packageId = other.#packageId;
    }
    return super.updateFrom(other);
  }

  protected override get packageId(): string | undefined {
    return this.#packageId;
  }

  protected override textOf({ platform, title }: SigningKey): KeyText {
    return { label: platform, description: title };
  }
}

/** What prevents a build for good goes before a lock, which is opened in a moment. */
function iconOf(faults: readonly KeyFault[]): vscode.ThemeIcon {
  const color = new vscode.ThemeColor('list.warningForeground');
  if (faults.some(({ kind }) => kind === 'expired' || kind === 'otherApp')) {
    return new vscode.ThemeIcon('warning', color);
  }
  const [first] = faults;
  return first === undefined
    ? new vscode.ThemeIcon('key')
    : new vscode.ThemeIcon(first.kind === 'locked' ? 'lock' : 'warning', color);
}
