import assert from 'node:assert/strict';

import fc from 'fast-check';

import { loadsSources, readPage } from '../../../src/web-project/htmlPage.ts';
import { starterPage } from '../../support/starterPages.ts';

describe('the page reader', () => {
  it('reads the title and appearance of a page', () => {
    const page = readPage(starterPage('html5Boilerplate'));
    assert.equal(page.title, undefined);
    assert.equal(page.manifest, 'site.webmanifest');
    assert.equal(page.themeColor, '#fafafa');
    assert.deepEqual(page.touchIcons, ['icon.png']);
    assert.deepEqual(page.icons, []);
    assert.equal(readPage(starterPage('createReactAppBuilt')).title, 'React App');
    assert.deepEqual(readPage(starterPage('ionicAngular')).icons, ['assets/icon/favicon.png']);
  });

  it('reads a page’s own title, with resolved character references', () => {
    const html =
      '<svg><title>Logo</title><style/></svg><TITLE lang=en>\n Fish &amp;\n Chips &#x2014; <b>\n</TITLE><title>B</title>';
    assert.equal(readPage(html).title, 'Fish & Chips — <b>');
    assert.equal(readPage('<p>a').title, undefined);
  });

  it('reads touch icons and PNG icons', () => {
    const { touchIcons, icons } = readPage(
      '<link rel="apple-touch-icon" sizes="180x180" href="a.png"><link rel=apple-touch-icon-precomposed href=b.png>' +
        '<link rel="icon" type="image/png" sizes="32x32" href="c"><link rel="Shortcut Icon" href="d.PNG?v=1">' +
        '<link rel="icon" href="e.ico"><link rel="icon" type="image/svg+xml" href="f.png"><link rel="icon"><link rel="icon" href=" ">',
    );
    assert.deepEqual(touchIcons, ['a.png', 'b.png']);
    assert.deepEqual(icons, ['c', 'd.PNG?v=1']);
  });

  it('reads the color for a light theme', () => {
    const dark = '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#000">';
    assert.equal(
      readPage(`${dark}<meta name=Theme-Color content=" white "><meta name=theme-color content=red>`).themeColor,
      'white',
    );
    assert.equal(readPage(dark).themeColor, undefined);
  });

  it('reads scripts, stylesheets, a base, and policies, each with its position', () => {
    const html =
      '<base target="_blank"><BASE HREF=" /a/ "><base href="/b/">\n' +
      '<script src="a.js?x=1&amp;y=2" src="b.js" async></script><script type=" MODULE " src=\'c.js\' nonce=n integrity="sha256-a sha384-b"/></script>' +
      '<script type="text/javascript">1 < 2</script><script type="application/ld+json" src="d.json"></script><script src=""></script>' +
      '<link rel="preload stylesheet" href="e.css"><meta http-equiv="content-security-policy" content="default-src &#39;self&#39;">' +
      '<meta http-equiv="content-security-policy">';
    const { base, scripts, stylesheets, policies } = readPage(html);
    const written = ({ span }: { readonly span: { readonly start: number; readonly end: number } }): string =>
      html.slice(span.start, span.end);
    assert.deepEqual([base?.href, base && written(base)], ['/a/', '<BASE HREF=" /a/ ">']);
    assert.deepEqual(
      scripts.map(({ src, isModule, nonce, integrity }) => [src, isModule, nonce, integrity]),
      [
        ['a.js?x=1&y=2', false, undefined, undefined],
        ['c.js', true, 'n', 'sha256-a sha384-b'],
        [undefined, false, undefined, undefined],
      ],
    );
    assert.deepEqual(scripts.map(written).slice(0, 1), ['<script src="a.js?x=1&amp;y=2" src="b.js" async>']);
    assert.deepEqual(stylesheets.map(written), ['<link rel="preload stylesheet" href="e.css">']);
    assert.deepEqual(
      policies.map(({ content }) => content),
      ["default-src 'self'"],
    );
  });

  it('ignores titles and styles in drawings, but reads their scripts', () => {
    const html =
      '<svg viewBox="0 0 1 1"><title>Logo</title><style/><script href="no.js"/><script src="a.js"/><image src="i.png"/>' +
      '<foreignObject><title>Text</title><p>%VITE_NAME%</p><link rel="stylesheet" href="s.css"></foreignObject>' +
      '<svg><g><title/></g></svg></svg><title>Page</title><svg/><noscript><svg></noscript><title>Other</title>';
    const { title, scripts, stylesheets, loads } = readPage(html);
    assert.equal(title, 'Page');
    assert.deepEqual(
      scripts.map(({ src, span }) => [src, html.slice(span.start, span.end)]),
      [
        [undefined, '<script href="no.js"/>'],
        ['a.js', '<script src="a.js"/>'],
      ],
    );
    assert.deepEqual([stylesheets.map(({ href }) => href), loads], [['s.css'], ['a.js', 'i.png', 's.css']]);
    assert.equal(readPage('<svg><template><svg></template></svg><title>Page</title>').title, 'Page');
  });

  it('ignores everything after the size limit of a page', () => {
    const filler = `<p>${'x'.repeat(1024 * 1024)}`;
    assert.equal(readPage(`<script src=a.js></script>${filler}<script src=b.js></script>`).scripts.length, 1);
  });
});

describe('any page', () => {
  const parts = fc.constantFrom(
    ' ',
    '\n',
    ...(
      '<script src=|<script>|</script>|<template>|</template>|<noscript>|</noscript>|<svg>|</svg/>|<title>|</title>|<!--|-->|' +
      '<base href=|<link rel=icon |<meta |content=|type=module|"|>|/>|<|&|&amp;|&#0;|%PUBLIC_URL%|<%=|%>|<app-root>|/src/a.ts|<![CDATA['
    ).split('|'),
  );
  const pages = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof({ weight: 9, arbitrary: parts }, fc.string()), { maxLength: 60 }).map((all) => all.join('')),
  );

  it('can be read, and every reported position is inside the page', () => {
    fc.assert(
      fc.property(pages, (html) => {
        const page = readPage(html);
        loadsSources(page, () => false);
        for (const { span } of [...page.scripts, ...page.stylesheets, ...page.policies, ...page.sources]) {
          assert.ok(span.start >= 0 && span.start <= span.end && span.end <= html.length);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
