/** The first pages that starters of build tools make, and those of their builds. */

/** As create-vite and create-vue make it. */
export function vite(src: string, root = 'app'): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <title>Vite + App</title>
  </head>
  <body>
    <div id="${root}"></div>
    <script type="module" src="${src}"></script>
  </body>
</html>
`;
}

export const LIT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <title>Vite + Lit</title>
    <link rel="stylesheet" href="./src/index.css" />
    <script type="module" src="/src/my-element.js"></script>
  </head>
  <body>
    <my-element>
      <h1>Get started</h1>
    </my-element>
  </body>
</html>
`;

export const CREATE_REACT_APP = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <link rel="icon" href="%PUBLIC_URL%/favicon.ico" />
    <meta name="theme-color" content="#000000" />
    <link rel="apple-touch-icon" href="%PUBLIC_URL%/logo192.png" />
    <!--
      Notice the use of %PUBLIC_URL% in the tags above.
    -->
    <link rel="manifest" href="%PUBLIC_URL%/manifest.json" />
    <title>React App</title>
  </head>
  <body>
    <noscript>You need to enable JavaScript to run this app.</noscript>
    <div id="root"></div>
  </body>
</html>
`;

export const CREATE_REACT_APP_BUILT =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"/><link rel="icon" href="/favicon.ico"/>' +
  '<meta name="theme-color" content="#000000"/><link rel="apple-touch-icon" href="/logo192.png"/>' +
  '<link rel="manifest" href="/manifest.json"/><title>React App</title>' +
  '<script defer="defer" src="/static/js/main.8f1c4a3e.js"></script><link href="/static/css/main.f855e6bc.css" rel="stylesheet">' +
  '</head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>';

export const ANGULAR = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>App</title>
  <base href="/">
  <link rel="icon" type="image/x-icon" href="favicon.ico">
</head>
<body>
  <app-root></app-root>
</body>
</html>
`;

export const ANGULAR_BUILT = `<!doctype html>
<html lang="en" data-beasties-container>
<head>
  <meta charset="utf-8">
  <title>App</title>
  <base href="/">
<style>body{margin:0}</style><link rel="stylesheet" href="styles-5INURTSO.css" media="print" onload="this.media='all'"><noscript><link rel="stylesheet" href="styles-5INURTSO.css"></noscript></head>
<body>
  <app-root></app-root>
<link rel="modulepreload" href="chunk-4BQ6VZLK.js"><script src="polyfills-B6TNHZQ6.js" type="module"></script><script src="main-QZ5LRGKV.js" type="module"></script></body>
</html>
`;

export const IONIC_ANGULAR = `<!DOCTYPE html>
<html lang="en">

<head>
  <meta charset="utf-8" />
  <title>Ionic App</title>

  <base href="/" />

  <meta name="color-scheme" content="light dark" />
  <link rel="icon" type="image/png" href="assets/icon/favicon.png" />
</head>

<body>
  <app-root></app-root>
  <noscript>Please enable JavaScript to continue using this application.</noscript>
</body>

</html>
`;

export const SVELTEKIT = `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8" />
		<meta name="viewport" content="width=device-width, initial-scale=1" />
		%sveltekit.head%
	</head>
	<body data-sveltekit-preload-data="hover">
		<div style="display: contents">%sveltekit.body%</div>
	</body>
</html>
`;

export const VUE_CLI = `<!DOCTYPE html>
<html lang="">
  <head>
    <meta charset="utf-8">
    <link rel="icon" href="<%= BASE_URL %>favicon.ico">
    <title><%= htmlWebpackPlugin.options.title %></title>
  </head>
  <body>
    <noscript>
      <strong>We're sorry but <%= htmlWebpackPlugin.options.title %> doesn't work properly without JavaScript.</strong>
    </noscript>
    <div id="app"></div>
    <!-- built files will be auto injected -->
  </body>
</html>
`;

export const WEBPACK = `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8"/>
    <title><%= htmlWebpackPlugin.options.title %></title>
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>
`;

export const CORDOVA = `<!DOCTYPE html>
<!-- Licensed to the Apache Software Foundation -->
<html>
    <head>
        <meta charset="utf-8">
        <!-- Customize this policy: <script src="/src/never.ts"></script> -->
        <meta http-equiv="Content-Security-Policy" content="default-src 'self' data: https://ssl.gstatic.com 'unsafe-eval'; style-src 'self' 'unsafe-inline'; media-src *; img-src 'self' data: content:;">
        <link rel="stylesheet" href="css/index.css">
        <title>Hello World</title>
    </head>
    <body>
        <div class="app"><h1>Apache Cordova</h1></div>
        <script src="cordova.js"></script>
        <script src="js/index.js"></script>
    </body>
</html>
`;

export const HTML5_BOILERPLATE = `<!doctype html>
<html class="no-js" lang="">

<head>
  <meta charset="utf-8">
  <title></title>
  <link rel="stylesheet" href="css/style.css">
  <meta property="og:title" content="">

  <link rel="icon" href="/favicon.ico" sizes="any">
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="apple-touch-icon" href="icon.png">

  <link rel="manifest" href="site.webmanifest">
  <meta name="theme-color" content="#fafafa">
</head>

<body>
  <p>Hello world! This is HTML5 Boilerplate.</p>
  <script src="js/app.js"></script>
</body>

</html>
`;
