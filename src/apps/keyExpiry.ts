import * as vscode from 'vscode';
import type { Connections } from '../auth/connection.ts';
import { Disposable } from '../workbench/disposable.ts';
import { StatusBarItem, type StatusBarContent } from '../workbench/statusBar.ts';
import type { KeyFactsStore } from './rememberedKeys.ts';
import { KEY_WARNING_MS } from './limits.ts';
import type { SigningKey } from './model/signingKey.ts';
import { dayText } from './rows/rowTexts.ts';
import { platformName } from './model/app.ts';

/**
 * Says in the status bar which keys of the account expire within a week, or have expired within the last one. It gets
 * the keys that the tree and the check before an upload read anyway: it asks the service nothing, and sets no timer.
 */
export class KeyExpiry extends Disposable {
  readonly #keyFacts: Pick<KeyFactsStore, 'complete'>;
  readonly #item = this.register(
    new StatusBarItem('keys', vscode.l10n.t('Signing Keys That Expire'), 'appBuild.addKey'),
  );
  /** By the address of the key. */
  readonly #expiring = new Map<string, ExpiringKey>();

  constructor(connections: Pick<Connections, 'onDidChange'>, keyFacts: Pick<KeyFactsStore, 'complete'>) {
    super();
    this.#keyFacts = keyFacts;
    // The keys are those of an account.
    this.register(connections.onDidChange(() => this.readAll([])));
  }

  /** Titles of the keys, the first to expire first. */
  get titles(): readonly string[] {
    return this.#sorted().map(({ title }) => title);
  }

  read(key: SigningKey): void {
    const { url, title, platform, expiresAt } = this.#keyFacts.complete(key);
    if (expiresAt === undefined) {
      // Part of what is known of a key, as an app has it.
      return;
    }
    if (Math.abs(expiresAt.getTime() - Date.now()) <= KEY_WARNING_MS) {
      this.#expiring.set(url, { title, platform, expiresAt });
    } else {
      this.#expiring.delete(url);
    }
    this.#show();
  }

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

/** Days, which stay true while the item is shown, and no times from now. @param keys the first to expire first. */
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
    tooltip: [...keys.map((key) => keyText(key, now)), '', vscode.l10n.t('Click to add another one.')].join('\n'),
    accessibleText: keyText(first, now),
  };
}

function keyText({ title, platform, expiresAt }: ExpiringKey, now: Date): string {
  const day = dayText(expiresAt, vscode.env.language);
  return expiresAt <= now
    ? vscode.l10n.t('The signing key {0} ({1}) expired on {2}.', title, platformName(platform), day)
    : vscode.l10n.t('The signing key {0} ({1}) expires on {2}.', title, platformName(platform), day);
}
