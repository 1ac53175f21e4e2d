import { sentence, type Sentence } from '../../../api/errors/sentence.ts';
import type { Row } from '../../../workbench/row.ts';
import type { SecretKind, SuspectFile } from '../../packing/packageContents.ts';
import type { CheckValue } from './checkValue.ts';

/** The files that may hold a secret, and stay behind until a person says yes to each of them. */
export function waitingRow(suspects: readonly SuspectFile[]): Row<CheckValue> {
  return {
    key: 'waiting',
    label: sentence('Needs your yes'),
    notes: [suspects.length.toLocaleString('en')],
    tooltip: [sentence('These files may hold secrets. None of them is sent unless you say so.')],
    icon: { id: 'lock', color: 'list.warningForeground' },
    contextValue: 'suspects;',
    isExpanded: true,
    children: () => suspects.map(suspectRow),
  };
}

function suspectRow(suspect: SuspectFile): Row<CheckValue> {
  const { file, line } = suspect;
  const told = secretText(suspect);
  const isAskedFor = suspect.isAskedFor ? [sentence('A line of .appbuildignore asks for it.')] : [];
  return {
    key: file.path,
    label: file.path,
    notes: [told],
    tooltip: [file.path, told, ...isAskedFor, sentence('Not sent, unless you say so.')],
    icon: { id: 'key', color: 'list.warningForeground' },
    file: file.uri,
    spoken: [file.path, told, ...isAskedFor, sentence('Not sent, unless you say so.')],
    contextValue: 'file;ignore;allow;',
    opens: { uri: file.uri, line: line === undefined ? undefined : line - 1 },
    value: { kind: 'suspect', path: file.path, suspect },
  };
}

/** What a file may hold, and where. Never the secret itself. */
export function secretText({ secret, line }: SuspectFile): Sentence {
  if (line === undefined) {
    return kindText(secret);
  }
  const at = line.toLocaleString('en');
  switch (secret) {
    case 'name':
      return sentence('a secret by its name, line {0}', at);
    case 'privateKey':
      return sentence('a private key, line {0}', at);
    case 'signingPasswords':
      return sentence('passwords of signing keys, line {0}', at);
    case 'cloudKey':
      return sentence('a key of a cloud service, line {0}', at);
    case 'accessToken':
      return sentence('an access token, line {0}', at);
  }
}

function kindText(secret: SecretKind): Sentence {
  switch (secret) {
    case 'name':
      return sentence('a secret by its name');
    case 'privateKey':
      return sentence('a private key');
    case 'signingPasswords':
      return sentence('passwords of signing keys');
    case 'cloudKey':
      return sentence('a key of a cloud service');
    case 'accessToken':
      return sentence('an access token');
  }
}
