import assert from 'node:assert/strict';

import { parseConfig } from '../../../src/configXml/parseConfig.ts';

describe('config.xml: what it says of the app', () => {
  const facts = (text: string) => {
    const { isWidget, id, name, version, startPage } = parseConfig(text);
    return { isWidget, id, name, version, startPage };
  };
  const NOTHING = { id: undefined, name: undefined, version: undefined, startPage: 'index.html' };

  it('is read as it is meant', () => {
    assert.deepEqual(
      facts(
        `<?xml version="1.0"?><!-- <widget id="not.this"> --><widget version = '1.2' id=" com.example.a&#112;p ">
<name short="x">Tom &amp;
  <![CDATA[<Jerry>]]></name><content src="./start.html?a#b"/></widget>`,
      ),
      { isWidget: true, id: 'com.example.app', name: 'Tom & <Jerry>', version: '1.2', startPage: 'start.html' },
    );
  });

  it('is read of a broken file, too', () => {
    assert.deepEqual(facts('<widget id="a.b" version="1><name>App</name><content src="a.html">'), {
      isWidget: true,
      id: 'a.b',
      name: 'App',
      version: '1',
      startPage: 'a.html',
    });
    assert.deepEqual(facts('<widget id="" version=" "><name> </name></widget>'), { isWidget: true, ...NOTHING });
  });

  it('is nothing in a file of another tool, or without an element', () => {
    assert.deepEqual(facts('<project id="a.b"/>'), { isWidget: false, ...NOTHING });
    assert.deepEqual(facts(''), { isWidget: false, ...NOTHING });
  });

  it('is cut where nobody reads on', () => {
    const { id, name } = parseConfig(`<widget id="${'a'.repeat(5000)}"><name>${'b '.repeat(5000)}</name></widget>`);
    assert.deepEqual([id?.length, name?.length], [200, 199]);
  });
});
