import { tsPlugin } from '@sveltejs/acorn-typescript';
import {
  getLineInfo,
  Parser,
  type AnonymousFunctionDeclaration,
  type AnyNode,
  type ArrowFunctionExpression,
  type FunctionDeclaration,
  type FunctionExpression,
  type Pattern,
  type Program,
} from 'acorn';
import { getNodeValue, parseTree, type Node as JsonNode, type ParseError } from 'jsonc-parser';

declare module 'acorn' {
  /** What acorn has, and its types leave out. */
  interface Parser {
    readonly pos: number;
    nextToken(): void;
    raise(position: number, message: string): never;
  }
}

export type Literal = string | number | boolean | null;

/** What a configuration says at one place; lines count from 1. */
export type Value =
  | { readonly kind: 'literal'; readonly value: Literal; readonly line: number }
  | { readonly kind: 'absent' }
  /** Nobody can tell without running it. */
  | { readonly kind: 'expression'; readonly line: number };

/** An object of a configuration. */
export interface Fields {
  /** The value below these keys. */
  at(...path: string[]): Value;
  /** The call below these keys, or the calls in the array there. */
  calls(...path: string[]): readonly Call[];
  /** Keys of the object below these keys, as far as they are literal. */
  keys(...path: string[]): readonly string[];
}

export interface Call {
  /** Name of the function, such as `adapter`; empty when it has none. */
  readonly callee: string;
  /** The module that the function is imported from. */
  readonly module: string | undefined;
  readonly line: number;
  /** Its first argument. */
  readonly argument: Fields;
}

/** Longer ones are nobody's own work. */
const MAX_CONFIG_LENGTH = 256 * 1024;
/** Cost of reading a text, and more for each character: the plugin tries several readings of `<a>(`, each of what is in there, too. */
const MAX_COST = 300_000;
const MAX_COST_OF_CHARACTER = 8;
/** Of a token, beside its characters. */
const TOKEN_COST = 20;
/** Of a reading that fails, beside that of counting the lines up to there. */
const ERROR_COST = 400;
/** Names, spreads and operands that are followed for one value. */
const MAX_STEPS = 2_000;
const MAX_TEXT_LENGTH = 10_000;

/** Keys by which a text would reach what JavaScript keeps for itself. */
const PROTOTYPE_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** Functions that put one object over another; all others are taken to hand on the first object that they are given. */
const MERGES = /^(?:mergeConfig|merge|(?:Object\.)?assign)$/;

const ABSENT: Value = { kind: 'absent' };

const UNREADABLE: Fields = {
  at: () => ({ kind: 'expression', line: 1 }),
  calls: () => [],
  keys: () => [],
};

/** The text is read no further. */
class TooMuchError extends Error {}

/**
 * The configuration that a JavaScript, TypeScript or JSON file exports, as far as it says it in literals. It is read, never run.
 */
export class ConfigModule implements Fields {
  readonly #fields: Fields;
  /** By name: the module that it is imported from. */
  readonly imports: ReadonlyMap<string, string>;

  private constructor(fields: Fields, imports: ReadonlyMap<string, string> = new Map()) {
    this.#fields = fields;
    this.imports = imports;
  }

  /** Never throws: of what cannot be parsed every value is an expression of line 1. */
  static read(text: string, fileName: string): ConfigModule {
    if (text.length > MAX_CONFIG_LENGTH) {
      return new ConfigModule(UNREADABLE);
    }
    const plain = text.replace(/^\uFEFF/, '');
    try {
      if (/\.jsonc?$/i.test(fileName)) {
        return new ConfigModule(jsonFields(plain));
      }
      const script = new Script(parsed(plain, /\.[cm]?ts$/i.test(fileName)), plain);
      return new ConfigModule(script.exported(), script.imports);
    } catch {
      // Broken, nested too deep (RangeError), or too much.
      return new ConfigModule(UNREADABLE);
    }
  }

  at(...path: string[]): Value {
    return this.#fields.at(...path);
  }

  calls(...path: string[]): readonly Call[] {
    return this.#fields.calls(...path);
  }

  keys(...path: string[]): readonly string[] {
    return this.#fields.keys(...path);
  }
}

function jsonFields(text: string): Fields {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  return root === undefined || errors.length > 0 ? UNREADABLE : new JsonFields(root, text);
}

class JsonFields implements Fields {
  readonly #root: JsonNode;
  readonly #text: string;

  constructor(root: JsonNode, text: string) {
    this.#root = root;
    this.#text = text;
  }

  at(...path: string[]): Value {
    const node = this.#find(path);
    if (node === undefined) {
      return ABSENT;
    }
    const { line } = getLineInfo(this.#text, node.offset);
    const value: unknown = node.children === undefined ? getNodeValue(node) : undefined;
    return isLiteral(value) ? { kind: 'literal', value, line } : { kind: 'expression', line };
  }

  calls(): readonly Call[] {
    return [];
  }

  keys(...path: string[]): readonly string[] {
    return (this.#find(path)?.children ?? []).map(keyOf).filter((key) => key !== undefined);
  }

  #find(path: readonly string[]): JsonNode | undefined {
    let node: JsonNode | undefined = this.#root;
    for (const key of path) {
      // Of two of a name the last one counts, as for JSON.parse.
      const property: JsonNode | undefined = node?.children?.findLast((child) => keyOf(child) === key);
      node = property?.children?.[1];
    }
    return node;
  }
}

/** Of a property; undefined for an element of an array, and for what is not to be followed. */
function keyOf({ type, children }: JsonNode): string | undefined {
  const key: unknown = type === 'property' ? children?.[0]?.value : undefined;
  return typeof key === 'string' && !PROTOTYPE_KEYS.includes(key) ? key : undefined;
}

function isLiteral(value: unknown): value is Literal {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Ends what would take exponentially long. */
function limited(BaseParser: typeof Parser): typeof Parser {
  return class extends BaseParser {
    #cost = 0;

    override nextToken(): void {
      const from = this.pos;
      super.nextToken();
      this.#count(TOKEN_COST + Math.max(0, this.pos - from));
    }

    override raise(position: number, message: string): never {
      this.#count(ERROR_COST + position);
      super.raise(position, message);
    }

    #count(cost: number): void {
      this.#cost += cost;
      if (this.#cost > MAX_COST + MAX_COST_OF_CHARACTER * this.input.length) {
        throw new TooMuchError();
      }
    }
  };
}

const JavaScriptParser = Parser.extend(limited);
const TypeScriptParser = Parser.extend(tsPlugin(), limited);

function parsed(text: string, isTypeScript: boolean): Program {
  if (isTypeScript) {
    return TypeScriptParser.parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  }
  try {
    return JavaScriptParser.parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      throw error;
    }
    // A CommonJS module may hold what strict code may not.
    return JavaScriptParser.parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
    });
  }
}

/** What the plugin adds to acorn's nodes, as far as it stands around a value. */
interface TypedNode {
  readonly type: 'TSAsExpression' | 'TSSatisfiesExpression' | 'TSNonNullExpression' | 'TSTypeAssertion';
  readonly start: number;
  readonly end: number;
  readonly expression: Node;
}

interface ExportAssignment {
  readonly type: 'TSExportAssignment';
  readonly start: number;
  readonly end: number;
  readonly expression: Node;
}

type Node = AnyNode | TypedNode | ExportAssignment;

type FunctionNode = ArrowFunctionExpression | FunctionExpression | FunctionDeclaration | AnonymousFunctionDeclaration;

/** By name: its value; undefined when that cannot be told. */
type Names = ReadonlyMap<string, Place | undefined>;

/** A node, and what the names in it stand for. */
interface Place {
  readonly node: Node;
  readonly names: Names;
}

/** A module of JavaScript. */
class Script {
  readonly #program: Program;
  readonly #text: string;
  readonly #assigned: ReadonlySet<string>;
  readonly #names: Names;
  readonly imports: ReadonlyMap<string, string>;
  #steps = 0;

  constructor(program: Program, text: string) {
    this.#program = program;
    this.#text = text;
    this.#assigned = assignedNames(program);
    this.#names = this.#declared(program.body, new Map());
    this.imports = importsOf(program);
  }

  /** The object that the module exports. */
  exported(): Fields {
    const exported = exportsOf(this.#program).at(-1);
    if (exported === undefined || this.#assigned.has('module') || this.#assigned.has('exports')) {
      return UNREADABLE;
    }
    const place: Place = { node: exported, names: this.#names };
    return this.#fieldsOf(this.#counted(() => this.#objectOf(place), place));
  }

  #fieldsOf(root: Place | undefined): Fields {
    const find = (path: readonly string[]): Place | undefined => {
      let place = root;
      for (const key of path) {
        place =
          place === undefined || PROTOTYPE_KEYS.includes(key) ? undefined : this.#property(this.#resolve(place), key);
      }
      return place === undefined ? undefined : this.#resolve(place);
    };
    const expression: Value = { kind: 'expression', line: root === undefined ? 1 : this.#line(root.node) };
    return {
      at: (...path) =>
        this.#counted(() => {
          const place = find(path);
          return place === undefined ? ABSENT : this.#value(place);
        }, expression),
      calls: (...path) => this.#counted(() => this.#callsAt(find(path)), []),
      keys: (...path) => this.#counted(() => keysOf(find(path)?.node), []),
    };
  }

  /** What a function gives, unless it takes too long, or needs too much of the stack. */
  #counted<T>(compute: () => T, otherwise: T): T {
    this.#steps = 0;
    try {
      return compute();
    } catch (error) {
      if (error instanceof TooMuchError || error instanceof RangeError) {
        return otherwise;
      }
      throw error;
    }
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) {
      throw new TooMuchError();
    }
  }

  #line(node: Node): number {
    return getLineInfo(this.#text, node.start).line;
  }

  /** What stands behind types and names. */
  #resolve(place: Place): Place {
    let { node, names } = place;
    for (;;) {
      this.#step();
      if (isTyped(node)) {
        node = node.expression;
        continue;
      }
      const found = node.type === 'Identifier' ? names.get(node.name) : undefined;
      if (found === undefined) {
        return { node, names };
      }
      ({ node, names } = found);
    }
  }

  /** The object that a configuration is, also one that a function makes or is given; else what is there instead. */
  #objectOf(place: Place): Place {
    const resolved = this.#resolve(place);
    const { node, names } = resolved;
    if (isFunction(node)) {
      const returned = this.#returnedBy(node, names);
      return returned === undefined ? resolved : this.#objectOf(returned);
    }
    if (node.type === 'AwaitExpression') {
      return this.#objectOf({ node: node.argument, names });
    }
    if (node.type === 'CallExpression' && mergedIn(node) === undefined) {
      const given = node.arguments.map((argument) => this.#objectOf({ node: argument, names }));
      return given.find((argument) => isObject(argument.node)) ?? resolved;
    }
    return resolved;
  }

  /** What a function returns at its only `return`, which is on no branch. */
  #returnedBy(node: FunctionNode, outer: Names): Place | undefined {
    const names = new Map(outer);
    for (const name of node.params.flatMap(identifiersIn)) {
      names.set(name, undefined);
    }
    if (node.body.type !== 'BlockStatement') {
      return { node: node.body, names };
    }
    const { body } = node.body;
    const returns: Node[] = [];
    for (const statement of descendantsOf(node.body, isFunction)) {
      if (statement.type === 'ReturnStatement') {
        returns.push(statement);
      } else if (statement.type === 'VariableDeclarator') {
        identifiersIn(statement.id).forEach((name) => names.set(name, undefined));
      }
    }
    const last = body.find((statement) => statement.type === 'ReturnStatement');
    return returns.length !== 1 || last?.argument === undefined || last.argument === null
      ? undefined
      : { node: last.argument, names: this.#declared(body, names) };
  }

  /** These names, and those that statements declare with a value that stays. */
  #declared(statements: readonly Node[], outer: Names): Names {
    const names = new Map(outer);
    for (const statement of statements) {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (declaration?.type === 'FunctionDeclaration' && declaration.id !== null) {
        names.set(declaration.id.name, { node: declaration, names });
      } else if (declaration?.type === 'VariableDeclaration') {
        for (const { id, init } of declaration.declarations) {
          if (id.type === 'Identifier' && init !== null && init !== undefined && !this.#assigned.has(id.name)) {
            names.set(id.name, { node: init, names });
          }
        }
      }
    }
    return names;
  }

  /** @returns undefined when the object has no such key; what may hold the key, when nobody can tell */
  #property({ node, names }: Place, key: string): Place | undefined {
    this.#step();
    const merged = mergedIn(node);
    if (merged !== undefined) {
      const found = merged
        .map((object) => this.#property(this.#objectOf({ node: object, names }), key))
        .filter((property) => property !== undefined);
      const last = found.at(-1);
      if (last === undefined || found.length === 1 || this.#value(last).kind === 'literal') {
        return last;
      }
      // Two objects may be merged in depth: the name of the function stands for what nobody can tell.
      return { node: node.type === 'CallExpression' ? node.callee : node, names: new Map() };
    }
    if (node.type !== 'ObjectExpression') {
      return this.#value({ node, names }).kind === 'expression' ? { node, names } : undefined;
    }
    for (const property of node.properties.toReversed()) {
      if (property.type === 'SpreadElement') {
        const spread = this.#property(this.#resolve({ node: property.argument, names }), key);
        if (spread !== undefined) {
          return spread;
        }
        continue;
      }
      const name = property.computed ? this.#value({ node: property.key, names }) : undefined;
      if (name?.kind === 'expression') {
        return { node: property.key, names };
      }
      if ((name?.kind === 'literal' ? String(name.value) : keyName(property.key)) === key) {
        return { node: property.value, names };
      }
    }
    return undefined;
  }

  #callsAt(place: Place | undefined): readonly Call[] {
    if (place?.node.type === 'CallExpression') {
      const { callee, arguments: given } = place.node;
      const name = nameOf(callee);
      const argument = given[0] === undefined ? undefined : { node: given[0], names: place.names };
      return [
        {
          callee: name,
          module: this.imports.get(name.split('.')[0] ?? ''),
          line: this.#line(place.node),
          argument: this.#fieldsOf(argument),
        },
      ];
    }
    if (place?.node.type !== 'ArrayExpression') {
      return [];
    }
    return place.node.elements.flatMap((element) => {
      const called = element === null ? undefined : this.#resolve({ node: element, names: place.names });
      return called?.node.type === 'CallExpression' ? this.#callsAt(called) : [];
    });
  }

  #value(place: Place): Value {
    const { node, names } = this.#resolve(place);
    const line = this.#line(node);
    const expression: Value = { kind: 'expression', line };
    const literal = (value: unknown): Value =>
      isLiteral(value) && !(typeof value === 'string' && value.length > MAX_TEXT_LENGTH)
        ? { kind: 'literal', value, line }
        : expression;
    const operand = (of: Node): Literal | undefined => {
      const value = this.#value({ node: of, names });
      return value.kind === 'literal' ? value.value : undefined;
    };
    if (node.type === 'Identifier' && node.name === 'undefined') {
      return ABSENT;
    }
    if (node.type === 'Literal') {
      return literal(node.value);
    }
    if (node.type === 'TemplateLiteral') {
      const values = node.expressions.map(operand);
      const texts = node.quasis.flatMap(({ value }, index) => [value.cooked ?? '', String(values[index] ?? '')]);
      return values.includes(undefined) ? expression : literal(texts.join(''));
    }
    if (node.type === 'UnaryExpression') {
      const value = operand(node.argument);
      if (node.operator === '-' && typeof value === 'number') {
        return literal(-value);
      }
      return node.operator === '!' && value !== undefined ? literal(!value) : expression;
    }
    if (node.type === 'BinaryExpression' && node.operator === '+' && node.left.type !== 'PrivateIdentifier') {
      const values = [operand(node.left), operand(node.right)];
      return values.includes(undefined) || !values.some((value) => typeof value === 'string')
        ? expression
        : literal(values.map(String).join(''));
    }
    return expression;
  }
}

function isTyped(node: Node): node is TypedNode {
  return ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion'].includes(node.type);
}

function isFunction(node: Node): node is FunctionNode {
  return ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'].includes(node.type);
}

function isObject(node: Node): boolean {
  return node.type === 'ObjectExpression' || mergedIn(node) !== undefined;
}

/** The objects of a call that puts one over another. */
function mergedIn(node: Node): readonly Node[] | undefined {
  return node.type === 'CallExpression' && MERGES.test(nameOf(node.callee)) ? node.arguments : undefined;
}

function keyName(key: Node): string | undefined {
  if (key.type === 'Identifier') {
    return key.name;
  }
  return key.type === 'Literal' ? String(key.value) : undefined;
}

function keysOf(node: Node | undefined): readonly string[] {
  return (node?.type === 'ObjectExpression' ? node.properties : [])
    .map((property) => (property.type === 'Property' && !property.computed ? keyName(property.key) : undefined))
    .filter((key) => key !== undefined)
    .filter((key) => !PROTOTYPE_KEYS.includes(key));
}

/** `f` or `a.f`; empty for what has no name. */
function nameOf(node: Node): string {
  const names: string[] = [];
  let rest = node;
  while (rest.type === 'MemberExpression' && !rest.computed && rest.property.type === 'Identifier') {
    names.unshift(rest.property.name);
    rest = rest.object;
  }
  return rest.type === 'Identifier' ? [rest.name, ...names].join('.') : '';
}

/** What a module exports as its default, in the order of the statements. */
function exportsOf({ body }: Program): readonly Node[] {
  return (body as readonly Node[]).flatMap((statement): readonly Node[] => {
    if (statement.type === 'ExportDefaultDeclaration') {
      return [statement.declaration];
    }
    if (statement.type === 'TSExportAssignment') {
      return [statement.expression];
    }
    if (statement.type === 'ExportNamedDeclaration' && (statement.source ?? undefined) === undefined) {
      return statement.specifiers.filter(({ exported }) => keyName(exported) === 'default').map(({ local }) => local);
    }
    const assigned = statement.type === 'ExpressionStatement' ? statement.expression : undefined;
    return assigned?.type === 'AssignmentExpression' && isExports(assigned.left) ? [assigned.right] : [];
  });
}

function isExports(node: Node): boolean {
  return ['module.exports', 'exports.default', 'module.exports.default'].includes(nameOf(node));
}

/** Names whose value, or whose object, is changed somewhere after it is declared. */
function assignedNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of descendantsOf(program)) {
    if (node.type === 'AssignmentExpression' && !isExports(node.left) && nameOf(node.left) !== 'exports.__esModule') {
      changedIn(node.left).forEach((name) => names.add(name));
    } else if (node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete')) {
      changedIn(node.argument).forEach((name) => names.add(name));
    } else if (node.type === 'CallExpression' && nameOf(node.callee) === 'Object.assign') {
      const target = node.arguments[0];
      (target === undefined ? [] : changedIn(target)).forEach((name) => names.add(name));
    }
  }
  return names;
}

function changedIn(target: Node): readonly string[] {
  let rest: Node = target;
  while (rest.type === 'MemberExpression' || isTyped(rest)) {
    rest = rest.type === 'MemberExpression' ? rest.object : rest.expression;
  }
  return rest.type === 'ObjectExpression' ? [] : identifiersIn(rest);
}

function importsOf({ body }: Program): ReadonlyMap<string, string> {
  const imports = new Map<string, string>();
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') {
      for (const { local } of statement.specifiers) {
        imports.set(local.name, String(statement.source.value));
      }
    } else if (statement.type === 'VariableDeclaration') {
      for (const { id, init } of statement.declarations) {
        const required =
          init?.type === 'CallExpression' && nameOf(init.callee) === 'require' ? init.arguments[0] : null;
        if (required?.type === 'Literal' && typeof required.value === 'string') {
          const { value } = required;
          identifiersIn(id).forEach((name) => imports.set(name, value));
        }
      }
    }
  }
  return imports;
}

function identifiersIn(pattern: Pattern | Node): readonly string[] {
  return [...descendantsOf(pattern)].flatMap((node) => (node.type === 'Identifier' ? [node.name] : []));
}

/** A node and all below it; of those that are left out, not what is in them. */
function* descendantsOf(root: Node, isLeftOut?: (node: Node) => boolean): Generator<Node> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    if (isLeftOut?.(node) === true) {
      continue;
    }
    for (const child of Object.values(node).flat() as readonly unknown[]) {
      if (isNode(child)) {
        waiting.push(child);
      }
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
