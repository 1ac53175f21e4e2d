import * as vscode from 'vscode';
import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { OperationNotOfferedError } from '../../apps/appErrors.ts';
import type { Apps } from '../../builds/apps.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import { KeyCalls } from '../../apps/calls/keyCalls.ts';
import { isUnderWay, type App } from '../../apps/model/app.ts';
import { isOwn, keyIdsOf } from '../../apps/model/appKeys.ts';
import { findOperation } from '../../apps/model/operation.ts';
import type { SigningKey } from '../../apps/model/signingKey.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../../workbench/progress.ts';
import { listText } from '../../workbench/values.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { unlockKey, type KeyDependencies } from '../key.ts';
import { appSubjectOf } from '../wizard/appSubject.ts';
import { askWhatToBuild, type BuildChoice } from './buildQuestions.ts';

export interface BuildAppDependencies
  extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'>, KeyDependencies {
  readonly apps: Apps;
}

/** A build that was asked for. It holds no secret: a command's result reaches whoever runs it. */
export interface RequestedBuild {
  /** Absolute address of the app. */
  readonly app: string;
  readonly platforms: readonly string[];
}

/** An app that is about to be built. */
interface Target {
  readonly connection: SignedInConnection;
  readonly calls: AppCalls;
  readonly app: App;
  /** The signing keys that the person may choose for the app; none for an app of somebody else. */
  readonly keys: readonly SigningKey[];
}

/**
 * Builds an app, and watches it. Asks for platforms and signing keys when the argument names no platform, and unlocks a
 * locked key in place.
 *
 * @param argument a row of an app or a platform, or the title or address of an app.
 * @returns undefined when a list is closed.
 * @throws BuildServiceError; CancelledError when a question is closed.
 */
export async function buildApp(
  dependencies: BuildAppDependencies,
  argument: unknown,
): Promise<RequestedBuild | undefined> {
  const { connections, apps, input } = dependencies;
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Build App');
  const subject = await appSubjectOf(argument, { apps, connection, input, title });
  if (subject === undefined) {
    return undefined;
  }
  const target = await prepare(dependencies, connection, subject.app);
  if (subject.platform !== undefined) {
    return build(dependencies, target, { platforms: [subject.platform], keys: new Map() });
  }
  const { app, calls, keys } = target;
  const support = await read(app, (signal) => optional(calls.support({ signal })));
  const choice = await askWhatToBuild({ app, keys, currentKeys: keyIdsOf(app), support }, input);
  return build(dependencies, target, choice);
}

/**
 * Builds an app for the platforms and with the keys of the last time, without a question. An app that was not built from here is
 * built as {@link buildApp} does.
 */
export async function buildAgain(
  dependencies: BuildAppDependencies,
  argument: unknown,
): Promise<RequestedBuild | undefined> {
  const { connections, apps, input } = dependencies;
  const connection = await connections.requireSignedIn();
  const subject = await appSubjectOf(argument, { apps, connection, input, title: vscode.l10n.t('Build Again') });
  if (subject === undefined) {
    return undefined;
  }
  const last = apps.buildInputs.of(subject.app.url, connection);
  if (last === undefined) {
    return buildApp(dependencies, subject.app.url);
  }
  const target = await prepare(dependencies, connection, subject.app);
  const keys = Object.entries(last.keys).flatMap(([platform, id]): [string, SigningKey | undefined][] => {
    const key = target.keys.find((each) => each.platform === platform && each.id === id);
    // A key that is gone is not asked for: the app keeps the one that it has.
    return id === '' || key !== undefined ? [[platform, key]] : [];
  });
  return build(dependencies, target, { platforms: last.platforms, keys: new Map(keys) });
}

/** Reads what a build is made of, before anything is asked. @throws OperationNotOfferedError */
async function prepare({ apps }: BuildAppDependencies, connection: SignedInConnection, app: App): Promise<Target> {
  if (findOperation(app.resource, 'build', undefined, app.url) === undefined) {
    throw new OperationNotOfferedError(app.title);
  }
  const calls = apps.callsOf(connection);
  const keys = isOwn(app)
    ? await read(app, (signal) => optional(new KeyCalls(calls).list(undefined, { signal })))
    : undefined;
  return { connection, calls, app, keys: keys ?? [] };
}

function read<T>({ title }: App, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const notification = vscode.l10n.t('Reading what “{0}” can be built with', title);
  return withProgress({ notification, delayMs: CALL_PROGRESS_DELAY_MS }, call);
}

/** Unlocks and sets the keys, asks the service for the builds, and watches them. */
async function build(
  dependencies: BuildAppDependencies,
  { connection, calls, app, keys }: Target,
  { platforms, keys: chosen }: BuildChoice,
): Promise<RequestedBuild> {
  const { apps, notifications } = dependencies;
  const currentKeys = keyIdsOf(app);
  /** The key that a platform is built with when the service does as it is told. */
  const keyOf = (platform: string) => {
    const ofPlatform = keys.filter((key) => key.platform === platform);
    const current = ofPlatform.find(({ id }) => id === currentKeys.get(platform));
    const standard = ofPlatform.find(({ isDefault }) => isDefault);
    return chosen.has(platform) ? (chosen.get(platform) ?? standard) : (current ?? standard);
  };
  for (const platform of platforms) {
    const key = keyOf(platform);
    if (key?.locked === true) {
      await unlockKey(dependencies, key);
    }
  }
  const changedKeys = Object.fromEntries(
    platforms
      .filter((platform) => chosen.has(platform))
      .map((platform) => ({ platform, key: chosen.get(platform), wanted: keyOf(platform)?.id }))
      .filter(({ platform, wanted }) => wanted !== (currentKeys.get(platform) ?? defaultId(keys, platform)))
      .map(({ platform, key, wanted }) => [platform, offersDefault(app, platform) ? (key?.id ?? '') : (wanted ?? '')]),
  );
  const title = vscode.l10n.t('Asking for a build of “{0}”', app.title);
  const requested = await withProgress({ notification: title, delayMs: CALL_PROGRESS_DELAY_MS }, async (signal) => {
    let latest = app;
    let started: readonly string[] = [];
    if (Object.keys(changedKeys).length > 0) {
      latest = await calls.update(app, { keys: changedKeys }, { signal });
      // Many services build an app again when its keys change: nothing is built twice.
      started = platformsUnderWay(latest);
    }
    const missing = platforms.filter((platform) => !started.includes(platform));
    return platforms.length > 0 && missing.length === 0 ? latest : calls.build(latest, missing, { signal });
  });
  // An app that tells of no platforms was asked for all that it can be built for.
  const watched = platforms.length > 0 ? platforms : platformsUnderWay(requested);
  apps.watcher.watch(requested, watched);
  await apps.buildInputs.set(app.url, connection, {
    platforms,
    keys: Object.fromEntries([...chosen].map(([platform, key]) => [platform, key?.id ?? ''])),
  });
  apps.presenter.changed(app.url);
  notifications.done(vscode.l10n.t('“{0}” is being built for {1}.', app.title, listText(watched)));
  return { app: app.url, platforms: watched };
}

function platformsUnderWay({ builds }: App): readonly string[] {
  return builds.filter(({ state }) => isUnderWay(state)).map(({ platform }) => platform);
}

function defaultId(keys: readonly SigningKey[], platform: string): string | undefined {
  return keys.find((key) => key.platform === platform && key.isDefault)?.id;
}

/** True where a form takes an empty value for the default key. The original knew no other way than to name it. */
function offersDefault({ resource }: App, platform: string): boolean {
  return resource.forms.some(({ fields }) =>
    fields.some(({ name, options }) => name === `keys[${platform}]` && options?.some(({ value }) => value === '')),
  );
}

/** What helps to choose, and is not needed: a service that refuses it builds all the same. */
export async function optional<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof BuildServiceError) || error instanceof CancelledError || error.kind === 'unauthorized') {
      throw error;
    }
    return undefined;
  }
}
