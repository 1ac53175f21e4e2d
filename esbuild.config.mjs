import { build, context, transform } from 'esbuild';
import { copyFile, cp, mkdir, readFile, rm, writeFile, glob } from 'node:fs/promises';
import path from 'node:path';
import { bundledPackageFolders, writeNotices } from './test/host/thirdPartyNotices.ts';

/**
 * Writes `dist/`. esbuild splits the extension into the files that activation loads and the files that lazy imports load
 * (`later.ts` and `undici.ts`). The local service is a separate program. To start quickly, it loads TLS and the engine installer only when
 * they're needed. The extension and the service share their libraries' files.
 * `--watch` builds again after each change.
 */
const ENTRY_POINTS = {
  extension: 'src/extension.ts',
  later: 'src/extension/later.ts',
  undici: 'src/service-client/http/undici.ts',
  localService: 'src/build-service/main.ts',
  // Opens key files in its own process.
  openKeyFile: 'src/android-package/keys/openKeyFile.ts',
};

const shared = {
  bundle: true,
  platform: 'node',
  charset: 'utf8',
  target: 'node22',
  outExtension: { '.js': '.cjs' },
  mainFields: ['module', 'main'],
  external: ['vscode'],
  define: {
    // undici's own switch for bundles: it leaves out the experimental second HTTP parser (150 kB).
    esbuildDetection: 'true',
    // Finds a program's neighboring files from src/ and from dist/.
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
  logLevel: 'warning',
};

/** Bundles undici's HTTP parser once. undici includes a SIMD version as well, but the plain one runs on every processor. */
const oneHttpParser = {
  name: 'one-http-parser',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path, ...from }) =>
      resolve(path.replace('llhttp_simd-wasm', 'llhttp-wasm'), from),
    ),
};

const FACE_IMPORT = /^(import|export) \{([^}]*)\} from '((?:\.{1,2}\/)+[\w-]+\/index\.ts)';/gm;
const FACE_EXPORT = /^export (?:type )?\{([^}]*)\} from '(.*)';/gm;
const namesIn = (list) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/**
 * Imports each name in another room from the module that defines it. With imports from the room's index.ts, esbuild would put the whole
 * room into the files that activation loads.
 */
export const throughFaces = {
  name: 'through-faces',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      const modules = new Map();
      const watchFiles = [];
      for (const [, , , face] of text.matchAll(FACE_IMPORT)) {
        const faceFile = path.join(path.dirname(file), face);
        watchFiles.push(faceFile);
        const index = await readFile(faceFile, 'utf8');
        for (const [, names, module] of index.matchAll(FACE_EXPORT)) {
          namesIn(names).forEach((name) =>
            modules.set(`${face} ${name}`, path.posix.join(path.posix.dirname(face), module)),
          );
        }
      }
      const contents = text.replace(FACE_IMPORT, (all, keyword, names, face) => {
        const values = namesIn(names).filter((name) => !name.startsWith('type '));
        const lines = values.map((name) => {
          const module = modules.get(`${face} ${name.split(' as ')[0]}`);
          return `${keyword} { ${name} } from '${module.startsWith('.') ? module : `./${module}`}';`;
        });
        // Keeps the number of lines, so that the source map still matches.
        return lines.join(' ') + '\n'.repeat(all.split('\n').length - 1);
      });
      return { contents, loader: 'ts', watchFiles };
    }),
};

const VSCODE_IMPORT = /^import \* as (\w+) from "vscode";$/gm;

/** Converts an output file to CommonJS, which VS Code loads faster. esbuild can split only ES modules. */
async function writeCommonJs({ path: file, text }) {
  const { code, map } = await transform(text.replace(VSCODE_IMPORT, 'const $1 = vscodeApi;'), {
    // Imports the API once per file. Otherwise, esbuild would copy its hundreds of names for each module that imports it.
    banner: text.search(VSCODE_IMPORT) < 0 ? '' : 'const vscodeApi = require("vscode");',
    format: 'cjs',
    charset: 'utf8',
    target: 'node22',
    // `require` loads a CommonJS file faster than `import()`, which searches the source for exports first.
    supported: { 'dynamic-import': false },
    minify: true,
    sourcemap: 'external',
    sourcefile: path.basename(file),
  });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${code}//# sourceMappingURL=${path.basename(file)}.map\n`);
  await writeFile(`${file}.map`, map);
}

/** Returns esbuild's options that split entry points the way the extension is split. */
export function splitBundle(entryPoints, outdir) {
  const toCommonJs = {
    name: 'to-common-js',
    setup: ({ onEnd }) =>
      onEnd(async ({ outputFiles = [] }) => void (await Promise.all(outputFiles.map(writeCommonJs)))),
  };
  const output = {
    outdir,
    format: 'esm',
    splitting: true,
    sourcemap: 'inline',
    write: false,
    plugins: [oneHttpParser, throughFaces, toCommonJs],
  };
  return { ...shared, entryPoints, ...output };
}

/** Files that modules read from their own folder. */
const BESIDE = [
  'web-project/plainIcon.png',
  'page-design/pageDesign.css',
  'build-service/pages/copy.js',
  'build-service/pages/servicePages.css',
  ...[
    'linkPage.css',
    'linkPage.js',
    'previewPanel.css',
    'previewPanel.js',
    'network/phonePages.css',
    'network/preview.css',
    'network/preview.js',
    'network/previewReports.js',
  ].map((file) => `extension/devices/${file}`),
];

/** Licenses of the npm packages in the bundles. */
const NOTICES = 'dist/THIRD-PARTY-NOTICES.txt';

/** Copies the compiled parts of Android packages, which the local service reads unchanged. */
async function copyShell() {
  const [from, to] = ['src/android-package/shell', 'dist/shell'];
  await mkdir(path.join(to, 'plugins'), { recursive: true });
  for await (const file of glob('{*.{dex,js,png},plugins/*.dex}', { cwd: from })) {
    await copyFile(path.join(from, file), path.join(to, file));
  }
}

if (import.meta.main) {
  await rm('dist', { recursive: true, force: true });
  await copyShell();
  await cp('src/extension/commands/samples', 'dist/samples', { recursive: true });
  for (const file of BESIDE) {
    await copyFile(path.join('src', file), path.join('dist', path.basename(file)));
  }
  const options = splitBundle(ENTRY_POINTS, 'dist');
  if (process.argv.includes('--watch')) {
    await (await context({ ...options, logLevel: 'info' })).watch();
  } else {
    const { metafile } = await build({ ...options, metafile: true });
    await writeFile(NOTICES, await writeNotices(bundledPackageFolders(metafile), '.'));
  }
}
