import assert from 'node:assert/strict';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { ELEMENTS } from '../../../src/configXml/rules/elements.ts';
import { elementsIn } from '../../../src/configXml/rules/ruleTable.ts';
import { WIDGETS_NAMESPACE, xsd } from '../../../src/configXml/schema/xsd.ts';

const unprefixed = ELEMENTS.filter(({ name }) => !name.includes(':'));
const isDeclared = ({ name }: { readonly name: string }): boolean => !name.includes(':');

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
          children: childrenOf(content, 'xs:element').map(({ attributes }) => attributes.name ?? ''),
          typesOfChildren: childrenOf(content, 'xs:element').map(({ attributes }) => attributes.type ?? ''),
          others: only(childrenOf(content, 'xs:any'), 'wildcards').attributes,
          attributes: childrenOf(type, 'xs:attribute'),
          otherAttributes: only(childrenOf(type, 'xs:anyAttribute'), 'wildcards').attributes,
        },
      ];
    }),
  );
}

interface Declaration {
  readonly children: readonly string[];
  readonly typesOfChildren: readonly string[];
  readonly others: Readonly<Record<string, string>>;
  readonly attributes: readonly XmlElement[];
  readonly otherAttributes: Readonly<Record<string, string>>;
}

for (const hasNamespace of [true, false]) {
  describe(`the schema of config.xml ${hasNamespace ? 'with' : 'without'} its namespace`, () => {
    const schema = only(
      [parseXml(xsd(hasNamespace)).root].filter((root) => root !== null),
      'root',
    );
    const declarations = declarationsOf(schema);
    const declarationOf = (name: string): Declaration => {
      const declaration = declarations.get(name);
      assert.ok(declaration !== undefined, name);
      return declaration;
    };

    it('is well-formed, and for that namespace or none', () => {
      assert.equal(schema.name, 'xs:schema');
      assert.equal(schema.attributes.targetNamespace, hasNamespace ? WIDGETS_NAMESPACE : undefined);
      assert.equal(schema.attributes.elementFormDefault, 'qualified');
      assert.equal(only(childrenOf(schema, 'xs:element'), 'roots').attributes.name, 'widget');
    });

    it('has each element of the table where it may stand, and refers only to types that it has', () => {
      assert.equal(childrenOf(schema, 'xs:complexType').length, declarations.size, 'types have different names');
      for (const { name, isOpen } of unprefixed.filter(({ name }) => declarations.has(name))) {
        const { children, typesOfChildren } = declarationOf(name);
        assert.deepEqual(
          children,
          isOpen === true
            ? []
            : elementsIn(name)
                .filter(isDeclared)
                .map((rule) => rule.name),
          name,
        );
        assert.deepEqual(
          typesOfChildren,
          children.map((child) => (hasNamespace ? `w:${child}` : child)),
        );
        children.forEach(declarationOf);
      }
      // What stands only below an element with a prefix is not part of this namespace's schema.
      const missing = unprefixed.filter(({ name }) => !declarations.has(name)).map(({ name }) => name);
      assert.deepEqual(missing, ['scheme']);
    });

    it('has each attribute of the table, required where it is, with its values and its description', () => {
      for (const { name, attributes } of unprefixed.filter(({ name }) => declarations.has(name))) {
        const declared = declarationOf(name).attributes;
        assert.deepEqual(
          declared.map((each) => [each.attributes.name, each.attributes.use === 'required']),
          attributes.filter(isDeclared).map((each) => [each.name, each.isRequired === true]),
        );
        attributes.filter(isDeclared).forEach(({ type }, index) => {
          const { text = '', attributes: own = {} } = declared[index] ?? {};
          assert.match(text, /^.+\nhttps:\/\/\S+$/s);
          assert.equal(own.type === undefined, type.kind === 'choice');
        });
      }
    });

    it('leaves open what the table leaves open, and what belongs to other namespaces', () => {
      for (const { name, isOpen } of unprefixed.filter(({ name }) => declarations.has(name))) {
        const open = { namespace: isOpen === true ? '##any' : '##other', processContents: 'lax' };
        assert.deepEqual({ ...declarationOf(name).others }, open, name);
        assert.deepEqual({ ...declarationOf(name).otherAttributes }, open, name);
      }
    });
  });
}

describe('the texts of the schema of config.xml', () => {
  it('are escaped, in the language that is asked for', () => {
    const schema = xsd(true, ({ template }) => `<&"> ${template}`);
    assert.ok(parseXml(schema).root?.text.includes('<&"> The name of the app'));
  });
});
