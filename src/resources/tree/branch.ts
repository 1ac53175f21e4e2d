import { NetworkError } from '../../api/errors/networkError.ts';
import { reconcile } from './reconcile.ts';
import { type Collection, pageAfter, withPageAfter } from './collection.ts';
import { FailureNode } from './failureNode.ts';
import { isLinked, type Node } from './node.ts';
import { Row } from './row.ts';
import type { Scope } from './scope.ts';

/** What stands below a row. */
export type Content =
  | { readonly kind: 'collection'; readonly collection: Collection }
  /** Something else than a resource. */
  | { readonly kind: 'rows'; readonly rows: readonly Node[] }
  | { readonly kind: 'failure'; readonly error: unknown };

/** Rows that are shown at once; long flat lists slow the workbench down. */
export const rowsAtOnce = 1000;

/** A row that can be opened. Its rows are made when they are first asked for, and stay the same objects from then on. */
export abstract class Branch<Value> extends Row<Value> {
  readonly scope: Scope;
  #rows: readonly Node[] = [];
  #content: Content | undefined;
  #loaded: Promise<readonly Node[]> | undefined;
  #limit = rowsAtOnce;
  /** One job at a time: an answer never overtakes another one. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parent: Node | undefined, key: string, value: Value, scope: Scope) {
    super(parent, key, value);
    this.scope = scope;
  }

  /** The relation that led here. */
  abstract get relation(): string;

  /** Reads what stands below. Never rejects. */
  protected abstract read(): Promise<Content>;

  /** @param more says that there is more than `limit` rows, or another page. */
  protected abstract members(collection: Collection, limit: number, more: boolean): readonly Node[];

  /** Why the last load failed. */
  get failure(): unknown {
    return this.#content?.kind === 'failure' ? this.#content.error : undefined;
  }

  get content(): Content | undefined {
    return this.#content;
  }

  /** The rows below that can be opened themselves, as far as they have been asked for. */
  get openable(): readonly Branch<unknown>[] {
    return this.#loaded === undefined ? [] : this.#rows.filter((row) => row instanceof Branch);
  }

  children(): Promise<readonly Node[]> {
    this.#loaded ??= this.#oneAtATime(async () => {
      await this.#load();
      return this.#rows;
    });
    return this.#loaded;
  }

  /** Loads again what has been loaded. @returns what has to be drawn again. */
  async reload(): Promise<readonly Node[]> {
    if (this.#loaded === undefined) {
      return [];
    }
    const before = JSON.stringify(this.look());
    const changed = await this.#oneAtATime(() => this.#load());
    return JSON.stringify(this.look()) === before ? changed : [this];
  }

  /** Opening the row will load it again. */
  forget(): void {
    this.#loaded = undefined;
  }

  /** Shows the next rows, or loads the next page. @throws BuildServiceError when the page cannot be loaded. */
  async loadMore(): Promise<readonly Node[]> {
    return this.#oneAtATime(async () => {
      const content = this.#content;
      if (content?.kind !== 'collection') {
        return [];
      }
      const url = this.#hidesRows(content.collection) ? undefined : this.#pageAfter(content.collection);
      const collection =
        url === undefined ? content.collection : await withPageAfter(content.collection, url, this.scope.client);
      this.#limit += rowsAtOnce;
      return this.#show({ kind: 'collection', collection });
    });
  }

  /** Shows a newer reading at once, where nothing has to be loaded for it. */
  protected showNewer(content: Content): readonly Node[] {
    return this.#loaded === undefined ? [] : this.#show(content);
  }

  async #load(): Promise<readonly Node[]> {
    const pages = this.#content?.kind === 'collection' ? this.#content.collection.pages.length : 0;
    const content = await this.read();
    if (content.kind === 'failure' && content.error instanceof NetworkError && this.#content?.kind === 'collection') {
      // Without a network the last that is known is better than nothing.
      const known = this.#rows.filter((row) => !(row instanceof FailureNode));
      return this.#replace([new FailureNode(this, content.error), ...known]);
    }
    return this.#show(
      content.kind === 'collection'
        ? { ...content, collection: await this.#withPages(content.collection, pages) }
        : content,
    );
  }

  /** As many pages as were shown. One that cannot be loaded is left for *Load More…*. */
  async #withPages(first: Collection, count: number): Promise<Collection> {
    let collection = first;
    try {
      while (collection.pages.length < count) {
        const url = this.#pageAfter(collection);
        if (url === undefined) {
          break;
        }
        collection = await withPageAfter(collection, url, this.scope.client);
      }
    } catch {
      return collection;
    }
    return collection;
  }

  #show(content: Content): readonly Node[] {
    this.#content = content;
    switch (content.kind) {
      case 'collection': {
        const { collection } = content;
        const rows = this.members(
          collection,
          this.#limit,
          this.#hidesRows(collection) || this.#pageAfter(collection) !== undefined,
        );
        this.scope.seen(
          rows
            .flatMap((row) =>
              row instanceof Branch && isLinked(row) ? [{ url: row.url, title: row.look().label }] : [],
            )
            .reverse(),
        );
        return this.#replace(rows);
      }
      case 'rows':
        return this.#replace(content.rows);
      case 'failure':
        return this.#replace([new FailureNode(this, content.error)]);
    }
  }

  #replace(newer: readonly Node[]): readonly Node[] {
    const { rows, sameRows, changed } = reconcile(this.#rows, newer);
    this.#rows = rows;
    this.#loaded = Promise.resolve(rows);
    return sameRows ? changed : [this];
  }

  #hidesRows({ resource: { fields, embedded, links, forms } }: Collection): boolean {
    return fields.length + embedded.length + links.length + forms.length > this.#limit;
  }

  #pageAfter(collection: Collection): string | undefined {
    return pageAfter(collection, isLinked(this) ? this.url : undefined);
  }

  async #oneAtATime<Result>(job: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(job);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
