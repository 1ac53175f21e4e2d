import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The part of esbuild's metafile that contains how many bytes each module adds to each output file. */
interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
}

const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Returns the folders of the npm packages that have code in a bundle, sorted.
 * Folders are relative to the folder in which esbuild ran, with forward slashes.
 */
export function bundledPackageFolders({ outputs }: Metafile): readonly string[] {
  const modules = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([module, { bytesInOutput }]) => (bytesInOutput > 0 ? [module] : [])),
  );
  return [...new Set(modules.flatMap((module) => PACKAGE_FOLDER.exec(module)?.[0] ?? []))].sort();
}

/**
 * Returns the text of THIRD-PARTY-NOTICES.txt: name, version, and license of each package.
 * @param folders the packages' folders, relative to `root`
 * @throws an error that names the package when it has neither a license file nor a license with a known text
 */
export async function writeNotices(folders: readonly string[], root: string): Promise<string> {
  const notices = await Promise.all(folders.map(async (folder) => readNotice(path.join(root, folder))));
  const text = [...new Set(notices)].sort().join(`\n${'-'.repeat(80)}\n\n`);
  return `This extension contains code from the following npm packages.\n\n${'-'.repeat(80)}\n\n${text}`;
}

async function readNotice(folder: string): Promise<string> {
  const json = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as PackageJson;
  const { name, version, license = '' } = json;
  const file = (await readdir(folder)).find((entry) => /^(?:licen[cs]e|copying)\b/i.test(entry));
  const text =
    file === undefined
      ? LICENSE_TEXTS.get(license)?.(toAuthorName(json))
      : await readFile(path.join(folder, file), 'utf8');
  if (license === '' || text === undefined) {
    throw new Error(`${name} ${version} is bundled, but its license is missing.`);
  }
  return `${name} ${version}\nLicense: ${license}\n\n${text.replaceAll('\r\n', '\n').trim()}\n`;
}

function toAuthorName({ name, author }: PackageJson): string {
  const text = typeof author === 'object' ? author.name : author?.replace(/\s*[<(].*/, '');
  return text ?? `the authors of ${name}`;
}

/** License texts by SPDX identifier, for packages that declare a license but don't include its text. */
const LICENSE_TEXTS: ReadonlyMap<string, (author: string) => string> = new Map([
  [
    'MIT',
    (author) => `MIT License

Copyright (c) ${author}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`,
  ],
  ['WTFPL', (author) => `Copyright (c) ${author}\n\nWTFPL, version 2: http://www.wtfpl.net/txt/copying/`],
]);
