/** Parts of a node that {@link updateNodes} needs. */
interface Updatable<Self> {
  readonly id: string;
  updateFrom(other: Self): readonly Self[] | undefined;
}

interface UpdatedNodes<T> {
  /** Nodes in response order. Existing nodes are reused where the ID is unchanged. */
  readonly nodes: readonly T[];
  /**
   * False when nodes were added, removed, or moved. In that case, the parent must be redrawn, regardless of `changed`.
   */
  readonly sameNodes: boolean;
  readonly changed: readonly T[];
}

/**
 * Updates nodes from a later response and reuses the existing objects, because VS Code identifies tree elements by
 * object identity.
 */
export function updateNodes<T extends Updatable<T>>(existing: readonly T[], latest: readonly T[]): UpdatedNodes<T> {
  const existingById = new Map(existing.map((node) => [node.id, node]));
  const changed: T[] = [];
  const nodes = latest.map((node) => {
    const match = existingById.get(node.id);
    const toRedraw = match?.updateFrom(node);
    if (match === undefined || toRedraw === undefined) {
      return node;
    }
    changed.push(...toRedraw);
    return match;
  });
  const sameNodes = nodes.length === existing.length && nodes.every((node, index) => node === existing[index]);
  return { nodes, sameNodes, changed };
}

/** Omits duplicates and descendants of other nodes in the list, because drawing a node also draws its children. */
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
