import assert from 'node:assert/strict';
import fc from 'fast-check';

import { filesNamedIn } from '../../../src/configXml/namedFiles.ts';
import type { ProblemCode } from '../../../src/configXml/configProblem.ts';
import { parseXml } from '../../../src/configXml/xmlDocument.ts';
import { BuildError } from '../../../src/localService/builds/builder.ts';
import { projectConfig } from '../../../src/localService/builds/cordova/projectConfig.ts';
import { parseConfig } from '../../../src/localService/builds/packages/packageConfig.ts';
import { problemsOf } from '../../support/configXml.ts';

/** What the local service looks at before it builds. */
const CODES: ReadonlySet<ProblemCode> = new Set([
  ...(['idMissing', 'idMalformed', 'versionMissing', 'versionMalformed', 'nameMissing', 'startPageMissing'] as const),
]);

const ID_PARTS = [...'com example app my_app my-app A1 2fast _x new class Ä'.split(' '), '', ' ', 'a b'];
const VERSIONS = [...'1 1.0.0 1.2.3.4 1.2.3.4.5 0.0.1 v1 1.0-beta abc 1. 1234567890 ١'.split(' '), ' 1'];
const NAMES = [...'App @ ?x ${} " Ünï <![CDATA[x]]> &amp; &lt; <b>x</b>'.split(' '), '', ' ', '<!-- x -->'];
const PAGES = ['index.html', 'start.html', './start.html?x=1', '/a/b.html#c', 'START.html', 'https://example.com/', ''];
const FILES = ['index.html', 'start.html', 'a/b.html', 'Index.html'];

interface Sample {
  readonly id: string | undefined;
  readonly version: string | undefined;
  readonly names: readonly string[];
  readonly page: string | undefined;
  /** Below `www`. */
  readonly files: readonly string[];
}

const optional = (values: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> =>
  fc.option(values, { nil: undefined });

const samples: fc.Arbitrary<Sample> = fc.record({
  id: optional(
    fc.oneof(
      { weight: 2, arbitrary: fc.constant('com.example.app') },
      fc.array(fc.constantFrom(...ID_PARTS), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
    ),
  ),
  version: optional(fc.oneof({ weight: 2, arbitrary: fc.constant('1.0.0') }, fc.constantFrom(...VERSIONS))),
  names: fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant('App') }, fc.constantFrom(...NAMES)), { maxLength: 2 }),
  page: optional(fc.constantFrom(...PAGES)),
  files: fc.subarray(FILES),
});

function textOf({ id, version, names, page }: Sample): string {
  const attributes = `${id === undefined ? '' : ` id="${id}"`}${version === undefined ? '' : ` version="${version}"`}`;
  const elements = names.map((name) => `<name>${name}</name>`).join('\n');
  return `<widget${attributes}>\n${elements}\n${page === undefined ? '' : `<content src="${page}" />`}\n</widget>`;
}

/** The errors of the check that the service, too, has an opinion of. */
function errorsOf(text: string, files: readonly string[]): readonly ProblemCode[] {
  const all = new Set(files.map((file) => `www/${file}`));
  const missing = filesNamedIn(parseXml(text)).filter(({ candidates }) => !candidates.some((each) => all.has(each)));
  return problemsOf(
    text,
    missing.map(({ path }) => path),
  ).flatMap(({ code, severity }) => (severity === 'error' && CODES.has(code) ? [code] : []));
}

/** The reason why the local service does not build; undefined when it does. */
function refusalOf(text: string, files: readonly string[]): string | undefined {
  try {
    const config = parseConfig(new TextEncoder().encode(text), 'android');
    const app = { title: '', package: '', version: '', description: '' };
    const job = { app, platform: 'android', source: { config, webFiles: files } } as const;
    projectConfig(job, new Map(), '', () => undefined);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof BuildError);
    return error.message;
  }
}

/** True where the check is stricter than the service, which takes a version of its own, and leaves the rest to Android. */
function isStricter({ id, version }: Sample): boolean {
  return version === undefined || /^[A-Za-z]\./.test(id ?? '');
}

describe('config.xml: the check and the local service', () => {
  it('the service builds what the check finds right, and the check finds nothing in what the service builds', () => {
    let built = 0;
    let refused = 0;
    fc.assert(
      fc.property(samples, (sample) => {
        const text = textOf(sample);
        const errors = errorsOf(text, sample.files);
        const refusal = refusalOf(text, sample.files);
        if (errors.length === 0) {
          assert.equal(refusal, undefined, text);
          built += 1;
        } else if (!isStricter(sample)) {
          assert.notEqual(refusal, undefined, `${errors.join(', ')}: ${text}`);
          refused += 1;
        }
      }),
      { numRuns: 1000 },
    );
    assert.ok(built > 20 && refused > 100, `${built} built, ${refused} refused`);
  });
});
