import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { App } from '../store/model.ts';

/** Makes the files of an app that was never uploaded, such as those of the demo data: a page with its title. */
export async function generatePackage(
  { title, package: id, version, description }: App,
  folder: string,
): Promise<void> {
  const [name, text] = [escapeMarkup(title), escapeMarkup(description)];
  await writeFile(
    join(folder, 'config.xml'),
    `<?xml version="1.0" encoding="UTF-8"?>
<widget xmlns="http://www.w3.org/ns/widgets" id="${escapeMarkup(id)}" version="${escapeMarkup(version)}">
  <name>${name}</name>
  <description>${text}</description>
  <content src="index.html" />
</widget>
`,
  );
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}</title>
<h1>${name}</h1>
<p>${text}</p>
<p>No files of this app were uploaded.</p>
`,
  );
}

/** Text for an element or an attribute of XML or HTML. XML takes no control characters, in no form. */
function escapeMarkup(text: string): string {
  return text
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
