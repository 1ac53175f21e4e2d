/** Returns the anchor that GitHub creates for a heading. */
export function getAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
