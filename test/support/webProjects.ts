/** One web project of each kind: the files that its tool creates, and the files that a build adds. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { ProjectKind } from '../../src/web-project/projectLayout.ts';
import type { Files } from './packing.ts';

/** A project before and after its build. */
interface ProjectFixture {
  readonly kind: ProjectKind;
  /** Files in Git. */
  readonly source: Files;
  /** Folder of the pages, relative to the project. */
  readonly pages: string;
  /** Files that a build writes to that folder. */
  readonly built: Files;
  /** App name in the files. If the built page contains another name, the name before the build. */
  readonly name: string;
  /** App ID in the files. */
  readonly id: string | undefined;
  /** Build command. Undefined if no build is needed. */
  readonly command: string | undefined;
}

const KINDS = [
  'cordova',
  'capacitor',
  'angular',
  'vite',
  'astro',
  'next',
  'nuxt',
  'svelte',
  'react-scripts',
  'pwa',
  'page',
] as const;

export const PROJECTS: readonly ProjectFixture[] = KINDS.map(readProject);

/** Reads a file in `fixtures/webProjects`: its facts, then files, each after a line with its path, as in Go's txtar. */
function readProject(kind: ProjectKind): ProjectFixture {
  const text = readFileSync(path.join(import.meta.dirname, '../fixtures/webProjects', `${kind}.txt`), 'utf8');
  const [head = '', ...parts] = text.split(/^\n-- (.*) --\n/m);
  const facts = new Map(head.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.replace(/^\w+: /, '')]));
  const getFiles = (folder: string): Files =>
    Object.fromEntries(
      parts.flatMap((name, index) =>
        index % 2 === 0 && name.startsWith(folder) ? [[name.slice(folder.length), parts[index + 1] ?? '']] : [],
      ),
    );
  return {
    kind,
    source: getFiles('source/'),
    built: getFiles('built/'),
    pages: facts.get('pages') ?? '',
    name: facts.get('name') ?? '',
    id: facts.get('id'),
    command: facts.get('command'),
  };
}

/** Returns a project's files after its build. */
export function builtFiles({ source, pages, built }: ProjectFixture): Files {
  const inPages = Object.entries(built).map(([name, content]) => [path.posix.join(pages, name), content] as const);
  return { ...source, ...Object.fromEntries(inPages) };
}
