import { serviceName } from '../auth/localName.ts';
import type { Service } from '../auth/serviceSelection.ts';

/** Recently viewed resource. */
export interface RecentResource {
  /** Absolute URL on the service's origin, without credentials. */
  readonly url: string;
  /** Title of the resource, or the relation that led to it. */
  readonly title: string;
}

/** Recently viewed resources of each account. They're kept only in the memory of this window. */
export class RecentResources {
  /** URLs and titles of each account. Maps keep the insertion order, so the last entry is the most recent. */
  readonly #byAccount = new Map<string, Map<string, string>>();

  /** Adds resources of an account. The last one is the most recent. @param account key from {@link accountKey}. */
  add(account: string, resources: readonly RecentResource[]): void {
    const titles = this.#byAccount.get(account) ?? new Map<string, string>();
    this.#byAccount.set(account, titles);
    for (const { url, title } of resources) {
      titles.delete(url);
      titles.set(url, title);
    }
  }

  /** Returns the recent resources of an account, most recent first. */
  get(account: string): readonly RecentResource[] {
    return [...(this.#byAccount.get(account) ?? [])].map(([url, title]) => ({ url, title })).reverse();
  }
}

/** Returns the key of an account. Accounts of different services have different keys. */
export function accountKey({
  account,
  service,
}: {
  readonly account: { readonly id: string };
  readonly service: Pick<Service, 'local' | 'demo'> & { readonly url: { readonly origin: string } };
}): string {
  return `${serviceName(service)} ${account.id}`;
}
