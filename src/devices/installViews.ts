import { randomUUID } from 'node:crypto';

import { Disposable } from '../workbench/disposable.ts';
import { openPage, type Page } from '../workbench/page.ts';
import type { App } from '../apps/model/app.ts';
import type { InstallLink } from '../apps/model/installLink.ts';
import {
  INSTALL_PAGE_COMMANDS,
  INSTALL_PAGE_STYLE,
  installPageBody,
  installPageTitle,
  type InstallPage,
} from './installPage.ts';

/** The pages that show a link to one build and its QR code. */
export class InstallViews extends Disposable {
  readonly #open = new Map<string, { readonly link: InstallLink; readonly page: Page }>();

  constructor() {
    super();
    this.register({ dispose: () => [...this.#open.values()].forEach(({ page }) => page.close()) });
  }

  /** Opens a page. */
  show(app: App, link: InstallLink, build: InstallPage['build']): void {
    const content: InstallPage = { id: randomUUID(), app, link, build };
    const page = openPage('appBuild.install', {
      title: installPageTitle(content),
      body: installPageBody(content),
      style: INSTALL_PAGE_STYLE,
      commands: INSTALL_PAGE_COMMANDS,
    });
    this.#open.set(content.id, { link, page });
    page.onDidClose(() => this.#open.delete(content.id));
  }

  /** The link on an open page. @param id as the links of the page pass it. */
  linkOf(id: unknown): InstallLink | undefined {
    return typeof id === 'string' ? this.#open.get(id)?.link : undefined;
  }

  /** Closes the pages that show a link. */
  close(link: InstallLink): void {
    for (const { link: shown, page } of [...this.#open.values()]) {
      if (shown.url === link.url) {
        page.close();
      }
    }
  }
}
