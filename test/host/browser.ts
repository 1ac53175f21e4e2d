import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, constants, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar';
import { bringHost, prepareDirectory } from './install.ts';

/** A Chromium that playwright-core can start. */
export interface Browser {
  /** Its own words, such as `Chromium 153.0.7999.0`. */
  readonly name: string;
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const systemNames = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser', 'chrome'];

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * The browser of CHROME_PATH, else one found on PATH, else the headless one that npm brings.
 * APP_BUILD_BROWSER=npm asks for the last one even where the others exist.
 * @throws Error when none of them answers `--version`.
 */
export async function findBrowser(): Promise<Browser> {
  if (process.env.APP_BUILD_BROWSER !== 'npm') {
    for (const executablePath of systemCandidates()) {
      const name = await versionOf(executablePath, {});
      if (name !== undefined) {
        return { name, executablePath, args: flags, env: {} };
      }
    }
  }
  return npmBrowser();
}

function systemCandidates(): string[] {
  const asked = process.env.CHROME_PATH;
  const directories = (process.env.PATH ?? '').split(path.delimiter).filter((directory) => directory !== '');
  const onPath = systemNames.flatMap((name) => directories.map((directory) => path.join(directory, name)));
  return asked === undefined || asked === '' ? onPath : [asked, ...onPath];
}

/** Some systems have an executable that only says how to install the browser: the answer decides, not the file. */
async function versionOf(executablePath: string, env: Record<string, string>): Promise<string | undefined> {
  try {
    await access(executablePath, constants.X_OK);
    const { stdout } = await promisify(execFile)(executablePath, ['--version', '--no-sandbox'], {
      timeout: 20_000,
      env: { ...process.env, ...env },
    });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

async function npmBrowser(): Promise<Browser> {
  const host = await bringHost();
  const packed = path.join(host.directory, 'node_modules', '@sparticuz', 'chromium', 'bin');
  const directory = path.join(host.directory, 'chromium');
  await prepareDirectory(directory, async (partial) => {
    console.log('Unpacking the browser, once …');
    await unpack(packed, partial);
    await writeFile(path.join(partial, 'fonts.conf'), fontConfiguration(directory));
  });
  const executablePath = path.join(directory, 'chromium');
  const env = {
    LD_LIBRARY_PATH: path.join(directory, 'al2023', 'lib'),
    FONTCONFIG_PATH: directory,
  };
  const name = await versionOf(executablePath, env);
  if (name === undefined) {
    throw new Error(
      'The browser that npm brought does not start on this machine. Install Chromium or Chrome, or set CHROME_PATH to one.',
    );
  }
  return { name: `${name}, from npm`, executablePath, args: flags, env };
}

/** The layout the executable expects: swiftshader beside it, the libraries and fonts in folders of their own. */
async function unpack(packed: string, directory: string): Promise<void> {
  const executable = path.join(directory, 'chromium');
  await pipeline(
    createReadStream(path.join(packed, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(executable),
  );
  await chmod(executable, 0o755);
  for (const [archive, target] of [
    ['swiftshader', '.'],
    ['al2023', 'al2023'],
    ['fonts', 'fonts'],
  ] as const) {
    const cwd = path.join(directory, target);
    await mkdir(cwd, { recursive: true });
    await pipeline(
      createReadStream(path.join(packed, `${archive}.tar.br`)),
      createBrotliDecompress(),
      extract({ cwd }),
    );
  }
}

/** The configuration that comes with the fonts names folders of another place; a machine without fonts would show none. */
function fontConfiguration(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${path.join(directory, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${path.join(directory, 'fontCache')}</cachedir>
</fontconfig>
`;
}
