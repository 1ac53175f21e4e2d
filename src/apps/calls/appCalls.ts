import type { BuildServiceClient, ServiceRequest } from '../../api/client.ts';
import { Failure } from '../../api/errors/buildServiceError.ts';
import { InvalidResponseError } from '../../api/errors/responseErrors.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
import type { ServiceResponse } from '../../api/http/response.ts';
import type { Resource } from '../../api/hypermedia/resource.ts';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import { encodeMultipart, type RequestBody, type UploadFile } from '../../resources/requests/multipart.ts';
import { NotAnAppError } from '../appErrors.ts';
import { MAX_PARTS } from '../../api/limits.ts';
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
import { readBuilderSupport, type BuilderSupport } from '../model/builderSupport.ts';
import { elementsOf, hasMember, linkTo, selfUrl } from '../model/members.ts';
import {
  findOperation,
  offersForms,
  requireOperation,
  type Operation,
  type OperationName,
} from '../model/operation.ts';
import {
  createdUrl,
  resourceOf,
  throwIfRefused,
  operationRequest,
  type FieldValues,
  type NamedFile,
} from './operationRequest.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface UploadOptions extends CallOptions {
  /** Called with the bytes handed on so far, and their total. */
  readonly onProgress?: (sent: number, total: number) => void;
}

/** The roles that can be given; the service answers with `developer` for `dev`. */
export type CollaboratorRole = 'dev' | 'tester';

export interface ServiceHome {
  readonly appsUrl: string | undefined;
  readonly keysUrl: string | undefined;
  readonly supportUrl: string | undefined;
}

export type CreateOperation = 'create-from-file' | 'create-from-repository';

/** The user's apps, and how the service lets the user create one. */
export interface AppList {
  readonly apps: readonly App[];
  readonly creations: readonly CreateOperation[];
}

const CREATIONS: readonly CreateOperation[] = ['create-from-file', 'create-from-repository'];

/** The calls about apps, one a method. Each follows what the resource offers ({@link findOperation}). */
export class AppCalls {
  readonly client: BuildServiceClient;

  constructor(client: BuildServiceClient) {
    this.client = client;
  }

  /**
   * The links of the API's home. One without links is the original's short form of the user, whose lists have documented
   * addresses.
   */
  async home({ signal }: CallOptions = {}): Promise<ServiceHome> {
    const home = resourceOf(await this.client.home(signal));
    const root = this.client.homeUrl;
    const isShort = home.links.length === 0 && home.embedded.length === 0;
    return {
      appsUrl: linkTo(home, 'apps') ?? (isShort ? `${root}/apps` : undefined),
      keysUrl: linkTo(home, 'keys', 'signing_keys') ?? (isShort ? `${root}/keys` : undefined),
      supportUrl: linkTo(home, 'current_support') ?? `${root}/current_support`,
    };
  }

  async list(options: CallOptions = {}): Promise<readonly App[]> {
    return (await this.appList(options)).apps;
  }

  /** The user's apps, with what the list offers. It ends with a page without apps. Fails when there are too many. */
  async appList(options: CallOptions = {}): Promise<AppList> {
    const apps: App[] = [];
    let creations: readonly CreateOperation[] = [];
    let next: string | undefined = await this.#appsUrl(options);
    while (next !== undefined) {
      const { resource, url } = await this.read(next, options);
      if (apps.length === 0) {
        creations = creationsOf(resource, url);
      }
      const items = elementsOf(resource, /^(apps|all|item)$/).map((item) => item.resource);
      const found = items.filter(isApp).map((app) => readApp(app, url));
      apps.push(...found);
      if (apps.length > MAX_PARTS) {
        throw new Failure('tooManyApps', {
          what: sentence('The service lists too many apps of this account to choose from.'),
          next: sentence('Open the app in the App Build view, or name it by its link.'),
          remedy: 'none',
        });
      }
      next = found.length === 0 ? undefined : linkTo(resource, 'next');
    }
    return { apps, creations };
  }

  async creations(options: CallOptions = {}): Promise<readonly CreateOperation[]> {
    const { appsUrl } = await this.home(options);
    if (appsUrl === undefined) {
      return [];
    }
    const { resource, url } = await this.read(appsUrl, options);
    return creationsOf(resource, url);
  }

  /** @throws BuildServiceError; NotAnAppError when the address leads to something else. */
  async get(url: string, options: CallOptions = {}): Promise<App> {
    const answer = await this.read(url, options);
    if (!isApp(answer.resource)) {
      throw new NotAnAppError(URL.parse(answer.url)?.pathname ?? '');
    }
    return readApp(answer.resource, answer.url);
  }

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

  update(app: App, fields: FieldValues, options?: CallOptions): Promise<App> {
    return this.#change(app, 'update', fields, [], options);
  }

  /** Sends a package in place of the one before. A service that builds at once says so in the app's builds. */
  upload(app: App, file: UploadFile, options?: UploadOptions): Promise<App> {
    return this.#change(app, 'upload', {}, [{ name: 'file', file }], options);
  }

  pull(app: App, options?: CallOptions): Promise<App> {
    return this.#change(app, 'pull', { pull: 'true' }, [], options);
  }

  /**
   * Asks for builds: for all platforms, or for several in one request where the service takes that, else one a platform.
   *
   * @param platforms all that the app has when absent or empty.
   * @returns the app, with what is under way.
   * @throws BuildServiceError; OperationNotOfferedError before anything is asked for.
   */
  async build(app: App, platforms: readonly string[] = [], options: CallOptions = {}): Promise<App> {
    const whole = await this.whole(app, options);
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

  /** Ends a build that is under way. @throws OperationNotOfferedError where the service cannot. */
  async cancel(app: App, platform: string, options: CallOptions = {}): Promise<App> {
    const whole = await this.whole(app, options);
    const operation = requireOperation(whole, 'cancel', platform);
    return this.#appIn(await this.send(operation, {}, [], options), whole.url, options);
  }

  async delete(app: App, options: CallOptions = {}): Promise<void> {
    await this.send(await this.operation(app, 'delete', options), {}, [], options);
  }

  /** @param file a PNG. */
  setIcon(app: App, file: UploadFile, options?: UploadOptions): Promise<App> {
    return this.#change(app, 'upload-icon', {}, [{ name: 'icon', file }], options);
  }

  /** @returns `invited` when the service doesn't know the address yet, and has accepted the request. */
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

  async changeRole(collaborator: Collaborator, role: CollaboratorRole, options?: CallOptions): Promise<void> {
    const part = { ...collaborator, title: collaborator.person };
    await this.send(await this.operationOfPart(part, 'change-role', options), { role }, [], options);
  }

  async removeCollaborator(collaborator: Collaborator, options?: CallOptions): Promise<void> {
    const part = { ...collaborator, title: collaborator.person };
    await this.send(await this.operationOfPart(part, 'remove-collaborator', options), {}, [], options);
  }

  /** The state of the builds, from the app's status link, or from the app itself where it has none. */
  async status(app: App, options: CallOptions = {}): Promise<BuildStatus> {
    const { resource } = await this.read(linkTo(app.resource, 'build_status', 'status') ?? app.url, options);
    return readBuildStatus(resource, app.url);
  }

  /** Times, sizes and builders, where the service has them; else as much as the app says. */
  async builds(app: App, options: CallOptions = {}): Promise<readonly BuildDetails[]> {
    const whole = await this.whole(app, options);
    const link = linkTo(whole.resource, 'builds');
    if (link === undefined) {
      return whole === app ? (await this.get(app.url, options)).builds : whole.builds;
    }
    const { resource, url } = await this.read(link, options);
    return readBuilds(resource, url);
  }

  /**
   * A part of a build log. A service that knows no offsets answers with the whole log, whatever the offset.
   *
   * @param url of {@link PlatformBuild.logUrl}.
   * @param offset of the part before.
   */
  async log(url: string, offset = 0, { signal }: CallOptions = {}): Promise<LogPart> {
    const target = new URL(url);
    if (offset > 0) {
      target.searchParams.set('offset', String(offset));
    }
    const response = await this.client.send({ method: 'GET', url: target.href, maxBytes: MAX_LOG_BYTES }, signal);
    return response.body.kind === 'text' && response.mediaType === 'text/plain'
      ? { text: response.body.text, nextOffset: undefined, completed: undefined }
      : readLogPart(resourceOf(response));
  }

  /** The platforms and plugins of the service; undefined when it does not say. @param home asked for when absent. */
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
   * Sends an operation with its values and files, which are read while they are sent.
   *
   * @throws BuildServiceError; a FileError when a file cannot be read.
   */
  async send(
    operation: Operation,
    values: FieldValues,
    files: readonly NamedFile[] = [],
    options: UploadOptions = {},
  ): Promise<ServiceResponse> {
    const { url, body } = operationRequest(operation, values, files);
    const request = { method: operation.method, url };
    const response = await sendBody(this.client, request, body, files[0]?.file.name ?? '', options);
    throwIfRefused(response);
    return response;
  }

  /** Reads a resource. @returns it with the address that answered. */
  async read(
    url: string,
    { signal }: CallOptions = {},
  ): Promise<{ readonly resource: Resource; readonly url: string }> {
    const response = await this.client.get(url, signal);
    const resource = resourceOf(response);
    if (!hasMember(resource, 'status')) {
      throwIfRefused(response);
    }
    return { resource, url: response.url };
  }

  /** An operation of an app, which is asked for first where only a list named it. */
  async operation(app: App, name: OperationName, options: CallOptions = {}): Promise<Operation> {
    return requireOperation(await this.whole(app, options), name);
  }

  /** The resource at an address; undefined where the service has none to read. */
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

  /** An operation of a part of a list. Lists lack the forms of their parts: the part's own address is asked, where it has one. */
  async operationOfPart(
    { resource, url, title }: { readonly resource: Resource; readonly url: string | undefined; readonly title: string },
    name: OperationName,
    options?: CallOptions,
  ): Promise<Operation> {
    const isWhole = url === undefined || resource.pointer === '' || offersForms(resource);
    const asked = isWhole ? undefined : await this.find(url, options);
    return requireOperation({ resource: asked ?? resource, url, title }, name);
  }

  /** The app with all that it offers: a list has less. */
  async whole(app: App, options: CallOptions = {}): Promise<App> {
    return app.resource.pointer === '' || offersForms(app.resource) ? app : this.get(app.url, options);
  }

  async #change(
    app: App,
    name: OperationName,
    values: FieldValues,
    files: readonly NamedFile[],
    options: UploadOptions = {},
  ): Promise<App> {
    const operation = await this.operation(app, name, options);
    return this.#appIn(await this.send(operation, values, files, options), app.url, options);
  }

  async #create(
    name: CreateOperation,
    values: FieldValues,
    files: readonly NamedFile[],
    options: UploadOptions = {},
  ): Promise<App> {
    const { resource, url } = await this.read(await this.#appsUrl(options), options);
    const title = URL.parse(url)?.pathname ?? '';
    const operation = requireOperation({ resource, url: selfUrl(resource) ?? url, title }, name);
    const response = await this.send(operation, values, files, options);
    return this.#appIn(response, createdUrl(response, operation.url), options);
  }

  /** The app in an answer to a change; asked for when the answer is no app. */
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
 * Sends a request with a body, whose files are read while they are sent.
 *
 * @param fileName for the failure when a file cannot be read.
 * @throws BuildServiceError; a FileError when a file cannot be read.
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

/** True for the answer of a service that knows no such resource or request. */
function isUnknownToService(error: unknown): boolean {
  return error instanceof ServiceError && [404, 405, 410, 501].includes(error.status);
}

function creationsOf(list: Resource, url: string): readonly CreateOperation[] {
  return CREATIONS.filter((name) => findOperation(list, name, undefined, selfUrl(list) ?? url) !== undefined);
}
