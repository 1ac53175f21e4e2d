import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

const CIPHER = 'aes-256-gcm';
const CIPHER_KEY_BYTES = 32;
/** NIST SP 800-38D §8.2 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A row of the database by the names of its columns. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/**
 * The data of the service. A read sees the disk as it is at that moment, whichever process wrote it; a change is on disk when
 * the call that makes it returns, so that an acknowledged change survives a crash.
 *
 * The modules beside this one know the tables; all others call those modules. Values take the places of plain question marks:
 * Node 22 knows no numbered ones.
 */
export class Store {
  /** The clock: milliseconds since the epoch. */
  readonly now: () => number;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, now: () => number = Date.now) {
    this.#database = database;
    this.now = now;
  }

  /** The first row of a query. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...values);
  }

  /** All rows of a query. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...values);
  }

  /** Makes a change. @returns how many rows it changed */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  /** Adds a row to a table. `row` has its values by the names of the columns, which never come from a request. */
  insert(table: string, row: Readonly<Record<string, SQLInputValue>>): void {
    const names = Object.keys(row);
    const places = names.map(() => '?').join(', ');
    this.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`, ...Object.values(row));
  }

  /** Changes rows of a table. `row` as for {@link insert}; `where` has a question mark for each of `values`. @returns how many rows */
  update(
    table: string,
    row: Readonly<Record<string, SQLInputValue>>,
    where: string,
    ...values: SQLInputValue[]
  ): number {
    const assignments = Object.keys(row).map((name) => `${name} = ?`);
    return this.run(`UPDATE ${table} SET ${assignments.join(', ')} WHERE ${where}`, ...Object.values(row), ...values);
  }

  /** Makes all changes of `work` or, when it throws, none. No other process writes meanwhile. */
  transaction<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) {
        this.#database.exec('ROLLBACK');
      }
      throw error;
    }
  }

  /** HMAC-SHA-256 under the key of this store, base64url. `purpose` keeps a signature made for one thing from being valid for another. */
  sign(purpose: string, value: string): string {
    return createHmac('sha256', this.#signingKey).update(`${purpose}\n${value}`).digest('base64url');
  }

  /**
   * Encrypts a text for the database with AES-256-GCM. The key lies in the same database: with all of it, the text can be decrypted.
   *
   * @returns nonce, tag and ciphertext, base64
   */
  encrypt(purpose: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#cipherKey(purpose), nonce);
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64');
  }

  /** @throws Error for what {@link encrypt} did not make for this purpose */
  decrypt(purpose: string, encrypted: string): string {
    const bytes = Buffer.from(encrypted, 'base64');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#cipherKey(purpose), nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(text).toString('utf8');
  }

  close(): void {
    this.#database.close();
  }

  get #signingKey(): Buffer {
    return Buffer.from(String(this.get('SELECT signingKey FROM service')?.signingKey), 'hex');
  }

  /** What was encrypted for one purpose cannot be decrypted for another (HKDF, RFC 5869). */
  #cipherKey(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#signingKey, '', purpose, CIPHER_KEY_BYTES));
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/**
 * An ID for a new row of `table`, larger than any before: clients remember the IDs of what was deleted. To be called within
 * the transaction that adds the row.
 */
export function nextId(store: Store, table: 'apps' | 'keys' | 'participants'): number {
  // The table is read for the first ID only: it may have no index that finds its largest one.
  const row = store.get(
    `INSERT INTO lastIds (name, id)
      VALUES (?, coalesce((SELECT id FROM lastIds WHERE name = ?), (SELECT max(id) FROM ${table}), 0) + 1)
      ON CONFLICT (name) DO UPDATE SET id = excluded.id RETURNING id`,
    table,
    table,
  );
  return Number(row?.id);
}

/** The names of all files in `DataFiles` that the database refers to. */
export function fileNamesInUse(store: Store): ReadonlySet<string> {
  const rows = store.all(`
    SELECT uploadFile AS name FROM apps WHERE uploadFile IS NOT NULL
    UNION ALL SELECT iconFile FROM apps WHERE iconFile IS NOT NULL
    UNION ALL SELECT logFile FROM builds WHERE logFile IS NOT NULL
    UNION ALL SELECT artifactFile FROM builds WHERE artifactFile IS NOT NULL
    UNION ALL SELECT bundleFile FROM builds WHERE bundleFile IS NOT NULL
    UNION ALL SELECT keystoreFile FROM keys WHERE keystoreFile IS NOT NULL
    UNION ALL SELECT certFile FROM keys WHERE certFile IS NOT NULL
    UNION ALL SELECT profileFile FROM keys WHERE profileFile IS NOT NULL`);
  return new Set(rows.map(({ name }) => String(name)));
}

/**
 * The answer to `challenge` of a process that serves this data at this origin: an HMAC under a key that never leaves the data
 * folder. It covers the origin, so that a program at another port cannot pass the challenge on.
 */
export function instanceProof(store: Store, origin: string, challenge: string): string {
  return store.sign('instance', `${origin} ${challenge}`);
}

/** Remembers where this process serves the data, for another one that starts with the same data; `null`: nowhere. */
export function setServedAddress(store: Store, origin: string | null): void {
  store.run('UPDATE service SET address = ?', origin);
}
