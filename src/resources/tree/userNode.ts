import { ResourceNode } from './resourceNode.ts';
import type { Presentation } from './treeNode.ts';

/** The signed-in user: the API's home (contract, endpoints 1 and 2), as it describes itself. */
export class UserNode extends ResourceNode {
  override get searchText(): string {
    return '';
  }

  override present(): Presentation {
    const presentation = super.present();
    const fields = this.content?.kind === 'resource' ? this.content.paged.resource.fields : [];
    const text = (name: string) => fields.find((field) => field.name === name)?.text;
    return { ...presentation, label: text('username') ?? presentation.label, description: text('email') };
  }
}
