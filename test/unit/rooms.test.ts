import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../support/repository.ts';

/** Folders of the rooms that have a face. */
const ROOMS = globSync('src/*/index.ts', { cwd: repositoryRoot }).map((file) => path.dirname(file));

function read(...names: readonly string[]): string {
  return readFileSync(path.join(repositoryRoot, ...names), 'utf8');
}

/** Returns the names that a room's index.ts exports, without the words `type`. */
function getFace(room: string): readonly string[] {
  return [...read(room, 'index.ts').matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== ''),
  );
}

/** Returns all other sources in `src/` and `test/`, as one string. */
function readImporters(room: string): string {
  return globSync('{src,test}/**/*.ts', { cwd: repositoryRoot })
    .filter((file) => !file.split(path.sep).join('/').startsWith(`${room}/`))
    .map((file) => read(file))
    .join('\n');
}

describe('the rooms', () => {
  for (const room of ROOMS.map((folder) => folder.split(path.sep).join('/'))) {
    describe(room, () => {
      it('begins its index.ts with a comment', () => {
        assert.match(read(room, 'index.ts'), /^\/\*\* .+\*\/\n/);
      });

      it('exports only names that another room imports from its index.ts', () => {
        const name = path.posix.basename(room);
        const imports = new RegExp(`\\{([^}]*)\\} from '(?:\\.{1,2}/)+(?:src/)?${name}/index\\.ts'`, 'g');
        const own = name === 'build-service' ? read(room, 'main.ts').replace('./index', '../build-service/index') : '';
        const used = [...`${readImporters(room)}${own}`.matchAll(imports)].flatMap(([, names = '']) =>
          names.split(',').map((each) =>
            each
              .trim()
              .replace(/^type /, '')
              .replace(/ as .*/, ''),
          ),
        );
        assert.deepEqual(
          getFace(room).filter((each) => !used.includes(each)),
          [],
        );
      });

      it('has a README that names only exports of an index.ts and existing files', () => {
        const readme = read(room, 'README.md');
        const names = [...readme.matchAll(/^- .*/gm)].flatMap(([line]) =>
          [...line.matchAll(/`([A-Za-z_]+)(?:\([^`]*\))?`/g)].map(([, name = '']) => name),
        );
        const faces = ROOMS.flatMap(getFace);
        const code = names.filter((name) => /[a-z][A-Z]|_/.test(name));
        assert.deepEqual(
          code.filter((name) => !faces.includes(name)),
          [],
        );
        const files = [...readme.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
        assert.deepEqual(
          files.filter((file) => !existsSync(path.join(repositoryRoot, room, file))),
          [],
        );
      });
    });
  }
});
