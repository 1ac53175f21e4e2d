/**
 * A program of its own, which can be ended: it opens a key in a file. It reads one {@link KeyFileRequest} from its input and
 * writes one {@link KeyFileAnswer} to its output, both JSON: nothing secret is among its arguments or in its environment.
 */
import { json } from 'node:stream/consumers';

import { KeyFileError } from './keyEntry.ts';
import { readKeyEntry } from './keyFile.ts';
import type { KeyFileAnswer, KeyFileRequest } from './keyFileProcess.ts';

void json(process.stdin).then((request) => process.stdout.write(JSON.stringify(answer(request as KeyFileRequest))));

function answer({ file, wantsPrivateKey, ...secrets }: KeyFileRequest): KeyFileAnswer {
  try {
    const { certificates, privateKey } = readKeyEntry(Buffer.from(file, 'base64'), secrets);
    return {
      certificates: certificates.map((each) => each.toString('base64')),
      privateKey: wantsPrivateKey ? privateKey.toString('base64') : '',
    };
  } catch (error) {
    const { fault, message } = error instanceof KeyFileError ? error : new KeyFileError('unsupported');
    return { fault, message };
  }
}
