import {
  concatenated,
  EXPRESSION,
  literalOf,
  NODE_FUNCTIONS,
  nodeValue,
  pathOfUrl,
  PROTOTYPE_KEYS,
  evaluatedUrl,
  type Evaluated,
} from './configValue.ts';
import {
  isFunction,
  isTyped,
  keyName,
  nameOfNode,
  requiredBy,
  Scope,
  type Node,
  type ScopedNode,
  type ScriptModule,
} from './scriptModule.ts';

/** Names, properties, spreads and operands that are followed for one value. */
const MAX_STEPS = 2_000;

/** Modules of Node whose functions are known. */
const NODE_MODULES = /^(?:node:)?(path|url|process)(?:\/posix)?$/;
/** Names of Node that need no import. */
const NODE_GLOBALS: readonly string[] = ['process', 'URL', '__dirname', '__filename'];

/** Functions that put one object over another; all others are taken to hand on the first object that they are given. */
const MERGES = /^(?:mergeConfig|merge|(?:Object\.)?assign)$/;

/** The value is followed no further. */
export class TooManyStepsError extends Error {}

/** Follows one value of a module, which is not run. Its methods throw a TooManyStepsError, or a RangeError. */
export class ScriptEvaluation {
  readonly #module: ScriptModule;
  readonly #fileName: string;
  #steps = 0;

  constructor(module: ScriptModule, fileName: string) {
    this.#module = module;
    this.#fileName = fileName;
  }

  /** The expression behind types and names. */
  resolve({ node, scope }: ScopedNode): ScopedNode {
    for (;;) {
      this.#step();
      if (isTyped(node)) {
        node = node.expression;
        continue;
      }
      const found = node.type === 'Identifier' ? scope.get(node.name) : undefined;
      if (found === undefined) {
        return { node, scope };
      }
      ({ node, scope } = found);
    }
  }

  /** The object that a configuration is, also one that a function makes or is given; else what is there instead. */
  objectOf(place: ScopedNode): ScopedNode {
    const found = this.resolve(place);
    const { node, scope } = found;
    if (isFunction(node)) {
      const returned = this.#module.returnedBy(node, scope);
      return returned === undefined ? found : this.objectOf(returned);
    }
    if (node.type === 'AwaitExpression') {
      return this.objectOf({ node: node.argument, scope });
    }
    if (node.type === 'CallExpression' && mergedIn(node) === undefined) {
      const given = node.arguments.map((argument) => this.objectOf({ node: argument, scope }));
      return given.find((argument) => isObject(argument.node)) ?? found;
    }
    return found;
  }

  /** @returns undefined when the object has no such key; what may hold the key, when that is not known */
  property({ node, scope }: ScopedNode, key: string): ScopedNode | undefined {
    this.#step();
    if (PROTOTYPE_KEYS.includes(key)) {
      return undefined;
    }
    const merged = mergedIn(node);
    if (merged !== undefined) {
      const found = merged
        .map((object) => this.property(this.objectOf({ node: object, scope }), key))
        .filter((property) => property !== undefined);
      const last = found.at(-1);
      if (last === undefined || found.length === 1 || ['literal', 'path'].includes(this.evaluate(last).kind)) {
        return last;
      }
      // Two objects may be merged in depth: the name of the function stands for the unknown value.
      return { node: node.type === 'CallExpression' ? node.callee : node, scope: new Scope() };
    }
    if (node.type !== 'ObjectExpression') {
      return this.evaluate({ node, scope }).kind === 'expression' ? { node, scope } : undefined;
    }
    for (const property of node.properties.toReversed()) {
      this.#step();
      if (property.type === 'SpreadElement') {
        const spread = this.property(this.resolve({ node: property.argument, scope }), key);
        if (spread !== undefined) {
          return spread;
        }
        continue;
      }
      const name = property.computed ? this.evaluate({ node: property.key, scope }) : undefined;
      if (name !== undefined && name.kind !== 'literal' && name.kind !== 'absent') {
        return { node: property.key, scope };
      }
      if ((name?.kind === 'literal' ? String(name.value) : keyName(property.key)) === key) {
        return { node: property.value, scope };
      }
    }
    return undefined;
  }

  evaluate(place: ScopedNode): Evaluated {
    const { node, scope } = this.resolve(place);
    const operand = (of: Node): Evaluated => this.evaluate({ node: of, scope });
    if (node.type === 'Literal') {
      return literalOf(node.value);
    }
    if (node.type === 'TemplateLiteral') {
      const values = node.expressions.map(operand);
      return concatenated(
        node.quasis.flatMap(({ value }, index) => [literalOf(value.cooked), ...values.slice(index, index + 1)]),
      );
    }
    if (node.type === 'BinaryExpression' && node.operator === '+' && node.left.type !== 'PrivateIdentifier') {
      const values = [operand(node.left), operand(node.right)];
      const isText = values.some(
        (value) => value.kind === 'path' || (value.kind === 'literal' && typeof value.value === 'string'),
      );
      return isText ? concatenated(values) : EXPRESSION;
    }
    if (node.type === 'UnaryExpression') {
      const value = operand(node.argument);
      if (value.kind !== 'literal') {
        return EXPRESSION;
      }
      if (node.operator === '-' && typeof value.value === 'number') {
        return literalOf(-value.value);
      }
      return node.operator === '!' ? literalOf(!value.value) : EXPRESSION;
    }
    if (node.type === 'CallExpression') {
      const call = NODE_FUNCTIONS.get(this.#nodeName({ node: node.callee, scope }) ?? '');
      return call === undefined ? EXPRESSION : call(node.arguments.map(operand));
    }
    if (node.type === 'NewExpression') {
      const isUrl = /^(?:url\.)?URL$/.test(this.#nodeName({ node: node.callee, scope }) ?? '');
      return isUrl ? evaluatedUrl(node.arguments.map(operand)) : EXPRESSION;
    }
    return this.#named({ node, scope });
  }

  /** The value of a name that no statement declares, or of `object.name`. */
  #named({ node, scope }: ScopedNode): Evaluated {
    if (node.type === 'Identifier' && node.name === 'undefined') {
      return { kind: 'absent' };
    }
    const name = this.#nodeName({ node, scope });
    const value = name === undefined ? undefined : nodeValue(name, this.#fileName);
    if (value !== undefined || node.type !== 'MemberExpression' || node.computed) {
      return value ?? EXPRESSION;
    }
    return keyName(node.property) === 'pathname' ? pathOfUrl(this.evaluate({ node: node.object, scope })) : EXPRESSION;
  }

  /** What Node calls the thing that an expression names, such as `path.join` for an imported `join`. */
  #nodeName(place: ScopedNode): string | undefined {
    const { node, scope } = this.resolve(place);
    if (node.type === 'MetaProperty') {
      return nameOfMeta(node);
    }
    if (node.type === 'MemberExpression') {
      const object = node.computed ? undefined : this.#nodeName({ node: node.object, scope });
      const name = keyName(node.property);
      return object === undefined || name === undefined ? undefined : nodeMember(object, name);
    }
    const required = requiredBy(node);
    if (required !== undefined) {
      return NODE_MODULES.exec(required)?.[1];
    }
    if (node.type !== 'Identifier' || scope.has(node.name)) {
      return undefined;
    }
    const imported = this.#module.imports.get(node.name);
    if (imported === undefined) {
      return NODE_GLOBALS.find((name) => name === node.name);
    }
    const module = NODE_MODULES.exec(imported.module)?.[1];
    return module === undefined || imported.name === undefined ? module : nodeMember(module, imported.name);
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) {
      throw new TooManyStepsError();
    }
  }
}

function nameOfMeta({ meta, property }: Extract<Node, { type: 'MetaProperty' }>): string {
  return `${meta.name}.${property.name}`;
}

/** `path.posix` and `path.default` are as `path` is. */
function nodeMember(object: string, name: string): string {
  return ['posix', 'default'].includes(name) ? object : `${object}.${name}`;
}

function isObject(node: Node): boolean {
  return node.type === 'ObjectExpression' || mergedIn(node) !== undefined;
}

/** The objects of a call that puts one over another. */
function mergedIn(node: Node): readonly Node[] | undefined {
  return node.type === 'CallExpression' && MERGES.test(nameOfNode(node.callee)) ? node.arguments : undefined;
}
