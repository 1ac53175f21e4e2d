/** Checking a project before its upload: config.xml, the start page, and the scripts of all pages. */
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import jsTokens from 'js-tokens';
import {
  capacitorFindings,
  checkProjectConfig,
  checkStartPage,
  packageFindings,
  scanPages,
} from '../../../src/web-project/index.ts';
import { DiskTree, ProjectFolder } from '../../../src/web-project/projectFolder.ts';
import { config } from '../../support/failingFolders.ts';
import { addFiles, type Files, plan } from '../../support/packing.ts';
import { repositoryRoot } from '../../support/repository.ts';
import { interleaved, type Row } from '../rounds.ts';

const PAGES = 500;
/** The check tokenizes only pages that mention a plugin, a permission, or an unencrypted address, a quarter of these pages. */
const MAX_RATIO = 2.5;

export async function measure(rounds: number): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  try {
    await addFiles(folder, await createPages());
    const sent = await plan(folder);
    const contenders = {
      ours: async (): Promise<void> => {
        const project = new ProjectFolder(new DiskTree(folder), '');
        const unsavedText = () => undefined;
        const { findings, facts } = await checkProjectConfig({ folder: project, plan: sent, unsavedText });
        const all = [
          ...findings,
          ...(await checkStartPage(project, sent, facts?.startPage)),
          ...(await capacitorFindings(project, sent)),
          ...(await scanPages(project, sent, facts)).findings,
          ...packageFindings(sent, () => true, true),
        ];
        if (!all.some(({ code }) => code === 'cleartext')) {
          throw new Error('The check didn’t find the unencrypted address in the last page.');
        }
      },
      peer: async (): Promise<number> => {
        let tokens = 0;
        for (const { uri } of sent.files) {
          tokens += Array.from(jsTokens(await readFile(uri.fsPath, 'utf8'))).length;
        }
        return tokens;
      },
    };
    await interleaved(1, contenders);
    const { ours, peer } = await interleaved(rounds, contenders);
    return [
      {
        what: `Checking config.xml and ${PAGES} pages`,
        ours,
        peer: { name: 'js-tokens on each page', times: peer },
        max: MAX_RATIO,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns pages with the modules of a real program in turn. The last page loads from an unencrypted address. */
async function createPages(): Promise<Files> {
  const modules = globSync(path.join(repositoryRoot, 'node_modules/undici/lib/**/*.js'));
  const scripts = await Promise.all(modules.map((module) => readFile(module, 'utf8')));
  const pages = Array.from({ length: PAGES }, (_, index) => {
    const script = scripts[index % scripts.length] ?? '';
    return [`www/${index}.html`, `<!doctype html><title>${index}</title><script>${script}</script>`] as const;
  });
  const last = `<!doctype html><title>Shop</title><script>fetch('http://shop.example/items')</script>`;
  return { 'config.xml': config(), ...Object.fromEntries(pages), 'www/index.html': last };
}
