import { build, context, transform } from 'esbuild';
import { copyFile, cp, mkdir, rm, writeFile, glob } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes `dist/`: the extension, split by esbuild into what activation loads and what the lazy imports load
 * (`later.ts` and `undici.ts`), and the local service, a program of its own: what it rarely needs (TLS,
 * installing the engine) is apart, so that it starts quickly. Libraries that both read are there once.
 * `--watch` builds again after each change.
 */
const ENTRY_POINTS = {
  extension: 'src/extension.ts',
  later: 'src/later.ts',
  undici: 'src/api/http/undici.ts',
  localService: 'src/localService/main.ts',
  // The program that opens key files.
  openKeyFile: 'src/formats/openKeyFile.ts',
};

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  outExtension: { '.js': '.cjs' },
  mainFields: ['module', 'main'],
  external: ['vscode'],
  define: {
    // undici's own switch for bundles: it leaves out the experimental second HTTP parser (150 kB).
    esbuildDetection: 'true',
    // What a program has beside it is found from its sources and from dist/ alike.
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
  logLevel: 'warning',
};

/** undici brings its HTTP parser twice, for processors with SIMD and without; the second runs on both. */
const oneHttpParser = {
  name: 'one-http-parser',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path, ...from }) =>
      resolve(path.replace('llhttp_simd-wasm', 'llhttp-wasm'), from),
    ),
};

const VSCODE_IMPORT = /^import \* as (\w+) from "vscode";$/gm;

/** esbuild splits ES modules only; VS Code loads CommonJS sooner. So each file that comes out is converted. */
async function writeCommonJs({ path: file, text }) {
  const { code, map } = await transform(text.replace(VSCODE_IMPORT, 'const $1 = vscodeApi;'), {
    // Once a file: esbuild would copy the hundreds of names of the API for each module that imports them.
    banner: text.search(VSCODE_IMPORT) < 0 ? '' : 'const vscodeApi = require("vscode");',
    format: 'cjs',
    target: 'node22',
    // `require` loads a CommonJS file sooner than `import()`, which first searches its text for exports.
    supported: { 'dynamic-import': false },
    minify: true,
    sourcemap: 'external',
    sourcefile: path.basename(file),
  });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${code}//# sourceMappingURL=${path.basename(file)}.map\n`);
  await writeFile(`${file}.map`, map);
}

/** esbuild's options for the extension, or for other entry points that are split in the same way. */
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
    plugins: [oneHttpParser, toCommonJs],
  };
  return { ...shared, entryPoints, ...output };
}

/** Files that modules read from beside them. */
const BESIDE = [
  'projects/plainIcon.png',
  'formats/pageDesign.css',
  'localService/pages/copy.js',
  'localService/pages/servicePages.css',
  ...[
    'linkPage.css',
    'linkPage.js',
    'previewPanel.css',
    'previewPanel.js',
    'network/phonePages.css',
    'network/preview.css',
    'network/preview.js',
  ].map((file) => `devices/${file}`),
];

/** The compiled parts of each Android package, which the local service reads as they are. */
async function copyShell() {
  const [from, to] = ['src/localService/builds/builtin/shell', 'dist/shell'];
  await mkdir(path.join(to, 'plugins'), { recursive: true });
  for await (const file of glob('{*.{dex,js,png},plugins/*.dex}', { cwd: from })) {
    await copyFile(path.join(from, file), path.join(to, file));
  }
}

if (import.meta.main) {
  await rm('dist', { recursive: true, force: true });
  await copyShell();
  await cp('src/projects/samples', 'dist/samples', { recursive: true });
  for (const file of BESIDE) {
    await copyFile(path.join('src', file), path.join('dist', path.basename(file)));
  }
  const options = splitBundle(ENTRY_POINTS, 'dist');
  if (process.argv.includes('--watch')) {
    await (await context({ ...options, logLevel: 'info' })).watch();
  } else {
    await build(options);
  }
}
