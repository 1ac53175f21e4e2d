import { escapeUTF8 } from 'entities/escape';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sentence, type Sentence } from '../../errors/index.ts';
import { createFile } from '../resources/downloads/diskFile.ts';
import { makePlainIcon } from '../../web-project/index.ts';

/** Kind of sample project. */
export type SampleKind = 'page' | 'pwa' | 'cordova' | 'device';

interface SampleFiles {
  /** Name of the sample's folder in `samples/` and of the user's folder. */
  readonly name: string;
  /** Path of the sample's start page. */
  readonly page: string;
  /** Icon file to create, and its background color. */
  readonly icon?: { readonly file: string; readonly color: string };
}

/** Small apps that can be built without changes. Their files are next to this source file, and next to the bundle. */
const SAMPLES: Readonly<Record<SampleKind, SampleFiles>> = {
  // A counter: plain pages. Everything else that an app needs is generated.
  page: { name: 'tally-app', page: 'index.html' },
  // A shopping list: pages with a web app manifest, which browsers can install as well.
  pwa: { name: 'list-app', page: 'index.html', icon: { file: 'icon.png', color: '#0f766e' } },
  // A greeting that shows its platform: a project with a config.xml, like Cordova's.
  cordova: { name: 'hello-app', page: 'www/index.html' },
  // A checklist that tests an app's features on a phone and reports the results.
  device: { name: 'device-check', page: 'www/index.html', icon: { file: 'www/icon.png', color: '#1d4ed8' } },
};

/** UI text of the sample apps. Their files contain a `{{name}}` placeholder for each string. */
const TEXTS: Readonly<Record<string, Sentence>> = {
  tally: sentence('Tally'),
  oneMore: sentence('One more'),
  oneLess: sentence('One less'),
  startAgain: sentence('Start again'),
  shoppingList: sentence('Shopping List'),
  shopping: sentence('Shopping'),
  shoppingListDescription: sentence('A shopping list that works offline'),
  whatToBuy: sentence('What do you need?'),
  add: sentence('Add'),
  remove: sentence('Remove'),
  nothingToBuy: sentence('Nothing to buy yet.'),
  greeting: sentence('Hello from your first app!'),
  waiting: sentence('Waiting for the device…'),
  ready: sentence('The device is ready.'),
  platform: sentence('Platform'),
};

interface SampleLanguage {
  /** Language code, as in HTML's `lang` attribute. */
  readonly language: string;
  readonly toText: (text: Sentence) => string;
}

/**
 * Writes a small web project to a new folder. The project can be built without changes. Doesn't overwrite files.
 *
 * @param parent the absolute path of the folder that will contain the new folder
 * @returns absolute paths of the new folder and of the app's start page
 * @throws FileError, file system errors
 */
export async function writeSampleProject(
  parent: string,
  kind: SampleKind,
  language: SampleLanguage,
): Promise<{ readonly folder: string; readonly page: string }> {
  const { name, page, icon } = SAMPLES[kind];
  const taken = new Set((await readdir(parent)).map((entry) => entry.toLowerCase()));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) {
    free = `${name}-${number}`;
  }
  const folder = path.join(parent, free);
  const source = path.join(import.meta.dirname, 'samples', name);
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      const file = path.join(entry.parentPath, entry.name);
      const text = filledIn(await readFile(file, 'utf8'), file, language);
      await createFile(parent, path.join(free, path.relative(source, file)), text);
    }
  }
  if (icon !== undefined) {
    await createFile(parent, path.join(free, icon.file), await makePlainIcon(icon.color));
  }
  return { folder, page: path.join(folder, page) };
}

/** Replaces the placeholders in a file and escapes the values for the file type. */
function filledIn(content: string, file: string, { language, toText }: SampleLanguage): string {
  const isJson = file.endsWith('.webmanifest');
  return content.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const known = TEXTS[name];
    const text = name === 'language' ? language : known === undefined ? placeholder : toText(known);
    return isJson ? JSON.stringify(text).slice(1, -1) : escapeUTF8(text);
  });
}
