import path from 'node:path';

import { build } from 'esbuild';

/** Bundles a program of this folder as it would be shipped, because running TypeScript needs extra memory. @returns its path in `folder` */
export async function bundleProgram(name: string, folder: string): Promise<string> {
  const program = path.join(folder, `${name}.mjs`);
  await build({
    entryPoints: [path.join(import.meta.dirname, `${name}.ts`)],
    outfile: program,
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node22',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return program;
}
