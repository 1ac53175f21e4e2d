/** A resource that was shown or opened. */
export interface SeenResource {
  readonly url: string;
  /** What it calls itself, or the relation that led there. */
  readonly title: string;
}

/** Enough to find something again; older ones are forgotten. */
const most = 1000;
const mostAccounts = 10;

/** What has been seen, for each account, in the memory of this window only. */
export class SeenResources {
  /** By account, then by URL; a Map keeps the order of insertion, so that the last is the most recent. */
  readonly #accounts = new Map<string, Map<string, string>>();

  /** Remembers resources of an account; the last one counts as the most recent. */
  add(account: string, resources: readonly SeenResource[]): void {
    const seen = this.#accounts.get(account) ?? new Map<string, string>();
    putLast(this.#accounts, account, seen, mostAccounts);
    for (const { url, title } of resources) {
      putLast(seen, url, title, most);
    }
  }

  /** Most recent first. */
  of(account: string): readonly SeenResource[] {
    return [...(this.#accounts.get(account) ?? [])].map(([url, title]) => ({ url, title })).reverse();
  }
}

function putLast<Value>(map: Map<string, Value>, key: string, value: Value, limit: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= limit) {
      return;
    }
    map.delete(oldest);
  }
}

/** What an account is kept under: accounts of different services are different ones. */
export function accountKey({
  account,
  service,
}: {
  readonly account: { readonly id: string };
  readonly service: { readonly url: { readonly origin: string }; readonly local: boolean };
}): string {
  return `${service.local ? 'local' : service.url.origin} ${account.id}`;
}
