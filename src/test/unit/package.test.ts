import assert from 'node:assert/strict';
import { listFiles, PackageManager } from '@vscode/vsce';
import { repositoryRoot } from '../repository.ts';

describe('the package', () => {
  it('ships these files and no others', async () => {
    const files = await listFiles({ cwd: repositoryRoot, packageManager: PackageManager.None });
    assert.deepEqual(
      files.filter((file) => !file.startsWith('dist/')).sort(),
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'media/activity.svg',
        'media/icon.png',
        'media/response.tmLanguage.json',
        'media/walkthrough/browse.md',
        'media/walkthrough/service.md',
        'media/walkthrough/signIn.md',
        'package.json',
        'package.nls.json',
      ],
    );
    assert.deepEqual(
      files.filter((file) => file.startsWith('dist/')).sort(),
      [
        'dist/caller.js',
        'dist/extension.js',
        'dist/jsonLayout.js',
        'dist/localService.js',
        'dist/reader.js',
        'dist/requestSteps.js',
        'dist/saveDownload.js',
        'dist/templates.js',
        'dist/undici.js',
      ],
      'run `npm run build` first',
    );
  });
});
