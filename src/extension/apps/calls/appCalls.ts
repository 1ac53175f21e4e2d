import {
  type BuildServiceClient,
  InvalidResponseError,
  MAX_PARTS,
  type Resource,
  ServiceError,
  type ServiceRequest,
  type ServiceResponse,
} from '../../../service-client/index.ts';
import { Failure, sentence } from '../../../errors/index.ts';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import { encodeMultipart, type RequestBody, type UploadFile } from '../../resources/requests/multipart.ts';
import { NotAnAppError } from '../appErrors.ts';
import { MAX_LOG_BYTES } from '../limits.ts';
import { isApp, readApp, type App } from '../model/app.ts';
import {
  readBuilds,
  readBuildStatus,
  readLogPart,
  type BuildDetails,
  type BuildStatus,
  type LogPart,
} from '../model/build.ts';
import type { Collaborator } from '../model/collaborator.ts';
import { readBuilderSupport } from '../model/readBuilderSupport.ts';
import { getElements, hasMember, linkTo, selfUrl } from '../model/members.ts';
import {
  findOperation,
  offersForms,
  requireOperation,
  type Operation,
  type OperationName,
} from '../model/operation.ts';
import {
  createdUrl,
  toResource,
  throwIfRefused,
  operationRequest,
  type FieldValues,
  type FieldFile,
} from './operationRequest.ts';
import type { BuilderSupport } from '../../../web-project/index.ts';

/** Options that all calls have. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Options of a call that sends files. */
export interface UploadOptions extends CallOptions {
  /** Called with the number of bytes sent so far and the total number of bytes. */
  readonly onProgress?: (sent: number, total: number) => void;
}

/** Roles that a user can assign. The service returns `dev` as `developer`. */
export type CollaboratorRole = 'dev' | 'tester';

/** Links in the API's home. A link that the service doesn't have is undefined. */
export interface ServiceHome {
  readonly appsUrl: string | undefined;
  readonly keysUrl: string | undefined;
  readonly supportUrl: string | undefined;
}

/** Ways to create an app. */
type CreateOperation = 'create-from-file' | 'create-from-repository';

/** The account's apps, and the ways that the service offers to create one. */
interface AppList {
  readonly apps: readonly App[];
  readonly creations: readonly CreateOperation[];
}

const CREATIONS: readonly CreateOperation[] = ['create-from-file', 'create-from-repository'];

/**
 * Requests about apps. Each method uses the forms and links that the resource offers; see {@link findOperation}.
 * All methods reject with a BuildServiceError when the service reports an error or can't be reached.
 */
export class AppCalls {
  readonly client: BuildServiceClient;

  constructor(client: BuildServiceClient) {
    this.client = client;
  }

  /**
   * Reads the API's home and returns its links. For PhoneGap Build's short form of the home, which has no links, returns the documented
   * addresses of the lists.
   */
  async home({ signal }: CallOptions = {}): Promise<ServiceHome> {
    const home = toResource(await this.client.home(signal));
    const root = this.client.homeUrl;
    const isShort = home.links.length === 0 && home.embedded.length === 0;
    return {
      appsUrl: linkTo(home, 'apps') ?? (isShort ? `${root}/apps` : undefined),
      keysUrl: linkTo(home, 'keys', 'signing_keys') ?? (isShort ? `${root}/keys` : undefined),
      supportUrl: linkTo(home, 'current_support') ?? `${root}/current_support`,
    };
  }

  /** Returns all apps of the account. @throws Failure if there are too many. */
  async list(options: CallOptions = {}): Promise<readonly App[]> {
    return (await this.appList(options)).apps;
  }

  /**
   * Returns all apps of the account, and the ways to create one. Reads the list page by page, up to the first page without apps.
   *
   * @throws Failure if there are more than {@link MAX_PARTS}.
   */
  async appList(options: CallOptions = {}): Promise<AppList> {
    const apps: App[] = [];
    let creations: readonly CreateOperation[] = [];
    let next: string | undefined = await this.#appsUrl(options);
    while (next !== undefined) {
      const { resource, url } = await this.read(next, options);
      if (apps.length === 0) {
        creations = getCreations(resource, url);
      }
      const items = getElements(resource, /^(apps|all|item)$/).map((item) => item.resource);
      const found = items.filter(isApp).map((app) => readApp(app, url));
      apps.push(...found);
      if (apps.length > MAX_PARTS) {
        throw new Failure('tooManyApps', {
          what: sentence('Your account has too many apps to choose from.'),
          next: sentence('Open the app in the App Build view, or enter its link.'),
          remedy: 'none',
        });
      }
      next = found.length === 0 ? undefined : linkTo(resource, 'next');
    }
    return { apps, creations };
  }

  /** Returns the ways that the service offers to create an app, or an empty list if it has no list of apps. */
  async creations(options: CallOptions = {}): Promise<readonly CreateOperation[]> {
    const { appsUrl } = await this.home(options);
    if (appsUrl === undefined) {
      return [];
    }
    const { resource, url } = await this.read(appsUrl, options);
    return getCreations(resource, url);
  }

  /** Reads an app. @throws NotAnAppError if the resource isn't an app. */
  async get(url: string, options: CallOptions = {}): Promise<App> {
    const answer = await this.read(url, options);
    if (!isApp(answer.resource)) {
      throw new NotAnAppError(URL.parse(answer.url)?.pathname ?? '');
    }
    return readApp(answer.resource, answer.url);
  }

  /** Creates an app from a package. Returns the app, with the builds that the service started. */
  createFromFile(file: UploadFile, fields: FieldValues, options?: UploadOptions): Promise<App> {
    return this.#create('create-from-file', { create_method: 'file', ...fields }, [{ name: 'file', file }], options);
  }

  /** Creates an app from a Git repository. @param tag branch or tag. */
  createFromRepository(
    repository: string,
    tag: string | undefined,
    fields: FieldValues,
    options?: CallOptions,
  ): Promise<App> {
    const values = { create_method: 'remote_repo', repo: repository, ...(tag !== undefined && { tag }), ...fields };
    return this.#create('create-from-repository', values, [], options);
  }

  /** Changes fields of an app. */
  update(app: App, fields: FieldValues, options?: CallOptions): Promise<App> {
    return this.#change(app, 'update', fields, [], options);
  }

  /** Replaces an app's package. If the service starts builds for it, the returned app includes them. */
  upload(app: App, file: UploadFile, options?: UploadOptions): Promise<App> {
    return this.#change(app, 'upload', {}, [{ name: 'file', file }], options);
  }

  /** Asks the service to pull the app's Git repository. */
  pull(app: App, options?: CallOptions): Promise<App> {
    return this.#change(app, 'pull', { pull: 'true' }, [], options);
  }

  /**
   * Requests builds. For several platforms, sends a single request if the service accepts a list, and one request per platform
   * otherwise.
   *
   * @param platforms if empty or omitted, all platforms of the app.
   * @returns the app with its running builds.
   * @throws OperationNotOfferedError before the first request for a build.
   */
  async build(app: App, platforms: readonly string[] = [], options: CallOptions = {}): Promise<App> {
    const whole = await this.fetchComplete(app, options);
    const all = findOperation(whole.resource, 'build', undefined, whole.url);
    const takesList =
      all !== undefined &&
      (all.encoding.kind === 'data' || all.encoding.fields.some(({ name }) => name === 'platforms'));
    if (platforms.length === 0 || takesList) {
      const values = platforms.length === 0 ? {} : { platforms };
      const operation = requireOperation(whole, 'build');
      return this.#appIn(await this.send(operation, values, [], options), whole.url, options);
    }
    const operations = platforms.map((platform) => requireOperation(whole, 'build', platform));
    let last = whole;
    for (const operation of operations) {
      last = await this.#appIn(await this.send(operation, {}, [], options), whole.url, options);
    }
    return last;
  }

  /** Cancels a running build. @throws OperationNotOfferedError if the service can't cancel builds. */
  async cancel(app: App, platform: string, options: CallOptions = {}): Promise<App> {
    const whole = await this.fetchComplete(app, options);
    const operation = requireOperation(whole, 'cancel', platform);
    return this.#appIn(await this.send(operation, {}, [], options), whole.url, options);
  }

  async delete(app: App, options: CallOptions = {}): Promise<void> {
    await this.send(await this.operation(app, 'delete', options), {}, [], options);
  }

  /** Replaces the icon of an app. @param file a PNG. */
  setIcon(app: App, file: UploadFile, options?: UploadOptions): Promise<App> {
    return this.#change(app, 'upload-icon', {}, [{ name: 'icon', file }], options);
  }

  /**
   * Adds a collaborator to an app.
   *
   * @returns `invited` if the service has no account for the email address yet, but has accepted the request (status 202).
   */
  async addCollaborator(
    app: App,
    email: string,
    role: CollaboratorRole,
    options?: CallOptions,
  ): Promise<'added' | 'invited'> {
    const operation = await this.operation(app, 'add-collaborator', options);
    const { status } = await this.send(operation, { email, role }, [], options);
    return status === 202 ? 'invited' : 'added';
  }

  /** Changes the role of a collaborator. */
  async changeRole(collaborator: Collaborator, role: CollaboratorRole, options?: CallOptions): Promise<void> {
    const part = { ...collaborator, title: collaborator.person };
    await this.send(await this.findPartOperation(part, 'change-role', options), { role }, [], options);
  }

  /** Removes a collaborator or cancels an invitation. */
  async removeCollaborator(collaborator: Collaborator, options?: CallOptions): Promise<void> {
    const part = { ...collaborator, title: collaborator.person };
    await this.send(await this.findPartOperation(part, 'remove-collaborator', options), {}, [], options);
  }

  /** Reads the state of the builds from the app's status link, or from the app itself if it has no such link. */
  async status(app: App, options: CallOptions = {}): Promise<BuildStatus> {
    const { resource } = await this.read(linkTo(app.resource, 'build_status', 'status') ?? app.url, options);
    return readBuildStatus(resource, app.url);
  }

  /**
   * Returns the builds with times, sizes, and builders if the service reports them. Otherwise, returns the builds that the app
   * itself lists.
   */
  async builds(app: App, options: CallOptions = {}): Promise<readonly BuildDetails[]> {
    const whole = await this.fetchComplete(app, options);
    const link = linkTo(whole.resource, 'builds');
    if (link === undefined) {
      return whole === app ? (await this.get(app.url, options)).builds : whole.builds;
    }
    const { resource, url } = await this.read(link, options);
    return readBuilds(resource, url);
  }

  /**
   * Reads a part of a build log. A service that doesn't support offsets always returns the whole log.
   *
   * @param url the build's {@link PlatformBuild.logUrl}.
   * @param offset {@link LogPart.nextOffset} of the previous part.
   */
  async log(url: string, offset = 0, { signal }: CallOptions = {}): Promise<LogPart> {
    const target = new URL(url);
    if (offset > 0) {
      target.searchParams.set('offset', String(offset));
    }
    const response = await this.client.send({ method: 'GET', url: target.href, maxBytes: MAX_LOG_BYTES }, signal);
    return response.body.kind === 'text' && response.mediaType === 'text/plain'
      ? { text: response.body.text, nextOffset: undefined, completed: undefined }
      : readLogPart(toResource(response));
  }

  /**
   * Returns the platforms and plugins that the service supports, or undefined if it doesn't report them.
   *
   * @param home links of the API's home, read if omitted.
   */
  async support(
    options: CallOptions = {},
    home?: Pick<ServiceHome, 'supportUrl'>,
  ): Promise<BuilderSupport | undefined> {
    const { supportUrl } = home ?? (await this.home(options));
    if (supportUrl === undefined) {
      return undefined;
    }
    const resource = await this.find(supportUrl, options);
    return resource && readBuilderSupport(resource);
  }

  /**
   * Sends an operation with its values and files. The files are streamed from the disk.
   *
   * @throws FileError if a file can't be read; ServiceError if the service refuses the operation.
   */
  async send(
    operation: Operation,
    values: FieldValues,
    files: readonly FieldFile[] = [],
    options: UploadOptions = {},
  ): Promise<ServiceResponse> {
    const { url, body } = operationRequest(operation, values, files);
    const request = { method: operation.method, url };
    const response = await sendBody(this.client, request, body, files[0]?.file.name ?? '', options);
    throwIfRefused(response);
    return response;
  }

  /** Reads a resource. Returns the resource with its final address, after redirects. */
  async read(
    url: string,
    { signal }: CallOptions = {},
  ): Promise<{ readonly resource: Resource; readonly url: string }> {
    const response = await this.client.get(url, signal);
    const resource = toResource(response);
    if (!hasMember(resource, 'status')) {
      throwIfRefused(response);
    }
    return { resource, url: response.url };
  }

  /** Returns an operation on an app. Reads the app first if it was only part of a list. @throws OperationNotOfferedError */
  async operation(app: App, name: OperationName, options: CallOptions = {}): Promise<Operation> {
    return requireOperation(await this.fetchComplete(app, options), name);
  }

  /** Reads a resource. Returns undefined if it doesn't exist, or can't be read with GET. */
  async find(url: string, options: CallOptions = {}): Promise<Resource | undefined> {
    try {
      return (await this.read(url, options)).resource;
    } catch (error) {
      if (isUnknownToService(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Returns an operation on an item of a list. Lists don't contain the forms of their items, so this reads the item at its own
   * address if it has one.
   *
   * @throws OperationNotOfferedError
   */
  async findPartOperation(
    { resource, url, title }: { readonly resource: Resource; readonly url: string | undefined; readonly title: string },
    name: OperationName,
    options?: CallOptions,
  ): Promise<Operation> {
    const isWhole = url === undefined || resource.pointer === '' || offersForms(resource);
    const asked = isWhole ? undefined : await this.find(url, options);
    return requireOperation({ resource: asked ?? resource, url, title }, name);
  }

  /** Returns the app with all of its forms. Reads it if it was only part of a list. */
  async fetchComplete(app: App, options: CallOptions = {}): Promise<App> {
    return app.resource.pointer === '' || offersForms(app.resource) ? app : this.get(app.url, options);
  }

  async #change(
    app: App,
    name: OperationName,
    values: FieldValues,
    files: readonly FieldFile[],
    options: UploadOptions = {},
  ): Promise<App> {
    const operation = await this.operation(app, name, options);
    return this.#appIn(await this.send(operation, values, files, options), app.url, options);
  }

  async #create(
    name: CreateOperation,
    values: FieldValues,
    files: readonly FieldFile[],
    options: UploadOptions = {},
  ): Promise<App> {
    const { resource, url } = await this.read(await this.#appsUrl(options), options);
    const title = URL.parse(url)?.pathname ?? '';
    const operation = requireOperation({ resource, url: selfUrl(resource) ?? url, title }, name);
    const response = await this.send(operation, values, files, options);
    return this.#appIn(response, createdUrl(response, operation.url), options);
  }

  /** Returns the app in the response to a change. Reads it if the response contains something else. */
  async #appIn(response: ServiceResponse, url: string, options: CallOptions): Promise<App> {
    const resource = response.body.kind === 'json' ? response.body.resource : undefined;
    return resource !== undefined && isApp(resource) && hasMember(resource, 'status')
      ? readApp(resource, url)
      : this.get(url, options);
  }

  async #appsUrl(options: CallOptions): Promise<string> {
    const { appsUrl } = await this.home(options);
    if (appsUrl === undefined) {
      throw new InvalidResponseError('missingField', 'apps');
    }
    return appsUrl;
  }
}

/**
 * Sends a request with a body. Files in it are streamed from the disk.
 *
 * @param fileName name of the file for the error message.
 * @throws FileError if a file can't be read; BuildServiceError.
 */
export async function sendBody(
  client: BuildServiceClient,
  request: ServiceRequest,
  body: RequestBody,
  fileName: string,
  { signal, onProgress }: UploadOptions,
): Promise<ServiceResponse> {
  if (body.kind !== 'multipart') {
    const content = body.kind === 'text' ? { headers: { 'content-type': body.contentType }, body: body.text } : {};
    return client.send({ ...request, ...content }, signal);
  }
  let unreadable: unknown;
  const prepared = encodeMultipart(body.parts, {
    ...(onProgress && { onProgress }),
    onUnreadable: (error) => {
      unreadable = error;
    },
  });
  try {
    return await client.send({ ...request, ...prepared }, signal);
  } catch (error) {
    throw unreadable === undefined ? error : fileFailure(unreadable, fileName);
  } finally {
    prepared.body.destroy();
  }
}

/** Reports whether the service responded that the resource doesn't exist or doesn't support the request method. */
function isUnknownToService(error: unknown): boolean {
  return error instanceof ServiceError && [404, 405, 410, 501].includes(error.status);
}

function getCreations(list: Resource, url: string): readonly CreateOperation[] {
  return CREATIONS.filter((name) => findOperation(list, name, undefined, selfUrl(list) ?? url) !== undefined);
}
