/** Lint: the recommended rules, what we hold to beyond them, and the rooms of the house. */
const tseslint = require('typescript-eslint');
const { roomConfig } = require('./scripts/rooms.cjs');

module.exports = [
  { ignores: ['dist/', '.dist-*/', 'coverage/', 'src/*/generated/'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-debugger': 'error',
      'object-shorthand': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-expressions': [
        'error',
        { allowShortCircuit: true, allowTernary: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
    },
  },
  // A test that is left alone, or left out, is not a test.
  {
    files: ['test/**/*.ts'],
    rules: {
      // What a server answers is held to its schema at run time; tests read it as it comes, and say what they skipped.
      '@typescript-eslint/no-explicit-any': 'off',
      'no-console': 'off',
      'no-restricted-syntax': [
        'error',
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
      ],
    },
  },
  // Scripts and benchmarks speak to a terminal; CommonJS files are read by tools that load no modules.
  {
    files: ['scripts/**', 'bench/**', 'fixtures/**', 'examples/**'],
    rules: { 'no-console': 'off' },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  ...roomConfig,
];
