import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, constants, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar';
import { installPackages, prepareDirectory } from './install.ts';

/** A Chromium browser that playwright-core can start. */
interface Browser {
  /** Name and version, such as `Chromium 153.0.7999.0`. */
  readonly name: string;
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Executable names to look for on PATH. */
const EXECUTABLE_NAMES = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser', 'chrome'];

/** Install paths of Chrome on macOS and Windows, where it isn't on PATH. */
const INSTALLED_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Returns the browser in CHROME_PATH, an installed Chromium or Chrome, or the headless one from npm (Linux on x64), in this order.
 * APP_BUILD_BROWSER=npm selects the last one even if the others exist.
 * @throws Error if none of them starts
 */
export async function findBrowser(): Promise<Browser> {
  if (process.env.APP_BUILD_BROWSER !== 'npm') {
    for (const executablePath of systemCandidates()) {
      const name = await getVersion(executablePath, {});
      if (name !== undefined) {
        return { name, executablePath, args: FLAGS, env: {} };
      }
    }
  }
  return npmBrowser();
}

function systemCandidates(): string[] {
  const requested = process.env.CHROME_PATH;
  const directories = (process.env.PATH ?? '').split(path.delimiter).filter((directory) => directory !== '');
  const onPath = EXECUTABLE_NAMES.flatMap((name) => directories.map((directory) => path.join(directory, name)));
  const candidates = [...onPath, ...INSTALLED_PATHS];
  return requested === undefined || requested === '' ? candidates : [requested, ...candidates];
}

/**
 * Runs the browser, because some systems have an executable that only explains how to install the browser. Chrome on
 * Windows opens a window instead of responding, so on Windows it's enough that the file exists.
 */
async function getVersion(executablePath: string, env: Record<string, string>): Promise<string | undefined> {
  try {
    await access(executablePath, constants.X_OK);
    if (process.platform === 'win32') {
      return path.basename(executablePath);
    }
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
  const installation = await installPackages('browser', []);
  const packed = path.join(installation, 'node_modules', '@sparticuz', 'chromium', 'bin');
  const directory = path.join(installation, 'chromium');
  await prepareDirectory(directory, async (partial) => {
    console.log('Unpacking the browser, once …');
    await unpack(packed, partial);
  });
  // Copies of a checkout may share the file.
  await rm(path.join(directory, 'fonts.conf'), { force: true });
  await writeFile(path.join(directory, 'fonts.conf'), fontConfiguration(directory));
  const executablePath = path.join(directory, 'chromium');
  const env = {
    LD_LIBRARY_PATH: path.join(directory, 'al2023', 'lib'),
    FONTCONFIG_PATH: directory,
  };
  const name = await getVersion(executablePath, env);
  if (name === undefined) {
    throw new Error(
      'The browser from npm does not start on this machine. Install Chromium or Chrome, or set CHROME_PATH to one.',
    );
  }
  return { name: `${name}, from npm`, executablePath, args: FLAGS, env };
}

/**
 * Unpacks the browser in the layout that its executable expects: SwiftShader next to it, libraries and fonts in
 * separate folders.
 */
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

/** Replacements for font families that pages use. Open Sans comes with the browser. */
const FONTS: Readonly<Record<string, string>> = {
  'system-ui': 'Open Sans',
  'sans-serif': 'Open Sans',
  monospace: 'DejaVu Sans Mono',
};

/**
 * Returns a new font configuration. The one that comes with the fonts names folders that don't exist here, so a computer without fonts
 * would show no text.
 */
function fontConfiguration(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${path.join(directory, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${path.join(directory, 'fontCache')}</cachedir>
${Object.entries(FONTS)
  .map(
    ([family, font]) =>
      `  <alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`,
  )
  .join('\n')}
</fontconfig>
`;
}
