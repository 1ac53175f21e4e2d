import type {
  AnonymousFunctionDeclaration,
  AnyNode,
  ArrowFunctionExpression,
  FunctionDeclaration,
  FunctionExpression,
  Program,
} from 'acorn';

/** What the plugin for TypeScript adds to acorn's nodes, as far as it stands around a value. */
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

export type Node = AnyNode | TypedNode | ExportAssignment;

type FunctionNode = ArrowFunctionExpression | FunctionExpression | FunctionDeclaration | AnonymousFunctionDeclaration;

export function isTyped(node: Node): node is TypedNode {
  return ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion'].includes(node.type);
}

export function isFunction(node: Node): node is FunctionNode {
  return ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'].includes(node.type);
}

/** Of a property of an object. */
export function keyName(key: Node): string | undefined {
  if (key.type === 'Identifier') {
    return key.name;
  }
  return key.type === 'Literal' ? String(key.value) : undefined;
}

/** `f` or `a.f`; empty for what has no name. */
export function nameOfNode(node: Node): string {
  const names: string[] = [];
  let rest = node;
  while (rest.type === 'MemberExpression' && !rest.computed && rest.property.type === 'Identifier') {
    names.push(rest.property.name);
    rest = rest.object;
  }
  return rest.type === 'Identifier' ? [rest.name, ...names.toReversed()].join('.') : '';
}

/** The module that `require('module')` gives. */
export function requiredBy(node: Node): string | undefined {
  const required =
    node.type === 'CallExpression' && nameOfNode(node.callee) === 'require' ? node.arguments[0] : undefined;
  return required?.type === 'Literal' && typeof required.value === 'string' ? required.value : undefined;
}

/** Names that a pattern declares; of one that is assigned to also those whose object is changed. */
function namesIn(pattern: Node): readonly string[] {
  const names: string[] = [];
  const waiting: (Node | null)[] = [pattern];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node?.type === 'Identifier') {
      names.push(node.name);
    } else if (node !== null) {
      waiting.push(...partsOfPattern(node));
    }
  }
  return names;
}

/** The targets of the parts of a pattern, not their default values. */
function partsOfPattern(node: Node): readonly (Node | null)[] {
  if (node.type === 'ObjectPattern') {
    return node.properties;
  }
  if (node.type === 'ArrayPattern') {
    return node.elements;
  }
  if (node.type === 'Property') {
    return [node.value];
  }
  if (node.type === 'AssignmentPattern') {
    return [node.left];
  }
  if (node.type === 'RestElement') {
    return [node.argument];
  }
  if (node.type === 'MemberExpression') {
    return [node.object];
  }
  return isTyped(node) || node.type === 'ChainExpression' ? [node.expression] : [];
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

/** A node, and what the names in it stand for. */
export interface ScopedNode {
  readonly node: Node;
  readonly scope: Scope;
}

/** The values of names in a module, or in a function. */
export class Scope {
  readonly #outer: Scope | undefined;
  readonly #values = new Map<string, ScopedNode | undefined>();

  constructor(outer?: Scope) {
    this.#outer = outer;
  }

  /** The value of a name; undefined when it is not known. */
  get(name: string): ScopedNode | undefined {
    return this.#values.has(name) ? this.#values.get(name) : this.#outer?.get(name);
  }

  /** Whether the name is declared, whatever its value is. */
  has(name: string): boolean {
    return this.#values.has(name) || this.#outer?.has(name) === true;
  }

  /** @param value undefined when it is not known */
  set(name: string, value: ScopedNode | undefined): void {
    this.#values.set(name, value);
  }
}

interface Import {
  readonly module: string;
  /** Name of the export; undefined for the default, and for the module itself. */
  readonly name: string | undefined;
}

/** What a module of JavaScript imports, declares and exports. */
export class ScriptModule {
  readonly imports: ReadonlyMap<string, Import>;
  /** Undefined when it is not known. */
  readonly exported: ScopedNode | undefined;
  /** Names whose value, or whose object, is changed somewhere after it is declared. */
  readonly #changed: ReadonlySet<string>;
  readonly #returned = new Map<FunctionNode, ScopedNode | undefined>();

  constructor(program: Program) {
    this.#changed = changedNames(program);
    this.imports = importsOf(program, this.#changed);
    const scope = new Scope();
    this.#declare(program.body, scope);
    const node = exportsOf(program).at(-1);
    this.exported =
      node === undefined || this.#changed.has('module') || this.#changed.has('exports') ? undefined : { node, scope };
  }

  /** The value that a function returns at its only `return`, which is on no branch. @param scope that the function is in */
  returnedBy(node: FunctionNode, scope: Scope): ScopedNode | undefined {
    if (!this.#returned.has(node)) {
      this.#returned.set(node, this.#findReturned(node, new Scope(scope)));
    }
    return this.#returned.get(node);
  }

  #findReturned(node: FunctionNode, scope: Scope): ScopedNode | undefined {
    node.params.flatMap(namesIn).forEach((name) => scope.set(name, undefined));
    if (node.body.type !== 'BlockStatement') {
      return { node: node.body, scope };
    }
    const { body } = node.body;
    let returns = 0;
    for (const statement of descendantsOf(node.body, isFunction)) {
      if (statement.type === 'ReturnStatement') {
        returns += 1;
      } else if (statement.type === 'VariableDeclarator') {
        namesIn(statement.id).forEach((name) => scope.set(name, undefined));
      }
    }
    this.#declare(body, scope);
    const returned = body.find((statement) => statement.type === 'ReturnStatement')?.argument ?? undefined;
    return returns === 1 && returned !== undefined ? { node: returned, scope } : undefined;
  }

  /** Adds the names that statements declare with a value that stays. */
  #declare(statements: readonly Node[], scope: Scope): void {
    for (const statement of statements) {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (declaration?.type === 'FunctionDeclaration' && declaration.id !== null) {
        scope.set(declaration.id.name, { node: declaration, scope });
      } else if (declaration?.type === 'VariableDeclaration') {
        for (const { id, init } of declaration.declarations) {
          if (id.type === 'Identifier' && init !== null && init !== undefined && !this.#changed.has(id.name)) {
            scope.set(id.name, { node: init, scope });
          }
        }
      }
    }
  }
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
  return ['module.exports', 'exports.default', 'module.exports.default'].includes(nameOfNode(node));
}

function changedNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  const change = (target: Node | undefined): void =>
    target === undefined ? undefined : namesIn(target).forEach((name) => names.add(name));
  for (const node of descendantsOf(program)) {
    if (
      node.type === 'AssignmentExpression' &&
      !isExports(node.left) &&
      nameOfNode(node.left) !== 'exports.__esModule'
    ) {
      change(node.left);
    } else if (node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete')) {
      change(node.argument);
    } else if (node.type === 'CallExpression' && nameOfNode(node.callee) === 'Object.assign') {
      change(node.arguments[0]);
    }
  }
  return names;
}

function importsOf({ body }: Program, changed: ReadonlySet<string>): ReadonlyMap<string, Import> {
  const imports = new Map<string, Import>();
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers) {
        const name = specifier.type === 'ImportSpecifier' ? keyName(specifier.imported) : undefined;
        imports.set(specifier.local.name, { module: String(statement.source.value), name });
      }
    } else if (statement.type === 'VariableDeclaration') {
      for (const { id, init } of statement.declarations) {
        const module = init === null || init === undefined ? undefined : requiredBy(init);
        if (module !== undefined) {
          requiredNames(id)
            .filter(([local]) => !changed.has(local))
            .forEach(([local, name]) => imports.set(local, { module, name }));
        }
      }
    }
  }
  return imports;
}

/** Names that `const path = require()` and `const { join: name } = require()` declare, and those of the exports. */
function requiredNames(pattern: Node): readonly (readonly [local: string, name: string | undefined])[] {
  if (pattern.type === 'Identifier') {
    return [[pattern.name, undefined]];
  }
  return (pattern.type === 'ObjectPattern' ? pattern.properties : []).flatMap((property) =>
    property.type === 'Property' && !property.computed && property.value.type === 'Identifier'
      ? [[property.value.name, keyName(property.key)] as const]
      : [],
  );
}
