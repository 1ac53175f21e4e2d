import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { label } from '../../api/hypermedia/label.ts';
import type { Apps } from '../../builds/apps.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import type { App, PlatformBuild } from '../../apps/model/app.ts';
import { stateText } from '../../apps/rows/buildState.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import type { Input, PickItem } from '../../workbench/input.ts';
import { urlAtService } from './requestSubject.ts';

interface AppSubjectContext {
  readonly apps: Apps;
  readonly connection: SignedInConnection;
  readonly input: Input;
  /** Of the question. */
  readonly title: string;
}

/** An app that a command acts on, and the platform that its argument names. */
export interface AppSubject {
  readonly app: App;
  readonly platform: string | undefined;
}

/**
 * The app that a command's argument names: a row of the tree, an address, or `{app, platform}` with the title or address of
 * an app. Without one: the app of the only folder that is linked, else the one that the person picks.
 *
 * @returns undefined when the list is closed.
 * @throws InvalidInputError when the argument names no app; BuildServiceError
 */
export async function appSubjectOf(argument: unknown, context: AppSubjectContext): Promise<AppSubject | undefined> {
  const { apps, connection } = context;
  const calls = apps.callsOf(connection);
  const named = argument === undefined ? { app: linkedApp(context), platform: undefined } : nameOf(argument);
  if (named === undefined) {
    throw new InvalidInputError(
      sentence('There is no app to act on.'),
      sentence('Choose an app in the Resources view.'),
    );
  }
  const { app: name, platform } = named;
  if (name !== undefined && isAddress(name)) {
    return { app: await calls.get(urlAtService(connection.client, name)), platform };
  }
  const candidates = candidatesFor(name, await calls.list());
  const chosen = candidates.length === 1 && name !== undefined ? candidates[0] : await pickApp(candidates, context);
  // In a list an app is shortened: what can be done with it is said by the app itself.
  return chosen && { app: await calls.get(chosen.url), platform };
}

/**
 * The app of that title or address, for whom nobody can be asked.
 *
 * @throws InvalidInputError when there is none, or several of the title.
 */
export async function appNamed(
  name: string,
  { calls, client }: Pick<SignedInConnection, 'client'> & { readonly calls: AppCalls },
): Promise<App> {
  if (isAddress(name)) {
    return calls.get(urlAtService(client, name));
  }
  const [app, ...others] = candidatesFor(name, await calls.list());
  if (app === undefined || others.length > 0) {
    throw new InvalidInputError(
      sentence('You have several apps called {0}.', label(name)),
      sentence('Name the app by its link.'),
    );
  }
  // In a list an app is shortened: what can be done with it is said by the app itself.
  return calls.get(app.url);
}

function isAddress(name: string): boolean {
  return /^(\/|https?:)/i.test(name);
}

/** @returns at least one. */
function candidatesFor(name: string | undefined, all: readonly App[]): readonly App[] {
  const candidates = name === undefined ? all : all.filter(({ title }) => title === name);
  if (candidates.length === 0) {
    throw new InvalidInputError(
      name === undefined
        ? sentence('You have no app at this service.')
        : sentence('You have no app called {0}.', label(name)),
      sentence('Create one with the command Create App.'),
      'none',
    );
  }
  return candidates;
}

interface PlatformQuestion {
  readonly input: Input;
  readonly title: string;
  readonly placeholder: string;
  /** The platform that the command's argument names; then nobody is asked. */
  readonly platform: string | undefined;
  /** What is said when there is nothing to choose from. */
  readonly none: Sentence;
}

/**
 * The build that something can be done with: that of the platform which is named, the only one there is, else the one that
 * the person picks.
 *
 * @param filter true for a build that it can be done with.
 * @returns undefined when the list is closed.
 * @throws InvalidInputError that says `none`.
 */
export async function choosePlatform(
  app: App,
  filter: (build: PlatformBuild) => boolean,
  { input, title, placeholder, platform, none }: PlatformQuestion,
): Promise<PlatformBuild | undefined> {
  const builds = app.builds.filter((build) => filter(build) && (platform === undefined || build.platform === platform));
  const [only, ...others] = builds;
  if (only === undefined) {
    throw new InvalidInputError(none, undefined, 'refresh');
  }
  if (others.length === 0) {
    return only;
  }
  const items = builds.map((build) => ({ label: build.platform, description: stateText(build), build }));
  return (await input.pick(items, { title, placeholder }))?.build;
}

/** What an argument says of an app; undefined when it says nothing. */
function nameOf(argument: unknown): { readonly app: string; readonly platform: string | undefined } | undefined {
  if (typeof argument === 'string') {
    return { app: argument, platform: undefined };
  }
  if (typeof argument !== 'object' || argument === null) {
    return undefined;
  }
  const { appUrl, url, app, platform } = argument as Partial<Record<string, unknown>>;
  const name = [appUrl, url, app].find((each) => typeof each === 'string' && each !== '');
  return typeof name === 'string'
    ? { app: name, platform: typeof platform === 'string' ? platform : undefined }
    : undefined;
}

/** Address of the app of the only folder that is linked. */
function linkedApp({ apps, connection }: AppSubjectContext): string | undefined {
  const [linked, ...others] = apps.folders.all(connection);
  return others.length === 0 ? linked?.app.url : undefined;
}

async function pickApp(candidates: readonly App[], { input, title }: AppSubjectContext): Promise<App | undefined> {
  const items = candidates.map((app): PickItem & { readonly app: App } => ({
    label: app.title,
    description: [app.version, app.packageId].filter(Boolean).join(', '),
    app,
  }));
  const chosen = await input.pick(items, {
    title,
    placeholder: vscode.l10n.t('Which app?'),
    matchOnDescription: true,
  });
  return chosen?.app;
}
