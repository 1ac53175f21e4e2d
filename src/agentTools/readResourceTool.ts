import * as vscode from 'vscode';
import type { Body } from '../api/http/response.ts';
import { AgentTool } from './agentTool.ts';
import { DATA_NOTE, MAX_FRAME_LENGTH, MAX_REPORT_LENGTH, pathOfLink, resourceReport } from './report.ts';
import { argumentsOf, textArgument, ToolError } from './toolInput.ts';

/** Characters of a text that is no JSON. */
const MAX_TEXT_LENGTH = 10_000;

/** The tool `appBuild_read_resource`: a GET of a link of the service. Reads only. */
export class ReadResourceTool extends AgentTool {
  protected get invocationMessage(): string {
    return vscode.l10n.t('Reading from the service');
  }

  protected async run(input: unknown, signal: AbortSignal): Promise<object> {
    const link = textArgument(argumentsOf(input, '{"link": "/api/v1/apps"}'), 'link');
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
