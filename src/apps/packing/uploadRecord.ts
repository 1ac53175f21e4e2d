/** A file as it was sent: no content. */
export interface SentFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** CRC-32. */
  readonly checksum: number;
}

/** What was sent of a project. */
export interface UploadRecord {
  /** Milliseconds since 1970. */
  readonly sent: number;
  readonly files: readonly SentFile[];
}

const VERSION = 1;

/** The text of a record's file. */
export function recordText({ sent, files }: UploadRecord): string {
  const rows = files.map(({ path, sizeBytes, modified, checksum }) => [path, sizeBytes, modified, checksum]);
  return JSON.stringify({ version: VERSION, sent, files: rows });
}

/** @returns undefined for a text that is not the one of a record */
export function readRecord(text: string): UploadRecord | undefined {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(record) || record.version !== VERSION || !isInteger(record.sent) || !Array.isArray(record.files)) {
    return undefined;
  }
  const files = record.files.map(readFile);
  return files.every((file) => file !== undefined) ? { sent: record.sent, files } : undefined;
}

function readFile(row: unknown): SentFile | undefined {
  if (!Array.isArray(row)) {
    return undefined;
  }
  const [path, sizeBytes, modified, checksum] = row as readonly unknown[];
  return typeof path === 'string' && isInteger(sizeBytes) && isInteger(modified) && isInteger(checksum)
    ? { path, sizeBytes, modified, checksum }
    : undefined;
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
