import * as vscode from 'vscode';

/** Of the folder, and of the app's id. */
const NAME = 'hello-app';

/**
 * Writes a small web project that can be built as it is, into a folder of its own.
 *
 * @param parent the folder to put it into.
 * @returns the project's folder; nothing that is there is written over.
 * @throws vscode.FileSystemError
 */
export async function writeSampleProject(parent: vscode.Uri): Promise<vscode.Uri> {
  const { fs } = vscode.workspace;
  const taken = new Set((await fs.readDirectory(parent)).map(([name]) => name.toLowerCase()));
  let name = NAME;
  for (let number = 2; taken.has(name); number += 1) {
    name = `${NAME}-${number}`;
  }
  const folder = vscode.Uri.joinPath(parent, name);
  await fs.createDirectory(folder);
  for (const [file, text] of Object.entries(sampleFiles(vscode.l10n.t('Hello from your first app!')))) {
    await fs.writeFile(vscode.Uri.joinPath(folder, file), Buffer.from(text));
  }
  return folder;
}

/** The texts of the project, by file. @param greeting is shown by the app. */
export function sampleFiles(greeting: string): Readonly<Record<'config.xml' | 'index.html', string>> {
  return {
    'config.xml': `<?xml version="1.0" encoding="UTF-8"?>
<widget id="com.example.hello" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
  <name>Hello</name>
  <description>${escape(greeting)}</description>
  <author email="you@example.com" href="https://example.com">You</author>
  <content src="index.html" />
  <access origin="https://*" />
</widget>
`,
    'index.html': `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <title>Hello</title>
    <style>
      body { display: grid; min-height: 100vh; margin: 0; place-items: center; font: 1.5rem system-ui; }
    </style>
  </head>
  <body>
    <h1>${escape(greeting)}</h1>
    <!-- The service puts the bridge to the device here. -->
    <script src="cordova.js"></script>
  </body>
</html>
`,
  };
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
