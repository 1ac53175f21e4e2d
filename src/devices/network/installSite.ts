import path from 'node:path';
import { create as contentDisposition } from 'content-disposition';
import type { PackageFile } from '../packageFile.ts';
import type { NetworkSite } from './networkListener.ts';
import { answerPage, type PhoneDocument } from './phoneDocument.ts';
import { serveFolder } from './servedFolder.ts';

/** Where the file is, below the page. */
export const PACKAGE_PATH = 'app.apk';

/** A page and a package for Android, and nothing else. @param file is served as long as it is there. */
export function createInstallSite(page: PhoneDocument, file: Pick<PackageFile, 'path' | 'name'>): NetworkSite {
  const serve = serveFolder(path.dirname(file.path), (response) => {
    // With another type browsers save it under another ending.
    response.setHeader('content-type', 'application/vnd.android.package-archive');
    response.setHeader('content-disposition', contentDisposition(file.name));
    response.setHeader('accept-ranges', 'bytes');
  });
  return {
    answer: (request, response, below) => {
      if (below === '') {
        answerPage(response, 200, page);
        return true;
      }
      return below === PACKAGE_PATH && serve(request, response, `/${path.basename(file.path)}`);
    },
  };
}
