import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

const CIPHER = 'aes-256-gcm';
const CIPHER_KEY_BYTES = 32;
/** Length of an AES-GCM nonce in bytes (NIST SP 800-38D §8.2). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A database row, keyed by column name. */
export type DatabaseRow = Readonly<Record<string, SQLOutputValue>>;

/**
 * The service's data. Reads return the current data on disk, regardless of which process wrote it. A change is on disk
 * when its call returns, so it survives a crash.
 *
 * Only the modules in this folder use the tables. Other code calls those modules. Parameters in SQL are plain question
 * marks, because Node 22 doesn't support numbered ones.
 */
export class Store {
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, now: () => number = Date.now) {
    this.#database = database;
    this.now = now;
  }

  /** Returns the first row of a query. */
  get(sql: string, ...values: SQLInputValue[]): DatabaseRow | undefined {
    return this.#prepared(sql).get(...values);
  }

  /** Returns all rows of a query. */
  all(sql: string, ...values: SQLInputValue[]): DatabaseRow[] {
    return this.#prepared(sql).all(...values);
  }

  /** Executes a change. @returns the number of changed rows */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  /** Adds a row to a table. `row` maps column names, which never come from a request, to values. */
  insert(table: string, row: Readonly<Record<string, SQLInputValue>>): void {
    const names = Object.keys(row);
    const places = names.map(() => '?').join(', ');
    this.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`, ...Object.values(row));
  }

  /**
   * Changes rows of a table. `row` has the same format as in {@link insert}. `where` contains a question mark for each
   * of `values`.
   *
   * @returns the number of changed rows
   */
  update(
    table: string,
    row: Readonly<Record<string, SQLInputValue>>,
    where: string,
    ...values: SQLInputValue[]
  ): number {
    const assignments = Object.keys(row).map((name) => `${name} = ?`);
    return this.run(`UPDATE ${table} SET ${assignments.join(', ')} WHERE ${where}`, ...Object.values(row), ...values);
  }

  /**
   * Runs `work` in a transaction: applies all of its changes, or none if it throws. Other processes can't write in the
   * meantime.
   */
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

  /**
   * Returns the HMAC-SHA-256 of `value` with this store's key, in base64url. A signature is valid only for its
   * `purpose`.
   */
  sign(purpose: string, value: string): string {
    return createHmac('sha256', this.#signingKey).update(`${purpose}\n${value}`).digest('base64url');
  }

  /**
   * Encrypts a string for the database with AES-256-GCM. The key is in the same database, so anyone with the whole
   * database can decrypt the text.
   *
   * @returns nonce, tag, and ciphertext in base64
   */
  encrypt(purpose: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#cipherKey(purpose), nonce);
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64');
  }

  /**
   * Decrypts a string.
   *
   * @throws Error unless {@link encrypt} encrypted it for the same purpose
   */
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

  /**
   * Returns the key for a purpose (HKDF, RFC 5869). A string that's encrypted for one purpose can't be decrypted for
   * another.
   */
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
 * Returns an ID for a new row of `table`. It's larger than any earlier ID, because clients remember the IDs of deleted
 * rows. Must be called within the transaction that adds the row.
 */
export function nextId(store: Store, table: 'apps' | 'keys' | 'participants'): number {
  // Read the table only for the first ID, because there may be no index to find the largest ID.
  const row = store.get(
    `INSERT INTO lastIds (name, id)
      VALUES (?, coalesce((SELECT id FROM lastIds WHERE name = ?), (SELECT max(id) FROM ${table}), 0) + 1)
      ON CONFLICT (name) DO UPDATE SET id = excluded.id RETURNING id`,
    table,
    table,
  );
  return Number(row?.id);
}

/** Returns the names of all files in `DataFiles` that the database refers to. */
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
 * Returns the proof that a process serves this data: an HMAC of `challenge` with a key that never leaves the data
 * folder. The HMAC includes the origin, so a program on another port can't relay the challenge.
 */
export function instanceProof(store: Store, origin: string, challenge: string): string {
  return store.sign('instance', `${origin} ${challenge}`);
}

/**
 * Stores the address where this process serves the data, for other processes that start with the same data. Pass `null`
 * once it no longer serves the data.
 */
export function setServedAddress(store: Store, origin: string | null): void {
  store.run('UPDATE service SET address = ?', origin);
}
