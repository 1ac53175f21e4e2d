import * as vscode from 'vscode';
import { checkPassword, factsOf, type KeyFacts } from '../../apps/keyFiles/keyFile.ts';
import type { WizardDependencies } from '../dependencies.ts';
import { fileTitle, keyKindOf } from './keyKinds.ts';
import { signingFileOf, type KeyDraft } from './newKey.ts';

/**
 * Shows what the files of a key say, as far as they can be read on this machine, and asks whether it is sent to the service.
 *
 * @returns false when the person wants to change something.
 */
export async function confirmKey(draft: KeyDraft, input: WizardDependencies['input']): Promise<boolean> {
  const { platform, title, alias, publisherId, password, files } = draft;
  const kind = keyKindOf(platform);
  const signing = await signingFacts(draft);
  const profile = files.profile && factsOf(files.profile.contents);
  const now = new Date();
  const isExpired = [signing, profile].some((facts) => facts?.expiresAt !== undefined && facts.expiresAt <= now);
  const isUnread = kind.files.length > 0 && (signing === undefined || (files.profile && profile === undefined));
  const lines = [
    ...(kind.hasAlias ? [vscode.l10n.t('Alias: {0}', alias)] : []),
    ...(kind.hasPublisherId ? [vscode.l10n.t('Publisher ID: {0}', publisherId)] : []),
    ...kind.files.flatMap((name) => {
      const file = files[name];
      return file === undefined ? [] : [vscode.l10n.t('{0}: {1}', fileTitle(name), file.upload.name)];
    }),
    ...(signing === undefined ? [] : describeCertificate(signing, now)),
    ...(profile === undefined ? [] : describeProfile(profile, now)),
  ];
  const notes = [
    ...(isUnread ? [vscode.l10n.t('Not everything can be read from the files here. The service looks at them.')] : []),
    ...(kind.passwords !== 'none' && password === ''
      ? [vscode.l10n.t('Without its password the key is locked: unlock it before a build.')]
      : []),
  ];
  const detail = [lines.join('\n'), ...notes].join('\n\n');
  return isExpired
    ? input.confirm(
        vscode.l10n.t('The signing key {0} has expired. Add it all the same?', title),
        detail,
        vscode.l10n.t('Add Expired Key'),
      )
    : input.confirm(
        vscode.l10n.t('Add the signing key {0} for {1}?', title, platform),
        detail,
        vscode.l10n.t('Add Key'),
        'information',
      );
}

async function signingFacts(draft: KeyDraft): Promise<KeyFacts | undefined> {
  const contents = signingFileOf(draft)?.contents;
  if (contents === undefined) {
    return undefined;
  }
  const checked = draft.password === '' ? undefined : await checkPassword(contents, draft.password, draft.alias);
  return checked?.kind === 'accepted' ? checked.facts : factsOf(contents, draft.alias);
}

function describeCertificate({ subject, expiresAt }: KeyFacts, now: Date): readonly string[] {
  return [
    ...(subject === undefined ? [] : [vscode.l10n.t('Made for: {0}', subject)]),
    ...(expiresAt === undefined ? [] : [describeExpiry(expiresAt, now)]),
  ];
}

function describeProfile({ subject, team, expiresAt }: KeyFacts, now: Date): readonly string[] {
  return [
    ...(subject === undefined ? [] : [vscode.l10n.t('Profile: {0}', subject)]),
    ...(team === undefined ? [] : [vscode.l10n.t('Team: {0}', team)]),
    ...(expiresAt === undefined ? [] : [describeExpiry(expiresAt, now)]),
  ];
}

function describeExpiry(expiresAt: Date, now: Date): string {
  const date = expiresAt.toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
  return expiresAt <= now ? vscode.l10n.t('Expired on {0}', date) : vscode.l10n.t('Expires on {0}', date);
}
