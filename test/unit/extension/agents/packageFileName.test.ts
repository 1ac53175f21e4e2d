import assert from 'node:assert/strict';
import { artifactName } from '../../../../src/extension/apps/model/build.ts';
import { packageFileName } from '../../../../src/service-client/index.ts';

describe('the default file name of a saved build', () => {
  const app = { title: 'Shop', version: '1.0.0' };
  const rows: readonly (readonly [platform: string, suggested: string | undefined, name: string])[] = [
    ['android', undefined, 'Shop-1.0.0.apk'],
    ['android', 'app-release.AAB', 'Shop-1.0.0.aab'],
    ['browser', 'site.tgz', 'Shop-1.0.0-browser.tgz'],
    ['android', 'run.sh', 'Shop-1.0.0.apk'],
    ['android', 'eslint.config.mjs', 'Shop-1.0.0.apk'],
    ['android', 'setup.exe', 'Shop-1.0.0.apk'],
    ['android', 'Makefile', 'Shop-1.0.0.apk'],
    ['android', 'package.json', 'Shop-1.0.0.apk'],
    ['android', 'a.apk.desktop', 'Shop-1.0.0.apk'],
    ['android', '../../.git/hooks/x.ipa', 'Shop-1.0.0.ipa'],
  ];
  for (const [platform, suggested, name] of rows) {
    it(`is ${name} for ${platform} when the service suggests ${suggested ?? 'no name'}`, () => {
      assert.equal(packageFileName(artifactName(app, platform), suggested), name);
    });
  }
});
