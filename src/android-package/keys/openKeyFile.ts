/**
 * Opens a key in a file. It's a separate program, so that it can be killed. It reads one {@link KeyFileRequest} from
 * standard input and writes one {@link KeyFileAnswer} to standard output, both as JSON. This keeps secrets out of the
 * program's arguments and environment.
 */
import { json } from 'node:stream/consumers';

import { KeyFileError } from './keyEntry.ts';
import { pkcs12Aliases } from './pkcs12.ts';
import { readKeyEntry } from './readKeyEntry.ts';
import type { KeyFileAnswer, KeyFileRequest } from './keyFileProcess.ts';

void json(process.stdin).then((request) => process.stdout.write(JSON.stringify(answer(request as KeyFileRequest))));

function answer({ file, secrets, wantsPrivateKey = false }: KeyFileRequest): KeyFileAnswer {
  const bytes = Buffer.from(file, 'base64');
  try {
    if (secrets === undefined) {
      return { aliases: pkcs12Aliases(bytes), certificates: [], privateKey: '' };
    }
    const { certificates, privateKey } = readKeyEntry(bytes, secrets);
    return {
      aliases: [],
      certificates: certificates.map((each) => each.toString('base64')),
      privateKey: wantsPrivateKey ? privateKey.toString('base64') : '',
    };
  } catch (error) {
    return { fault: error instanceof KeyFileError ? error.fault : 'unsupported' };
  }
}
