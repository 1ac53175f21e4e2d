import assert from 'node:assert/strict';

import { checkStartPage } from '../../../../src/web-project/check/pageCheck.ts';
import { formatSentence } from '../../../../src/errors/index.ts';
import { inFolder } from '../../../support/folderChecks.ts';
import type { Files } from '../../../support/packing.ts';

const CONDITION = "<script>\nif (location.hostname !== 'localhost') { start(); }\n</script>";

describe('the check of the host that a page expects', () => {
  const told = (html: string, files: Files = {}): Promise<readonly string[]> =>
    inFolder(
      { 'www/index.html': html, 'www/_framework/blazor.webassembly.js': '', 'www/app.js': '', ...files },
      async ({ project, sent }) =>
        (await checkStartPage(project, sent, undefined)).map(
          ({ code, verdict, message, next, location }) =>
            `${code} ${verdict} ${(location?.start?.line ?? -1) + 1}: ${formatSentence(message)} ${next ? formatSentence(next) : ''}`,
        ),
    );
  const blazor = `<p>A</p><script src="_framework/blazor.webassembly.js" autostart="false"></script>\n${CONDITION}`;
  const config = (preference = '') => ({
    'config.xml': `<widget id="a.b" version="1.0.0"><name>A</name>${preference}</widget>`,
  });

  it('reports a Blazor page that mistakes the app for a development server', async () => {
    const message =
      'hostname mayFail 3: www/index.html checks for localhost, which is also the host of the app’s pages on a phone.';
    const preference = '<preference name="Hostname" value="app.localhost" />';
    assert.deepEqual(await told(blazor), [`${message} Choose Save as config.xml, and add ${preference} to that file.`]);
    assert.deepEqual(await told(blazor, config()), [`${message} Add ${preference} to config.xml.`]);
  });

  it('accepts the page once the app has another host', async () => {
    assert.deepEqual(await told(blazor, config('<preference name="hostname" value="app.localhost"/>')), []);
  });

  it('accepts the condition in other pages, and Blazor pages without it', async () => {
    assert.deepEqual(await told(`<p>A</p><script src="app.js"></script>\n${CONDITION}`), []);
    assert.deepEqual(await told(blazor.replace('localhost', 'example.com')), []);
  });
});
