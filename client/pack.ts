import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Makes the npm package of the client in `dist/package`: the two scripts that `build.ts` made, and their types. `npm pack` and
 * `npm publish` take the folder.
 */
const here = import.meta.dirname
const to = join(here, 'dist/package')
rmSync(to, { recursive: true, force: true })
mkdirSync(to, { recursive: true })

const argv = [join(here, '../node_modules/typescript/bin/tsc'), '-p', join(here, 'tsconfig.package.json')]
const { status } = spawnSync(process.execPath, argv, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

/** The compiler writes no type as long as that of all calls together: this one names the types of the domains. */
const all = readFileSync(join(here, '../contract/index.ts'), 'utf8')
  .replace('export const contract = {', 'export declare const contract: {')
  .replace(/^ {2}(\w+)(?:: ([\w.]+))?,$/gm, (_, name: string, value = name) => `  ${name}: typeof ${value}`)
writeFileSync(join(to, 'types/contract/index.d.ts'), all)

/** Inside the package, the contract is a folder beside the client. */
for (const name of globSync('types/**/*.d.ts', { cwd: to })) {
  const file = join(to, name)
  const up = relative(dirname(file), join(to, 'types/contract')).replace(/^(?!\.)/, './')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(["'])@innkeeper\/contract\/([\w/.-]+?)\1/g, `$1${up}/$2.ts$1`))
}

for (const name of ['index.js', 'innkeeper.js']) cpSync(join(here, 'dist', name), join(to, name))
chmodSync(join(to, 'innkeeper.js'), 0o755)
cpSync(join(here, '../LICENSE'), join(to, 'LICENSE'))

const read = (file: string) => JSON.parse(readFileSync(join(here, file), 'utf8')) as Record<string, string>
const { zod } = (read('../contract/package.json') as { dependencies?: Record<string, string> }).dependencies ?? {}
const { name, version, description } = read('package.json')
const described = {
  ...{ name, version, description, type: 'module', license: read('../package.json').license },
  engines: { node: '>=20' },
  exports: { '.': { types: './types/client/index.d.ts', default: './index.js' } },
  bin: { innkeeper: 'innkeeper.js' },
  dependencies: { zod }, // the types of the contract are zod's
}
writeFileSync(join(to, 'package.json'), `${JSON.stringify(described, null, 2)}\n`)
