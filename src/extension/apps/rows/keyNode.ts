import * as vscode from 'vscode';
import type { Resource } from '../../../service-client/index.ts';
import {
  type GetResource,
  type LinkedResource,
  type NodeContent,
  ExpandableNode,
  selfRelationsText,
} from '../../resources/tree/expandableNode.ts';
import { noteNode } from '../../resources/tree/leafNodes.ts';
import { ResourceNode } from '../../resources/tree/resourceNode.ts';
import type { Presentation, TreeNode } from '../../resources/tree/treeNode.ts';
import { listText } from '../../workbench/texts.ts';
import type { KeyExpiry } from '../keyExpiry.ts';
import type { KeyFactsStore } from '../rememberedKeys.ts';
import type { App } from '../model/app.ts';
import { linkTo, selfUrl } from '../model/members.ts';
import { findOperation } from '../model/operation.ts';
import {
  keyFaults,
  type KeyFault,
  isSigningKey,
  mayShowFingerprints,
  readSigningKey,
  type SigningKey,
  readSigningKeys,
} from '../model/signingKey.ts';
import { contextValue, dayText, timeAgo, timeToEnd } from './rowTexts.ts';
import { platformName } from '../../../web-project/index.ts';

/** The facts about keys that are stored on this computer, and the status bar item that warns about keys. */
export interface KnownKeys {
  readonly keyFacts: KeyFactsStore;
  readonly keyExpiry: KeyExpiry;
}

interface LinkedKey extends LinkedResource {
  /** The app that the key signs, if the row is in an app. Undefined in the list of all keys. */
  readonly signs?: { readonly packageId: string | undefined };
}

/** A signing key in the tree. */
export class KeyNode extends ResourceNode<LinkedKey> {
  readonly #known: KnownKeys;

  constructor(known: KnownKeys, ...parameters: ConstructorParameters<typeof ResourceNode<LinkedKey>>) {
    super(...parameters);
    this.#known = known;
    this.#readExpiry(this.value.embedded);
  }

  get signingKey(): SigningKey | undefined {
    const { latestResource } = this;
    return latestResource && this.#known.keyFacts.complete(readSigningKey(latestResource, this.url));
  }

  override present(): Presentation {
    const generic = super.present();
    const key = this.signingKey;
    if (key === undefined) {
      return generic;
    }
    const now = new Date();
    const { signs } = this.value;
    const faults = keyFaults(key, signs?.packageId, now);
    // The row may be cut off, so show the faults first.
    const expiry = key.expiresAt && expiryText(key.expiresAt, now);
    const isUrgent = faults.some(({ kind }) => kind === 'expired' || kind === 'expiresSoon');
    const notes = [
      signs && key.title,
      key.locked ? vscode.l10n.t('locked') : undefined,
      faults.some(({ kind }) => kind === 'otherApp') ? vscode.l10n.t('for another app') : undefined,
      isUrgent ? expiry : undefined,
      key.isDefault ? vscode.l10n.t('default') : undefined,
      isUrgent ? undefined : expiry,
      signs?.packageId === undefined && key.appId !== undefined ? vscode.l10n.t('for {0}', key.appId) : undefined,
    ].filter((note) => note !== undefined && note !== '');
    const { team } = this.#known.keyFacts.find(key.url) ?? {};
    const tooltip = [
      key.title,
      ...faults.map(faultText),
      vscode.l10n.t('Platform: {0}', platformName(key.platform)),
      key.alias && vscode.l10n.t('Alias: {0}', key.alias),
      key.appId && vscode.l10n.t('For the app: {0}', key.appId),
      team && vscode.l10n.t('Team: {0}', team),
      key.expiresAt && vscode.l10n.t('Expires: {0}', dayText(key.expiresAt, vscode.env.language)),
      key.lastUsed && vscode.l10n.t('Last used: {0}', timeAgo(key.lastUsed, now, vscode.env.language)),
      key.url,
      selfRelationsText(key.resource),
    ];
    return {
      ...generic,
      label: signs === undefined ? key.title : platformName(key.platform),
      description: notes.join(' · '),
      tooltip: tooltip.filter((line) => line !== undefined).join('\n'),
      icon: getKeyIcon(faults),
      contextValue: contextValue('key', this.#flags(key)),
    };
  }

  protected override async loadContent(get: GetResource): Promise<NodeContent> {
    const content = await super.loadContent(get);
    if (content.kind === 'resource' && isSigningKey(content.paged.resource)) {
      this.#readExpiry(content.paged.resource);
    }
    return content;
  }

  #readExpiry(key: Resource | undefined): void {
    if (key !== undefined) {
      this.#known.keyExpiry.read(readSigningKey(key, this.url));
    }
  }

  #flags(key: SigningKey): Readonly<Record<string, boolean>> {
    const { resource, url, isDefault, locked } = key;
    // A key in a list has no forms, so prefer the key's own resource.
    const own = this.resource ?? resource;
    const offers = (name: Parameters<typeof findOperation>[1]) =>
      findOperation(own, name, undefined, url) !== undefined;
    return {
      unlock: locked !== false && offers('unlock'),
      lock: locked !== true && offers('lock'),
      default: !isDefault && offers('set-default'),
      delete: offers('delete-key'),
      fingerprint: mayShowFingerprints(key),
    };
  }
}

/** Returns the icon for a key. A permanent fault takes precedence over a lock, because the user can unlock the key. */
function getKeyIcon(faults: readonly KeyFault[]): vscode.ThemeIcon {
  const color = new vscode.ThemeColor('list.warningForeground');
  if (faults.some(({ kind }) => kind === 'expired' || kind === 'otherApp')) {
    return new vscode.ThemeIcon('warning', color);
  }
  const [first] = faults;
  return first === undefined
    ? new vscode.ThemeIcon('key')
    : new vscode.ThemeIcon(first.kind === 'locked' ? 'lock' : 'warning', color);
}

/** The keys that sign an app, by platform. A platform's key is undefined if it has none. */
type ChosenKeys = readonly { readonly platform: string; readonly key: SigningKey | undefined }[];

interface AppKeys {
  readonly chosen: ChosenKeys;
  readonly packageId: string | undefined;
  readonly known: KnownKeys;
  /** Address of the list of all keys, which reports whether they're locked. */
  readonly listUrl: string | undefined;
}

/** The signing keys of an app, with one child per platform. */
export class ChosenKeysNode extends ExpandableNode<AppKeys> {
  readonly relation = 'keys';

  /** Address of the list of all keys. Commands on this row add keys to it. */
  get url(): string | undefined {
    return this.value.listUrl;
  }

  /** Creates the row for an app. Returns undefined if no key is chosen for the app. */
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
    return chosen.every(({ key }) => key === undefined)
      ? undefined
      : new ChosenKeysNode(parent, '=keys', value, parent.context);
  }

  present(): Presentation {
    const { chosen, listUrl } = this.value;
    const titles = new Set(chosen.flatMap(({ key }) => (key === undefined ? [] : [key.title])));
    return {
      label: vscode.l10n.t('Signing Keys'),
      description: listText([...titles]),
      tooltip: vscode.l10n.t('The keys that the app is signed with'),
      icon: new vscode.ThemeIcon('key'),
      collapsibleState: 'collapsed',
      contextValue: listUrl === undefined ? 'group' : contextValue('keys', { add: true }),
    };
  }

  /** Discards the children if the keys have changed, so that the next expansion loads them. */
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
        return noteNode(this, `=${platform}`, { text: platformName(platform), description, icon: 'circle-outline' });
      }
      const embedded = all.find(({ url }) => url === key.url)?.resource ?? key.resource;
      const linked = { url: key.url, label: platformName(platform), relation: 'key', embedded, signs: { packageId } };
      return new KeyNode(known, this, `=${platform} ${key.url}`, linked, this.context);
    });
    return { kind: 'nodes', nodes };
  }

  /** Loads all keys. Returns none if that fails, because the app's own data is enough to show its keys. */
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

/** Returns the expiration as text for a row, such as `expires in 6 days` or `expired yesterday`. */
function expiryText(expiresAt: Date, now: Date): string {
  const when = timeToEnd(expiresAt, now, vscode.env.language);
  return expiresAt <= now ? vscode.l10n.t('expired {0}', when) : vscode.l10n.t('expires {0}', when);
}

/** Describes a fault of a key and its consequence. */
function faultText(fault: KeyFault): string {
  switch (fault.kind) {
    case 'locked':
      return vscode.l10n.t('Builds with this key fail until you unlock it.');
    case 'expired':
      return vscode.l10n.t(
        'This key expired on {0}, so builds that use it fail. Add a valid key.',
        dayText(fault.at, vscode.env.language),
      );
    case 'expiresSoon':
      return vscode.l10n.t(
        'This key expires on {0}. After that, builds that use it will fail. Add a key that’s valid for longer.',
        dayText(fault.at, vscode.env.language),
      );
    case 'otherApp':
      return vscode.l10n.t(
        'The provisioning profile is for {0}, but this app is {1}, so builds that use it fail. Choose a key whose profile matches this app.',
        fault.profileAppId,
        fault.packageId,
      );
  }
}
