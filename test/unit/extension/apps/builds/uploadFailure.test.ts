import assert from 'node:assert/strict';
import { CancelledError, Failure, formatSentence } from '../../../../../src/errors/index.ts';
import { NetworkError, ServiceError } from '../../../../../src/service-client/index.ts';
import { uploadFailure } from '../../../../../src/extension/apps/appErrors.ts';

const getText = (error: unknown) => {
  assert.ok(error instanceof Failure && error.kind === 'upload');
  return `${error.message} ${error.next === undefined ? '' : formatSentence(error.next)}`;
};

describe('a failed upload of a package', () => {
  it('explains the reason and suggests a remedy', () => {
    const size = 12_300_000;
    for (const [error, text] of [
      [new NetworkError('reset', 'build.example'), /^The upload was interrupted: .*build again/],
      [new NetworkError('headersTimeout', 'build.example'), /didn’t respond in time/],
      [new ServiceError(413, 'At most 10 MB.'), /12\.3 MB is too large.*At most 10 MB\..*\.appbuildignore/],
      [new ServiceError(413, undefined), /too large for the service: 413/],
      [new ServiceError(507, 'No space.'), /enough space for the package of 12\.3 MB: No space\./],
      [new ServiceError(415, 'Not a zip.'), /doesn’t accept a zip archive here: Not a zip\./],
    ] as const) {
      assert.match(getText(uploadFailure(error, size)), text);
    }
  });

  it('leaves other errors unchanged', () => {
    for (const error of [new CancelledError(), new ServiceError(500, 'x'), new Error('x'), 'x']) {
      assert.equal(uploadFailure(error, 1), error);
    }
  });
});
