import assert from 'node:assert/strict';

import { plainText } from '../../../../src/api/errors/sentence.ts';
import { DiskTree, ProjectFolder } from '../../../../src/projects/projectFolder.ts';
import { capacitorFindings } from '../../../../src/projects/preflight/capacitorCheck.ts';
import { folderOf, plan, type Files } from '../../../support/packing.ts';

/** A Capacitor app below apps/web, whose pages run this script. */
function app(script: string, plugins: readonly string[], more: Files = {}): Files {
  const dependencies = Object.fromEntries(
    ['@capacitor/core', '@capacitor/android', ...plugins].map((name) => [name, '8']),
  );
  return {
    'apps/web/capacitor.config.json': '{"webDir":"www"}',
    'apps/web/package.json': JSON.stringify({ dependencies }, undefined, 2),
    'apps/web/www/index.html': '<!doctype html><script src="app.js"></script>',
    'apps/web/www/app.js': script,
    ...more,
  };
}

async function found(files: Files): Promise<readonly string[]> {
  const { folder, remove } = await folderOf(files);
  try {
    const findings = await capacitorFindings(
      new ProjectFolder(new DiskTree(folder), 'apps/web'),
      await plan(folder, 'apps/web'),
    );
    return findings.map(({ verdict, message, place }) => {
      const line = place?.start === undefined ? '' : `${place.path}:${place.start.line + 1} `;
      return `${verdict} ${line}${plainText(message)}`;
    });
  } finally {
    await remove();
  }
}

const lacks = (name: string, line: number): string =>
  `fails package.json:${line} The plugin ${name} has no code for the web, so what the app asks of it fails in the package.`;

describe('plugins of Capacitor', () => {
  it('run with their code for the web, and fail without', async () => {
    const script = 'const c=r("Camera",{web:()=>import("./web.js")}),k=r("Keyboard"),s=r(`StatusBar`,{android:1});';
    assert.deepEqual(await found(app(script, ['@capacitor/camera', '@capacitor/keyboard', '@capacitor/status-bar'])), [
      lacks('@capacitor/keyboard', 6),
      lacks('@capacitor/status-bar', 7),
      'fine These plugins of Capacitor run with their code for the web: @capacitor/camera',
    ]);
  });

  it('are not what the pages do not use, or only ask for, as Ionic does', async () => {
    const script = 'if(e?.isPluginAvailable("Keyboard"))return e.Plugins.Keyboard;const x="Haptics";t("App")';
    assert.deepEqual(await found(app(script, ['@capacitor/keyboard', '@capacitor/haptics'])), []);
  });

  it('have the names that their code registers, where they are installed; other packages are none', async () => {
    const installed = (name: string, json: object, code: string): Files => ({
      [`node_modules/${name}/package.json`]: JSON.stringify(json),
      [`node_modules/${name}/dist/esm/index.js`]: code,
    });
    const files = app('r("CapacitorSQLite");r("Lodash");', ['community-sqlite', 'lodash'], {
      ...installed('community-sqlite', { capacitor: { android: {} } }, "const a = registerPlugin('CapacitorSQLite');"),
      ...installed('lodash', {}, ''),
    });
    assert.deepEqual(await found(files), [lacks('community-sqlite', 5)]);
  });

  it('are looked for in Capacitor projects only', async () => {
    const files = app('r("Keyboard")', ['@capacitor/keyboard']);
    assert.deepEqual(await found(files), [lacks('@capacitor/keyboard', 5)]);
    const others = Object.entries(files).filter(([name]) => !name.endsWith('capacitor.config.json'));
    assert.deepEqual(await found(Object.fromEntries(others)), []);
  });
});
