import { escapeUTF8 } from 'entities/escape';

import type { Sample, SampleTexts } from './sample.ts';

const COLOUR = '#1d4ed8';

/** A greeting, and where it runs: a project with a config.xml, as Cordova has them. */
export function hello({ language, greeting, waiting, ready, platform }: SampleTexts): Sample {
  return {
    folder: 'hello-app',
    page: 'www/index.html',
    files: {
      'config.xml': `<?xml version="1.0" encoding="UTF-8"?>
<widget id="com.example.hello" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
  <name>Hello</name>
  <description>${escapeUTF8(greeting)}</description>
  <author email="you@example.com" href="https://example.com">You</author>
  <content src="index.html" />
  <access origin="https://*" />
  <preference name="Orientation" value="portrait" />
  <preference name="BackgroundColor" value="${COLOUR}" />
</widget>
`,
      'www/index.html': `<!DOCTYPE html>
<html lang="${escapeUTF8(language)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="theme-color" content="${COLOUR}" />
    <title>Hello</title>
    <link rel="stylesheet" href="css/style.css" />
  </head>
  <body>
    <header>
      <h1>${escapeUTF8(greeting)}</h1>
    </header>
    <main>
      <p id="waiting" role="status">${escapeUTF8(waiting)}</p>
      <p id="ready" role="status" hidden>${escapeUTF8(ready)}</p>
      <dl>
        <dt>${escapeUTF8(platform)}</dt>
        <dd id="platform">–</dd>
      </dl>
    </main>
    <!-- The service puts the bridge to the device here. -->
    <script src="cordova.js"></script>
    <script src="js/app.js"></script>
  </body>
</html>
`,
      'www/css/style.css': STYLE,
      'www/js/app.js': SCRIPT,
    },
  };
}

const STYLE = `:root {
  color-scheme: light dark;
  --accent: ${COLOUR};
  --page: #f4f6fb;
  --card: #fff;
  --text: #172240;
  --quiet: #5a6687;
  --waiting: #b45309;
  --ready: #15803d;
}

@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1420;
    --card: #1b2233;
    --text: #e6ecfb;
    --quiet: #98a5c6;
    --waiting: #fbbf24;
    --ready: #4ade80;
  }
}

body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 1.0625rem/1.4 system-ui, sans-serif;
}

header {
  padding: 7rem 1.5rem 8rem;
  /* Phones have a camera or a clock there. */
  padding-top: calc(7rem + env(safe-area-inset-top, 0px));
  background: var(--accent);
  color: #fff;
  text-align: center;
}

h1 {
  max-width: 24rem;
  margin: 0 auto;
  font-size: 2.25rem;
  line-height: 1.2;
}

main {
  max-width: 24rem;
  margin: -3rem auto 0;
  padding: 0 1.25rem calc(2rem + env(safe-area-inset-bottom, 0px));
}

main > * {
  margin: 0;
  padding: 1.25rem;
  background: var(--card);
}

p {
  border-radius: 1rem 1rem 0 0;
  font-weight: 600;
}

p::before {
  display: inline-block;
  width: 0.75rem;
  height: 0.75rem;
  margin-right: 0.75rem;
  border-radius: 50%;
  background: currentColor;
  content: '';
}

#waiting {
  color: var(--waiting);
}

#ready {
  color: var(--ready);
}

dl {
  display: flex;
  justify-content: space-between;
  border-top: 1px solid var(--page);
  border-radius: 0 0 1rem 1rem;
  box-shadow: 0 0.25rem 0.75rem rgba(0, 0, 0, 0.15);
}

dt {
  color: var(--quiet);
}

dd {
  margin: 0;
  font-weight: 600;
}
`;

const SCRIPT = `'use strict';

// Cordova and its plugins can be used from here on. In a browser, which has no cordova.js, this never comes.
document.addEventListener('deviceready', () => {
  document.getElementById('waiting').hidden = true;
  document.getElementById('ready').hidden = false;
  document.getElementById('platform').textContent = window.cordova.platformId;
});
`;
