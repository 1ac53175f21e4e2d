import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import type { ResponseBody } from '../../service-client/index.ts';
import { AgentTool } from './agentTool.ts';
import { MAX_REPORT_LENGTH, MAX_UNASKED_READS } from './limits.ts';
import { DATA_NOTE, jsonAsData, linksIn, oneLine, getLinkPath } from './report.ts';
import { text, toolInput, ToolError } from './toolInput.ts';

const INPUT = toolInput({ link: text() }, '{"link": "/api/v1/apps"}');

/**
 * The read-only tool `appBuild_read_resource`. Sends a GET request to one of the service's links. Asks the user first unless an earlier
 * result contains the link. Also asks after several reads, because a service could offer one address for each letter of a secret.
 */
export class ReadResourceTool extends AgentTool<z.infer<typeof INPUT>> {
  protected override readonly input = INPUT;
  protected override readonly invocationMessage = vscode.l10n.t('Reading from the service');
  protected override readonly question = { title: vscode.l10n.t('Read From the Service?') };
  /** Number of reads since the user last agreed. Counts preparations, because an agent can prepare several calls before the first one runs. */
  #unaskedReads = 0;
  /** Addresses that the user was asked about. */
  readonly #asked = new Set<string>();

  protected async run({ link }: z.infer<typeof INPUT>, signal: AbortSignal): Promise<object> {
    const {
      connection: { client },
    } = await this.account(signal);
    if (link !== undefined && !/^(?:\/(?!\/)|https?:)/i.test(link)) {
      throw new ToolError(
        '"link" must be a path of the service, such as "/api/v1/apps", or a link from an answer. Call again with such a link, or without it for the API\'s home resource.',
      );
    }
    const url = link === undefined ? client.homeUrl : client.resolve(link);
    if (new URL(url).origin !== client.service.origin) {
      throw new ToolError(
        'This link leads to another server, and this tool only sends requests to the service. Call again with a link of the service.',
      );
    }
    // A call runs only if the user agreed to its question.
    if (this.#asked.delete(url)) {
      this.#unaskedReads = 0;
    }
    const { body, mediaType, status, url: answered } = await client.get(url, signal);
    return {
      link: getLinkPath(answered),
      status,
      ...(mediaType !== '' && { media_type: this.asData(mediaType) }),
      ...this.#content(body),
      note: DATA_NOTE,
    };
  }

  protected override details({ link }: z.infer<typeof INPUT>): Promise<readonly string[] | undefined> {
    const url = link === undefined ? undefined : this.resolveUrl(link);
    const reason = url === undefined ? undefined : this.#reasonToAsk(url);
    if (url === undefined || reason === undefined) {
      return Promise.resolve(undefined);
    }
    this.#asked.add(url);
    return Promise.resolve([reason, oneLine(this.dependencies.redactor.hideSecrets(url), MAX_REPORT_LENGTH)]);
  }

  #reasonToAsk(url: string): string | undefined {
    if (!this.dependencies.namedUrls.has(url)) {
      return vscode.l10n.t(
        'An agent wants to read an address that didn’t come from the service. This address is sent:',
      );
    }
    if (this.#unaskedReads >= MAX_UNASKED_READS) {
      return vscode.l10n.t('An agent has read {0} addresses without asking. This address is next:', MAX_UNASKED_READS);
    }
    this.#unaskedReads += 1;
    return undefined;
  }

  #content(body: ResponseBody): object {
    switch (body.kind) {
      case 'json':
        linksIn(body.resource).forEach((url) => this.dependencies.namedUrls.add(url));
        return this.#textReport(JSON.stringify(jsonAsData(body.value, this.asData)));
      case 'text':
        return this.#textReport(this.asData(body.text, MAX_REPORT_LENGTH));
      case 'binary':
        return {
          file_of_bytes: body.bytes.length,
          next: 'This is a file. Use appBuild_download_build for packages.',
        };
      case 'none':
        return { is_empty: true };
    }
  }

  /** Returns the beginning of a string. Measures its length as JSON, because escapes make it longer. */
  #textReport(text: string): object {
    return { said_by_service: { text: oneLine(text, MAX_REPORT_LENGTH * 0.4), characters: text.length } };
  }
}
