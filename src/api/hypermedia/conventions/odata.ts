import { addForm } from '../forms.ts';
import { isObject, member, text } from '../json.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';
import type { ConventionReader } from './convention.ts';

/** Control information that is a link (OData JSON Format 4.01 §4.6), and the relation it stands for. */
const LINKS = new Map([
  ['readLink', 'self'],
  ['id', 'self'],
  ['editLink', 'edit'],
  ['nextLink', 'next'],
  ['deltaLink', 'delta'],
  ['mediaReadLink', 'media'],
  ['mediaEditLink', 'edit-media'],
  ['navigationLink', 'related'],
  ['associationLink', 'related'],
]);

/** Also in JSON-LD, so that without `odata.` they need a document that declares OData. */
const AMBIGUOUS = ['id', 'context', 'type'];

/** OData 4.0 and 4.01 control information. Documents are recognised by the names, or by the header `OData-Version`. */
export const odata: ConventionReader = {
  convention: 'odata',
  mediaTypes: [],
  read(builder) {
    if (builder.format !== 'odata' && !builder.members.some(({ name }) => name.includes('@'))) {
      return;
    }
    readContext(builder);
    for (const { name: key, value, pointer } of builder.members) {
      const [property, name] = controlInformation(builder, key);
      const rel = LINKS.get(name);
      if (rel === undefined || builder.claimed.has(key)) {
        continue;
      }
      builder.claimed.add(key);
      if (property === '') {
        builder.addLink('odata', rel, value, pointer);
      } else {
        builder.addLink('odata', property, value, pointer, name === 'navigationLink' ? {} : { name });
      }
    }
    for (const { name: key, value: action, pointer } of builder.members) {
      // an action is called by POST (OData Protocol 4.01 §11.5.5)
      if (key.startsWith('#') && isObject(action) && text(action, 'target') !== undefined) {
        builder.claimed.add(key);
        addForm(builder, 'odata', pointer, {
          name: key.slice(key.lastIndexOf('.') + 1).replace(/^#/, ''),
          title: member(action, 'title'),
          method: 'POST',
          href: member(action, 'target'),
          contentType: 'application/json',
        });
      }
    }
  },
};

/** Relative references resolve against the context URL, in the object and everything inside (§4.5). */
function readContext(builder: ResourceBuilder): void {
  for (const name of builder.format === 'odata' ? ['@odata.context', '@context'] : ['@odata.context']) {
    const context = builder.unclaimed(name);
    if (typeof context !== 'string') {
      continue;
    }
    builder.claimed.add(name);
    const pointer = `${builder.pointer}/${name}`;
    const target = builder.target(context, pointer);
    if (target !== undefined && target.kind !== 'template') {
      builder.addLink('odata', 'context', context, pointer);
      builder.base = target.url;
    }
  }
}

/** Splits `Orders@odata.navigationLink` into property and name; the name is empty when it is something else. */
function controlInformation(builder: ResourceBuilder, key: string): readonly [property: string, name: string] {
  const at = key.indexOf('@');
  if (at < 0) {
    return ['', ''];
  }
  const rest = key.slice(at + 1);
  if (rest.startsWith('odata.')) {
    return [key.slice(0, at), rest.slice('odata.'.length)];
  }
  return [key.slice(0, at), builder.format !== 'odata' && AMBIGUOUS.includes(rest) ? '' : rest];
}
