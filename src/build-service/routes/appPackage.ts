/** Stores the package of an app: an uploaded file or a repository. */
import { stat } from 'node:fs/promises';

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

import { packRepository, parseRepository, type Repository } from '../builds/packages/repository.ts';
import { checkPackage, type PackageInfo } from '../builds/packages/uploadedPackage.ts';
import { HttpError } from '../http/errors.ts';
import { asTitle, booleanField, textField } from '../http/fields.ts';
import type { ReceivedRequest } from '../http/receivedRequest.ts';
import type { ReceivedFile } from '../http/requestBody.ts';
import type { Service } from '../service.ts';
import { errorCode } from '../store/database.ts';
import type { App, Upload } from '../store/model.ts';

/** The source of a package. */
export type PackageSource = ReceivedFile | Repository;

/** Returns the package of a new app. @throws HttpError 400 if the request is ambiguous, or PackageError */
export function getCreationSource({ fields, files: { file } }: ReceivedRequest): PackageSource {
  const repo = textField(fields, 'repo') ?? '';
  const guess = (file === undefined) === (repo === '') ? '' : file === undefined ? 'remote_repo' : 'file';
  const method = textField(fields, 'create_method') ?? '';
  switch (method === '' ? guess : method) {
    case 'file':
      if (file === undefined) {
        throw new HttpError(400, 'The field file, with the package of the app, is missing.');
      }
      return file;
    case 'remote_repo':
      if (repo === '') {
        throw new HttpError(400, 'The field repo, with the address of the repository, is missing.');
      }
      return parseRepository(repo, textField(fields, 'tag') ?? null);
    default:
      throw new HttpError(400, 'no create_method specified: file or remote_repo');
  }
}

/**
 * Returns the new package of an app, or `undefined` if the app keeps its current one.
 *
 * @throws HttpError 400 if the request is ambiguous, or PackageError
 */
export function getUpdateSource({ fields, files: { file } }: ReceivedRequest, app: App): PackageSource | undefined {
  const repo = textField(fields, 'repo') ?? '';
  const tag = textField(fields, 'tag') ?? '';
  const pulls = booleanField(fields, 'pull') === true || repo !== '' || tag !== '';
  if (file !== undefined && pulls) {
    throw new HttpError(400, 'Send either a file or a request to pull from the repository.');
  }
  if (!pulls) {
    return file;
  }
  if (repo === '' && app.repo === null) {
    throw new HttpError(400, `app #${app.id} is not repo backed`);
  }
  return repo === '' ? parseRepository(app.repo ?? '', tag || app.tag) : parseRepository(repo, tag);
}

/** Returns the name of the uploaded file or repository as a title. It can be empty. */
export function getSourceName(source: PackageSource): string {
  const name = 'path' in source ? source.fileName : (source.url.split('/').at(-1) ?? '').replace(/\.git$/, '');
  return asTitle(name.replace(/\.(zip|html?)$/i, ''));
}

/** A package in `DataFiles`. */
export interface StoredPackage {
  readonly upload: Upload;
  readonly info: PackageInfo;
}

/**
 * Validates and stores a package, and passes it to `use`, which must add it to the database. Deletes the package if
 * `use` throws.
 *
 * @throws PackageError, or the error of `use`
 */
export async function usePackage<T>(
  c: Context,
  service: Service,
  source: PackageSource,
  use: (stored: StoredPackage) => T,
): Promise<T> {
  if ('path' in source) {
    return useFile(service, source.path, use);
  }
  return service.files.withWorkFolder(async (folder) => useFile(service, await clone(c, service, source, folder), use));
}

/**
 * Stores files, and passes their names to `use`, which must add them to the database. Deletes the files if `use`
 * throws.
 */
export async function storeFiles<T>(
  service: Service,
  paths: readonly string[],
  use: (names: readonly string[]) => T,
): Promise<T> {
  const names: string[] = [];
  try {
    for (const path of paths) {
      names.push(await service.files.store(path));
    }
    return use(names);
  } catch (error) {
    await removeFiles(service, names);
    throw error;
  }
}

/**
 * Deletes files that the database no longer refers to. Reports a failure but doesn't throw, because the change itself
 * has succeeded.
 */
export async function removeFiles(
  { files, report }: Service,
  names: readonly (string | null | undefined)[],
): Promise<void> {
  await files.remove(names).catch((error: unknown) => report(`Unused files can’t be deleted: ${errorCode(error)}`));
}

async function useFile<T>(service: Service, path: string, use: (stored: StoredPackage) => T): Promise<T> {
  const info = await checkPackage(path);
  const { size } = await stat(path);
  return storeFiles(service, [path], ([file = '']) => use({ upload: { file, type: info.type, size }, info }));
}

/** Clones a repository. Stops if the client disconnects. @returns the path of an archive with the repository's files */
async function clone(c: Context, { maxUploadBytes }: Service, repository: Repository, folder: string): Promise<string> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new HttpError(400, 'The client disconnected.'));
  const { outgoing } = c.env as HttpBindings;
  outgoing.once('close', abort);
  try {
    return await packRepository(repository, folder, controller.signal, { maxPackBytes: maxUploadBytes });
  } finally {
    outgoing.off('close', abort);
  }
}
