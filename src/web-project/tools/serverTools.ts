import { sentence } from '../../errors/index.ts';
import { getText, NO_CONFIG } from './toolConfig.ts';
import { noOutput, type ToolFolder, type ToolOutput } from './toolFolder.ts';

/** A tool that generates pages for a server by default. */
export interface ServerTool {
  readonly kind: 'tanstack-start' | 'qwik';
  readonly output: ToolOutput;
}

/** Finds tools that are built on Vite and generate pages for a server unless the configuration asks for static pages. */
export async function findServerTools(folder: ToolFolder): Promise<readonly ServerTool[]> {
  if (folder.dependsOn('@tanstack/react-start', '@tanstack/solid-start')) {
    return [{ kind: 'tanstack-start', output: await tanStackStart(folder) }];
  }
  return folder.dependsOn('@builder.io/qwik-city', '@qwik.dev/router') ? [{ kind: 'qwik', output: qwik(folder) }] : [];
}

/** An app starts with index.html, and the default is `_shell.html`. */
const TANSTACK_OPTIONS = "spa: { enabled: true, prerender: { outputPath: '/index' } }";

/** Finds the output folder of TanStack Start. Source: tanstack.com/start/latest/docs/framework/react/guide/spa-mode. */
async function tanStackStart(folder: ToolFolder): Promise<ToolOutput> {
  const config = (await folder.config('vite.config')) ?? NO_CONFIG;
  const spa = config.at('plugins', 'spa');
  const is = (name: string, expected: boolean): boolean => {
    const value = config.at('plugins', name, 'enabled');
    return value.kind === 'literal' && value.value === expected;
  };
  const isSpa = spa.kind !== 'absent' && !is('spa', false);
  const shell = getText(config.at('plugins', 'spa', 'prerender', 'outputPath')) ?? '/_shell';
  if (is('prerender', true) || (isSpa && /^\/?index(?:\.html)?$/.test(shell))) {
    return { kind: 'folders', paths: ['dist/client', '.output/public'] };
  }
  const reason = isSpa
    ? sentence(
        'TanStack Start writes no index.html, which an app starts with. Set {0} in {1}.',
        TANSTACK_OPTIONS,
        config.file,
      )
    : sentence(
        'TanStack Start generates pages for a server. To generate pages for an app, set {0} in {1}.',
        TANSTACK_OPTIONS,
        config.file,
      );
  return noOutput(config.file, spa, reason);
}

/** Finds the output folder of Qwik. Source: qwik.dev/docs/deployments/static. */
function qwik(folder: ToolFolder): ToolOutput {
  if (folder.someScriptHas('adapters/static')) {
    return { kind: 'folders', paths: ['dist', 'dist/client'] };
  }
  const reason = sentence(
    'Qwik generates pages for a server. To generate pages for an app, add the script of its static adapter with “{0}”.',
    'npm run qwik add static',
  );
  return noOutput('package.json', { kind: 'absent' }, reason);
}
