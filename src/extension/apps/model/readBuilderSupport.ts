import type { Resource } from '../../../service-client/index.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';
import { getElements, findField, getMapEntries, plainMessage, textMember } from './members.ts';
import type { BuilderSupport, SupportedPlugin } from '../../../web-project/index.ts';

/**
 * Reads the resource of the `current_support` link. Platforms come from `unavailable`, or from PhoneGap Build's `by_phonegap` if
 * that's missing. Never throws.
 */
export function readBuilderSupport(resource: Resource): BuilderSupport {
  const reasons = getMapEntries(resource, 'unavailable', '');
  const versions = resource.embedded.find(({ rel }) => rel === 'by_phonegap')?.resource.embedded ?? [];
  const builtBy = (getMapEntries(resource, 'built_by', '') ?? []).map(
    ({ name, text }) => [name, text ?? undefined] as const,
  );
  const version = versions.find(({ rel }) => rel === textMember(resource, 'default')) ?? versions[0];
  return {
    builder: textMember(resource, 'builder'),
    ...(builtBy.length > 0 && { builtBy: Object.fromEntries(builtBy) }),
    platforms:
      reasons?.map(({ name, text }) => ({ platform: name, unavailable: plainMessage(text ?? '') })) ??
      (version?.resource.fields ?? [])
        .slice(0, MAX_ROWS)
        .map(({ name }) => ({ platform: name, unavailable: undefined })),
    plugins: pluginsIn(resource),
  };
}

function pluginsIn(resource: Resource): readonly SupportedPlugin[] | undefined {
  const items = getElements(resource, /^plugins$/).slice(0, MAX_ROWS);
  if (items.length === 0) {
    return findField(resource, 'plugins')?.text === '[]' ? [] : undefined;
  }
  return items.flatMap(({ resource: item }) => {
    const name = textMember(item, 'name');
    const variables = item.embedded.find(({ rel }) => rel === 'variables')?.resource.fields ?? [];
    const reasons = getMapEntries(item, 'unavailable', '') ?? [];
    const unavailable = Object.fromEntries(
      reasons.map(({ name: platform, text }) => [platform, plainMessage(text ?? '')]),
    );
    return name === undefined
      ? []
      : [{ name, variables: variables.map(({ text }) => text), ...(reasons.length > 0 && { unavailable }) }];
  });
}
