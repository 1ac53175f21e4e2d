import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** How the stub handles an installation: it succeeds, fails, or runs until it's stopped. */
export type NpmBehavior = 'installs' | 'fails' | 'hangs';

/**
 * Writes a program that replaces npm. If `npm_execpath` contains its path, the installation runs it instead of the npm on PATH. It
 * installs packages with the names and versions of an engine or of the requested plugin, but without code.
 * @param folder existing folder
 * @returns its path
 */
export async function writeNpmStub(folder: string, behavior: NpmBehavior): Promise<string> {
  const file = path.join(folder, behavior, 'npm-cli.js');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${COMMON}${PROGRAMS[behavior]}`);
  return file;
}

const COMMON = `
const { mkdirSync, writeFileSync } = require('node:fs');
const folder = process.argv[process.argv.indexOf('--prefix') + 1];
const [, plugin] = /^(.+)@(.*)$/.exec(process.argv.at(-1)) ?? [];
const write = (name, version) => {
  mkdirSync(folder + '/node_modules/' + name + '/bin', { recursive: true });
  writeFileSync(folder + '/node_modules/' + name + '/package.json', JSON.stringify({ name, version }));
};
`;

const PROGRAMS: Readonly<Record<NpmBehavior, string>> = {
  installs: `
console.error('npm warn stub');
if (plugin === undefined) {
  for (const name of ['cordova', 'cordova-browser']) write(name, '13.0.0');
  writeFileSync(folder + '/node_modules/cordova/bin/cordova', '');
} else {
  write(plugin, '1.2.3');
  writeFileSync(folder + '/node_modules/' + plugin + '/plugin.xml', '<plugin id="' + plugin + '"><preference name="KEY" /></plugin>');
}
`,
  fails: `
write('cordova', '13.0.0');
console.error('npm error network no network');
process.exitCode = 1;
`,
  hangs: `
write('cordova', '13.0.0');
console.error('npm is waiting');
setInterval(() => undefined, 1000);
`,
};
