import type { UploadFile } from '../../resources/requests/multipart.ts';
import { InvalidResponseError, type Resource, type ServiceResponse } from '../../../service-client/index.ts';
import { linkTo } from '../model/members.ts';
import { requireOperation, type OperationName } from '../model/operation.ts';
import { isSigningKey, readSigningKey, readSigningKeys, type SigningKey } from '../model/signingKey.ts';
import type { AppCalls, CallOptions, ServiceHome, UploadOptions } from './appCalls.ts';
import { createdUrl, type FieldValues } from './operationRequest.ts';

/** The passwords that unlock a key: two for an Android keystore, one for a certificate. They must never be logged. */
export type KeyPasswords =
  | { readonly keystorePassword: string; readonly keyPassword: string }
  | { readonly password: string };

/** A new signing key, with its files. */
export interface KeyFiles {
  readonly platform: string;
  readonly title: string;
  /** Alias of the key in an Android keystore. */
  readonly alias?: string;
  /** Publisher ID, for Windows Phone. */
  readonly publisherId?: string;
  readonly passwords?: KeyPasswords;
  /** Either `keystore`, or `cert` and `profile`. */
  readonly files: readonly { readonly name: 'keystore' | 'cert' | 'profile'; readonly file: UploadFile }[];
}

/**
 * Requests about signing keys. The service may repeat a password in its response, so the caller must have the redactor hide
 * passwords during the call.
 */
export class KeyCalls {
  readonly #calls: AppCalls;

  constructor(calls: AppCalls) {
    this.#calls = calls;
  }

  /**
   * Returns the account's keys.
   *
   * @param platform defaults to all platforms.
   * @param home links of the API's home, read if omitted.
   */
  async list(platform?: string, options?: CallOptions, home?: ServiceHome): Promise<readonly SigningKey[]> {
    const { resource, url } = await this.#calls.read(await this.#keysUrl(options, home), options);
    const keys = readSigningKeys(resource, url);
    return platform === undefined ? keys : keys.filter((key) => key.platform === platform);
  }

  /** Returns the platforms that the service accepts keys for, in the service's order. */
  async platforms(options?: CallOptions): Promise<readonly string[]> {
    const { embedded, links } = listsIn((await this.#calls.read(await this.#keysUrl(options), options)).resource);
    const names = [
      ...embedded.filter(({ index }) => index === undefined).map(({ rel }) => rel),
      ...links.filter(({ target }) => target.kind === 'internal').map(({ rel }) => rel),
    ];
    return [...new Set(names.filter((name) => !NO_PLATFORMS.has(name)))];
  }

  /** Reads a key. @throws InvalidResponseError if the resource isn't a key; BuildServiceError. */
  async get(url: string, options?: CallOptions): Promise<SigningKey> {
    const answer = await this.#calls.read(url, options);
    if (!isSigningKey(answer.resource)) {
      throw new InvalidResponseError('missingField', 'title');
    }
    return readSigningKey(answer.resource, answer.url);
  }

  /** Uploads a key. @throws OperationNotOfferedError; FileError if a file can't be read; BuildServiceError. */
  async add(key: KeyFiles, options: UploadOptions = {}): Promise<SigningKey> {
    const { platform, title, alias, publisherId, passwords, files } = key;
    const keysUrl = await this.#keysUrl(options);
    const { resource } = await this.#calls.read(keysUrl, options);
    const lists = listsIn(resource);
    const listUrl = linkTo(lists, platform) ?? `${keysUrl.replace(/[?#].*$/s, '')}/${encodeURIComponent(platform)}`;
    const list = (await this.#calls.find(listUrl, options)) ?? lists;
    const operation = requireOperation({ resource: list, url: listUrl, title: platform }, 'add-key');
    const values = {
      title,
      ...(alias !== undefined && { alias }),
      ...(publisherId !== undefined && { publisher_id: publisherId }),
      ...(passwords && passwordFields(passwords)),
    };
    const response = await this.#calls.send(operation, values, files, options);
    return this.#keyIn(response, createdUrl(response, listUrl), platform, options);
  }

  /** Unlocks a key with its passwords, so that the service can sign with it. */
  unlock(key: SigningKey, passwords: KeyPasswords, options?: CallOptions): Promise<SigningKey> {
    return this.#change(key, 'unlock', passwordFields(passwords), options);
  }

  /** Locks a key: the service discards its passwords. */
  lock(key: SigningKey, options?: CallOptions): Promise<SigningKey> {
    return this.#change(key, 'lock', { lock: true }, options);
  }

  /** Makes a key the default for its platform. */
  setDefault(key: SigningKey, options?: CallOptions): Promise<SigningKey> {
    return this.#change(key, 'set-default', { default: true }, options);
  }

  async delete(key: SigningKey, options?: CallOptions): Promise<void> {
    await this.#send(key, 'delete-key', {}, options);
  }

  async #change(key: SigningKey, name: OperationName, values: FieldValues, options?: CallOptions): Promise<SigningKey> {
    return this.#keyIn(await this.#send(key, name, values, options), key.url, key.platform, options);
  }

  async #send(
    key: SigningKey,
    name: OperationName,
    values: FieldValues,
    options?: CallOptions,
  ): Promise<ServiceResponse> {
    return this.#calls.send(await this.#calls.findPartOperation(key, name, options), values, [], options);
  }

  /** Returns the key in a response. Reads it if the response contains something else. */
  async #keyIn(response: ServiceResponse, url: string, platform: string, options?: CallOptions): Promise<SigningKey> {
    return response.body.kind === 'json' && isSigningKey(response.body.resource)
      ? readSigningKey(response.body.resource, url, platform)
      : this.get(url, options);
  }

  async #keysUrl(options?: CallOptions, home?: ServiceHome): Promise<string> {
    const { keysUrl } = home ?? (await this.#calls.home(options));
    if (keysUrl === undefined) {
      throw new InvalidResponseError('missingField', 'keys');
    }
    return keysUrl;
  }
}

/** Members of the key list that aren't a platform's list of keys. */
const NO_PLATFORMS: ReadonlySet<string> = new Set(['self', 'link', 'keys', 'all']);

function listsIn(resource: Resource): Resource {
  return resource.embedded.find(({ rel, index }) => rel === 'keys' && index === undefined)?.resource ?? resource;
}

function passwordFields(passwords: KeyPasswords): Readonly<Record<string, string>> {
  return 'password' in passwords
    ? { password: passwords.password }
    : { key_pw: passwords.keyPassword, keystore_pw: passwords.keystorePassword };
}
