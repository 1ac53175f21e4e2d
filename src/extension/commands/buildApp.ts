import * as vscode from 'vscode';
import { BuildServiceError, CancelledError } from '../../errors/index.ts';
import { KeyCalls } from '../apps/calls/keyCalls.ts';
import { startedBuilds, type App } from '../apps/model/app.ts';
import { requireOperation } from '../apps/model/operation.ts';
import { isOwn, getKeyIds, type SigningKey } from '../apps/model/signingKey.ts';
import { stateText } from '../apps/rows/rowTexts.ts';
import { startBuild } from '../apps/builds/startBuild.ts';
import type { Input, PickItem } from '../workbench/input.ts';
import { withCallProgress } from '../workbench/progress.ts';
import type { CommandDependencies } from './dependencies.ts';
import { unlockKey } from './key.ts';
import { askForApp, type AppSubject } from './wizard/subject.ts';
import { runWizard, type WizardStep } from './wizard/wizard.ts';
import { type BuilderSupport, platformName } from '../../web-project/index.ts';

interface BuildTarget extends AppSubject {
  /** Signing keys to choose from. Empty if another user owns the app. */
  readonly keys: readonly SigningKey[];
}

/**
 * Builds an app and watches the build. If the argument doesn't specify a platform, asks for platforms and signing keys. Asks for
 * the password of a locked key.
 */
export async function buildApp(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const subject = await askForApp(dependencies, argument, vscode.l10n.t('Build App'));
  const target = await prepare(subject);
  if (subject.platform !== undefined) {
    await build(dependencies, target, { platforms: [subject.platform], keys: new Map() });
    return;
  }
  const { app, calls, keys } = target;
  const support = await read(app, (signal) => calls.support({ signal }));
  const choice = await askWhatToBuild(app, keys, support, dependencies.input);
  await build(dependencies, target, choice);
}

/**
 * Builds an app for the same platforms and with the same keys as last time, without asking. If the app has never been built from this
 * computer, works like {@link buildApp}.
 */
export async function buildAgain(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const subject = await askForApp(dependencies, argument, vscode.l10n.t('Build Again'));
  const last = dependencies.apps.buildInputs.get(subject.app.url, subject.connection);
  if (last === undefined) {
    await buildApp(dependencies, subject.app.url);
    return;
  }
  const target = await prepare(subject);
  const keys = Object.entries(last.keys).flatMap(([platform, id]): [string, SigningKey | undefined][] => {
    const key = target.keys.find((each) => each.platform === platform && each.id === id);
    // If the key no longer exists, the app keeps its current one.
    return id === '' || key !== undefined ? [[platform, key]] : [];
  });
  await build(dependencies, target, { platforms: last.platforms, keys: new Map(keys) });
}

/** Reads the app's keys before the first question. */
async function prepare(subject: AppSubject): Promise<BuildTarget> {
  const { app, calls } = subject;
  requireOperation(app, 'build');
  const keys = isOwn(app) ? await read(app, (signal) => new KeyCalls(calls).list(undefined, { signal })) : undefined;
  return { ...subject, keys: keys ?? [] };
}

/** Reads optional information. Returns undefined if that fails, because the build doesn't depend on it. */
async function read<T>({ title }: App, call: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  try {
    return await withCallProgress(vscode.l10n.t('Getting the build options of “{0}”', title), call);
  } catch (error) {
    if (!(error instanceof BuildServiceError) || error instanceof CancelledError || error.kind === 'unauthorized') {
      throw error;
    }
    return undefined;
  }
}

async function build(
  dependencies: CommandDependencies,
  { connection, calls, app, keys }: BuildTarget,
  { platforms, keys: chosen }: BuildChoice,
): Promise<void> {
  const { apps } = dependencies;
  const currentKeys = getKeyIds(app);
  const findDefaultKey = (platform: string) => keys.find((key) => key.platform === platform && key.isDefault);
  /** Returns the key to build a platform with. */
  const findKey = (platform: string) => {
    const current = keys.find((key) => key.platform === platform && key.id === currentKeys.get(platform));
    return (chosen.has(platform) ? chosen.get(platform) : current) ?? findDefaultKey(platform);
  };
  for (const platform of platforms) {
    const key = findKey(platform);
    if (key?.locked === true) {
      await unlockKey(dependencies, key);
    }
  }
  const changedKeys = Object.fromEntries(
    platforms
      .filter((platform) => chosen.has(platform))
      .map((platform) => ({ platform, key: chosen.get(platform), wanted: findKey(platform)?.id }))
      .filter(({ platform, wanted }) => wanted !== (currentKeys.get(platform) ?? findDefaultKey(platform)?.id))
      .map(({ platform, key, wanted }) => [platform, offersDefault(app, platform) ? (key?.id ?? '') : (wanted ?? '')]),
  );
  const title = vscode.l10n.t('Starting a build of “{0}”', app.title);
  await withCallProgress(title, async (signal) => {
    let latest = app;
    let building: readonly string[] = [];
    if (Object.keys(changedKeys).length > 0) {
      latest = await calls.update(app, { keys: changedKeys }, { signal });
      // Many services rebuild an app when its keys change. Don't build those platforms twice.
      building = startedBuilds(app, latest);
    }
    // If undefined, the service builds for all platforms that it supports.
    const requested = platforms.length > 0 ? platforms : undefined;
    await startBuild(apps, calls, latest, requested, { building, signal });
  });
  await apps.buildInputs.set(app.url, connection, {
    platforms,
    keys: Object.fromEntries([...chosen].map(([platform, key]) => [platform, key?.id ?? ''])),
  });
}

/** Reports whether a form accepts an empty value for the default key. PhoneGap Build required the key's ID. */
function offersDefault({ resource }: App, platform: string): boolean {
  return resource.forms.some(({ fields }) =>
    fields.some(({ name, options }) => name === `keys[${platform}]` && options?.some(({ value }) => value === '')),
  );
}

interface BuildChoice {
  readonly platforms: readonly string[];
  /** Keys by platform, with undefined for the default key. Contains only platforms that the user was asked about. */
  readonly keys: ReadonlyMap<string, SigningKey | undefined>;
}

interface PlatformItem extends PickItem {
  readonly platform: string;
  readonly unavailable: string | undefined;
}

/** Asks for the platforms, and for the signing key of each platform that has several. */
function askWhatToBuild(
  app: App,
  keys: readonly SigningKey[],
  support: BuilderSupport | undefined,
  input: Input,
): Promise<BuildChoice> {
  const title = vscode.l10n.t('Build “{0}”', app.title);
  const items = platformItems(app, support);
  const available = items.filter(({ unavailable }) => unavailable === undefined);
  const platformStep: WizardStep<BuildChoice> = {
    ask: async (answers, position) => {
      const chosen = await input.pickSeveral(items, {
        ...position,
        title,
        placeholder: vscode.l10n.t('Platforms to build for'),
        selected: items.filter(({ platform }) => answers.platforms.includes(platform)),
        validate: ({ length }) => (length === 0 ? vscode.l10n.t('Choose at least one platform.') : undefined),
      });
      return { ...answers, platforms: chosen.map(({ platform }) => platform) };
    },
  };
  const keySteps = items
    .map(({ platform }) => ({ platform, choices: keys.filter((key) => key.platform === platform) }))
    .filter(({ choices }) => choices.length > 1)
    .map(({ platform, choices }) => keyStep(platform, choices, getKeyIds(app).get(platform), title, input));
  const all = available.length > 0 ? available : items;
  const initial = { platforms: all.map(({ platform }) => platform), keys: new Map() };
  return runWizard<BuildChoice>(initial, [...(items.length > 1 ? [platformStep] : []), ...keySteps]);
}

function keyStep(
  platform: string,
  keys: readonly SigningKey[],
  currentId: string | undefined,
  title: string,
  input: Input,
): WizardStep<BuildChoice> {
  const standard = keys.find(({ isDefault }) => isDefault);
  const items = [
    {
      icon: 'star',
      label: vscode.l10n.t('Default Key'),
      ...(standard !== undefined && { description: standard.title, detail: keyText(standard) }),
      key: undefined,
    },
    ...keys.map((key) => ({
      icon: key.locked === true ? 'lock' : 'key',
      label: key.title,
      ...(key.id === currentId && { description: vscode.l10n.t('chosen for this app') }),
      detail: keyText(key),
      key,
    })),
  ];
  return {
    when: ({ platforms }) => platforms.includes(platform),
    ask: async (answers, position) => {
      const chosenId = answers.keys.has(platform) ? answers.keys.get(platform)?.id : currentId;
      const { key } = await input.pick<(typeof items)[number]>(items, {
        ...position,
        title,
        placeholder: vscode.l10n.t('Signing key for {0}', platformName(platform)),
        active: items.find((item) => item.key?.id === chosenId),
      });
      return { ...answers, keys: new Map(answers.keys).set(platform, key) };
    },
  };
}

function platformItems(app: App, support: BuilderSupport | undefined): readonly PlatformItem[] {
  const reasons = new Map(support?.platforms.map(({ platform, unavailable }) => [platform, unavailable]));
  const built = app.builds.map(({ platform }) => platform);
  const others = [...reasons].flatMap(([platform, reason]) =>
    reason === undefined && !built.includes(platform) && built.length === 0 ? [platform] : [],
  );
  return [...built, ...others].map((platform): PlatformItem => {
    const build = app.builds.find((each) => each.platform === platform);
    const unavailable = reasons.get(platform);
    return {
      label: platformName(platform),
      ...(build !== undefined && { description: stateText(build) }),
      ...(unavailable !== undefined && { detail: vscode.l10n.t('Can’t be built here: {0}', unavailable) }),
      platform,
      unavailable,
    };
  });
}

function keyText({ locked, expiresAt }: SigningKey): string {
  const expiry = expiresAt?.toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
  const isOver = expiresAt !== undefined && expiresAt.getTime() < Date.now();
  if (locked === true) {
    return expiry === undefined
      ? vscode.l10n.t('Locked: enter its password next')
      : vscode.l10n.t('Locked: enter its password next. Valid until {0}', expiry);
  }
  if (expiry === undefined) {
    return locked === false ? vscode.l10n.t('Unlocked') : '';
  }
  return isOver ? vscode.l10n.t('Expired on {0}', expiry) : vscode.l10n.t('Valid until {0}', expiry);
}
