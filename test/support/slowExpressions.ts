import { availableParallelism } from 'node:os';
import { check } from 'recheck';

/** A regular expression and its location. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
  /** Location, such as `src/service-client/redaction.ts:44`. */
  readonly place: string;
}

/** Matches unlimited repetition. An expression without it always takes linear time. */
const WITHOUT_END = /[*+]|,\}/;

/** The checker counts how often characters are read, so a busy computer doesn't change the result. */
const OPTIONS = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  // In a string of this length, each character is read at most a few hundred times.
  maxAttackStringSize: 30_000,
  attackLimit: 15_000_000,
  // The checker decides expressions without look-around exactly, up to a few thousand repetitions of their parts.
  maxRepeatCount: 3000,
};

/**
 * Returns the expressions that can take more than linear time: a sentence for each, with a string that demonstrates it.
 * @throws Error if the checker can't decide
 */
export async function slowExpressions(expressions: readonly Expression[]): Promise<readonly string[]> {
  const places = Map.groupBy(
    expressions
      .flatMap((each) => getAlternatives(each.source).map((source) => ({ ...each, source })))
      .filter(({ source }) => WITHOUT_END.test(source)),
    ({ source, flags }) => `/${source}/${flags}`,
  );
  const slow: string[] = [];
  const waiting = [...places];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [text, same] = next;
      const [problem] = await Promise.all(same.slice(0, 1).map(getProblem));
      if (problem !== undefined) {
        slow.push(`${same.map(({ place }) => place).join(', ')}: ${text} ${problem}`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return slow.sort();
}

/** Returns the parts between the outermost `|`. If each takes linear time, the whole expression does. */
function getAlternatives(source: string): readonly string[] {
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

async function getProblem({ source, flags, place }: Expression): Promise<string | undefined> {
  // The checker doesn't support the flag `d`, which only adds details to a match.
  const diagnostics = await check(source, flags.replace('d', ''), OPTIONS);
  if (diagnostics.status === 'unknown') {
    throw new Error(`${place}: ${diagnostics.error.kind}: the checker cannot tell whether the expression is linear`);
  }
  return diagnostics.status === 'safe'
    ? undefined
    : `takes ${diagnostics.complexity.summary} time, such as for ${diagnostics.attack.pattern}`;
}
