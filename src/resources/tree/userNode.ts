import { ResourceNode } from './resourceNode.ts';
import type { Look } from './row.ts';

/** The signed-in user: the API's home (contract, endpoints 1 and 2), as it describes itself. */
export class UserNode extends ResourceNode {
  override look(): Look {
    const look = super.look();
    const fields = this.content?.kind === 'collection' ? this.content.collection.resource.fields : [];
    const text = (name: string) => fields.find((field) => field.name === name)?.text;
    return { ...look, label: text('username') ?? look.label, description: text('email') };
  }
}
