import * as vscode from 'vscode';
import type { KeyFacts } from '../../apps/keyFacts.ts';
import type { FileFacts } from '../../formats/certificates.ts';
import { factsOf } from '../../formats/keyFile.ts';
import { keyFaults } from '../../apps/model/signingKey.ts';
import { dayText } from '../../apps/rows/rowTexts.ts';
import { kindOf, signingFileOf, type KeyDraft, fileTitle, type KeyFileName } from './keyDraft.ts';
import type { Input } from '../../workbench/input.ts';

/**
 * Shows the facts of a key, as far as its files can be read on this machine, and asks whether it is sent to the service.
 *
 * @returns false when the person wants to change something.
 */
export async function confirmKey(draft: KeyDraft, input: Input): Promise<boolean> {
  const { platform, title, alias, publisherId, password, files } = draft;
  const kind = kindOf(draft);
  const now = new Date();
  const known = await factsByFile(draft);
  const isExpired = [...known.values()].some(({ expiresAt }) => expiresAt !== undefined && expiresAt <= now);
  const expiresSoon = [...known.values()].some((facts) =>
    keyFaults({ locked: undefined, ...facts }, undefined, now).some(({ kind }) => kind === 'expiresSoon'),
  );
  const isMismatch = !belongTogether(known);
  const lines = [
    ...(kind.hasPublisherId ? [vscode.l10n.t('Publisher ID: {0}', publisherId)] : []),
    ...kind.files.flatMap((name) => {
      const file = files[name];
      const facts = known.get(name);
      return [
        ...(file === undefined ? [] : [vscode.l10n.t('{0}: {1}', fileTitle(name), file.upload.name)]),
        ...(kind.hasAlias && name === 'keystore' ? [vscode.l10n.t('Alias: {0}', alias)] : []),
        ...(facts === undefined ? [] : factLines(name, facts, now)),
      ];
    }),
  ];
  const notes = [
    ...(isMismatch
      ? [
          vscode.l10n.t(
            'The provisioning profile does not list this certificate: a build with both fails. Take the profile that was made for it, or add the certificate to the profile in your Apple developer account.',
          ),
        ]
      : []),
    ...(expiresSoon ? [vscode.l10n.t('It expires within a week: builds with it fail from then on.')] : []),
    ...(known.size < kind.files.length
      ? [vscode.l10n.t('Not everything can be read from the files here. The service looks at them.')]
      : []),
    ...(kind.passwords !== 'none' && password === ''
      ? [vscode.l10n.t('Without its password the key is locked: unlock it before a build.')]
      : []),
  ];
  const detail = [lines.join('\n'), ...notes].join('\n\n');
  if (isExpired || isMismatch) {
    const question = isExpired
      ? vscode.l10n.t('The signing key “{0}” has expired. Add it all the same?', title)
      : vscode.l10n.t('The files of the signing key “{0}” do not belong together. Add it all the same?', title);
    return input.confirm(question, detail, vscode.l10n.t('Add Anyway'));
  }
  const question = vscode.l10n.t('Add the signing key “{0}” for {1}?', title, platform);
  return input.confirm(question, detail, vscode.l10n.t('Add Key'), 'information');
}

/** The facts of all files of a key, to be kept: the service does not give them back. */
export async function keyFactsOf(draft: KeyDraft): Promise<KeyFacts> {
  const known = await factsByFile(draft);
  const times = [...known.values()].flatMap(({ expiresAt }) => expiresAt?.getTime() ?? []);
  const profile = known.get('profile');
  return {
    expiresAt: times.length === 0 ? undefined : new Date(Math.min(...times)),
    appId: profile?.appId,
    team: profile?.team,
  };
}

/** False when a profile lists certificates, and not the one that signs; true where that is unknown. */
function belongTogether(known: ReadonlyMap<KeyFileName, FileFacts>): boolean {
  const allowed = known.get('profile')?.certificates ?? [];
  const own = known.get('cert')?.certificates ?? [];
  return allowed.length === 0 || own.every((each) => allowed.includes(each));
}

async function factsByFile(draft: KeyDraft): Promise<ReadonlyMap<KeyFileName, FileFacts>> {
  const { files, password, alias } = draft;
  const known = new Map<KeyFileName, FileFacts>();
  for (const name of kindOf(draft).files) {
    const file = files[name];
    const isOpened = password !== '' && file !== undefined && file === signingFileOf(draft);
    const checked = isOpened ? await file.check(password, alias) : undefined;
    const facts = checked?.kind === 'accepted' ? checked.facts : file && factsOf(file.contents, alias);
    if (facts !== undefined) {
      known.set(name, facts);
    }
  }
  return known;
}

function factLines(name: KeyFileName, { subject, team, appId, expiresAt }: FileFacts, now: Date): readonly string[] {
  const owner =
    name === 'profile'
      ? (text: string) => vscode.l10n.t('Profile: {0}', text)
      : (text: string) => vscode.l10n.t('Made for: {0}', text);
  return [
    ...(subject === undefined ? [] : [owner(subject)]),
    ...(team === undefined ? [] : [vscode.l10n.t('Team: {0}', team)]),
    ...(appId === undefined ? [] : [vscode.l10n.t('For the app: {0}', appId)]),
    ...(expiresAt === undefined ? [] : [describeExpiry(expiresAt, now)]),
  ];
}

function describeExpiry(expiresAt: Date, now: Date): string {
  const date = dayText(expiresAt, vscode.env.language);
  return expiresAt <= now ? vscode.l10n.t('Expired on {0}', date) : vscode.l10n.t('Expires on {0}', date);
}
