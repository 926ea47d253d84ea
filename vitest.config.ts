/** One configuration for every package: tests beside the sources, cross-process tests in tests/. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.ts',
      'platforms/**/*.test.ts',
      'apps/**/*.test.ts',
      'examples/**/*.test.ts',
      'tests/**/*.test.ts',
      'tools/**/*.test.ts',
    ],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Workspaces are linked into node_modules and run from source.
    server: { deps: { inline: [/@runbound\//, /^runbound/] } },
  },
})
