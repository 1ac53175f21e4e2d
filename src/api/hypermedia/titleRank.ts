/** Members by which people recognise a thing, best first. `display` is SCIM's and FHIR's, `metadata.name` Kubernetes'. */
const TITLE_MEMBERS = (
  'title name username login displayName display_name display fullName full_name userName label subject key slug email ' +
  'filename ref metadata.name id'
).split(' ');

const RANKS = new Map(TITLE_MEMBERS.map((name, rank) => [name, rank]));

/** Worse than any title. */
export const NO_TITLE = TITLE_MEMBERS.length;

/** How well a member of that name names a resource; the lower the better. `Name` counts as `name`. */
export function titleRank(name: string): number {
  const first = name.charCodeAt(0);
  const isCapital = first >= 65 && first <= 90;
  return RANKS.get(isCapital ? String.fromCharCode(first + 32) + name.slice(1) : name) ?? NO_TITLE;
}
