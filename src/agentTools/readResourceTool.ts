import * as vscode from 'vscode';
import type { Body } from '../api/http/response.ts';
import { MAX_ADDRESS_LENGTH } from '../api/hypermedia/url.ts';
import { AgentTool, type Confirmation } from './agentTool.ts';
import { DATA_NOTE, MAX_FRAME_LENGTH, MAX_REPORT_LENGTH, oneLine, pathOfLink, resourceReport } from './report.ts';
import { argumentsOf, textArgument, ToolError } from './toolInput.ts';

/** Characters of a text that is no JSON. */
const MAX_TEXT_LENGTH = 10_000;

/** The tool `appBuild_read_resource`: a GET of a link of the service. Reads only, and asks first about a link that no answer has named. */
export class ReadResourceTool extends AgentTool {
  protected get invocationMessage(): string {
    return vscode.l10n.t('Reading from the service');
  }

  protected async run(input: unknown, signal: AbortSignal): Promise<object> {
    const link = linkIn(input);
    const {
      connection: { client },
    } = await this.account(signal);
    if (link !== undefined && !/^(?:\/(?!\/)|https?:)/i.test(link)) {
      throw new ToolError(
        '"link" must be a path of the service, such as "/api/v1/apps", or a link of an answer. Call again with one, or without it for the start of the API.',
      );
    }
    const url = link === undefined ? client.homeUrl : client.resolve(link);
    if (new URL(url).origin !== client.service.origin) {
      throw new ToolError(
        'This link leads to another server, where nothing is asked. Call again with a link of the service.',
      );
    }
    const { body, mediaType, status, url: answered } = await client.get(url, signal);
    return {
      link: pathOfLink(answered),
      status,
      ...(mediaType !== '' && { media_type: this.asData(mediaType, 100) }),
      ...this.#content(body),
      note: DATA_NOTE,
    };
  }

  protected override confirmation(given: unknown): Promise<Confirmation | undefined> {
    return Promise.resolve()
      .then(() => {
        const link = linkIn(given);
        const url = link === undefined ? undefined : this.urlOf(link);
        return url === undefined || this.dependencies.namedUrls.has(url)
          ? undefined
          : {
              title: vscode.l10n.t('Read From the Service?'),
              message: [
                vscode.l10n.t('An agent asks for an address that no answer has named. What stands in it is sent:'),
                oneLine(this.dependencies.redactor.hideSecrets(url), MAX_ADDRESS_LENGTH),
              ],
            };
      })
      .catch(() => undefined);
  }

  #content(body: Body): object {
    switch (body.kind) {
      case 'json':
        return {
          said_by_service: resourceReport(body.resource, this.asData, MAX_REPORT_LENGTH - MAX_FRAME_LENGTH),
        };
      case 'text':
        return { said_by_service: { text: this.asData(body.text, MAX_TEXT_LENGTH), characters: body.text.length } };
      case 'binary':
        return {
          file_of_bytes: body.bytes.length,
          next: 'This is a file. Use appBuild_download_build for what was built.',
        };
      case 'none':
        return { is_empty: true };
    }
  }
}

function linkIn(given: unknown): string | undefined {
  return textArgument(argumentsOf(given, '{"link": "/api/v1/apps"}'), 'link');
}
