/** The texts of a small web project that can be built as it is, by file. @param greeting is shown by the app. */
export function sampleFiles(greeting: string): Readonly<Record<'config.xml' | 'index.html', string>> {
  return {
    'config.xml': `<?xml version="1.0" encoding="UTF-8"?>
<widget id="com.example.hello" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
  <name>Hello</name>
  <description>${escape(greeting)}</description>
  <author email="you@example.com" href="https://example.com">You</author>
  <content src="index.html" />
  <access origin="https://*" />
</widget>
`,
    'index.html': `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <title>Hello</title>
    <style>
      body { display: grid; min-height: 100vh; margin: 0; place-items: center; font: 1.5rem system-ui; }
    </style>
  </head>
  <body>
    <h1>${escape(greeting)}</h1>
    <!-- The service puts the bridge to the device here. -->
    <script src="cordova.js"></script>
  </body>
</html>
`,
  };
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
