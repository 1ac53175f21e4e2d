import type {
  AnonymousFunctionDeclaration,
  AnyNode,
  ArrowFunctionExpression,
  FunctionDeclaration,
  FunctionExpression,
} from 'acorn';

/** What the plugin for TypeScript adds to acorn's nodes, as far as it stands around a value. */
interface TypedNode {
  readonly type: 'TSAsExpression' | 'TSSatisfiesExpression' | 'TSNonNullExpression' | 'TSTypeAssertion';
  readonly start: number;
  readonly end: number;
  readonly expression: Node;
}

/** `export = `. */
interface ExportAssignment {
  readonly type: 'TSExportAssignment';
  readonly start: number;
  readonly end: number;
  readonly expression: Node;
}

export type Node = AnyNode | TypedNode | ExportAssignment;

export type FunctionNode =
  | ArrowFunctionExpression
  | FunctionExpression
  | FunctionDeclaration
  | AnonymousFunctionDeclaration;

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
export function nameOf(node: Node): string {
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
  const required = node.type === 'CallExpression' && nameOf(node.callee) === 'require' ? node.arguments[0] : undefined;
  return required?.type === 'Literal' && typeof required.value === 'string' ? required.value : undefined;
}

/** Names that a pattern declares; of one that is assigned to also those whose object is changed. */
export function namesIn(pattern: Node): readonly string[] {
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

/** What the parts of a pattern are assigned to, not their default values. */
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
export function* descendantsOf(root: Node, isLeftOut?: (node: Node) => boolean): Generator<Node> {
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
