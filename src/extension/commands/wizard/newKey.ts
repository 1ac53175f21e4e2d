import path from 'node:path';
import * as vscode from 'vscode';
import type { KeyFiles, KeyPasswords } from '../../apps/calls/keyCalls.ts';
import type { KeyFacts } from '../../apps/rememberedKeys.ts';
import { keyFaults } from '../../apps/model/signingKey.ts';
import { dayText } from '../../apps/rows/rowTexts.ts';
import {
  checkPassword,
  type FileFacts,
  getAliases,
  getFileFacts,
  isKeyPassword,
  type KeyFile,
  MAX_KEY_FILE_BYTES,
  type PasswordCheck,
  readKeyFile,
} from '../../../android-package/index.ts';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import { type UploadFile, uploadFile } from '../../resources/requests/multipart.ts';
import { BackError, type Input } from '../../workbench/input.ts';
import { listText } from '../../workbench/texts.ts';
import { fileStep, runWizard, wizardFields } from './wizard.ts';
import { platformName } from '../../../web-project/index.ts';

/** The service's name for one of a key's files. */
type KeyFileName = KeyFiles['files'][number]['name'];

/** Values to ask for in addition to the files. `password` unlocks the keystore or the certificate. */
type KeyField = 'alias' | 'publisherId' | 'password' | 'keyPassword';

interface KeyKind {
  readonly files: readonly KeyFileName[];
  readonly fields: readonly KeyField[];
  /** True if the service doesn't accept a key without its password. */
  readonly needsPassword?: boolean;
}

const KEYSTORE: KeyKind = { files: ['keystore'], fields: ['password'] };

const KINDS: Readonly<Record<string, KeyKind>> = {
  android: { files: ['keystore'], fields: ['alias', 'password', 'keyPassword'] },
  ios: { files: ['cert', 'profile'], fields: ['password'] },
  windows: { ...KEYSTORE, needsPassword: true },
  winphone: { files: [], fields: ['publisherId'] },
};

/** Names of the files, and their extensions without a dot. */
const FILES: Readonly<Record<KeyFileName, { readonly title: () => string; readonly endings: readonly string[] }>> = {
  keystore: { title: () => vscode.l10n.t('Keystore'), endings: ['keystore', 'jks', 'p12', 'pfx'] },
  cert: { title: () => vscode.l10n.t('Certificate with its private key'), endings: ['p12', 'pfx'] },
  profile: { title: () => vscode.l10n.t('Provisioning profile'), endings: ['mobileprovision', 'provisionprofile'] },
};

/** Platforms that PhoneGap Build accepts keys for. Used if a service doesn't list its platforms. */
export const DOCUMENTED_KEY_PLATFORMS: readonly string[] = ['android', 'ios', 'winphone'];

/** Returns the kind of key for a platform. For an unknown platform, returns a keystore with one password. */
export function getKeyKind(platform: string): KeyKind {
  return Object.hasOwn(KINDS, platform) ? (KINDS[platform] ?? KEYSTORE) : KEYSTORE;
}

/** Converts the user's answers to the passwords of a key. If `keyPassword` is empty, the keystore's password is used. */
export function toKeyPasswords(platform: string, password: string, keyPassword: string): KeyPasswords {
  return getKeyKind(platform).fields.includes('keyPassword')
    ? { keystorePassword: password, keyPassword: keyPassword || password }
    : { password };
}

interface ChosenFile {
  readonly upload: UploadFile;
  readonly contents: KeyFile;
  /** Checks a password. Repeating the last check reuses its result, because a check runs a process. */
  readonly check: (password: string, alias: string) => Promise<PasswordCheck>;
}

/** The answers so far. A missing answer is an empty string. */
interface KeyDraft extends Readonly<Record<KeyField | 'platform' | 'title', string>> {
  readonly files: Readonly<Partial<Record<KeyFileName, ChosenFile>>>;
}

/**
 * Asks for the files and values of a signing key, shows the facts in its files, and asks whether to upload it.
 *
 * @param platform platform of the key. If undefined, the user chooses it.
 * @param platforms platforms that the service accepts keys for.
 */
export async function askForKey(
  platform: string | undefined,
  platforms: readonly string[],
  input: Input,
): Promise<{ readonly key: KeyFiles; readonly facts: KeyFacts }> {
  const { choice, text } = wizardFields<KeyDraft>(input, vscode.l10n.t('Add Signing Key'));
  const asksFor = (name: KeyField) => (draft: KeyDraft) => getKeyKind(draft.platform).fields.includes(name);
  const initial: KeyDraft = {
    ...{ platform: platform ?? '', title: '', alias: '', publisherId: '', password: '', keyPassword: '' },
    files: {},
  };
  const draft = await runWizard<KeyDraft>(initial, [
    choice('platform', {
      when: () => platform === undefined,
      placeholder: vscode.l10n.t('Which platform is the key for?'),
      items: platforms.map((value) => ({ label: platformName(value), value })),
    }),
    ...(['keystore', 'cert', 'profile'] as const).map((name) =>
      fileStep<KeyDraft>(
        input,
        {
          title: vscode.l10n.t('Add Signing Key: {0}', FILES[name].title()),
          openLabel: vscode.l10n.t('Choose'),
          filters: { [FILES[name].title()]: FILES[name].endings, [vscode.l10n.t('All Files')]: ['*'] },
        },
        async (uri, answers) => withFile(answers, name, await readFile(uri)),
        (answers) => getKeyKind(answers.platform).files.includes(name),
      ),
    ),
    text('title', {
      prompt: vscode.l10n.t('Title of the key at the service.'),
      placeholder: vscode.l10n.t('Title'),
      required: vscode.l10n.t('Enter a title.'),
    }),
    text('alias', {
      when: asksFor('alias'),
      prompt: ({ files }) => {
        const aliases = aliasesIn(files.keystore);
        return aliases.length === 0
          ? vscode.l10n.t('The name of the key in the keystore.')
          : vscode.l10n.t('The name of the key in the keystore. The file has: {0}.', listText(aliases));
      },
      placeholder: vscode.l10n.t('Alias'),
      required: vscode.l10n.t('Enter the alias.'),
      validate: (alias, { files: { keystore } }) => {
        const isKnown = aliasesIn(keystore).some((each) => each.toLowerCase() === alias.toLowerCase());
        // Java's own keystore format lists its keys without a password. Aliases aren't case-sensitive.
        return keystore?.contents.kind === 'jks' && !isKnown
          ? vscode.l10n.t('The keystore has no key with this name.')
          : undefined;
      },
    }),
    text('publisherId', {
      when: asksFor('publisherId'),
      prompt: vscode.l10n.t('Your Publisher ID, from your account at the Windows Store.'),
      placeholder: vscode.l10n.t('Publisher ID'),
      required: vscode.l10n.t('Enter the Publisher ID.'),
    }),
    text('password', {
      when: asksFor('password'),
      prompt: (answers) => {
        const name = getSigningFile(answers)?.upload.name ?? '';
        return getKeyKind(answers.platform).needsPassword === true
          ? vscode.l10n.t('Password of {0}. The service requires it for this type of key.', name)
          : vscode.l10n.t('Password of {0}. Leave it empty to add the key locked.', name);
      },
      placeholder: vscode.l10n.t('Password'),
      secret: true,
      exact: true,
      validate: passwordProblem,
    }),
    text('keyPassword', {
      // In PKCS#12, keys have the same password as the file.
      when: (answers) =>
        asksFor('keyPassword')(answers) &&
        answers.password !== '' &&
        answers.files.keystore?.contents.kind !== 'pkcs12',
      prompt: ({ alias }) =>
        vscode.l10n.t('Password of the key {0}. Leave it empty if it’s the keystore’s password.', alias),
      placeholder: vscode.l10n.t('Password of the key'),
      secret: true,
      exact: true,
      validate: (keyPassword, { files: { keystore }, alias, password }) =>
        keystore !== undefined && isKeyPassword(keystore.contents, alias, keyPassword || password) === false
          ? vscode.l10n.t('This isn’t the password of the key {0}.', alias)
          : undefined,
    }),
    {
      ask: async (answers) => {
        await confirmKey(answers, input);
        return answers;
      },
    },
  ]);
  return { key: toKeyFiles(draft), facts: await readKeyFacts(draft) };
}

async function readFile(uri: vscode.Uri): Promise<ChosenFile> {
  try {
    const upload = await uploadFile(uri);
    const bytes = upload.size > MAX_KEY_FILE_BYTES ? [] : await vscode.workspace.fs.readFile(uri);
    const contents = await readKeyFile(Buffer.from(bytes));
    return { upload, contents, check: checkOnce(contents) };
  } catch (error) {
    throw fileFailure(error, path.posix.basename(uri.path));
  }
}

function checkOnce(contents: KeyFile): ChosenFile['check'] {
  let last: { readonly password: string; readonly alias: string; readonly result: Promise<PasswordCheck> } | undefined;
  return (password, alias) => {
    if (last?.password !== password || last.alias !== alias) {
      last = { password, alias, result: checkPassword(contents, password, alias) };
    }
    return last.result;
  };
}

/** Adds a file. A file with a private key sets the initial title and alias. */
function withFile(draft: KeyDraft, name: KeyFileName, file: ChosenFile): KeyDraft {
  const title = path.posix.parse(file.upload.name).name;
  const [alias = ''] = getAliases(file.contents);
  return {
    ...draft,
    files: { ...draft.files, [name]: file },
    ...(name !== 'profile' && { title, alias, password: '', keyPassword: '' }),
  };
}

function aliasesIn(file: ChosenFile | undefined): readonly string[] {
  return file === undefined ? [] : getAliases(file.contents);
}

function getSigningFile({ files }: KeyDraft): ChosenFile | undefined {
  return files.keystore ?? files.cert;
}

async function passwordProblem(password: string, draft: KeyDraft): Promise<string | undefined> {
  if (password === '') {
    return getKeyKind(draft.platform).needsPassword === true ? vscode.l10n.t('Enter the password.') : undefined;
  }
  const file = getSigningFile(draft);
  return (await file?.check(password, draft.alias))?.kind === 'wrong'
    ? vscode.l10n.t('This isn’t the password of {0}.', file?.upload.name ?? '')
    : undefined;
}

function toKeyFiles({ platform, title, alias, publisherId, password, keyPassword, files }: KeyDraft): KeyFiles {
  const kind = getKeyKind(platform);
  return {
    platform,
    title,
    ...(kind.fields.includes('alias') && { alias }),
    ...(kind.fields.includes('publisherId') && { publisherId }),
    ...(password !== '' && { passwords: toKeyPasswords(platform, password, keyPassword) }),
    files: kind.files.flatMap((name) => {
      const file = files[name]?.upload;
      return file === undefined ? [] : [{ name, file }];
    }),
  };
}

/**
 * Shows the facts that can be read from a key's files on this computer, and asks whether to upload the key.
 *
 * @throws BackError if the user wants to change something.
 */
async function confirmKey(draft: KeyDraft, input: Input): Promise<void> {
  const { platform, title, alias, publisherId, password, files } = draft;
  const kind = getKeyKind(platform);
  const now = new Date();
  const known = await factsByFile(draft);
  const faults = [...known.values()].flatMap((facts) => keyFaults({ locked: undefined, ...facts }, undefined, now));
  const isExpired = faults.some((fault) => fault.kind === 'expired');
  const isMismatch = !belongTogether(known);
  const lines = [
    kind.fields.includes('publisherId') && vscode.l10n.t('Publisher ID: {0}', publisherId),
    ...kind.files.flatMap((name) => {
      const file = files[name];
      const facts = known.get(name);
      return [
        file && vscode.l10n.t('{0}: {1}', FILES[name].title(), file.upload.name),
        name === 'keystore' && kind.fields.includes('alias') && vscode.l10n.t('Alias: {0}', alias),
        ...(facts === undefined ? [] : factLines(name, facts, now)),
      ];
    }),
  ];
  const notes = [
    isMismatch &&
      vscode.l10n.t(
        'The provisioning profile doesn’t list this certificate, so builds that use both will fail. Use the profile that was created for it, or add the certificate to the profile in your Apple developer account.',
      ),
    faults.some((fault) => fault.kind === 'expiresSoon') &&
      vscode.l10n.t('It expires within a week. After that, builds that use it will fail.'),
    known.size < kind.files.length &&
      vscode.l10n.t('Some details can’t be read from the files here. The service checks them.'),
    kind.fields.includes('password') &&
      password === '' &&
      vscode.l10n.t('Without its password, the key is locked. Unlock it before you build.'),
  ];
  const detail = [lines.filter(Boolean).join('\n'), ...notes.filter(Boolean)].join('\n\n');
  const question = isExpired
    ? vscode.l10n.t('The signing key “{0}” has expired. Add it anyway?', title)
    : isMismatch
      ? vscode.l10n.t('The files of the signing key “{0}” don’t belong together. Add it anyway?', title)
      : vscode.l10n.t('Add the signing key “{0}” for {1}?', title, platformName(platform));
  const isAgreed =
    isExpired || isMismatch
      ? await input.confirm(question, detail, vscode.l10n.t('Add Anyway'))
      : await input.confirm(question, detail, vscode.l10n.t('Add Key'), 'information');
  if (!isAgreed) {
    throw new BackError();
  }
}

/** Returns the facts in a key's files. The caller must store them, because services don't return them. */
async function readKeyFacts(draft: KeyDraft): Promise<KeyFacts> {
  const known = await factsByFile(draft);
  const times = [...known.values()].flatMap(({ expiresAt }) => expiresAt?.getTime() ?? []);
  const profile = known.get('profile');
  return {
    expiresAt: times.length === 0 ? undefined : new Date(Math.min(...times)),
    appId: profile?.appId,
    team: profile?.team,
  };
}

/** Reports whether a profile allows the signing certificate. Returns true if that can't be determined. */
function belongTogether(known: ReadonlyMap<KeyFileName, FileFacts>): boolean {
  const allowed = known.get('profile')?.certificates ?? [];
  const own = known.get('cert')?.certificates ?? [];
  return allowed.length === 0 || own.every((each) => allowed.includes(each));
}

async function factsByFile(draft: KeyDraft): Promise<ReadonlyMap<KeyFileName, FileFacts>> {
  const { files, password, alias } = draft;
  const known = new Map<KeyFileName, FileFacts>();
  for (const name of getKeyKind(draft.platform).files) {
    const file = files[name];
    const isOpened = password !== '' && file !== undefined && file === getSigningFile(draft);
    const checked = isOpened ? await file.check(password, alias) : undefined;
    const facts = checked?.kind === 'accepted' ? checked.facts : file && getFileFacts(file.contents, alias);
    if (facts !== undefined) {
      known.set(name, facts);
    }
  }
  return known;
}

function factLines(name: KeyFileName, { subject, team, appId, expiresAt }: FileFacts, now: Date) {
  const date = expiresAt && dayText(expiresAt, vscode.env.language);
  return [
    subject && (name === 'profile' ? vscode.l10n.t('Profile: {0}', subject) : vscode.l10n.t('Made for: {0}', subject)),
    team && vscode.l10n.t('Team: {0}', team),
    appId && vscode.l10n.t('For the app: {0}', appId),
    expiresAt &&
      (expiresAt <= now ? vscode.l10n.t('Expired on {0}', date ?? '') : vscode.l10n.t('Expires on {0}', date ?? '')),
  ];
}
