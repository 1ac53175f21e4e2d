import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type * as vscode from 'vscode';
import { piecesOf, type FileContents } from './fileContents.ts';
import type { PackageChanges } from './packageChanges.ts';
import type { PackagePlan, PlannedFile } from './packageContents.ts';
import { forEachFile } from './parallel.ts';
import type { WebProject } from './projectSearch.ts';
import { readRecord, recordText, type SentFile, type UploadRecord } from './uploadRecord.ts';

/** What a service takes at most; of more nothing is remembered. */
const MAX_FILES = 20_000;
const MAX_RECORD_BYTES = 8_000_000;
/** An upload that is older is forgotten. */
const MAX_RECORD_AGE_MS = 90 * 24 * 60 * 60_000;

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * What was sent of each project the last time, from this machine: names, sizes and checksums, no content. A file for each
 * project and app, whose name is a hash, in a folder that all windows share.
 */
export class UploadRecords {
  readonly #folder: string;
  readonly #contentsOf: (project: WebProject) => FileContents;

  /** @param contentsOf reads the files of a project. */
  constructor(globalStorageUri: vscode.Uri, contentsOf: (project: WebProject) => FileContents) {
    this.#folder = path.join(globalStorageUri.fsPath, 'uploads');
    this.#contentsOf = contentsOf;
  }

  /**
   * Compares a plan with the last upload of its project to an app. A file that a tool has written again with the same content
   * has not changed.
   *
   * @returns undefined when there was none, or the signal aborts. Never rejects.
   */
  async changes(plan: PackagePlan, appUrl: string, signal?: AbortSignal): Promise<PackageChanges | undefined> {
    try {
      const record = await this.#read(plan, appUrl);
      return record && (await changesSince(record, plan, this.#contentsOf(plan.project), signal));
    } catch {
      return undefined;
    }
  }

  /**
   * Remembers what was sent. Never rejects: an upload that is done is not a failure for want of a record.
   *
   * @param checksums CRC-32 of each file, by its path.
   */
  async remember(plan: PackagePlan, appUrl: string, checksums: ReadonlyMap<string, number>): Promise<void> {
    const files = plan.files.map(({ path: name, sizeBytes, modified }) => ({
      path: name,
      sizeBytes,
      modified,
      checksum: checksums.get(name) ?? 0,
    }));
    const text = recordText({ sent: Date.now(), files });
    const file = this.#file(plan, appUrl);
    const temporary = path.join(this.#folder, `${randomUUID()}.new`);
    try {
      await mkdir(this.#folder, { recursive: true });
      await this.#deleteOld();
      if (files.length > MAX_FILES || text.length > MAX_RECORD_BYTES) {
        await rm(file, { force: true });
        return;
      }
      await writeFile(temporary, text, { mode: 0o600 });
      await rename(temporary, file);
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  }

  async #read(plan: PackagePlan, appUrl: string): Promise<UploadRecord | undefined> {
    const file = this.#file(plan, appUrl);
    const { size, mtimeMs } = await stat(file);
    return size > MAX_RECORD_BYTES || isOld(mtimeMs) ? undefined : readRecord(await readFile(file, 'utf8'));
  }

  async #deleteOld(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const file = path.join(this.#folder, name);
      const details = await stat(file).catch(() => undefined);
      if (details !== undefined && isOld(details.mtimeMs)) {
        await rm(file, { force: true });
      }
    }
  }

  #file({ project }: PackagePlan, appUrl: string): string {
    const key = JSON.stringify([project.uri.toString(), addressOf(appUrl)]);
    return path.join(this.#folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);
  }
}

function isOld(time: number): boolean {
  return Date.now() - time > MAX_RECORD_AGE_MS;
}

/** The port of a service on this machine may be another one at each start. */
function addressOf(appUrl: string): string {
  const url = new URL(appUrl);
  return LOOPBACK.test(url.hostname) ? `${url.protocol}//localhost${url.pathname}` : url.href;
}

async function changesSince(
  { sent, files }: UploadRecord,
  plan: PackagePlan,
  contents: FileContents,
  signal: AbortSignal | undefined,
): Promise<PackageChanges> {
  const before = new Map(files.map((file) => [file.path, file]));
  const now = new Set(plan.files.map((file) => file.path));
  const changed = new Set<string>();
  await forEachFile(plan.files, signal, async (file, stop) => {
    const old = before.get(file.path);
    if (old !== undefined && (await hasChanged(old, file, contents, stop))) {
      changed.add(file.path);
    }
  });
  signal?.throwIfAborted();
  return {
    since: new Date(sent),
    added: [...now].filter((name) => !before.has(name)),
    changed: [...now].filter((name) => changed.has(name)),
    removed: [...before.keys()].filter((name) => !now.has(name)).sort(),
  };
}

/** Reads the file only when its size and date do not tell. One that cannot be read has changed. */
async function hasChanged(
  before: SentFile,
  file: PlannedFile,
  contents: FileContents,
  signal: AbortSignal,
): Promise<boolean> {
  if (file.sizeBytes !== before.sizeBytes) {
    return true;
  }
  if (file.modified === before.modified) {
    return false;
  }
  let checksum = 0;
  try {
    for await (const piece of piecesOf(file, contents, signal)) {
      checksum = crc32(piece, checksum);
    }
  } catch {
    return true;
  }
  return checksum !== before.checksum;
}
