import { posix } from 'node:path';

import { readPage } from '../htmlPage.ts';
import { type ToolFolder, type ToolOutput, toFolder } from './toolFolder.ts';

/** A tool that isn't installed from npm. */
interface OtherTool {
  readonly kind: string;
  /** Returns the output folder, or undefined if the folder doesn't belong to a project of the tool. */
  readonly read: (folder: ToolFolder) => Promise<ToolOutput | undefined>;
}

/** Tools that aren't installed from npm. */
export const OTHER_TOOLS = [
  { kind: 'jekyll', read: jekyll },
  { kind: 'hugo', read: hugo },
  { kind: 'flutter', read: flutter },
  { kind: 'blazor', read: blazor },
  { kind: 'polymer', read: polymer },
  { kind: 'clojurescript', read: clojureScript },
  { kind: 'dojo', read: dojo },
] as const satisfies readonly OtherTool[];

/** Elm. Bundlers also build Elm projects, and then it isn't run separately. */
export const ELM = { kind: 'elm', read: elm } as const satisfies OtherTool;

/** Returns the first value that a pattern captures in a configuration. */
function valueIn(text: string | undefined, pattern: RegExp): string | undefined {
  return pattern.exec(text ?? '')?.[1];
}

/**
 * Finds the output folder of Jekyll, whose pages begin with front matter. Source:
 * jekyllrb.com/docs/configuration/options.
 */
async function jekyll(folder: ToolFolder): Promise<ToolOutput | undefined> {
  const gems = await folder.text('Gemfile');
  const config = await folder.text('_config.yml');
  const page = await folder.text('index.html');
  const isTemplate = page !== undefined && readPage(page).sources.some(({ kind }) => kind === 'frontMatter');
  const isListed = /\bgem[ \t]{0,9}\(?[ \t]{0,9}["'](?:jekyll|github-pages)["']/.test(gems ?? '');
  // GitHub also reads _config.yml for pages that Jekyll only copies. Hexo has a file with the same name.
  const isJekyll = isTemplate ? config !== undefined || isListed : isListed && page === undefined;
  return isJekyll && !folder.dependsOn('hexo')
    ? toFolder('_config.yml', 1, valueIn(config, /^destination:\s*["']?([^\s"'#]+)/m) ?? '_site')
    : undefined;
}

/** Finds the output folder of Hugo. Source: gohugo.io/configuration. */
async function hugo({ names, text }: ToolFolder): Promise<ToolOutput | undefined> {
  const files = ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json'];
  // The older name is also that of other programs.
  const older = ['config.toml', 'config.yaml', 'config.yml', 'config.json'];
  const isHugo = names.has('content') && ['themes', 'layouts', 'archetypes'].some((name) => names.has(name));
  const file = [...files, ...(isHugo ? older : [])].find((name) => names.has(name));
  return file === undefined
    ? undefined
    : toFolder(file, 1, valueIn(await text(file), /\bpublishDir"?\s*[:=]\s*["']?([^\s"',]+)/i) ?? 'public');
}

/** Finds the output folder of Flutter. Source: docs.flutter.dev/deployment/web. */
async function flutter({ names, text }: ToolFolder): Promise<ToolOutput | undefined> {
  const isFlutter = names.has('web') && /^[ \t]{1,20}sdk:[ \t]{0,9}flutter\b/m.test((await text('pubspec.yaml')) ?? '');
  return isFlutter ? { kind: 'folders', paths: ['build/web'] } : undefined;
}

/**
 * Finds the output folder of Blazor WebAssembly. Source:
 * learn.microsoft.com/en-us/aspnet/core/blazor/host-and-deploy/webassembly.
 */
async function blazor({ names, text }: ToolFolder): Promise<ToolOutput | undefined> {
  const file = [...names].find((name) => name.endsWith('.csproj'));
  const project = file !== undefined && names.has('wwwroot') ? ((await text(file)) ?? '') : '';
  // A server that delivers the app has a package whose name continues with `.Server`.
  if (!/\.BlazorWebAssembly"|\.Components\.WebAssembly"/.test(project)) {
    return undefined;
  }
  const target = valueIn(project, /<TargetFramework>\s*([\w.-]+)\s*</) ?? 'net8.0';
  return { kind: 'folders', paths: [`bin/Release/${target}/publish/wwwroot`] };
}

/** Finds the output folder of Polymer CLI, which has one folder for each build. Source: polymer-project.org. */
async function polymer({ names, text }: ToolFolder): Promise<ToolOutput | undefined> {
  const config = names.has('polymer.json') ? ((await text('polymer.json')) ?? '') : '';
  // In a package of elements, the file only has rules for the linter.
  if (!/"(?:entrypoint|shell|builds)"\s*:/.test(config)) {
    return undefined;
  }
  const builds = Array.from(config.matchAll(/"(?:preset|name)"\s*:\s*"([\w-]+)"/g), ([, name = '']) => name);
  // The builds for newer browsers are last in the alphabet: es5, es6, esm.
  const sorted = builds.length === 0 ? ['default'] : builds.toSorted().toReversed();
  return { kind: 'folders', paths: sorted.map((name) => `build/${name}`) };
}

/**
 * Finds the pages of ClojureScript. Its build adds code to a page of the sources, in the configured folder. Sources:
 * shadow-cljs.github.io/docs/UsersGuide.html, clojurescript.org/reference/compiler-options.
 */
async function clojureScript({ names, text }: ToolFolder): Promise<ToolOutput | undefined> {
  const texts = await Promise.all(['shadow-cljs.edn', 'project.clj', 'deps.edn'].map((name) => text(name)));
  const config = texts.find((each) => each !== undefined && /:target\s+:browser|clojurescript/.test(each));
  if (config === undefined || !(names.has('resources') || names.has('public'))) {
    return undefined;
  }
  const added = Array.from(config.matchAll(/:output-(?:dir|to)\s+"([^"\s]+)"/g), ([, path = '']) => posix.join(path));
  const pages = names.has('resources') ? 'resources/public' : 'public';
  return { kind: 'folders', paths: [pages], added: added.filter((path) => path.startsWith(`${pages}/`)) };
}

/** Finds the output folder of Dojo's build scripts. Source: github.com/csnover/dojo-boilerplate. */
async function dojo({ names, text }: ToolFolder): Promise<ToolOutput | undefined> {
  const page = names.has('build.sh') && names.has('profiles') ? await text('src/index.html') : undefined;
  return page?.includes('dojo/dojo.js') === true ? { kind: 'folders', paths: ['dist'] } : undefined;
}

/** Finds the pages of Elm. Its compiler creates a page, or a script for a page of the sources. Source: guide.elm-lang.org. */
async function elm({ names, text }: ToolFolder): Promise<ToolOutput | undefined> {
  const config = names.has('elm.json') ? await text('elm.json') : undefined;
  return config !== undefined && /"type"\s*:\s*"application"/.test(config)
    ? { kind: 'folders', paths: ['', 'public'], added: [] }
    : undefined;
}
