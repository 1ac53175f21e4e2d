/** Names and version ranges of npm packages: those that npm takes from its registry, and from nowhere else. */

/** One part of a range: `1.2.3`, `^1.2`, `>=1`, `*`, and `||` or `-` between two. */
const RANGE_PART =
  /^(?:\|\||-|(?:[~^=]|[<>]=?)?v?(?:\d{1,9}|[xX*])(?:\.(?:\d{1,9}|[xX*])){0,2}(?:-[\w.-]+)?(?:\+[\w.-]+)?)$/;

/** The range of a package that was named without one: the newest version. */
export const NEWEST = 'latest';

/** Whether this can be the name of a package: no path, address or option. */
export function isPackageName(name: string): boolean {
  return /^(?:@[a-z\d][\w.-]*\/)?[A-Za-z\d][\w.-]*$/.test(name);
}

/**
 * Whether this is `latest` or a range of versions. Any other tag is refused, and so is what npm would take for a file, an address
 * or another package.
 */
export function isVersionRange(range: string): boolean {
  return (
    range === NEWEST ||
    // npm takes such a version for a file.
    (!/\.(?:tgz|tar|tar\.gz)$/i.test(range) && range.split(/\s+/).every((part) => RANGE_PART.test(part)))
  );
}
