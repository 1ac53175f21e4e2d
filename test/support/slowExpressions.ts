import { availableParallelism } from 'node:os';
import { check } from 'recheck';

/** A regular expression, and where it stands. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
  /** Such as `src/api/redaction.ts:44`. */
  readonly place: string;
}

/** What cannot repeat without end cannot take longer than the text is long. */
const WITHOUT_END = /[*+]|,\}/;

/** What decides is how often characters are looked at, never the time that a busy machine takes for it. */
const OPTIONS = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  // In a text of so many characters, each is looked at a few hundred times at most.
  maxAttackStringSize: 30_000,
  attackLimit: 15_000_000,
  // An expression without look-around is decided exactly, up to some thousand repetitions of its parts.
  maxRepeatCount: 3000,
};

/**
 * The expressions that can take more than linear time for a text, a sentence for each with a text that shows it.
 *
 * @throws Error when the checker cannot tell
 */
export async function slowExpressions(expressions: readonly Expression[]): Promise<readonly string[]> {
  const places = Map.groupBy(
    expressions
      .flatMap((each) => alternativesOf(each.source).map((source) => ({ ...each, source })))
      .filter(({ source }) => WITHOUT_END.test(source)),
    ({ source, flags }) => `/${source}/${flags}`,
  );
  const slow: string[] = [];
  const waiting = [...places];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [text, same] = next;
      const [problem] = await Promise.all(same.slice(0, 1).map(problemOf));
      if (problem !== undefined) {
        slow.push(`${same.map(({ place }) => place).join(', ')}: ${text} ${problem}`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return slow.sort();
}

/** What stands between the outermost `|`: where each takes linear time, all together do. */
function alternativesOf(source: string): readonly string[] {
  const alternatives = [''];
  let depth = 0;
  for (const [part] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[^]/gu)) {
    depth += part === '(' ? 1 : part === ')' ? -1 : 0;
    if (part === '|' && depth === 0) {
      alternatives.push('');
    } else {
      alternatives.push(`${alternatives.pop() ?? ''}${part}`);
    }
  }
  return alternatives;
}

async function problemOf({ source, flags, place }: Expression): Promise<string | undefined> {
  // The checker does not know `d`, which says only what a match tells.
  const diagnostics = await check(source, flags.replace('d', ''), OPTIONS);
  if (diagnostics.status === 'unknown') {
    throw new Error(`${place}: ${diagnostics.error.kind}: the checker cannot tell whether the expression is linear`);
  }
  return diagnostics.status === 'safe'
    ? undefined
    : `takes ${diagnostics.complexity.summary} time, such as for ${diagnostics.attack.pattern}`;
}
