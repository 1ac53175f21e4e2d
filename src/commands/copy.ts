import * as vscode from 'vscode';
import type { Redactor } from '../api/redaction.ts';
import type { Connections } from '../auth/connection.ts';
import { curlOf } from './wizard/requestSteps.ts';
import { jsonpTag } from '../resources/requests/jsonpTag.ts';
import type { Handlers } from './registry.ts';
import { subjectOf } from './wizard/requestSubject.ts';
import { signedIn } from './signedIn.ts';

interface Parts {
  readonly connections: Connections;
  readonly redactor: Redactor;
}

/** Commands that copy a request in another language. None of them copies a secret. */
export function copyCommands({ connections, redactor }: Parts) {
  const copy = async (text: string, said: string) => {
    await vscode.env.clipboard.writeText(redactor.redactKnownSecrets(text));
    vscode.window.setStatusBarMessage(said, 4000);
  };

  return {
    'appBuild.copyAsCurl': async (argument) => {
      const { client } = await signedIn(connections);
      const subject = await subjectOf(argument, client, vscode.l10n.t('Copy as cURL'));
      await copy(
        curlOf(subject, client.tokenParameter),
        vscode.l10n.t('Copied. The command asks for your token when it runs.'),
      );
    },

    'appBuild.copyAsJsonp': async (argument) => {
      const { client } = await signedIn(connections);
      const { url } = await subjectOf(argument, client, vscode.l10n.t('Copy as JSONP Script Tag'));
      await copy(
        jsonpTag(url, client.tokenParameter),
        vscode.l10n.t('Copied. Fill in the token and the name of your function.'),
      );
    },
  } satisfies Handlers;
}
