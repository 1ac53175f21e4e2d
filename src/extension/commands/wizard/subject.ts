import * as vscode from 'vscode';
import {
  type BuildServiceClient,
  expandTemplate,
  type FormField,
  isMediaType,
  isMethod,
  label,
  type LinkTarget,
  type ResourceForm,
} from '../../../service-client/index.ts';
import { InvalidInputError, sentence, type Sentence } from '../../../errors/index.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import { findApps, isAppAddress, type App, type PlatformBuild } from '../../apps/model/app.ts';
import { stateText } from '../../apps/rows/rowTexts.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import type { RequestBody } from '../../resources/requests/multipart.ts';
import type { Input } from '../../workbench/input.ts';
import { withCallProgress } from '../../workbench/progress.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { runWizard, wizardFields } from './wizard.ts';
import { platformName } from '../../../web-project/index.ts';

const NAMES = ['url', 'appUrl', 'app', 'platform', 'person'] as const;

/**
 * Reads the argument of a command. A string is an address. For a row of the tree or another object, returns its known members
 * that are strings.
 * Any extension or keybinding can pass an argument, so the values are unchecked.
 */
export function readArgument(argument: unknown): Readonly<Partial<Record<(typeof NAMES)[number], string>>> {
  const members = (typeof argument === 'string' ? { url: argument } : Object(argument)) as Record<string, unknown>;
  const texts = NAMES.map((name) => [name, members[name]] as const);
  return Object.fromEntries(texts.filter(([, text]) => typeof text === 'string' && text !== ''));
}

/** Returns the address specified by a command's argument. The address of an app takes precedence. */
export function getArgumentAddress(argument: unknown): string | undefined {
  const { appUrl, url } = readArgument(argument);
  return appUrl ?? url;
}

/** The app that a command acts on. */
export interface AppSubject {
  readonly connection: SignedInConnection;
  readonly calls: AppCalls;
  readonly app: App;
  readonly platform: string | undefined;
}

/** The build that a command acts on. */
export interface PlatformSubject extends AppSubject {
  readonly build: PlatformBuild;
  readonly platform: string;
}

interface PlatformQuestion {
  readonly title: string;
  /** Returns whether the command can act on a build. */
  readonly filter: (build: PlatformBuild) => boolean;
  /** Returns the message to show if the app has no suitable build. */
  readonly none: (app: App) => Sentence;
}

/** Makes a request. If it takes a while, shows progress with *Cancel*. */
export function askService<T>(
  { service }: Pick<SignedInConnection, 'service'>,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withCallProgress(vscode.l10n.t('Connecting to {0}', service.url.host), call);
}

/**
 * Returns the app specified by a command's argument: a row of the tree, an address, or `{app, platform}` with the title, package ID,
 * number, or address of an app. Without an argument, returns the app of the only linked folder, or asks the user to pick one.
 *
 * @param title title of the question.
 */
export async function askForApp(
  dependencies: CommandDependencies,
  argument: unknown,
  title: string,
): Promise<AppSubject> {
  const { apps, connections } = dependencies;
  const connection = await connections.requireSignedIn();
  const calls = apps.createCalls(connection);
  const { appUrl, url, app, platform } = readArgument(argument);
  const [linked, ...others] = argument === undefined ? apps.folders.all(connection) : [];
  const name = appUrl ?? url ?? app ?? (others.length === 0 ? linked?.app.url : undefined);
  if (name === undefined && argument !== undefined) {
    throw new InvalidInputError(
      sentence('This command needs an app.'),
      sentence('Choose an app in the App Build view.'),
    );
  }
  const get = (address: string) => askService(connection, (signal) => calls.get(address, { signal }));
  if (name !== undefined && isAppAddress(name)) {
    return { connection, calls, app: await get(urlAtService(connection.client, name)), platform };
  }
  const all = await askService(connection, (signal) => calls.list({ signal }));
  const listed = await chooseApp(dependencies, name, all, title);
  // Apps in a list don't contain their forms.
  return { connection, calls, app: await get(listed.url), platform };
}

/**
 * Returns the build specified by a command's argument, which {@link askForApp} reads. If the argument specifies no platform, returns the
 * only build that the command can act on, or asks the user to pick one.
 */
export async function askForBuild(
  dependencies: CommandDependencies,
  argument: unknown,
  { title, filter, none }: PlatformQuestion,
): Promise<PlatformSubject> {
  const subject = await askForApp(dependencies, argument, title);
  const { app, platform } = subject;
  const builds = app.builds.filter((build) => filter(build) && (platform === undefined || build.platform === platform));
  if (builds.length === 0) {
    throw new InvalidInputError(none(app), undefined, 'refresh');
  }
  const items = builds.map((build) => ({ label: platformName(build.platform), description: stateText(build), build }));
  const placeholder = vscode.l10n.t('Which build of “{0}”?', app.title);
  const { build } = await dependencies.input.pickUnlessOne(items, { title, placeholder });
  return { ...subject, build, platform: build.platform };
}

/**
 * Returns the app with the given name, or asks the user to pick one.
 *
 * @param name undefined if the argument doesn't specify an app.
 */
async function chooseApp(
  { input }: CommandDependencies,
  name: string | undefined,
  all: readonly App[],
  title: string,
): Promise<App> {
  const candidates = name === undefined ? all : findApps(name, all);
  const [first] = candidates;
  if (first !== undefined && candidates.length === 1 && name !== undefined) {
    return first;
  }
  if (first === undefined) {
    throw new InvalidInputError(
      name === undefined
        ? sentence('You haven’t built an app at this service yet.')
        : sentence('You have no app called {0}.', label(name)),
      undefined,
      'firstBuild',
    );
  }
  const items = candidates.map((app) => ({
    label: app.title,
    description: [app.version, app.packageId].filter(Boolean).join(', '),
    app,
  }));
  return (await input.pick(items, { title, placeholder: vscode.l10n.t('Which app?') })).app;
}

/** The request that a command acts on. */
export interface RequestSubject {
  /** Absolute address, without credentials. */
  readonly url: string;
  readonly form?: ResourceForm;
  /** HTTP method. If undefined, the command asks the user. */
  readonly method?: string;
  readonly body?: RequestBody;
}

/**
 * Returns the request specified by a command's argument: a path, a row of the tree with a link or a form, or the parts of a request.
 * Without an argument, asks for a path.
 *
 * @param title title of the question.
 * @returns the request, with the client of the current account.
 */
export async function askForSubject(
  { connections, input }: CommandDependencies,
  argument: unknown,
  title: string,
): Promise<RequestSubject & { readonly client: BuildServiceClient }> {
  const { client } = await connections.requireSignedIn();
  const link = argument === undefined ? await askForPath(input, title) : readArgument(argument).url;
  if (link === undefined) {
    throw noLinkError();
  }
  const { form, method, body } = Object(argument) as Partial<RequestSubject>;
  if ((form !== undefined && !isForm(form)) || (method !== undefined && !isMethod(method))) {
    throw new InvalidInputError(
      sentence('This request can’t be sent.'),
      sentence('Run the command on a resource in the App Build view.'),
    );
  }
  return {
    client,
    url: urlAtService(client, link),
    ...(form !== undefined && { form, method: form.method }),
    ...(method !== undefined && { method }),
    ...(body !== undefined && { body }),
  };
}

/** Creates the error for a command that needs a link. */
export function noLinkError(): InvalidInputError {
  return new InvalidInputError(
    sentence('This command needs a link.'),
    sentence('Run the command on a resource in the App Build view.'),
  );
}

/** Resolves a link to an address on the service. @throws InvalidInputError for another origin, which must not receive a token. */
export function urlAtService(client: BuildServiceClient, link: string): string {
  const url = client.resolve(link);
  if (new URL(url).origin !== client.service.origin) {
    throw new InvalidInputError(
      sentence('{0} isn’t an address of the service.', new URL(url).host),
      sentence('Enter a path such as {0}.', '/api/v1/apps'),
    );
  }
  return url;
}

/** Reports whether a value has the structure of a form. Any extension can pass an argument. */
function isForm(value: unknown): value is ResourceForm {
  const { method, contentType, fields } = (value ?? {}) as Partial<Record<keyof ResourceForm, unknown>>;
  return isMethod(method) && isMediaType(contentType) && Array.isArray(fields) && fields.every(isField);
}

function isField(value: unknown): value is FormField {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

/** Asks for a path or an absolute address. */
export async function askForPath(input: Input, title: string): Promise<string> {
  return input.askText({
    title,
    prompt: vscode.l10n.t('Path or link of a resource at the service.'),
    placeholder: '/api/v1/apps',
    required: vscode.l10n.t('Enter a path such as {0}.', '/api/v1/apps'),
  });
}

type FillableLink = Extract<LinkTarget, { readonly kind: 'template' }>;

/**
 * Asks for the variables of a link template, one at a time, and expands it.
 *
 * @param title title of the questions.
 * @param fields form fields for the variables, by name.
 * @returns an absolute http(s) URL, which may have another origin.
 */
export async function askForVariables(
  input: Input,
  title: string,
  target: FillableLink,
  fields: readonly Pick<FormField, 'name' | 'title' | 'required'>[] = [],
): Promise<string> {
  const { text } = wizardFields<Readonly<Record<string, string>>>(input, title);
  const values = await runWizard(
    Object.fromEntries(target.variables.map((name) => [name, ''])),
    target.variables.map((name) => {
      const field = fields.find((candidate) => candidate.name === name);
      const isRequired = field?.required === true;
      return text(name, {
        prompt: field?.title ? vscode.l10n.t('{0} (“{1}”)', field.title, name) : vscode.l10n.t('Value of “{0}”', name),
        placeholder: isRequired ? vscode.l10n.t('Required by the service') : vscode.l10n.t('Leave empty to omit it'),
        ...(isRequired && { required: vscode.l10n.t('Enter a value.') }),
      });
    }),
  );
  try {
    return expandTemplate(target, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')));
  } catch {
    throw new InvalidInputError(
      sentence('These values don’t form a web address.'),
      sentence('Change them and try again.'),
    );
  }
}
