import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { KeyFiles } from '../../apps/calls/keyCalls.ts';
import type { KeyFacts } from '../../apps/keyFacts.ts';
import {
  aliasesOf,
  checkPassword,
  isKeyPassword,
  MAX_KEY_FILE_BYTES,
  readKeyFile,
  type KeyFile,
  type PasswordCheck,
} from '../../apps/keyFiles/keyFile.ts';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import { uploadFile } from '../../resources/requests/uploadFile.ts';
import { listText } from '../../workbench/values.ts';
import type { WizardDependencies } from '../dependencies.ts';
import { confirmKey, keyFactsOf } from './keyCheck.ts';
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
import { runWizard, type Position, type WizardStep } from './wizard.ts';

/** A signing key that is to be added. */
export interface NewKey {
  readonly key: KeyFiles;
  /** What its files say, as far as they can be read on this machine. */
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
  { input }: WizardDependencies,
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
      ...(platform === undefined ? [platformStep(title, platforms, input)] : []),
      ...(['keystore', 'cert', 'profile'] as const).map((name) => fileStep(name, input)),
      titleStep(title, input),
      aliasStep(title, input),
      publisherStep(title, input),
      passwordStep(title, input),
      keyPasswordStep(title, input),
      { ask: async (answers) => ((await confirmKey(answers, input)) ? answers : 'back') },
    ],
  );
  return { key: toKeyFiles(draft), facts: await keyFactsOf(draft) };
}

type Input = WizardDependencies['input'];

function platformStep(title: string, platforms: readonly string[], input: Input): Step {
  return {
    ask: async (draft, position) => {
      const items = platforms.map((name) => ({ label: name }));
      const answer = await input.askChoice({
        ...position,
        title,
        placeholder: vscode.l10n.t('Which platform is the key for?'),
        items,
        active: items.find(({ label }) => label === draft.platform),
      });
      return answer === 'back' ? answer : { ...draft, platform: answer.item.label };
    },
  };
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
    const contents = readKeyFile(Buffer.from(bytes));
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

function titleStep(title: string, input: Input): Step {
  return textStep(
    input,
    () => true,
    'title',
    (draft) => ({
      title,
      prompt: vscode.l10n.t('What the key is called at the service.'),
      placeholder: vscode.l10n.t('Title'),
      value: draft.title,
      validate: (text) => (text === '' ? vscode.l10n.t('Enter a title.') : undefined),
    }),
  );
}

function aliasStep(title: string, input: Input): Step {
  return textStep(
    input,
    (draft) => kindOf(draft).hasAlias,
    'alias',
    (draft) => {
      const file = draft.files.keystore;
      const aliases = file === undefined ? [] : aliasesOf(file.contents);
      // Java's own format names all its keys, whatever their case.
      const isComplete = file?.contents.kind === 'jks';
      const isKnown = (text: string) => aliases.some((each) => each.toLowerCase() === text.toLowerCase());
      return {
        title,
        prompt:
          aliases.length === 0
            ? vscode.l10n.t('The name of the key in the keystore.')
            : vscode.l10n.t('The name of the key in the keystore. The file has: {0}.', listText(aliases)),
        placeholder: vscode.l10n.t('Alias'),
        value: draft.alias,
        validate: (text) => {
          if (text === '') {
            return vscode.l10n.t('Enter the alias.');
          }
          return isComplete && !isKnown(text) ? vscode.l10n.t('The keystore has no key of this name.') : undefined;
        },
      };
    },
  );
}

function publisherStep(title: string, input: Input): Step {
  return textStep(
    input,
    (draft) => kindOf(draft).hasPublisherId,
    'publisherId',
    (draft) => ({
      title,
      prompt: vscode.l10n.t('Your Publisher ID, from your account at the Windows Store.'),
      placeholder: vscode.l10n.t('Publisher ID'),
      value: draft.publisherId,
      validate: (text) => (text === '' ? vscode.l10n.t('Enter the Publisher ID.') : undefined),
    }),
  );
}

function passwordStep(title: string, input: Input): Step {
  return textStep(
    input,
    (draft) => kindOf(draft).passwords !== 'none',
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
  // In PKCS#12, keys have the password of the file.
  const applies = (draft: KeyDraft) =>
    kindOf(draft).passwords === 'two' && draft.password !== '' && draft.files.keystore?.contents.kind !== 'pkcs12';
  return textStep(input, applies, 'keyPassword', ({ files, alias, password }) => ({
    title,
    prompt: vscode.l10n.t('Password of the key {0}. Leave it empty if it is that of the keystore.', alias),
    placeholder: vscode.l10n.t('Password of the key'),
    secret: true,
    exact: true,
    validate: (text) =>
      files.keystore !== undefined && isKeyPassword(files.keystore.contents, alias, text || password) === false
        ? vscode.l10n.t('This is not the password of the key {0}.', alias)
        : undefined,
  }));
}

/** A question whose answer is a text of the draft. */
function textStep(
  input: Input,
  applies: (draft: KeyDraft) => boolean,
  name: 'title' | 'alias' | 'publisherId' | 'password' | 'keyPassword',
  question: (draft: KeyDraft) => Omit<Parameters<Input['askText']>[0], keyof Position>,
): Step {
  return {
    applies,
    ask: async (draft, position) => {
      const answer = await input.askText({ ...question(draft), ...position });
      return answer === 'back' ? answer : { ...draft, [name]: answer.text };
    },
  };
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
