import { randomUUID } from 'node:crypto';
import { Disposable } from '../workbench/disposable.ts';
import { openPage, type Page } from '../workbench/page.ts';
import type { App } from '../apps/model/app.ts';
import type { InstallLink } from '../apps/model/artifact.ts';
import {
  installPage,
  type SharedBuild,
  LINK_PAGE_COMMANDS,
  LINK_PAGE_STYLE,
  linkPageBody,
  type LinkPage,
} from './linkPage.ts';

interface OpenView {
  readonly url: string;
  /** The link of the service; undefined for what this window shares. */
  readonly link: InstallLink | undefined;
  readonly page: Page;
}

/** The pages that show a link to one build and its QR code. */
export class InstallViews extends Disposable {
  readonly #open = new Map<string, OpenView>();

  constructor() {
    super();
    this.register({ dispose: () => [...this.#open.values()].forEach(({ page }) => page.close()) });
  }

  /** Opens the page of a link that the service has made. */
  show(app: App, link: InstallLink, build: SharedBuild): void {
    this.showPage(installPage(randomUUID(), app, link, build), link);
  }

  /** Opens a page, or shows the one of that id anew. */
  showPage(content: LinkPage, link?: InstallLink): void {
    this.closePage(content.id);
    const page = openPage('appBuild.install', {
      title: content.title,
      body: linkPageBody(content),
      style: LINK_PAGE_STYLE,
      commands: LINK_PAGE_COMMANDS,
    });
    this.#open.set(content.id, { url: content.url, link, page });
    page.onDidClose(() => {
      if (this.#open.get(content.id)?.page === page) {
        this.#open.delete(content.id);
      }
    });
  }

  /** The address on an open page. @param id as the links of the page pass it. */
  urlOf(id: unknown): string | undefined {
    return this.#viewOf(id)?.url;
  }

  /** The service's link on an open page. @param id as the links of the page pass it. */
  linkOf(id: unknown): InstallLink | undefined {
    return this.#viewOf(id)?.link;
  }

  close(link: InstallLink): void {
    for (const { url, page } of [...this.#open.values()]) {
      if (url === link.url) {
        page.close();
      }
    }
  }

  closePage(id: string): void {
    this.#open.get(id)?.page.close();
  }

  #viewOf(id: unknown): OpenView | undefined {
    return typeof id === 'string' ? this.#open.get(id) : undefined;
  }
}
