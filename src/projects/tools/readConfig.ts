import { TextLines } from '../../formats/textLines.ts';
import {
  ABSENT,
  pathIn,
  PROTOTYPE_KEYS,
  type Call,
  type Evaluated,
  type Expression,
  type Fields,
  type PathValue,
  type Value,
} from './configValue.ts';
import { ScriptEvaluation, TooManyStepsError } from './scriptEvaluation.ts';
import { keyName, nameOfNode, ScriptModule, type Node, type ScopedNode } from './scriptModule.ts';

/** Longer ones are not written by hand. */
const MAX_JSON_LENGTH = 128 * 1024;
const MAX_SCRIPT_LENGTH = 64 * 1024;

const BROKEN: Expression = { kind: 'expression', line: 1, isBroken: true };

/** Of a file that says nothing that can be read. */
const UNREADABLE: Fields = {
  at: () => BROKEN,
  path: () => BROKEN,
  calls: () => [],
  keys: () => [],
};

/**
 * The configuration that a JavaScript, TypeScript or JSON file exports, as far as it says it in literals. It is read, never run.
 * Never throws: of what cannot be parsed every value is an expression of line 1.
 */
export async function readConfig(text: string, fileName: string): Promise<Fields> {
  const plain = text.replace(/^\uFEFF/, '');
  const isJson = /\.jsonc?$/i.test(fileName);
  if (plain.length > (isJson ? MAX_JSON_LENGTH : MAX_SCRIPT_LENGTH)) {
    return UNREADABLE;
  }
  try {
    const { parseScript } = await import('./scriptParser.ts');
    // JSON, with comments too, is a value of JavaScript.
    const code = isJson ? `export default ${plain}` : plain;
    const module = new ScriptModule(parseScript(code, /\.[cm]?ts$/i.test(fileName)));
    const { exported } = module;
    if (exported === undefined) {
      return UNREADABLE;
    }
    const script: Script = { module, lines: new TextLines(code), fileName };
    return new ScriptFields(
      script,
      counted(script, (evaluation) => evaluation.objectOf(exported), exported),
    );
  } catch {
    // Broken, nested too deep (RangeError), or too much.
    return UNREADABLE;
  }
}

interface Script {
  readonly module: ScriptModule;
  readonly lines: TextLines;
  readonly fileName: string;
}

/** The result of a function, unless it takes too long, or needs too much of the stack. */
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
    const name = nameOfNode(callee);
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
