/** What {@link updateNodes} needs of a node. */
interface Updatable<Self> {
  readonly id: string;
  updateFrom(other: Self): readonly Self[] | undefined;
}

interface UpdatedNodes<T> {
  /** In the order of the response, with the existing objects wherever it has the same thing. */
  readonly nodes: readonly T[];
  /** False when nodes were added, removed or moved: then the parent has to be drawn again, whatever `changed` says. */
  readonly sameNodes: boolean;
  readonly changed: readonly T[];
}

/**
 * Brings nodes up to date with those of a later response, and keeps the existing objects: VS Code knows elements by
 * identity.
 */
export function updateNodes<T extends Updatable<T>>(existing: readonly T[], latest: readonly T[]): UpdatedNodes<T> {
  const existingById = new Map(existing.map((node) => [node.id, node]));
  const changed: T[] = [];
  const nodes = latest.map((node) => {
    const kept = existingById.get(node.id);
    const toRedraw = kept?.updateFrom(node);
    if (kept === undefined || toRedraw === undefined) {
      return node;
    }
    changed.push(...toRedraw);
    return kept;
  });
  const sameNodes = nodes.length === existing.length && nodes.every((node, index) => node === existing[index]);
  return { nodes, sameNodes, changed };
}

/** Leaves out nodes below another one of the list, and duplicates: drawing a node draws what is below it. */
export function withoutDescendants<T extends { readonly parent: T | undefined }>(nodes: readonly T[]): readonly T[] {
  const all = new Set(nodes);
  return [...all].filter((node) => {
    for (let above = node.parent; above !== undefined; above = above.parent) {
      if (all.has(above)) {
        return false;
      }
    }
    return true;
  });
}
