import * as vscode from 'vscode';
import type { App } from '../../apps/model/app.ts';
import type { BuilderSupport } from '../../apps/model/builderSupport.ts';
import type { SigningKey } from '../../apps/model/signingKey.ts';
import { stateText } from '../../apps/stateText.ts';
import type { Input, PickItem } from '../../workbench/input.ts';
import { runWizard, type WizardStep } from '../wizard/wizard.ts';

/** What a person chose to build. */
export interface BuildChoice {
  readonly platforms: readonly string[];
  /** By platform; undefined for the default key. Platforms that nobody was asked about have none. */
  readonly keys: ReadonlyMap<string, SigningKey | undefined>;
}

/** What the questions are made of. */
export interface BuildQuestions {
  readonly app: App;
  /** The signing keys that the person may choose for the app. */
  readonly keys: readonly SigningKey[];
  /** IDs of the keys that the app is built with, by platform. */
  readonly currentKeys: ReadonlyMap<string, string>;
  readonly support: BuilderSupport | undefined;
}

interface PlatformItem extends PickItem {
  readonly platform: string;
  readonly unavailable: string | undefined;
}

/**
 * Asks for the platforms, and for those with several signing keys which one.
 *
 * @throws CancelledError when a question is closed.
 */
export function askWhatToBuild(questions: BuildQuestions, input: Input): Promise<BuildChoice> {
  const { app, keys } = questions;
  const title = vscode.l10n.t('Build “{0}”', app.title);
  const items = platformItems(questions);
  const available = items.filter(({ unavailable }) => unavailable === undefined);
  const platformStep: WizardStep<BuildChoice> = {
    ask: async (answers, position) => {
      const answer = await input.askChoices({
        ...position,
        title,
        placeholder: vscode.l10n.t('Platforms to build for'),
        items,
        selected: items.filter(({ platform }) => answers.platforms.includes(platform)),
        validate: (chosen) => (chosen.length === 0 ? vscode.l10n.t('Choose at least one platform.') : undefined),
      });
      return answer === 'back' ? answer : { ...answers, platforms: answer.items.map(({ platform }) => platform) };
    },
  };
  const keySteps = items
    .map(({ platform }) => ({ platform, choices: keys.filter((key) => key.platform === platform) }))
    .filter(({ choices }) => choices.length > 1)
    .map(({ platform, choices }) => keyStep(platform, choices, questions, title, input));
  const all = available.length > 0 ? available : items;
  const initial = { platforms: all.map(({ platform }) => platform), keys: new Map() };
  return runWizard<BuildChoice>(initial, [...(items.length > 1 ? [platformStep] : []), ...keySteps]);
}

function keyStep(
  platform: string,
  keys: readonly SigningKey[],
  { currentKeys }: BuildQuestions,
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
      ...(key.id === currentKeys.get(platform) && { description: vscode.l10n.t('chosen for this app') }),
      detail: keyText(key),
      key,
    })),
  ];
  return {
    applies: ({ platforms }) => platforms.includes(platform),
    ask: async (answers, position) => {
      const chosenId = answers.keys.has(platform) ? answers.keys.get(platform)?.id : currentKeys.get(platform);
      const answer = await input.askChoice<(typeof items)[number]>({
        ...position,
        title,
        placeholder: vscode.l10n.t('Signing key for {0}', platform),
        items,
        active: items.find(({ key }) => key?.id === chosenId),
      });
      return answer === 'back' ? answer : { ...answers, keys: new Map(answers.keys).set(platform, answer.item.key) };
    },
  };
}

/** The platforms of the app, then those that the service builds besides. */
function platformItems({ app, support }: BuildQuestions): readonly PlatformItem[] {
  const reasons = new Map(support?.platforms.map(({ platform, unavailable }) => [platform, unavailable]));
  const built = app.builds.map(({ platform }) => platform);
  const others = [...reasons].flatMap(([platform, reason]) =>
    reason === undefined && !built.includes(platform) && built.length === 0 ? [platform] : [],
  );
  return [...built, ...others].map((platform): PlatformItem => {
    const build = app.builds.find((each) => each.platform === platform);
    const unavailable = reasons.get(platform);
    return {
      label: platform,
      ...(build !== undefined && { description: stateText(build) }),
      ...(unavailable !== undefined && { detail: vscode.l10n.t('Cannot be built here: {0}', unavailable) }),
      platform,
      unavailable,
    };
  });
}

/** Whether a key can be used, and how long. */
function keyText({ locked, expiresAt }: SigningKey): string {
  const expiry = expiresAt?.toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
  const isOver = expiresAt !== undefined && expiresAt.getTime() < Date.now();
  if (locked === true) {
    return expiry === undefined
      ? vscode.l10n.t('Locked: its password is asked for next')
      : vscode.l10n.t('Locked: its password is asked for next. Valid until {0}', expiry);
  }
  if (expiry === undefined) {
    return locked === false ? vscode.l10n.t('Unlocked') : '';
  }
  return isOver ? vscode.l10n.t('Expired on {0}', expiry) : vscode.l10n.t('Valid until {0}', expiry);
}
