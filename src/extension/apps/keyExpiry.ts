import * as vscode from 'vscode';
import type { Connections } from '../auth/connection.ts';
import { Disposable } from '../workbench/disposable.ts';
import { StatusBarItem, type StatusBarContent } from '../workbench/statusBar.ts';
import type { KeyFactsStore } from './rememberedKeys.ts';
import { KEY_WARNING_MS } from './limits.ts';
import type { SigningKey } from './model/signingKey.ts';
import { dayText } from './rows/rowTexts.ts';
import { platformName } from '../../web-project/index.ts';

/**
 * Shows in the status bar which of the account's keys will expire within a week or expired within the past week. Other code passes in the
 * keys that it reads for the tree or for a check. This class makes no requests and sets no timer.
 */
export class KeyExpiry extends Disposable {
  readonly #keyFacts: Pick<KeyFactsStore, 'complete'>;
  readonly #item = this.register(new StatusBarItem('keys', vscode.l10n.t('Expiring Signing Keys'), 'appBuild.addKey'));
  /** Keys by address. */
  readonly #expiring = new Map<string, ExpiringKey>();

  constructor(connections: Pick<Connections, 'onDidChange'>, keyFacts: Pick<KeyFactsStore, 'complete'>) {
    super();
    this.#keyFacts = keyFacts;
    // Forget the keys, because they belong to another account.
    this.register(connections.onDidChange(() => this.readAll([])));
  }

  /** Titles of the keys, ordered by expiration date. */
  get titles(): readonly string[] {
    return this.#sorted().map(({ title }) => title);
  }

  /** Updates the status bar for a key. */
  read(key: SigningKey): void {
    const { url, title, platform, expiresAt } = this.#keyFacts.complete(key);
    if (expiresAt === undefined) {
      // Keys that are listed in an app have no dates.
      return;
    }
    if (Math.abs(expiresAt.getTime() - Date.now()) <= KEY_WARNING_MS) {
      this.#expiring.set(url, { title, platform, expiresAt });
    } else {
      this.#expiring.delete(url);
    }
    this.#show();
  }

  /** Replaces all keys. */
  readAll(keys: readonly SigningKey[]): void {
    this.#expiring.clear();
    this.#show();
    keys.forEach((key) => this.read(key));
  }

  forget(keyUrl: string): void {
    this.#expiring.delete(keyUrl);
    this.#show();
  }

  #sorted(): readonly ExpiringKey[] {
    return [...this.#expiring.values()].sort((left, right) => left.expiresAt.getTime() - right.expiresAt.getTime());
  }

  #show(): void {
    this.#item.show(statusContent(this.#sorted()));
  }
}

interface ExpiringKey extends Pick<SigningKey, 'title' | 'platform'> {
  readonly expiresAt: Date;
}

/**
 * Returns the content of the status bar item. Shows dates, because a relative time would become wrong while the item is visible.
 *
 * @param keys ordered by expiration date.
 */
function statusContent(keys: readonly ExpiringKey[]): StatusBarContent | undefined {
  const [first] = keys;
  if (first === undefined) {
    return undefined;
  }
  const now = new Date();
  const isOver = first.expiresAt <= now;
  const day = dayText(first.expiresAt, vscode.env.language);
  return {
    icon: isOver ? 'warning' : 'key',
    text: isOver ? vscode.l10n.t('Key expired on {0}', day) : vscode.l10n.t('Key expires on {0}', day),
    tooltip: [...keys.map((key) => keyText(key, now)), '', vscode.l10n.t('Click to add a new key.')].join('\n'),
    accessibleText: keyText(first, now),
  };
}

function keyText({ title, platform, expiresAt }: ExpiringKey, now: Date): string {
  const day = dayText(expiresAt, vscode.env.language);
  return expiresAt <= now
    ? vscode.l10n.t('The signing key {0} ({1}) expired on {2}.', title, platformName(platform), day)
    : vscode.l10n.t('The signing key {0} ({1}) expires on {2}.', title, platformName(platform), day);
}
