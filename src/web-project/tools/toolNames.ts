import type { ToolKind } from './buildTools.ts';

/** Names of products, which are the same in every language. */
export const TOOL_NAMES: Readonly<Record<'cordova' | ToolKind, string>> = {
  cordova: 'Cordova',
  capacitor: 'Capacitor',
  angular: 'Angular',
  next: 'Next.js',
  nuxt: 'Nuxt',
  astro: 'Astro',
  svelte: 'SvelteKit',
  'react-router': 'React Router',
  vite: 'Vite',
  'react-scripts': 'Create React App',
  'vue-cli': 'Vue CLI',
  rsbuild: 'Rsbuild',
  quasar: 'Quasar',
  docusaurus: 'Docusaurus',
  gatsby: 'Gatsby',
  eleventy: 'Eleventy',
  stencil: 'Stencil',
  ember: 'Ember',
  parcel: 'Parcel',
  webpack: 'webpack',
  vitepress: 'VitePress',
  rollup: 'Rollup',
  hexo: 'Hexo',
  'preact-cli': 'Preact CLI',
  expo: 'Expo',
  nativescript: 'NativeScript',
  jekyll: 'Jekyll',
  hugo: 'Hugo',
  flutter: 'Flutter',
  blazor: 'Blazor',
  polymer: 'Polymer',
  clojurescript: 'ClojureScript',
  dojo: 'Dojo',
  elm: 'Elm',
  nx: 'Nx',
  'tanstack-start': 'TanStack Start',
  qwik: 'Qwik',
};

/** A tool's name, and the command that builds its pages. The command is for messages and never run. */
interface NamedCommand {
  readonly name: string;
  readonly command: string;
}

interface ToolCommand {
  readonly kind: ToolKind;
  readonly command: string;
  /** Matches the path of a script that only the tool creates. */
  readonly script?: RegExp;
}

/** Commands of tools that are usually run without a script in package.json. */
const COMMANDS: readonly ToolCommand[] = [
  { kind: 'jekyll', command: 'bundle exec jekyll build' },
  { kind: 'hugo', command: 'hugo' },
  { kind: 'flutter', command: 'flutter build web', script: /(?:^|\/)flutter(?:_bootstrap)?\.js$/ },
  { kind: 'blazor', command: 'dotnet publish -c Release', script: /(?:^|\/)_framework\/blazor\.[\w.-]*js$/ },
  { kind: 'polymer', command: 'npx polymer-cli build' },
  { kind: 'clojurescript', command: 'npx shadow-cljs release app' },
  { kind: 'dojo', command: './build.sh', script: /(?:^|\/)dojo\/dojo\.js$/ },
  { kind: 'elm', command: 'elm make src/Main.elm --optimize --output=elm.js', script: /(?:^|\/)elm(?:\.min)?\.js$/i },
  { kind: 'expo', command: 'npx expo export -p web' },
  { kind: 'eleventy', command: 'npx @11ty/eleventy' },
];

/** Returns the name and the command of the tool that creates a script of a page. @param path the path of the script */
export function findScriptTool(path: string): NamedCommand | undefined {
  return named(COMMANDS.find(({ script }) => script?.test(path) === true));
}

/** Returns a tool's name and usual command, or undefined if its projects have a script in package.json. */
export function getToolCommand(kind: string): NamedCommand | undefined {
  return named(COMMANDS.find((tool) => tool.kind === kind));
}

function named(tool: ToolCommand | undefined): NamedCommand | undefined {
  return tool && { name: TOOL_NAMES[tool.kind], command: tool.command };
}
