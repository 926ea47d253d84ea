/** What `plugin new` writes. The result is compiled and run by a test as it is. */
import { join } from 'node:path'
import { hasPackage, packageFolder, ROOT } from '../place/installation.ts'

/** What authors import. */
export const AUTHORS_PACKAGES = ['@runbound/sdk', '@runbound/testing'] as const

/** File names and contents of a new plugin. */
export function pluginFiles(plugin: { readonly name: string; readonly author: string }): Record<string, string> {
  const runner = plugin.name.toLowerCase()
  return {
    'index.ts': index(plugin, runner),
    ...(hasPackage('@runbound/testing') ? { 'index.test.ts': test(runner) } : {}),
    'package.json': `${JSON.stringify(manifest(plugin.name), null, 2)}\n`,
    'tsconfig.json': tsconfigText(),
    'README.md': readme(plugin.name),
    '.gitignore': 'node_modules/\ndist/\n',
  }
}

const index = ({ name, author }: { readonly name: string; readonly author: string }, runner: string): string =>
  `import { definePlugin, defineRunner, field } from '@runbound/sdk'

const ${variable(runner)} = defineRunner({
  name: '${runner}',
  usages: ['agent'],
  capabilities: { tool_calling: true },
  // What it asks for at most: \`ctx\` has exactly this, and a misspelt name does not compile.
  permissions: { tools: ['call'] },
  config: { greeting: field.string({ default: 'Hello' }) },
  async run(ctx) {
    await ctx.reply(\`\${ctx.config.greeting}! You said: \${ctx.input.toText()}\`)
  },
})

export default definePlugin({
  author: '${author}',
  name: '${name}',
  version: '0.1.0',
  components: [${variable(runner)}],
})
`

const test = (runner: string): string => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from '@runbound/testing'
import plugin from './index.ts'

test('${runner} repeats what was said', async () => {
  await using host = await createTestHost({ plugin, config: { greeting: 'Good morning' } })
  await host.say('hi')
  assert.equal(await host.reply(), 'Good morning! You said: hi')
})
`

const manifest = (name: string) => ({
  name: name.toLowerCase(),
  version: '0.1.0',
  private: true,
  type: 'module',
  main: 'index.ts',
  scripts: {
    dev: 'runbound dev .',
    check: 'runbound plugin check .',
    test: 'runbound plugin test .',
    pack: 'runbound plugin pack .',
  },
})

/** Content of tsconfig.json for this installation. */
export function tsconfigText(): string {
  return `${JSON.stringify(tsconfig(), null, 2)}\n`
}

/** Types come from this installation: no registry is asked, in the editor or by `tsc`. */
const tsconfig = () => ({
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable', 'esnext.iterator', 'esnext.array', 'dom'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules', '@types')],
    paths: Object.fromEntries(
      AUTHORS_PACKAGES.filter(hasPackage).map((name) => [name, [join(packageFolder(name), 'src', 'index.ts')]]),
    ),
    strict: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ['*.ts'],
})

const readme = (name: string): string => `# ${name}

A plugin for Runbound.

    runbound dev .            serves it; each save is loaded at once
    echo hi | runbound chat --once
    runbound plugin test .    runs its tests on a real host in memory
    runbound plugin check .   types, manifest, files
    runbound plugin pack .    makes dist/, which a host installs: runbound plugin install dist

The paths in \`tsconfig.json\` lead to the Runbound on this machine; \`runbound plugin types .\` writes them anew elsewhere.
`

/** A Runner's name as a name in the code. */
function variable(runner: string): string {
  return runner.replaceAll(/[-_]+(\w?)/g, (_all, next: string) => next.toUpperCase())
}
