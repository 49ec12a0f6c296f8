/** The configuration of oxlint: its rules about errors, further rules, and the allowed imports of layers. */
import { createRequire } from 'node:module';

const { layerConfig } = createRequire(import.meta.url)('./scripts/layers.cjs');

/** A focused or skipped test is an error. */
const testSyntax = [
  {
    selector: 'MemberExpression[object.name=/^(it|test|describe)$/][property.name="only"]',
    message: 'A focused test hides the others.',
  },
  {
    selector: 'CallExpression[callee.name=/^(fit|fdescribe|xit|xtest|xdescribe)$/]',
    message: 'A focused or disabled test hides others or itself.',
  },
  {
    selector:
      ':not(FunctionDeclaration[id.name="check"] *) > MemberExpression[object.name="fc"][property.name="assert"]',
    message:
      'Call check of test/support/property.ts: its failure names the command that replays it.',
  },
];

export default {
  plugins: ['typescript', 'oxc'],
  jsPlugins: ['./scripts/layers.cjs'],
  categories: { correctness: 'error' },
  ignorePatterns: ['dist/', '.dist-*/', 'coverage/', 'src/**/generated/'],
  rules: {
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-console': 'error',
    'no-debugger': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'object-shorthand': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'no-array-constructor': 'error',
    // The code uses each of these on purpose.
    'require-yield': 'off',
    'no-control-regex': 'off',
    'no-sparse-arrays': 'off',
    'no-setter-return': 'off',
    'no-loss-of-precision': 'off',
    'no-unused-expressions': ['error', { allowShortCircuit: true, allowTernary: true }],
    'no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
    ],
  },
  overrides: [
    {
      files: ['test/**/*.ts'],
      rules: {
        // Tests read answers without types, because schemas check them at run time.
        'typescript/no-explicit-any': 'off',
        'no-console': 'off',
        'layers/restricted-syntax': ['error', ...testSyntax],
      },
    },
    // Scripts and benchmarks print to a terminal. Some tools load CommonJS files, but no ES modules.
    {
      files: ['scripts/**', 'bench/**', 'fixtures/**', 'examples/**'],
      rules: { 'no-console': 'off' },
    },
    // Sources load rarely used modules with it: see src/daml/errors/lazy.ts.
    { files: ['**/*.cjs', 'src/**'], rules: { 'typescript/no-require-imports': 'off' } },
    ...layerConfig,
  ],
};
