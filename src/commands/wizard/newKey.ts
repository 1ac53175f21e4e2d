import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { KeyFiles } from '../../apps/calls/keyCalls.ts';
import type { KeyFacts } from '../../apps/keyFacts.ts';
import {
  aliasesOf,
  checkPassword,
  isKeyPassword,
  readKeyFile,
  type KeyFile,
  type PasswordCheck,
} from '../../formats/keyFile.ts';
import { MAX_KEY_FILE_BYTES } from '../../formats/limits.ts';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import { uploadFile } from '../../resources/requests/uploadFile.ts';
import type { Input } from '../../workbench/input.ts';
import { listText } from '../../workbench/values.ts';
import { confirmKey, keyFactsOf } from './confirmKey.ts';
import {
  kindOf,
  passwordsOf,
  signingFileOf,
  type ChosenFile,
  type KeyDraft,
  FILE_ENDINGS,
  fileTitle,
  type KeyFileName,
} from './keyDraft.ts';
import { choiceStep, runWizard, textStep, type WizardStep } from './wizard.ts';

/** A signing key that is to be added. */
export interface NewKey {
  readonly key: KeyFiles;
  readonly facts: KeyFacts;
}

type Step = WizardStep<KeyDraft>;

/**
 * Asks for what a signing key is made of, shows what its files say, and asks whether it is sent.
 *
 * @param platform of the key; asked for when undefined.
 * @param platforms those that the service takes keys for.
 * @throws CancelledError when the person closes a question; a FileError when a file cannot be read.
 */
export async function askForKey(
  platform: string | undefined,
  platforms: readonly string[],
  input: Input,
): Promise<NewKey> {
  const title = vscode.l10n.t('Add Signing Key');
  const draft = await runWizard(
    {
      platform: platform ?? '',
      files: {},
      title: '',
      alias: '',
      publisherId: '',
      password: '',
      keyPassword: '',
    },
    [
      choiceStep(
        input,
        'platform',
        () => ({
          title,
          placeholder: vscode.l10n.t('Which platform is the key for?'),
          items: platforms.map((value) => ({ label: value, value })),
        }),
        () => platform === undefined,
      ),
      ...(['keystore', 'cert', 'profile'] as const).map((name) => fileStep(name, input)),
      textStep(input, 'title', () => ({
        title,
        prompt: vscode.l10n.t('What the key is called at the service.'),
        placeholder: vscode.l10n.t('Title'),
        validate: (text) => (text === '' ? vscode.l10n.t('Enter a title.') : undefined),
      })),
      aliasStep(title, input),
      textStep(
        input,
        'publisherId',
        () => ({
          title,
          prompt: vscode.l10n.t('Your Publisher ID, from your account at the Windows Store.'),
          placeholder: vscode.l10n.t('Publisher ID'),
          validate: (text) => (text === '' ? vscode.l10n.t('Enter the Publisher ID.') : undefined),
        }),
        (draft) => kindOf(draft).hasPublisherId,
      ),
      passwordStep(title, input),
      keyPasswordStep(title, input),
      { ask: async (answers) => ((await confirmKey(answers, input)) ? answers : 'back') },
    ],
  );
  return { key: toKeyFiles(draft), facts: await keyFactsOf(draft) };
}

function fileStep(name: KeyFileName, input: Input): Step {
  return {
    applies: (draft) => kindOf(draft).files.includes(name),
    ask: async (draft, { step }) => {
      const chosen = await input.openFile({
        title: vscode.l10n.t('Add Signing Key: {0}', fileTitle(name)),
        openLabel: vscode.l10n.t('Choose'),
        filters: {
          [fileTitle(name)]: FILE_ENDINGS[name],
          [vscode.l10n.t('All Files')]: ['*'],
        },
      });
      if (chosen === undefined) {
        if (step === 1) {
          throw new CancelledError();
        }
        return 'back';
      }
      const file = await readFile(chosen);
      const stem = path.posix.parse(file.upload.name).name;
      const [alias = ''] = aliasesOf(file.contents);
      return {
        ...draft,
        files: { ...draft.files, [name]: file },
        ...(name !== 'profile' && { title: stem, alias, password: '', keyPassword: '' }),
      };
    },
  };
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

function aliasStep(title: string, input: Input): Step {
  return textStep(
    input,
    'alias',
    ({ files: { keystore } }) => {
      const aliases = keystore === undefined ? [] : aliasesOf(keystore.contents);
      // Java's own format names all its keys, whatever their case.
      const isComplete = keystore?.contents.kind === 'jks';
      const isKnown = (text: string) => aliases.some((each) => each.toLowerCase() === text.toLowerCase());
      return {
        title,
        prompt:
          aliases.length === 0
            ? vscode.l10n.t('The name of the key in the keystore.')
            : vscode.l10n.t('The name of the key in the keystore. The file has: {0}.', listText(aliases)),
        placeholder: vscode.l10n.t('Alias'),
        validate: (text) => {
          if (text === '') {
            return vscode.l10n.t('Enter the alias.');
          }
          return isComplete && !isKnown(text) ? vscode.l10n.t('The keystore has no key of this name.') : undefined;
        },
      };
    },
    (draft) => kindOf(draft).hasAlias,
  );
}

function passwordStep(title: string, input: Input): Step {
  return textStep(
    input,
    'password',
    (draft) => {
      const { needsPassword } = kindOf(draft);
      const file = signingFileOf(draft);
      const name = file?.upload.name ?? '';
      return {
        title,
        prompt: needsPassword
          ? vscode.l10n.t('Password of {0}. The service takes no such key without it.', name)
          : vscode.l10n.t('Password of {0}. Leave it empty to add the key locked.', name),
        placeholder: vscode.l10n.t('Password'),
        secret: true,
        exact: true,
        validate: (text) => {
          if (text === '') {
            return needsPassword ? vscode.l10n.t('Enter the password.') : undefined;
          }
          return file === undefined ? undefined : wrongPassword(file, text, draft.alias);
        },
      };
    },
    (draft) => kindOf(draft).passwords !== 'none',
  );
}

async function wrongPassword(
  { upload, check }: ChosenFile,
  password: string,
  alias: string,
): Promise<string | undefined> {
  const { kind } = await check(password, alias);
  return kind === 'wrong' ? vscode.l10n.t('This is not the password of {0}.', upload.name) : undefined;
}

function keyPasswordStep(title: string, input: Input): Step {
  return textStep(
    input,
    'keyPassword',
    ({ files: { keystore }, alias, password }) => ({
      title,
      prompt: vscode.l10n.t('Password of the key {0}. Leave it empty if it is that of the keystore.', alias),
      placeholder: vscode.l10n.t('Password of the key'),
      secret: true,
      exact: true,
      validate: (text) =>
        keystore !== undefined && isKeyPassword(keystore.contents, alias, text || password) === false
          ? vscode.l10n.t('This is not the password of the key {0}.', alias)
          : undefined,
    }),
    // In PKCS#12, keys have the password of the file.
    (draft) =>
      kindOf(draft).passwords === 'two' && draft.password !== '' && draft.files.keystore?.contents.kind !== 'pkcs12',
  );
}

function toKeyFiles(draft: KeyDraft): KeyFiles {
  const { platform, title, alias, publisherId, files } = draft;
  const kind = kindOf(draft);
  const passwords = passwordsOf(draft);
  return {
    platform,
    title,
    ...(kind.hasAlias && { alias }),
    ...(kind.hasPublisherId && { publisherId }),
    ...(passwords && { passwords }),
    files: kind.files.flatMap((name) => {
      const file = files[name]?.upload;
      return file === undefined ? [] : [{ name, file }];
    }),
  };
}
