import { html } from 'hono/html';

import type { App } from '../store/model.ts';
import type { Html } from './layout.ts';
import { shownText } from './texts.ts';

/**
 * The property list by which iOS installs an app from the web (Apple Platform Deployment, "Distribute proprietary in-house
 * apps"). What escapes HTML escapes XML.
 *
 * @param url absolute, over https
 */
export function installManifest({ package: id, version, title }: App, url: string): Html {
  return html`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>items</key><array><dict>
<key>assets</key><array><dict><key>kind</key><string>software-package</string><key>url</key><string>${url}</string></dict></array>
<key>metadata</key><dict>
<key>bundle-identifier</key><string>${shownText(id)}</string>
<key>bundle-version</key><string>${shownText(version)}</string>
<key>kind</key><string>software</string>
<key>title</key><string>${shownText(title)}</string>
</dict></dict></array></dict></plist>
`;
}
