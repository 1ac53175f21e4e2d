import jsTokens from 'js-tokens';

/** A comment, a test title, UI text, or a line of a page. */
interface Prose {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export type Pattern =
  | 'what is'
  | 'person'
  | 'says'
  | 'is no'
  | 'fragment'
  | 'below'
  | 'stands'
  | 'takes'
  | 'as it is'
  | 'also'
  | 'word';

/** Verbs before a clause with "what" that is a question, such as "decides what is sent". */
const ASKING = '(?:ask|check|choose|decide|define|determine|explain|know|remember|see|show|understand|depends on)';

/** The patterns of docs/writing.md. Each sounds translated, or hides the noun that the sentence is about. */
export const PATTERNS: Readonly<Record<Pattern, RegExp>> = {
  'what is': new RegExp(
    `(?<!${ASKING}(?:s|d|n|ing)? )(?<=[\\w,;:)] )what (?:is|are|was|were|has|have|had|can|may|might|must|should|would|will|does|did|it|they|one|nothing|no|of|else|[a-z]+s (?:from|in|on|to|by|it|them|with))\\b`,
    'gi',
  ),
  person: /\b(?:persons?|people|whoever|somebody|nobody|anybody|everybody)\b/gi,
  says: /\b(?:says|said)\b/gi,
  'is no': /\b(?:is|are|was|were) no\b(?! longer| more)/gi,
  fragment: /^(?:Of|Whose|Those|Than)\b/g,
  below: /\b(?:behind|below)\b/gi,
  stands: /\b(?:stands?|stood)\b/gi,
  // With some words, such as time and pictures, `takes` is plain English.
  takes:
    /\btakes\b(?! (?:an? (?:while|moment|few|long|hundred|picture|second|minute)|about|time|too|long|longer|much|most|more|several|some|seconds|minutes|precedence|ownership|effect|place|over|pictures|screenshots|the (?:pictures?|focus|port)|linear|quadratic|tens|half|one|depends|\d))/gi,
  'as it is': /\bas (?:it is|they are)\b/gi,
  also: /\balso (?:one|those|when|if|where|of|by|from|in|with|what|without)\b|,? too[.:]?$|, too\b|\btoo\./gi,
  word: /\b(?:of others|foreign|goes on|is taken for|for good|tells|the same way|to be had|(?:is|are) to be|anew|by itself|at once|lies|let alone|comes out|one[’']s)\b/gi,
};

/** Functions whose first argument is a title or UI text. */
const CALLS = /^(?:it|itOnPosix|describe|property|t|sentence|localised)$/;

/** Returns the prose of a file. The file name decides what kind it is; other kinds have none. */
export function getProse(file: string, text: string): readonly Prose[] {
  if (/\.(?:[cm]?[jt]s|java)$/.test(file)) {
    return getCodeProse(text);
  }
  if (file.endsWith('.css')) {
    return Array.from(text.matchAll(/\/\*[^]*?\*\//g), ({ 0: comment, index }) => ({
      line: text.slice(0, index).split('\n').length,
      text: plain(comment),
    }));
  }
  if (file.endsWith('.md')) {
    let isCode = false;
    return text.split('\n').flatMap((line, index) => {
      const isFence = /^\s*(?:```|~~~)/.test(line);
      isCode = isFence !== isCode;
      return isCode || isFence ? [] : [{ line: index + 1, text: plain(line) }];
    });
  }
  return file.endsWith('.json') ? getJsonProse(file, text) : [];
}

/** Comments, test titles, and strings that are translated. Line comments under each other are one comment. */
function getCodeProse(code: string): readonly Prose[] {
  const found: { line: number; text: string }[] = [];
  let line = 1;
  let lastComment = 0;
  let isCall = false;
  let callee = '';
  for (const { type, value } of jsTokens(code)) {
    if (type === 'SingleLineComment' || type === 'MultiLineComment') {
      const last = found.at(-1);
      if (last !== undefined && value.startsWith('//') && lastComment === line - 1) {
        last.text = `${last.text} ${plain(value)}`;
      } else {
        found.push({ line, text: plain(value) });
      }
      lastComment = value.startsWith('//') ? line : 0;
    } else if (!/^(?:WhiteSpace|LineTerminatorSequence)$/.test(type)) {
      if (isCall && /^(?:StringLiteral|NoSubstitutionTemplate|TemplateHead)$/.test(type)) {
        found.push({ line, text: plain(value.slice(1, -1)) });
      }
      isCall = value === '(' && CALLS.test(callee);
      callee = type === 'IdentifierName' ? value : '';
    }
    line += value.split('\n').length - 1;
  }
  return found;
}

/** Descriptions, and all strings in package.nls.json. */
function getJsonProse(file: string, json: string): readonly Prose[] {
  const isShown = /(?:^|[/\\])package\.nls\.json$/.test(file) ? /./ : /description$/i;
  return json.split('\n').flatMap((line, index) => {
    const [, key = '', text = ''] = /^\s*"([^"]+)":\s*"((?:\\.|[^"\\])*)"/.exec(line) ?? [];
    return text !== '' && isShown.test(key) ? [{ line: index + 1, text: plain(text) }] : [];
  });
}

/** Returns text on one line, without comment delimiters and code in backticks. */
function plain(text: string): string {
  return text
    .replaceAll(/^\/\*+|\*+\/$|^\/\/+/g, '')
    .replaceAll(/\n\s*\*?/g, ' ')
    .replaceAll(/`[^`]*`/g, '`…`')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
