import assert from 'node:assert/strict';

import { removeCredentials, withoutCredentialValues } from '../../../src/api/credentials.ts';
import { InvalidInputError } from '../../../src/api/errors/invalidInputError.ts';
import { readableMessage } from '../../../src/api/http/failures.ts';
import { LinkResolver } from '../../../src/api/hypermedia/links.ts';
import { isTemplate, templateVariables } from '../../../src/api/hypermedia/templates.ts';
import { hideSecretsInJson } from '../../../src/api/jsonRedaction.ts';
import { Redactor, redactUrl } from '../../../src/api/redaction.ts';
import { absoluteUrl } from '../../../src/api/serviceRequest.ts';
import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { safeFileName } from '../../../src/resources/downloads/fileName.ts';
import { timeOf, workedMs } from '../../support/processorTime.ts';

/** Bytes of the largest answer that is read. */
const MAX_LENGTH = 4 * 1024 * 1024;
/** Milliseconds that nothing may take at once. */
const MAX_STALL_MS = 50;
/** A text that is looked through in one piece may take as long as it takes to be written and read as JSON so many times. */
const MAX_JSON_ROUND_TRIPS = 3;
/** What hides a secret searches for one of its spellings at once. */
const MAX_SEARCHES = 2;
/** Of the time for a text of four times the length; linear code needs four times as long. */
const MAX_GROWTH = 9;
/** Milliseconds below which a clock says little. */
const MEASURABLE_MS = 10;

const secret = 'aA0%2B"\\/&<é tok-en';
const redactor = new Redactor();
redactor.add(secret, 'aaaaaaaab', 'pa55', 'x'.repeat(300));
const resolver = new LinkResolver('https://build.example/api/v1/me');
const service = parseServiceUrl('https://build.example');

/** Long runs of one character, and near-misses of every pattern: what begins like a match, again and again, and ends otherwise. */
const pieces: readonly string[] = [
  ...Array.from('aA0 .,:;/\\\'"%&+-_~@?#=<>{}[]()$|\t\n\r\u0000\u00ad\u200b\u202e\ud800é😀'),
  'token=',
  'token:',
  '"token"',
  '"token":',
  '"token":"',
  '"token":"\\',
  '\\"token\\":\\"',
  '\\\\\\"token\\\\\\":',
  '"password"\n',
  "'password':'",
  'access_token=',
  '?access_token',
  '&access_token=;',
  '%3Ftoken%3D',
  '%253Ftoken%253D%26',
  'Authorization: ',
  'authorization:\n',
  'cookie ',
  'Basic ',
  'Basic a',
  'Basic aaaa\n',
  'Bearer ',
  'Bearer x',
  'a://',
  'a-',
  'a://b@',
  'https://a:b@',
  '%25',
  '%2',
  '%41x',
  '\\u00',
  '\\u0041x',
  '\\x4',
  '\\n',
  '&amp;',
  '&#65;x',
  '&#x41;',
  '&aaaaaaaaa;',
  '&;',
  'aaaaaaaa ',
  'aaaaaaaa\u200b',
  'a\u200b',
  'aA0%2B"',
  'aA0%252B%22',
  '/../',
  '/./',
  './',
  '/%2e%2e/',
  'a/../',
  '//',
  '{a}',
  '{a,',
  '{?a*',
  '{+',
  '{a:1',
  '{%41',
  '?;',
  '?=',
  '&={',
  '. ',
  ' .',
  '/a ',
  '+\t',
];

/** Those of which each takes another way. */
const longPieces = [
  'a',
  '\\',
  '"',
  '\n',
  '%',
  '&',
  ';',
  'é😀',
  '%41x',
  '\\u0041x',
  '&#x41;',
  'aaaaaaaa\u200b',
  '"token":"\\',
];

interface Subject {
  readonly run: (text: string) => unknown;
  /** Characters of the longest text; {@link MAX_LENGTH} when absent. */
  readonly length?: number;
}

/** A text for whatever it is taken for. */
const anything: Readonly<Record<string, Subject>> = {
  'redacting for the log': { run: (text) => redactor.redact(text) },
  'redacting a URL for the log': { run: (text) => redactUrl(`https://h/${text}`, redactor) },
  'a message of the service': { run: (text) => readableMessage(text, redactor) },
  'what is a link': { run: (text) => resolver.target(text) },
  'what is a link behind a path': { run: (text) => resolver.target(`/x${text}y`) },
  'what is a template': { run: (text) => isTemplate(text) && templateVariables(text) },
  'an address that a person types': { run: (text) => refusal(() => absoluteUrl(`/${text}y`, service)) },
  'an address of a service': { run: (text) => refusal(() => parseServiceUrl(`https://h/${text}y`)) },
  'a file name': { run: (text) => safeFileName(`${text}y`, text, `https://h/${text}y`) },
  // The URL parser is not ours: what it takes for the longest address is part of the bound.
  'the longest address': { run: (text) => resolver.target(`/${text}`), length: 8191 },
  'credentials in the longest address': {
    run: (text) => removeCredentials(new URL(`https://h/?${text}#${text}`)).href + withoutCredentialValues(text),
    length: 8192,
  },
};

/** Texts of any length are looked through with pauses. */
const inText = (text: string) => redactor.hideSecretsInText(text);
const inJson = async (text: string): Promise<string> => (await hideSecretsInJson(text, redactor)).text;
const withPauses: Readonly<
  Record<string, { readonly hide: (text: string) => Promise<string>; readonly textOf: (piece: string) => string }>
> = {
  'hiding in text': { hide: inText, textOf: (piece) => run(piece, MAX_LENGTH / 4) },
  'hiding in text with a secret at its end': { hide: inText, textOf: (piece) => `${run(piece, MAX_LENGTH)} ${secret}` },
  'hiding in a string of JSON': {
    hide: inJson,
    textOf: (piece) => {
      const expansion = (JSON.stringify(piece).length - 2) / piece.length;
      return JSON.stringify([run(piece, MAX_LENGTH / expansion - 100), secret]);
    },
  },
  'hiding in many strings of JSON': {
    hide: inJson,
    textOf: (piece) => `["${secret.slice(-6)}"${`,${JSON.stringify(run(piece, 12))}`.repeat(6_000)}]`,
  },
  'hiding in members of JSON': {
    hide: inJson,
    textOf: (piece) =>
      `{${`"password" : ${JSON.stringify(run(piece, 9))},${JSON.stringify(run(piece, 20))}:1,`.repeat(3_000)}"a":1}`,
  },
};

function refusal(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    assert.ok(error instanceof InvalidInputError, String(error));
    return error;
  }
}

function run(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** The shortest of three times in milliseconds; the first one where it is short. */
function bestTimeOf(work: () => unknown): number {
  let best = Infinity;
  for (let round = 0; round < 3 && best > MEASURABLE_MS; round += 1) {
    best = Math.min(best, timeOf(work));
  }
  return best;
}

/** The longest time in milliseconds without a pause, the shortest of several. */
async function stallOf(work: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  // Whatever else the machine does only adds to it.
  for (let round = 0; round < 12 && best >= MAX_STALL_MS; round += 1) {
    let last = workedMs();
    let longest = 0;
    const tick = (): void => {
      longest = Math.max(longest, workedMs() - last);
      last = workedMs();
    };
    let watching = true;
    const watch = (): void => {
      tick();
      if (watching) {
        setImmediate(watch);
      }
    };
    setImmediate(watch);
    await work();
    tick();
    watching = false;
    best = Math.min(best, longest);
  }
  return best;
}

describe('time is bounded for any text', function () {
  this.timeout(120_000);

  for (const [name, { run: work, length = MAX_LENGTH }] of Object.entries(anything)) {
    it(`${name}: nothing stalls, and time grows with the length`, () => {
      for (const piece of pieces) {
        const text = run(piece, length);
        const quarter = run(piece, length / 4);
        const time = bestTimeOf(() => work(text));
        assert.ok(time < MAX_STALL_MS, `${JSON.stringify(piece)}: ${time.toFixed(1)} ms`);
        if (time > MEASURABLE_MS) {
          // What takes less for the quarter cannot be told from nothing.
          const shorter = Math.max(
            MEASURABLE_MS / 4,
            bestTimeOf(() => work(quarter)),
          );
          const growth = time / shorter;
          assert.ok(growth < MAX_GROWTH, `${JSON.stringify(piece)}: ${growth.toFixed(1)} times as long`);
        }
      }
    });
  }

  for (const [name, { hide, textOf }] of Object.entries(withPauses)) {
    it(`${name}: nothing stalls`, async () => {
      for (const piece of longPieces) {
        // Encoded and decoded, a text is in one piece of memory.
        const text = Buffer.from(textOf(piece)).toString();
        const stall = await stallOf(() => hide(text));
        // A processor that works on something else as well is slower: then what the platform takes for the text is the measure.
        const limit =
          stall < MAX_STALL_MS
            ? MAX_STALL_MS
            : Math.max(
                MAX_JSON_ROUND_TRIPS * bestTimeOf(() => JSON.parse(JSON.stringify(text))),
                MAX_SEARCHES * bestTimeOf(() => text.replaceAll('aaaaaaaab', '')),
              );
        assert.ok(stall < Math.max(MAX_STALL_MS, limit), `${JSON.stringify(piece)}: ${stall.toFixed(1)} ms`);
      }
    });
  }
});
