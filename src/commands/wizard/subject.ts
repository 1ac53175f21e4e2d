import * as vscode from 'vscode';
import type { BuildServiceClient } from '../../api/client.ts';
import { InvalidInputError } from '../../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { isMediaType } from '../../api/hypermedia/forms.ts';
import { label } from '../../api/hypermedia/label.ts';
import { isMethod } from '../../api/hypermedia/links.ts';
import type { Form, FormField, LinkTarget } from '../../api/hypermedia/resource.ts';
import { expandTemplate } from '../../api/hypermedia/templates.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import { findApps, isAppAddress, type App, type PlatformBuild, platformName } from '../../apps/model/app.ts';
import { stateText } from '../../apps/rows/rowTexts.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import type { RequestBody } from '../../resources/requests/multipart.ts';
import type { Input } from '../../workbench/input.ts';
import { withCallProgress } from '../../workbench/progress.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { runWizard, wizardFields } from './wizard.ts';

const NAMES = ['url', 'appUrl', 'app', 'platform', 'person'] as const;

/**
 * What a command's argument names: a text is an address; of a row of the tree, or of an object, the members count that are texts.
 * It may come from any extension or keybinding, so nothing in it is checked yet.
 */
export function readArgument(argument: unknown): Readonly<Partial<Record<(typeof NAMES)[number], string>>> {
  const members = (typeof argument === 'string' ? { url: argument } : Object(argument)) as Record<string, unknown>;
  const texts = NAMES.map((name) => [name, members[name]] as const);
  return Object.fromEntries(texts.filter(([, text]) => typeof text === 'string' && text !== ''));
}

/** The address in a command's argument: that of an app where it has one. */
export function addressOfArgument(argument: unknown): string | undefined {
  const { appUrl, url } = readArgument(argument);
  return appUrl ?? url;
}

export interface AppSubject {
  readonly connection: SignedInConnection;
  readonly calls: AppCalls;
  readonly app: App;
  readonly platform: string | undefined;
}

export interface PlatformSubject extends AppSubject {
  readonly build: PlatformBuild;
  readonly platform: string;
}

interface PlatformQuestion {
  readonly title: string;
  /** True for a build that the command can act on. */
  readonly filter: (build: PlatformBuild) => boolean;
  /** Says that the app has no such build. */
  readonly none: (app: App) => Sentence;
}

/** Asks the service; when that takes long, progress with *Cancel* shows. */
export function askService<T>(
  { service }: Pick<SignedInConnection, 'service'>,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withCallProgress(vscode.l10n.t('Asking {0}', service.url.host), call);
}

/**
 * The app that a command's argument names: a row of the tree, an address, or `{app, platform}` with the title, package, number or
 * address of an app. Without one: the app of the only folder that is linked, else the one that the user picks.
 *
 * @param title of the question.
 */
export async function askForApp(
  dependencies: CommandDependencies,
  argument: unknown,
  title: string,
): Promise<AppSubject> {
  const { apps, connections } = dependencies;
  const connection = await connections.requireSignedIn();
  const calls = apps.callsOf(connection);
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
  // Apps in a list lack their forms.
  return { connection, calls, app: await get(listed.url), platform };
}

/**
 * The build that a command's argument names, as {@link askForApp} reads it: that of the platform which is named, the only one that
 * the command can act on, else the one that the user picks.
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

/** @param name undefined when the argument names none. */
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

export interface RequestSubject {
  /** Absolute, without credentials. */
  readonly url: string;
  readonly form?: Form;
  /** Asked for when it is not given. */
  readonly method?: string;
  readonly body?: RequestBody;
}

/**
 * The subject that a command's argument names: a path, a row of the tree (a link or a form), or a request in parts. Asks
 * for a path when there is none.
 *
 * @param title of the question.
 * @returns it, with the client of the account in use.
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

export function noLinkError(): InvalidInputError {
  return new InvalidInputError(
    sentence('This command needs a link.'),
    sentence('Run the command on a resource in the App Build view.'),
  );
}

/** Refuses an address of another host: neither a request nor a copied one may take a token there. */
export function urlAtService(client: BuildServiceClient, link: string): string {
  const url = client.resolve(link);
  if (new URL(url).origin !== client.service.origin) {
    throw new InvalidInputError(
      sentence('{0} is not an address of the service.', new URL(url).host),
      sentence('Enter a path such as {0}.', '/api/v1/apps'),
    );
  }
  return url;
}

/** True for a form as the reader makes it. The argument of a command may come from anywhere. */
function isForm(value: unknown): value is Form {
  const { method, contentType, fields } = (value ?? {}) as Partial<Record<keyof Form, unknown>>;
  return isMethod(method) && isMediaType(contentType) && Array.isArray(fields) && fields.every(isField);
}

function isField(value: unknown): value is FormField {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

/** Asks for a path below the service's address, or a whole address. */
export async function askForPath(input: Input, title: string): Promise<string> {
  return input.askText({
    title,
    prompt: vscode.l10n.t('Path or link of a resource, as the service names it.'),
    placeholder: '/api/v1/apps',
    required: vscode.l10n.t('Enter a path such as {0}.', '/api/v1/apps'),
  });
}

type TemplateTarget = Extract<LinkTarget, { readonly kind: 'template' }>;

/**
 * Asks for a templated link's variables, one by one, and fills them in.
 *
 * @param title of the questions.
 * @param fields the form's fields for the variables, by name.
 * @returns an absolute http(s) URL, which may be on another origin.
 */
export async function askForVariables(
  input: Input,
  title: string,
  target: TemplateTarget,
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
        placeholder: isRequired
          ? vscode.l10n.t('The service needs this')
          : vscode.l10n.t('Leave empty to leave it out'),
        ...(isRequired && { required: vscode.l10n.t('Enter a value.') }),
      });
    }),
  );
  try {
    return expandTemplate(target, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')));
  } catch {
    throw new InvalidInputError(
      sentence('These values do not give a web address.'),
      sentence('Change them and try again.'),
    );
  }
}
