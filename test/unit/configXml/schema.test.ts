import assert from 'node:assert/strict';
import { parseXml as parseStrictly, XmlElement } from '@rgrove/parse-xml';
import { checkConfig } from '../../../src/configXml/checkConfig.ts';
import { ELEMENTS } from '../../../src/configXml/rules/elements.ts';
import type { ElementRule } from '../../../src/configXml/rules/rule.ts';
import { elementsIn, isContainer } from '../../../src/configXml/rules/ruleTable.ts';
import { WIDGETS_NAMESPACE, xsd } from '../../../src/configXml/schema/xsd.ts';
import { parseXml } from '../../../src/configXml/xmlDocument.ts';

const isUnprefixed = ({ name }: { readonly name: string }): boolean => !name.includes(':');
const unprefixed = ELEMENTS.filter(isUnprefixed);
const elementsOfContainers = new Set(unprefixed.filter(isContainer).flatMap(({ name }) => elementsIn(name)));

function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement).filter((child) => child.name === name);
}

function only<T>(found: readonly T[], what: string): T {
  const [first] = found;
  assert.ok(first !== undefined && found.length === 1, `${found.length} of ${what}`);
  return first;
}

/** The declarations of a schema, by the name of the element that they are for. */
function declarationsOf(schema: XmlElement): ReadonlyMap<string, Declaration> {
  return new Map(
    childrenOf(schema, 'xs:complexType').map((type) => {
      const content = only(childrenOf(type, 'xs:choice'), 'choices');
      return [
        type.attributes.name ?? '',
        {
          children: childrenOf(content, 'xs:element'),
          others: only(childrenOf(content, 'xs:any'), 'wildcards').attributes,
          attributes: childrenOf(type, 'xs:attribute'),
          otherAttributes: only(childrenOf(type, 'xs:anyAttribute'), 'wildcards').attributes,
        },
      ];
    }),
  );
}

interface Declaration {
  readonly children: readonly XmlElement[];
  readonly others: Readonly<Record<string, string>>;
  readonly attributes: readonly XmlElement[];
  readonly otherAttributes: Readonly<Record<string, string>>;
}

for (const hasNamespace of [true, false]) {
  describe(`the schema of config.xml ${hasNamespace ? 'with' : 'without'} its namespace`, () => {
    const schema = only(
      [parseStrictly(xsd(hasNamespace)).root].filter((root) => root !== null),
      'root',
    );
    const declarations = declarationsOf(schema);
    const declared = unprefixed.filter(({ name }) => declarations.has(name));
    const declarationOf = (name: string): Declaration => {
      const declaration = declarations.get(name);
      assert.ok(declaration !== undefined, name);
      return declaration;
    };

    it('is well-formed, and for that namespace or none', () => {
      assert.equal(schema.name, 'xs:schema');
      assert.equal(schema.attributes.targetNamespace, hasNamespace ? WIDGETS_NAMESPACE : undefined);
      assert.equal(schema.attributes.elementFormDefault, 'qualified');
    });

    it('has each element of the table where it may stand, and refers only to types that it has', () => {
      assert.equal(childrenOf(schema, 'xs:complexType').length, declarations.size, 'types have different names');
      const globals = declared.filter((rule) => rule.parents.length === 0 || elementsOfContainers.has(rule));
      assertDeclares(childrenOf(schema, 'xs:element'), globals);
      for (const rule of declared) {
        const isLocal = rule.isOpen !== true && !isContainer(rule);
        assertDeclares(declarationOf(rule.name).children, isLocal ? elementsIn(rule.name).filter(isUnprefixed) : []);
      }
      // What stands only below an element with a prefix is not part of this namespace's schema.
      assert.deepEqual(
        unprefixed.filter((rule) => !declared.includes(rule)).map(({ name }) => name),
        ['scheme'],
      );
    });

    it('has each attribute of the table, with its values and its description, and demands none', () => {
      for (const { name, attributes } of declared) {
        const inSchema = declarationOf(name).attributes;
        const inTable = attributes.filter(isUnprefixed);
        assert.deepEqual(
          inSchema.map((each) => each.attributes.name),
          inTable.map((each) => each.name),
        );
        inSchema.forEach(({ text, attributes: own }, index) => {
          assert.match(text, /^.+\nhttps:\/\/\S+$/s);
          assert.equal(own.type === undefined, inTable[index]?.type.kind === 'choice');
          assert.equal(own.use, undefined);
        });
      }
    });

    it('leaves open what plugins have, what the table leaves open, and what belongs to other namespaces', () => {
      for (const rule of declared) {
        const { others, otherAttributes } = declarationOf(rule.name);
        const namespace = rule.isOpen === true || isContainer(rule) ? '##any' : '##other';
        const processContents = rule.isOpen === true ? 'skip' : 'lax';
        assert.deepEqual({ ...others }, { namespace, processContents }, rule.name);
        assert.deepEqual({ ...otherAttributes }, { namespace: '##any', processContents: 'lax' }, rule.name);
      }
    });

    function assertDeclares(elements: readonly XmlElement[], rules: readonly ElementRule[]): void {
      assert.deepEqual(
        elements.map(({ attributes }) => [attributes.name, attributes.type]).sort(),
        rules.map(({ name }) => [name, hasNamespace ? `w:${name}` : name]).sort(),
      );
      rules.forEach(({ name }) => declarationOf(name));
    }
  });
}

describe('what an XML extension says of config.xml by the schema', () => {
  it('is what stands in elements that plugins have none in', () => {
    const isSaid = (children: string): readonly (boolean | undefined)[] =>
      checkConfig(parseXml(`<widget id="a.b" version="1.0.0"><name>A</name>${children}</widget>`))
        .filter(({ severity }) => severity !== 'error')
        .map(({ isInSchema }) => isInSchema);
    assert.deepEqual(isSaid('<feature name="A"><nothing/></feature>'), [true]);
    assert.deepEqual(isSaid('<nothing/>'), [false]);
    assert.deepEqual(isSaid('<platform name="ios"><param name="A" value="1"/></platform>'), [false]);
    assert.deepEqual(isSaid('<access allow="*"/>'), [undefined]);
  });
});

describe('the texts of the schema of config.xml', () => {
  it('are escaped, in the language that is asked for', () => {
    const schema = xsd(true, ({ template }) => `<&"> ${template}`);
    assert.ok(parseStrictly(schema).root?.text.includes('<&"> The name of the app'));
  });
});
