import assert from 'node:assert/strict';

import { CancelledError, formatSentence } from '../../../../../src/errors/index.ts';
import { FileError, fileFailure } from '../../../../../src/extension/resources/downloads/fileError.ts';

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: at /home/ann/secret-project/app.zip`), {
    code,
    path: '/home/ann/secret-project/app.zip',
  });
}

describe('fileFailure', () => {
  for (const [code, sentence] of [
    ['ENOSPC', 'Not enough disk space for app.zip.'],
    ['EROFS', 'app.zip can’t be written because the folder or file is read-only for you.'],
    ['EACCES', 'app.zip can’t be written because the folder or file is read-only for you.'],
    ['NoPermissions', 'app.zip can’t be written because the folder or file is read-only for you.'],
    ['EBUSY', 'app.zip is in use by another program.'],
    ['APP_BUILD_TOO_LARGE', 'app.zip is too large for this type of folder, which accepts at most 64 MB.'],
    ['EIO', 'app.zip couldn’t be read or written (EIO).'],
  ] as const) {
    it(`explains ${code} and suggests a next step`, () => {
      const error = fileFailure(systemError(code), 'app.zip');
      assert.ok(error instanceof FileError);
      assert.equal(formatSentence(error.what), sentence);
      assert.ok(error.next !== undefined && formatSentence(error.next).endsWith('.'));
      assert.doesNotMatch(`${error.stack ?? ''}${JSON.stringify(error)}`, /secret-project/);
    });
  }

  it('leaves other failures unchanged', () => {
    for (const error of [new CancelledError(), new TypeError('x'), systemError('ERR_INVALID_ARG_TYPE'), undefined]) {
      assert.equal(fileFailure(error, 'app.zip'), error);
    }
  });
});
