import type { BuildServiceClient } from '../../api/client.ts';
import type { UploadFile } from '../../resources/requests/requestBody.ts';
import type { App } from '../model/app.ts';
import type { BuildDetails, BuildStatus, LogPart } from '../model/build.ts';
import type { BuilderSupport } from '../model/builderSupport.ts';
import type { Operation } from '../model/operation.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface UploadOptions extends CallOptions {
  /** Called with the bytes handed on so far, and their total. */
  readonly onProgress?: (sent: number, total: number) => void;
}

/** Fields of an app that a person can set, as the service names them. */
export type AppFields = Readonly<Record<string, string | boolean | Readonly<Record<string, string>>>>;

/** Where the home resource leads. */
export interface ServiceHome {
  readonly appsUrl: string | undefined;
  readonly keysUrl: string | undefined;
  readonly supportUrl: string | undefined;
}

/** A link that installs exactly one build. It carries no token of the account. */
export interface InstallLink {
  readonly platform: string;
  /** Absolute. */
  readonly url: string;
  readonly expiresAt: Date | undefined;
  /** The link's own resource, where it can be revoked. */
  readonly revokeUrl: string | undefined;
}

/** The calls about apps, one a method. Each follows what the resource offers ({@link findOperation}). */
export class AppCalls {
  readonly client: BuildServiceClient;

  constructor(client: BuildServiceClient) {
    this.client = client;
  }

  /** Where the API's home leads. @throws BuildServiceError */
  home(_options?: CallOptions): Promise<ServiceHome> {
    return notWritten();
  }

  /** The user's apps. @throws BuildServiceError */
  list(_options?: CallOptions): Promise<readonly App[]> {
    return notWritten();
  }

  /** @throws BuildServiceError; NotAnAppError when the address leads to something else. */
  get(_url: string, _options?: CallOptions): Promise<App> {
    return notWritten();
  }

  /** Creates an app from a package of a folder. @throws BuildServiceError */
  createFromFile(_file: UploadFile, _fields: AppFields, _options?: UploadOptions): Promise<App> {
    return notWritten();
  }

  /** Creates an app from a Git repository. @param tag branch or tag. @throws BuildServiceError */
  createFromRepository(
    _repository: string,
    _tag: string | undefined,
    _fields: AppFields,
    _options?: CallOptions,
  ): Promise<App> {
    return notWritten();
  }

  /** Changes fields. @throws BuildServiceError; OperationNotOfferedError */
  update(_app: App, _fields: AppFields, _options?: CallOptions): Promise<App> {
    return notWritten();
  }

  /** Sends a package in place of the one before. A service that builds at once says so in the app's builds. */
  upload(_app: App, _file: UploadFile, _options?: UploadOptions): Promise<App> {
    return notWritten();
  }

  /** Has the service fetch the app's repository again. */
  pull(_app: App, _options?: CallOptions): Promise<App> {
    return notWritten();
  }

  /** @param platforms all that the app has when absent. @returns the app, with what is under way. */
  build(_app: App, _platforms?: readonly string[], _options?: CallOptions): Promise<App> {
    return notWritten();
  }

  /** Ends a build that is under way. @throws OperationNotOfferedError where the service cannot. */
  cancel(_app: App, _platform: string, _options?: CallOptions): Promise<App> {
    return notWritten();
  }

  delete(_app: App, _options?: CallOptions): Promise<void> {
    return notWritten();
  }

  /** @param file a PNG. */
  setIcon(_app: App, _file: UploadFile, _options?: UploadOptions): Promise<App> {
    return notWritten();
  }

  /** The state of the builds, from the app's status link, or from the app itself where it has none. */
  status(_app: App, _options?: CallOptions): Promise<BuildStatus> {
    return notWritten();
  }

  /** Times, sizes and builders, where the service tells them; else as much as the app says. */
  builds(_app: App, _options?: CallOptions): Promise<readonly BuildDetails[]> {
    return notWritten();
  }

  /** @param url of {@link PlatformBuild.logUrl}. @param offset of the part before. */
  log(_url: string, _offset?: number, _options?: CallOptions): Promise<LogPart> {
    return notWritten();
  }

  /** Makes a link to the build that is there now. @throws OperationNotOfferedError where the service has no such links. */
  share(_app: App, _platform: string, _options?: CallOptions): Promise<InstallLink> {
    return notWritten();
  }

  /** Revokes a link of {@link share}. */
  revoke(_link: InstallLink, _options?: CallOptions): Promise<void> {
    return notWritten();
  }

  /** What the service can build; undefined when it does not say. */
  support(_options?: CallOptions): Promise<BuilderSupport | undefined> {
    return notWritten();
  }

  /** Sends an operation with its values and files. Public for the other calls beside this class. */
  send(
    _operation: Operation,
    _values: AppFields,
    _files?: readonly { readonly name: string; readonly file: UploadFile }[],
    _options?: UploadOptions,
  ): ReturnType<BuildServiceClient['send']> {
    return notWritten();
  }
}

function notWritten(): Promise<never> {
  return Promise.reject(new Error('Not written yet.'));
}
