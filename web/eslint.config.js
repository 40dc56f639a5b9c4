import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import { defineConfig } from 'eslint/config'
import typescript from 'typescript-eslint'

import svelteConfig from './svelte.config.js'

const GENERATED = 'src/**/protocol.ts'

export default defineConfig(
  { ignores: [GENERATED] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  typescript.configs.strictTypeChecked,
  typescript.configs.stylisticTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      parserOptions: {
        projectService: true,
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-undef': 'off', // TypeScript knows better
      '@typescript-eslint/explicit-function-return-type': ['error', { allowExpressions: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-meaningless-void-operator': 'off', // `void x` says that an effect depends on x
      '@typescript-eslint/no-non-null-assertion': 'off', // noUncheckedIndexedAccess: `list[i]!` says that i is in range
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }], // '' means none
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: typescript.parser, svelteConfig } },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    rules: {
      'svelte/prefer-svelte-reactivity': 'off', // a Map or Set here is local, or not reactive on purpose
    },
  },
  {
    files: ['**/*.svelte'],
    rules: {
      // ESLint does not see what a component exports; svelte-check does.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'svelte/no-useless-mustaches': 'off', // {' '} is a space that stays
      'svelte/no-unused-svelte-ignore': 'off', // takes the words of a reason for names of warnings
      'svelte/require-store-reactive-access': 'off', // there are no stores
    },
  },
  { files: ['**/*.js'], extends: [typescript.configs.disableTypeChecked] },
)
