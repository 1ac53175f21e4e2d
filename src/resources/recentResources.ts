import { serviceName } from '../auth/localName.ts';
import type { Service } from '../auth/serviceSelection.ts';

export interface RecentResource {
  /** Absolute, on the service's origin, without credentials. */
  readonly url: string;
  /** What it calls itself, or the relation that led there. */
  readonly title: string;
}

/** The resources that each account has looked at lately, in the memory of this window only. */
export class RecentResources {
  /** Titles by URL, by account. A Map keeps the order of insertion: the last entry is the most recent one. */
  readonly #byAccount = new Map<string, Map<string, string>>();

  /** Adds resources of an account; the last one counts as the most recent. @param account its {@link accountKey}. */
  add(account: string, resources: readonly RecentResource[]): void {
    const titles = this.#byAccount.get(account) ?? new Map<string, string>();
    this.#byAccount.set(account, titles);
    for (const { url, title } of resources) {
      titles.delete(url);
      titles.set(url, title);
    }
  }

  of(account: string): readonly RecentResource[] {
    return [...(this.#byAccount.get(account) ?? [])].map(([url, title]) => ({ url, title })).reverse();
  }
}

/** Identifies an account: accounts of different services are different ones. */
export function accountKey({
  account,
  service,
}: {
  readonly account: { readonly id: string };
  readonly service: Pick<Service, 'local' | 'demo'> & { readonly url: { readonly origin: string } };
}): string {
  return `${serviceName(service)} ${account.id}`;
}
