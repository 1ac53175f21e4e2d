import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { label } from '../../api/hypermedia/label.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import { findApp, isAppAddress, type App, type PlatformBuild } from '../../apps/model/app.ts';
import { stateText } from '../../apps/rows/buildState.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import { withCallProgress } from '../../workbench/progress.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { urlAtService } from './requestSubject.ts';

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

export interface PlatformQuestion {
  readonly title: string;
  /** Of the list of platforms. */
  readonly placeholder: (app: App) => string;
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
 * address of an app. Without one: the app of the only folder that is linked, else the one that the person picks.
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
  const { name, platform } =
    argument === undefined ? { name: linkedApp(dependencies, connection), platform: undefined } : namedIn(argument);
  const get = (url: string) => askService(connection, (signal) => calls.get(url, { signal }));
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
 * the command can act on, else the one that the person picks.
 */
export async function askForBuild(
  dependencies: CommandDependencies,
  argument: unknown,
  { title, placeholder, filter, none }: PlatformQuestion,
): Promise<PlatformSubject> {
  const subject = await askForApp(dependencies, argument, title);
  const { app, platform } = subject;
  const builds = app.builds.filter((build) => filter(build) && (platform === undefined || build.platform === platform));
  const [only, ...others] = builds;
  if (only === undefined) {
    throw new InvalidInputError(none(app), undefined, 'refresh');
  }
  if (others.length === 0) {
    return { ...subject, build: only, platform: only.platform };
  }
  const items = builds.map((build) => ({ label: build.platform, description: stateText(build), build }));
  const { build } = await dependencies.input.pick(items, { title, placeholder: placeholder(app) });
  return { ...subject, build, platform: build.platform };
}

/** @param name undefined when the argument names none. */
async function chooseApp(
  { input }: CommandDependencies,
  name: string | undefined,
  all: readonly App[],
  title: string,
): Promise<App> {
  const found = name === undefined ? undefined : findApp(name, all);
  if (found?.kind === 'one') {
    return found.app;
  }
  const candidates = found?.kind === 'several' ? found.apps : all;
  if (found?.kind === 'none' || candidates.length === 0) {
    throw noSuchApp(name);
  }
  const items = candidates.map((app) => ({
    label: app.title,
    description: [app.version, app.packageId].filter(Boolean).join(', '),
    app,
  }));
  const placeholder = vscode.l10n.t('Which app?');
  return (await input.pick(items, { title, placeholder })).app;
}

function noSuchApp(name: string | undefined): InvalidInputError {
  return new InvalidInputError(
    name === undefined
      ? sentence('You have no app at this service.')
      : sentence('You have no app called {0}.', label(name)),
    sentence('Create one with the command Create App.'),
    'none',
  );
}

/** The address in a command's argument: a text, or a row of the tree, of an app where it has one. */
export function addressOfArgument(argument: unknown): string | undefined {
  const { appUrl, url } = Object(argument) as Partial<Record<string, unknown>>;
  return [argument, appUrl, url].find((each) => typeof each === 'string');
}

/** The app and the platform that an argument names. */
function namedIn(argument: unknown): { readonly name: string; readonly platform: string | undefined } {
  if (typeof argument === 'string') {
    return { name: argument, platform: undefined };
  }
  const { appUrl, url, app, platform } = Object(argument) as Partial<Record<string, unknown>>;
  const name = [appUrl, url, app].find((each): each is string => typeof each === 'string' && each !== '');
  if (name === undefined) {
    throw new InvalidInputError(
      sentence('There is no app to act on.'),
      sentence('Choose an app in the Resources view.'),
    );
  }
  return { name, platform: typeof platform === 'string' ? platform : undefined };
}

function linkedApp({ apps }: CommandDependencies, connection: SignedInConnection): string | undefined {
  const [linked, ...others] = apps.folders.all(connection);
  return others.length === 0 ? linked?.app.url : undefined;
}
