import type { Program } from 'acorn';

import {
  ABSENT,
  pathIn,
  PROTOTYPE_KEYS,
  UNREADABLE,
  type Call,
  type Expression,
  type Fields,
  type PathValue,
  type Value,
} from './configValue.ts';
import type { Evaluated } from './pathLiterals.ts';
import { ScriptEvaluation, TooManyStepsError } from './scriptEvaluation.ts';
import { ScriptModule, type ScopedNode } from './scriptModule.ts';
import { keyName, nameOf, type Node } from './syntaxTree.ts';
import { TextLines } from '../textLines.ts';

/** The object that a script exports. */
export function fieldsOf(program: Program, text: string, fileName: string): Fields {
  const script: Script = { module: new ScriptModule(program), lines: new TextLines(text), fileName };
  const { exported } = script.module;
  if (exported === undefined) {
    return UNREADABLE;
  }
  return new ScriptFields(
    script,
    counted(script, (evaluation) => evaluation.objectOf(exported), exported),
  );
}

interface Script {
  readonly module: ScriptModule;
  readonly lines: TextLines;
  readonly fileName: string;
}

/** What a function finds, unless it takes too long, or needs too much of the stack. */
function counted<T>({ module, fileName }: Script, find: (evaluation: ScriptEvaluation) => T, otherwise: T): T {
  try {
    return find(new ScriptEvaluation(module, fileName));
  } catch (error) {
    if (error instanceof TooManyStepsError || error instanceof RangeError) {
      return otherwise;
    }
    throw error;
  }
}

/** An object of a script, or what is there instead. */
class ScriptFields implements Fields {
  readonly #script: Script;
  readonly #root: ScopedNode | undefined;

  constructor(script: Script, root: ScopedNode | undefined) {
    this.#script = script;
    this.#root = root;
  }

  at(...keys: string[]): Value {
    return this.#evaluated(keys, (evaluated, line) =>
      evaluated.kind === 'literal' ? { ...evaluated, line } : { kind: 'expression', line },
    );
  }

  path(...keys: string[]): PathValue {
    return this.#evaluated(keys, (evaluated, line) => {
      if (evaluated.kind === 'path') {
        return { kind: 'literal', value: evaluated.path, isResolved: evaluated.isResolved, line };
      }
      return evaluated.kind === 'literal' ? pathIn({ ...evaluated, line }) : { kind: 'expression', line };
    });
  }

  calls(...keys: string[]): readonly Call[] {
    return counted(
      this.#script,
      (evaluation) => {
        const found = this.#find(evaluation, keys);
        if (found?.node.type !== 'ArrayExpression') {
          return this.#call(found);
        }
        const { scope } = found;
        return found.node.elements.flatMap((element) =>
          element === null ? [] : this.#call(evaluation.resolve({ node: element, scope })),
        );
      },
      [],
    );
  }

  keys(...keys: string[]): readonly string[] {
    return counted(this.#script, (evaluation) => keysOf(this.#find(evaluation, keys)?.node), []);
  }

  #evaluated<T>(
    keys: readonly string[],
    valueOf: (evaluated: Evaluated, line: number) => T,
  ): T | typeof ABSENT | Expression {
    const unknown: Expression = {
      kind: 'expression',
      line: this.#root === undefined ? 1 : this.#line(this.#root.node),
    };
    return counted<T | typeof ABSENT | Expression>(
      this.#script,
      (evaluation) => {
        const found = this.#find(evaluation, keys);
        const evaluated = found === undefined ? ABSENT : evaluation.evaluate(found);
        return found === undefined || evaluated.kind === 'absent' ? ABSENT : valueOf(evaluated, this.#line(found.node));
      },
      unknown,
    );
  }

  #find(evaluation: ScriptEvaluation, keys: readonly string[]): ScopedNode | undefined {
    let found = this.#root;
    for (const key of keys) {
      found = found === undefined ? undefined : evaluation.property(evaluation.resolve(found), key);
    }
    return found === undefined ? undefined : evaluation.resolve(found);
  }

  #call(place: ScopedNode | undefined): readonly Call[] {
    if (place?.node.type !== 'CallExpression') {
      return [];
    }
    const { callee, arguments: given } = place.node;
    const name = nameOf(callee);
    return [
      {
        callee: name,
        module: this.#script.module.imports.get(name.split('.')[0] ?? '')?.module,
        line: this.#line(place.node),
        argument: new ScriptFields(this.#script, given[0] && { node: given[0], scope: place.scope }),
      },
    ];
  }

  #line(node: Node): number {
    return this.#script.lines.lineAt(node.start);
  }
}

function keysOf(node: Node | undefined): readonly string[] {
  return (node?.type === 'ObjectExpression' ? node.properties : [])
    .map((property) => (property.type === 'Property' && !property.computed ? keyName(property.key) : undefined))
    .filter((key) => key !== undefined)
    .filter((key) => !PROTOTYPE_KEYS.includes(key));
}
